"""What the programs say of themselves: `--help` and the sources of the manual pages."""

import re
import subprocess

from support import BIN, DEMO, ROOT, run

MAN = ROOT / "man"


def output(*command, **options):
    """What a command prints; it must succeed."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def help_options(text):
    """{option: name of its value or None} of what --help prints."""
    found = re.findall(r"^  (--[a-z-]+)(?: ([A-Z…]+))? ", text, re.M)
    return {option: value.lower().replace("…", " ...") or None for option, value in found}


def rules():
    """The names of the rules that `replay --without` knows."""
    complaint = run("replay", DEMO, "--without", "?")[2]
    return set(complaint.partition("choose one of ")[2].strip().split(", "))


def commands():
    """{command: its --help} of forcetouchctl."""
    names = re.findall(r"^  ([a-z]+) ", output(BIN / "forcetouchctl", "--help"), re.M)
    return {name: output(BIN / "forcetouchctl", name, "--help") for name in names}


class Page:
    """The source of a manual page by its sections."""

    def __init__(self, name):
        self.path = MAN / name
        self.text = self.path.read_text()

    def section(self, name, level="Sh"):
        """The lines under a heading, up to the next one of its kind or a greater one."""
        end = "Sh" if level == "Sh" else "S[hs]"
        match = re.search(rf"^\.{level} {re.escape(name)}\n(.*?)(?=^\.{end} |\Z)", self.text, re.M | re.S)
        if not match:
            raise AssertionError(f"{self.path} has no {name}")
        return match[1]

    def subsections(self, section):
        return re.findall(r"^\.Ss (.+)$", self.section(section), re.M)

    def rendered(self):
        text = output("mandoc", "-Tutf8", "-Owidth=400", self.path)
        return re.sub(r".\x08", "", text)

    def literals(self):
        """The displayed blocks."""
        blocks = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", self.text, re.M | re.S)
        return [unescape(block) for block in blocks]


def unescape(text):
    """Text as roff prints it."""
    for escape, character in ((r"\(dq", '"'), (r"\ ", " "), (r"\e", "\\"), (r"\&", "")):
        text = text.replace(escape, character)
    return re.sub(r"\\\[u([0-9A-F]+)\]", lambda match: chr(int(match[1], 16)), text)

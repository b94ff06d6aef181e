"""The pages for people: every link leads somewhere, and every command does what stands there."""

import contextlib
import difflib
import os
import pathlib
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

from manual import commands, help_options, output
from pages import anchors, blocks, links, matches, pages
from support import BIN, DEMO, PATIENCE, PATIENT, ROOT, Daemon, wait_until

# The word after ```sh or ```console, where nobody runs the commands here, and why.
NOT_RUN = {
    "machine": "typed in a virtual machine by Tests/System/guest/test_first_peek.py",
    "installs": "it changes the machine that it is run on",
    "device": "it needs a device, or root to read one",
    "service": "it looks at the service that is installed",
    "terminal": "it is for a person at a terminal; test_monitor_live looks at such screens",
    "builds": "it builds, tests or measures for minutes; .ci/run and its like do it",
    "network": "it fetches a package",
    "systemd-257": "Debian 12 has no varlinkctl",
}
# Programs that pages name and a test machine need not have.
STAND_INS = ("playerctl",)
EXAMPLES = "/usr/share/doc/forcetouchd/examples"


class LinksTest(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        texts = pages()
        count = 0
        for page, text in texts.items():
            for link in links(text):
                if re.match(r"[a-z]+:", link) or link.startswith("doc:"):
                    continue
                count += 1
                with self.subTest(page=page, link=link):
                    path, _, anchor = urllib.parse.unquote(link).partition("#")
                    target = (ROOT / page).parent / path if path else ROOT / page
                    self.assertTrue(target.exists(), "there is no such file")
                    if anchor:
                        name = str(target.resolve().relative_to(ROOT))
                        self.assertIn(anchor, anchors(texts[name]))
        self.assertGreater(count, 60)

    def test_a_page_of_docs_that_is_named_is_linked_or_there(self):
        """Also where a name stands as code."""
        for page, text in pages().items():
            for name in re.findall(r"`(docs/[\w-]+\.md)`", text):
                with self.subTest(page=page):
                    self.assertTrue((ROOT / name).is_file(), name)

    def test_the_index_has_every_page(self):
        index = (ROOT / "docs/README.md").read_text()
        listed = [link for link in links(index) if link.endswith(".md") and "/" not in link]
        there = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
        self.assertEqual(sorted(listed), sorted(there))


class Reader:
    """Somebody who reads a page and does what it says, in a clone of the project that was built:
    a shell of theirs, in a folder of theirs."""

    END = "what was typed has ended with"

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="forcetouch-test-"))
        self.clone = self.folder / "forcetouchd"
        self.clone.mkdir()
        (self.folder / "tmp").mkdir()
        for name in ("Examples", "Tests"):
            (self.clone / name).symlink_to(ROOT / name)
        (self.clone / "venv").symlink_to(pathlib.Path(sys.executable).parent.parent)
        self.programs = self.clone / ".build/release"
        self.programs.mkdir(parents=True)
        (self.programs / "forcetouchctl").symlink_to(BIN / "forcetouchctl")
        # Programs may answer late where the machine is busy.
        self.write_program("forcetouchd", f'exec {BIN}/forcetouchd {" ".join(map(str, PATIENT))} "$@"')
        for name in STAND_INS:
            self.write_program(name, "true")
        self.shell = self.start("bash", "--norc", "--noprofile", stdin=subprocess.PIPE)
        self.lines = self.shell_lines()

    def write_program(self, name, script):
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def start(self, *command, **options):
        environment = {**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
                       "PATH": f"{self.programs}:{os.environ['PATH']}"}
        environment.pop("XDG_CONFIG_HOME", None)
        return subprocess.Popen(
            command, cwd=self.clone, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True, **options)

    def shell_lines(self):
        lines = queue.Queue()

        def read():
            for line in self.shell.stdout:
                lines.put(line.rstrip("\n"))
        threading.Thread(target=read, daemon=True).start()
        return lines

    def here(self, text):
        """What a page says, with its places in this folder. (The project may lie in /tmp itself.)"""
        return text.replace("/tmp/", f"{self.folder}/tmp/").replace(EXAMPLES, str(DEMO.parent))

    def there(self, line):
        return (line.replace(f"{self.folder}/tmp/", "/tmp/")
                .replace(str(DEMO.parent), EXAMPLES).replace(str(self.folder), "/home/you"))

    def keep(self, name, text):
        """Puts a block into the file that the page wants it in."""
        path = self.folder / name[2:] if name.startswith("~/") else self.clone / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.here(text))
        if path.name == "main.swift":
            build(path, path.parents[2] / ".build/debug" / path.parent.name)

    def type(self, command):
        """The lines that a command prints, and its status."""
        command = self.here(command)
        # A person does not type as fast as one daemon ends and another starts.
        command = re.sub(
            r"^(.*--socket (\S+)(?:.|\\\n)*) &$",
            r"wait\n\1 &\nuntil [ -S \2 ]; do sleep 0.05; done", command, flags=re.M)
        self.shell.stdin.write(f"{command}\necho; echo {self.END} $?\n")
        self.shell.stdin.flush()
        seen = []
        while not (seen and seen[-1].startswith(self.END)):
            try:
                seen.append(self.lines.get(timeout=4 * PATIENCE))
            except queue.Empty:
                raise AssertionError(f"{command} does not end; it printed {seen}") from None
        status = int(seen.pop().split()[-1])
        if seen and not seen[-1]:
            seen.pop()
        return [self.there(line) for line in seen], status

    def type_until(self, command, expected):
        """The same of a command that goes on until Ctrl-C, pressed when all that is expected came."""
        process = self.start("bash", "-c", self.here(command), stdin=subprocess.DEVNULL)
        seen = []

        def read():
            for line in process.stdout:
                seen.append(self.there(line.rstrip("\n")))
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        with contextlib.suppress(AssertionError):
            wait_until(lambda: matches(expected, list(seen)), "it prints what it should")
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=PATIENCE)
        reader.join()
        return seen

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.shell.pid, signal.SIGTERM)
        self.shell.stdin.close()
        self.shell.wait(timeout=PATIENCE)
        shutil.rmtree(self.folder)


def build(source, program):
    """A program in Swift that imports the library, as its package would be built."""
    program.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", BIN / "Modules",
         "-Xcc", f"-fmodule-map-file={BIN}/CLinux.build/module.modulemap",
         source, BIN / "libForceTouch.a", "-o", program],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20 * PATIENCE)
    if done.returncode != 0:
        raise AssertionError(f"{source} does not build:\n{done.stdout}")


class CommandsTest(unittest.TestCase):
    maxDiff = None

    def test_what_stands_in_the_pages_is_what_comes(self):
        count = 0
        for page, text in pages().items():
            found = blocks(page, text)
            if not any(b.language in ("sh", "console") and not b.word for b in found):
                continue
            reader = Reader()
            try:
                for block in found:
                    if block.language in ("sh", "console"):
                        if not block.word:
                            count += 1
                            self.follow(reader, block)
                    elif block.word:
                        reader.keep(block.word, block.text)
            finally:
                reader.close()
        self.assertGreater(count, 8)

    def follow(self, reader, block):
        for command, expected in block.commands():
            with self.subTest(place=block.place, command=command):
                if expected[-1:] == ["^C"]:
                    del expected[-1]
                    shown = reader.type_until(command, expected)
                else:
                    shown, status = reader.type(command)
                    self.assertEqual(status, 0, shown)
                if block.language == "console" and not matches(expected, shown):
                    self.fail(f"{block.place}: this is not what comes:\n" + "\n".join(
                        difflib.unified_diff(expected, shown, "the page", "what comes", lineterm="")))

    def test_what_is_not_run_has_a_reason(self):
        given = set()
        for page, text in pages().items():
            for block in blocks(page, text):
                with self.subTest(place=block.place):
                    self.assertIn(
                        block.language, ("sh", "console", "python", "swift", "yaml", "json"),
                        "say what it is")
                    if block.language in ("sh", "console") and block.word:
                        self.assertIn(block.word, NOT_RUN)
                        given.add(block.word)
                    if block.word == "machine":
                        self.assertEqual((page, block.language), ("docs/getting-started.md", "console"))
        self.assertEqual(given, set(NOT_RUN))

    def test_commands_stand_in_blocks_that_say_so(self):
        """An indented block holds no command that nobody would look at."""
        for page, text in pages().items():
            for line in re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S).splitlines():
                with self.subTest(page=page, line=line):
                    self.assertNotRegex(
                        line, r"^ {4,}(\$ |sudo |make |forcetouchctl |forcetouchd |systemctl |printf )")

    def test_what_is_not_run_names_what_there_is(self):
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
        told = {name: set(help_options(text)) | {"--help"} for name, text in commands().items()}
        told["forcetouchd"] = set(help_options(output(BIN / "forcetouchd", "--help"))) | {"--help"}
        for page, text in pages().items():
            for block in blocks(page, text):
                if block.language not in ("sh", "console") or block.word not in NOT_RUN:
                    continue
                for command, _ in block.commands():
                    for line in command.replace("\\\n", " ").splitlines():
                        with self.subTest(place=block.place, line=line):
                            self.check(line, targets, told)

    def check(self, line, targets, told):
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        command = []
        for word in [*words, ";"]:
            if not re.fullmatch(r"[|;&()]+", word):
                command.append(word)
                continue
            if command[:1] == ["sudo"]:
                del command[0]
            program = os.path.basename(command[0]) if command else ""
            if program == "make":
                self.assertLessEqual({w for w in command[1:] if re.fullmatch("[a-z-]+", w)}, targets)
            if program == "forcetouchctl":
                del command[0]
                program = command[0]
                self.assertIn(program, told)
            if program in told:
                options = {word for word in command if word.startswith("--")}
                self.assertLessEqual(options, told[program])
            command = []


class ReadmeTest(unittest.TestCase):
    """The two programs of README.md do the same, what it says."""

    EXPECTED = ["peek", "pop", "peek", "gone"]

    def setUp(self):
        self.daemon = Daemon(*PATIENT, "--replay", DEMO)
        self.addCleanup(self.daemon.close)
        text = (ROOT / "README.md").read_text()
        self.programs = {b.language: b.text for b in blocks("README.md", text)}

    def test_the_one_in_python(self):
        program = self.programs["python"]
        self.assertIn('"unix:/run/forcetouchd/socket"', program)
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c",
             program.replace("/run/forcetouchd/socket", self.daemon.path)],
            capture_output=True, text=True, timeout=4 * PATIENCE)
        self.assertEqual((done.stdout.splitlines(), done.stderr), (self.EXPECTED, ""))

    def test_the_one_in_swift(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="forcetouch-test-"))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "main.swift").write_text(self.programs["swift"])
        build(folder / "main.swift", folder / "program")
        with open(folder / "shown", "w") as shown:
            program = subprocess.Popen(
                ["stdbuf", "-oL", folder / "program"], stdout=shown, stderr=shown,
                env={**os.environ, "FORCETOUCHD_SOCKET": self.daemon.path})
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        # The daemon ends with its recording; the program waits for the next one.
        self.daemon.process.wait(timeout=4 * PATIENCE)
        wait_until(lambda: (folder / "shown").read_text().split() == self.EXPECTED,
                   f"it prints {self.EXPECTED}")

    def test_it_is_short(self):
        self.assertLess(len((ROOT / "README.md").read_text().splitlines()), 125)


if __name__ == "__main__":
    unittest.main()

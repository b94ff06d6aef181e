"""What the programs say of themselves, the manual pages, the completions and the settings file."""

import collections
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from support import BIN, DEMO, ROOT, Daemon, run

MAN = ROOT / "man"
COMPLETIONS = ROOT / "completions"
SETTINGS = ROOT / "etc/forcetouchd.yaml"
EXAMPLES = "/usr/share/doc/forcetouchd/examples"


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

    def scripts(self):
        """The displayed commands, those that stand together as one."""
        found = []
        for block in re.findall(r"(?:^\.Dl .*\n)+", self.text, re.M):
            lines = [unescape(line[4:]) for line in block.splitlines()]
            found.append("\n".join(re.sub(r"^[$#] ", "", line) for line in lines) + "\n")
        return found


def unescape(text):
    """Text as roff prints it."""
    for escape, character in ((r"\(dq", '"'), (r"\ ", " "), (r"\e", "\\"), (r"\&", "")):
        text = text.replace(escape, character)
    return text


def float_or_word(text):
    try:
        return float(text)
    except ValueError:
        return text


def page_options(text):
    """{option: name of its value or None} of the items of a list."""
    options = {}
    for option, argument in re.findall(r"^\.It Fl -([a-z-]+)(.*)$", text, re.M):
        match = re.match(r" Ar ?(\S*)", argument)
        options["--" + option] = (match[1] or "file ...") if match else None
    return options


class PagesTest(unittest.TestCase):
    maxDiff = None

    def test_the_pages_are_clean(self):
        for page in sorted(MAN.iterdir()):
            with self.subTest(page=page.name):
                done = subprocess.run(
                    ["mandoc", "-Tlint", "-Wwarning", page], capture_output=True, text=True)
                self.assertEqual(done.stdout + done.stderr, "")

    def test_forcetouchd_has_the_options_that_it_says(self):
        told = help_options(output(BIN / "forcetouchd", "--help"))
        self.assertIn("--socket", told)
        self.assertEqual(page_options(Page("forcetouchd.8").text), told)

    def test_forcetouchctl_has_the_commands_and_options_that_it_says(self):
        page = Page("forcetouchctl.1")
        told = commands()
        self.assertIn("replay", told)
        self.assertEqual(page.subsections("COMMANDS"), list(told))
        for name, text in told.items():
            with self.subTest(command=name):
                self.assertEqual(page_options(page.section(name, "Ss")), help_options(text))

    def test_the_synopsis_is_the_usage_line(self):
        rendered = Page("forcetouchctl.1").rendered()
        lines = {re.sub(r" \| ", "|", line.strip()) for line in rendered.splitlines()}
        for name, text in commands().items():
            with self.subTest(command=name):
                usage = text.splitlines()[0].removeprefix("usage: ").lower()
                self.assertIn(usage, lines)

    def test_every_reason_is_explained(self):
        source = (ROOT / "Sources/ForceTouchModel/Capability.swift").read_text()
        body = source[source.index("enum CapabilityReason"):source.index("var explanation")]
        reasons = set(re.findall(r"^  case (\w+)$", body, re.M))
        self.assertIn("undescribed", reasons)
        text = Page("forcetouchd-devices.5").section("CAPABILITY")
        self.assertEqual(reasons - set(re.findall(r"\w+", text)), set())

    def test_every_rule_is_explained(self):
        """With the meaning that the program tells, and defaults that are those of the settings."""
        notes = output(BIN / "forcetouchctl", "replay", "--help").split("Rules, by", 1)[1]
        rules = dict(re.findall(r"^  (\w+) +(.+)$", notes, re.M))
        self.assertIn("unarmed", rules)
        self.assertEqual(
            run("replay", DEMO, "--without", "nonsense")[2],
            f"forcetouchctl: there is no rule nonsense; choose one of {', '.join(rules)}\n")
        page = Page("forcetouchctl.1").section("replay", "Ss")
        items = re.findall(r"^\.It Cm (\w+)\n(.*?)(?=^\.It|^\.El)", page, re.M | re.S)
        self.assertEqual([name for name, _ in items], list(rules))
        for name, text in items:
            self.assertTrue(text.startswith(rules[name].split(";")[0]), name)
        table = re.findall(
            r"^\| `(\w+)` \| (.+?) \| (.*?) ?\| .+ \|$", (ROOT / "docs/recognition.md").read_text(), re.M)
        self.assertEqual({name: text.replace("`", "") for name, text, _ in table}, rules)
        settings = SettingsTest.file()["recognition"]
        for _, _, parameters in table:
            for name, default in re.findall(r"`([a-z-]+): (\w+)`", parameters):
                self.assertEqual(float_or_word(default), float_or_word(settings[name]), name)

    def test_the_examples_work(self):
        """Those that play the recording that is installed; the others need a device."""
        count = 0
        for page in sorted(MAN.iterdir()):
            for script in Page(page.name).scripts():
                if EXAMPLES not in script:
                    continue
                count += 1
                with self.subTest(page=page.name, script=script):
                    self.play(script, *Page(page.name).literals())
        self.assertGreaterEqual(count, 4)

    def play(self, script, settings=""):
        """Runs the commands of an example; `settings` are those that stand above it."""
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        with open(os.path.join(folder, "my.yaml"), "w") as file:
            file.write(settings)
        # The folder first: the project may lie in /tmp itself.
        script = script.replace("/tmp/", folder + "/").replace(EXAMPLES, str(DEMO.parent))
        # A person does not type as fast as this.
        script = script.replace(" &\n", f" &\nuntil [ -S {folder}/replay ]; do sleep 0.05; done\n")
        shown = output(
            "bash", "-euo", "pipefail", "-c", script, cwd=folder,
            env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"})
        pictures = re.findall(r"\w+\.(?:svg|png|pdf)", script)
        for picture in pictures:
            self.assertGreater(os.path.getsize(os.path.join(folder, picture)), 1000, picture)
        if not pictures:
            self.assertRegex(shown, r"peek")

    def test_the_settings_in_the_examples_are_right(self):
        (text,) = Page("forcetouchd.yaml.5").literals()
        self.assertEqual(complaints_about(self, text), "")


def complaints_about(test, text):
    """What is wrong with settings."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        status, _, complaints = run("probe", DEMO, "--config", file.name)
    test.assertEqual(status, 0, complaints)
    return complaints


def uncommented():
    """The settings file with every setting in force."""
    return re.sub(r"^#(?=\S|  )", "", SETTINGS.read_text(), flags=re.M)


class HardwareTest(unittest.TestCase):
    """docs/hardware.md is made from the device table."""

    maxDiff = None

    def test_the_page_is_what_the_table_says(self):
        made = output(ROOT / "scripts/make-hardware-page")
        self.assertEqual((ROOT / "docs/hardware.md").read_text(), made, "run: make hardware")

    def test_it_has_every_device_of_the_table(self):
        table = (ROOT / "Sources/ForceTouchDevices/devices.yaml").read_text()
        names = re.findall(r"^- name: (.+)$", table, re.M)
        self.assertGreater(len(names), 50)
        rows = re.findall(r"^\| (.+?) \|", (ROOT / "docs/hardware.md").read_text(), re.M)
        self.assertEqual(sorted(names), sorted(row for row in rows if row in names))

    def test_its_thresholds_are_those_that_the_program_uses(self):
        description = ROOT / "Tests/Fixtures/devices/magic-trackpad-2-usb.yml"
        thresholds = json.loads(run("probe", description, "--json")[1])["thresholds"]
        rows = re.findall(
            r"^\| Apple Magic Trackpad 2 on USB \|(.+)\|$", (ROOT / "docs/hardware.md").read_text(), re.M)
        (cells,) = [[cell.strip() for cell in row.split("|")] for row in rows]
        self.assertEqual(
            [float(cell) for cell in cells[6:9]], [thresholds[name] for name in ("hint", "peek", "pop")])


class SettingsTest(unittest.TestCase):
    maxDiff = None

    @staticmethod
    def file():
        """{section: {setting: default}} of the settings file."""
        sections = {}
        for line in uncommented().splitlines():
            if match := re.fullmatch(r"([a-z]+):", line):
                sections[match[1]] = {}
            elif match := re.fullmatch(r"  (?:- |  )?([a-z-]+): (.+)", line):
                sections[list(sections)[-1]][match[1]] = match[2]
        return sections

    @staticmethod
    def page():
        """{section: {setting: default, None where there is none}} of the page."""
        page = Page("forcetouchd.yaml.5")
        sections = {}
        for section in page.subsections("SETTINGS"):
            items = re.findall(
                r"^\.It Cm ([a-z-]+) :(?:.* Pq default: \w\w (\S+)|.*)$", page.section(section, "Ss"), re.M)
            sections[section] = {name: default or None for name, default in items}
        return sections

    def test_the_page_has_the_settings_of_the_file(self):
        file, page = self.file(), self.page()
        self.assertIn("peek", file["recognition"])
        self.assertEqual(list(file), list(page))
        for section in file:
            self.assertEqual(list(file[section]), list(page[section]), section)
            for name, default in page[section].items():
                if default is not None:
                    self.assertEqual(default, file[section][name], f"{section}.{name}")

    def test_as_installed_it_sets_nothing(self):
        self.assertEqual(complaints_about(self, SETTINGS.read_text()), "")
        self.assertTrue(
            all(line.startswith("#") for line in SETTINGS.read_text().splitlines() if line))

    def test_everything_in_it_is_understood_and_the_default(self):
        self.assertEqual(complaints_about(self, uncommented()), "")
        with tempfile.TemporaryDirectory() as folder:
            devices = []
            for name, text in (("all", uncommented()), ("none", "")):
                path = os.path.join(folder, name)
                with open(path, "w") as file:
                    file.write(text)
                devices.append(json.loads(run("probe", DEMO, "--config", path, "--json")[1]))
        self.assertEqual(devices[0], devices[1])


class ShownByTest(unittest.TestCase):
    """The last column of a table names the tests that show what the row says."""

    def setUp(self):
        self.scenarios = {
            path.name for folder in ("Scenarios", "PreviewScenarios")
            for path in (ROOT / "Tests" / folder).iterdir()}
        # Two modules may each have a suite of one name.
        self.sources = collections.defaultdict(str)
        for pattern in ("*Tests.swift", "test_*.py"):
            for path in (ROOT / "Tests").rglob(pattern):
                self.sources[path.stem] += path.read_text()

    def assertShown(self, page, at_least):
        count = 0
        for section in (ROOT / "docs" / page).read_text().split("\n## ")[1:]:
            heading, *lines = section.splitlines()
            rows = [line for line in lines if line.startswith("| ")]
            if not rows or not rows[0].endswith(" shown by |"):
                continue
            self.assertGreater(len(rows), 2, heading)
            for row in rows[2:]:
                shown = re.findall(r"`([^`]+)`", row.split(" | ")[-1])
                self.assertTrue(shown, row)
                for name in shown:
                    count += 1
                    if name.endswith((".force", ".preview")):
                        self.assertIn(name, self.scenarios)
                        continue
                    suite, _, test = name.partition(".")
                    self.assertRegex(self.sources[suite], rf"\b(func|def) {test}\b", name)
        self.assertGreater(count, at_least)

    def test_what_shows_a_symptom_is_there(self):
        self.assertShown("symptoms.md", 40)

    def test_what_shows_a_fault_or_a_limit_is_there(self):
        self.assertShown("reliability.md", 40)

    def test_the_limits_are_those_of_the_code(self):
        """Numbers that stand in docs/reliability.md, and where they come from."""
        page = (ROOT / "docs/reliability.md").read_text()
        for row, file, constant in [
                ("connections of a user | 128", "ForceTouchDaemon/Clients/Server.swift",
                 "maximumConnectionsPerUser = 128"),
                ("less 64", "ForceTouchDaemon/Clients/Server.swift", "reservedDescriptors = 64"),
                ("let in in a turn | 16", "ForceTouchDaemon/Clients/Server.swift",
                 "admissionsPerTurn = 16"),
                ("a message | 16 KiB", "Varlink/Server/ServerConnection.swift",
                 "maximumMessageLength = 16 * 1024"),
                ("32 levels", "Varlink/Message/JSONMembers.swift", "maximumDepth = 32"),
                ("calls of a client in a turn | 4", "ForceTouchDaemon/Clients/ClientSession.swift",
                 "callsPerTurn = 4"),
                ("64 KiB, then `changed`", "ForceTouchDaemon/Clients/ClientSession.swift",
                 "comfortableBacklog = 64 * 1024"),
                ("1 MiB: disconnected", "ForceTouchDaemon/Clients/ClientSession.swift",
                 "largestBacklog = 1024 * 1024"),
                ("frames of a device in a turn | 32", "ForceTouchDaemon/Devices/LiveDevice.swift",
                 "framesPerTurn = 32"),
                ("touch devices | 256", "ForceTouchDaemon/Devices/LiveDevices.swift",
                 "mostDevices = 256"),
                ("log lines | 200 in 10 s", "ForceTouchDaemon/Log.swift", "mostLines = 200"),
                ("in the log | 100", "ForceTouchDaemon/State/Configuration.swift",
                 "mostProblems = 100"),
                ("settings file | 4 MB", "YAML/YAMLNode.swift", "maximumFileSize = 4 << 20")]:
            self.assertIn(row, page)
            self.assertIn(constant, (ROOT / "Sources" / file).read_text(), row)


class ActionsTest(unittest.TestCase):
    """What is written of actions files."""

    maxDiff = None
    sources = ROOT / "Sources/ForceTouchActions"

    def test_the_page_has_the_keys_and_variables_that_there_are(self):
        page = Page("forcetouch-actions.5")
        keys = re.findall(r'^    case "([a-z-]+)":', (self.sources / "ActionsFile.swift").read_text(), re.M)
        self.assertIn("shell", keys)
        self.assertEqual(re.findall(r"^\.It Cm ([a-z-]+) :", page.section("RULES"), re.M), keys)
        variables = re.findall(
            r'^      \("(FORCETOUCH_\w+)"', (self.sources / "ActionPress.swift").read_text(), re.M)
        self.assertIn("FORCETOUCH_X", variables)
        told = re.findall(r"^\.It Ev (.+)$", page.section("ENVIRONMENT"), re.M)
        self.assertEqual(" , ".join(told).split(" , "), variables)

    def check(self, text):
        """What the rules of a text do; there must be nothing wrong with them."""
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            status, output, complaints = run("run", "--check", "--actions", file.name)
        self.assertEqual((status, complaints), (0, ""))
        return output.replace(file.name, "FILE").replace(" (there is no such program)", "")

    def test_the_examples_are_right(self):
        self.check((ROOT / "Examples/actions.yaml").read_text())
        (example,) = Page("forcetouch-actions.5").literals()
        self.check(example)
        for name in ("docs/actions.md", "README.md"):
            blocks = re.findall(r"^```yaml\n(.*?)^```", (ROOT / name).read_text(), re.M | re.S)
            self.assertTrue(blocks)
            for block in blocks:
                with self.subTest(name=name, block=block):
                    self.check(block)

    def test_what_a_check_prints_is_what_it_prints(self):
        text = (ROOT / "docs/actions.md").read_text()
        first = re.search(r"^```yaml\n(.*?)^```", text, re.M | re.S)[1]
        shown = re.search(r"run --check\n    /home/you/.config/forcetouch/actions.yaml(.*)\n", text)[1]
        self.assertEqual(self.check(first), f"FILE{shown}\n")


class BashTest(unittest.TestCase):
    def complete(self, *words, program="forcetouchctl", folder=None):
        """What bash offers for the last of the words."""
        script = f"""
            source "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _{program}
            printf '%s\\n' "${{COMPREPLY[@]}}"
            """
        shown = output(
            "bash", "--norc", "-c", script, COMPLETIONS / f"{program}.bash", program, *words,
            cwd=folder, env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"})
        return set(shown.split("\n")) - {""}

    def test_commands_and_options(self):
        told = commands()
        self.assertEqual(self.complete(""), set(told) | {"--help", "--version"})
        self.assertEqual(self.complete("mon"), {"monitor"})
        for name, text in told.items():
            with self.subTest(command=name):
                self.assertEqual(self.complete(name, "--"), set(help_options(text)) | {"--help"})

    def test_what_takes_a_value_offers_no_option(self):
        for name, text in commands().items():
            for option, value in help_options(text).items():
                if value:
                    with self.subTest(command=name, option=option):
                        offered = self.complete(name, option, "")
                        self.assertFalse({o for o in offered if o.startswith("-")})

    def test_values(self):
        self.assertEqual(self.complete("replay", "--speed", ""), {"original", "max"})
        self.assertEqual(self.complete("replay", "--speed", "=", "o"), {"original"})
        self.assertEqual(self.complete("replay", "--without", ""), rules())
        self.assertEqual(self.complete("replay", "--without", "palm", "--without", "not"), {"notFinger"})
        self.assertEqual(self.complete("replay", str(DEMO)[:-3]), {str(DEMO)})
        self.assertEqual(self.complete("replay", "--sensitivity", ""), {"light", "medium", "firm"})
        self.assertEqual(self.complete("plot", "a", "--dark", str(DEMO)[:-3]), {str(DEMO)})
        self.assertEqual(self.complete("plot", "--from", str(DEMO)[:-3]), set())
        self.assertEqual(self.complete("plot", "-o", str(DEMO)[:-3]), {str(DEMO)})
        self.assertEqual(self.complete("replay", "--config", str(SETTINGS)[:-3]), {str(SETTINGS)})
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "two words.yml")
            open(name, "w").close()
            self.assertEqual(self.complete("replay", name[:-6]), {name})
        # There is one operand only.
        self.assertEqual(self.complete("replay", "--all", "a", "/etc/"), set())

    def test_devices(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        self.assertEqual(self.complete("monitor", "--socket", daemon.path, ""), {"d1"})
        self.assertEqual(self.complete("monitor", "--socket", "=", daemon.path, ""), {"d1"})
        self.assertEqual(self.complete("capability", "--socket", daemon.path + "?", ""), set())

    def test_forcetouchd(self):
        told = set(help_options(output(BIN / "forcetouchd", "--help")))
        self.assertEqual(self.complete("", program="forcetouchd"), told)
        path = str(DEMO)
        for words in (["--replay", path[:-3]], ["--replay", path, path[:-3]], ["--config", path[:-3]],
                      ["--config", "=", path[:-3]], ["--replay", "=", path[:-3]]):
            with self.subTest(words=words):
                self.assertEqual(self.complete(*words, program="forcetouchd"), {path})
        self.assertEqual(self.complete("--replay", path, "--v", program="forcetouchd"),
                         {"--verbose", "--version"})


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class FishTest(unittest.TestCase):
    def complete(self, line):
        """{word: what is said of it} that fish offers for the end of a line."""
        program = line.split()[0]
        shown = output(
            "fish", "--no-config", "-c", f'source "{COMPLETIONS}/{program}.fish"; complete -C "{line}"',
            env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"})
        return dict(line.split("\t") if "\t" in line else (line, "") for line in shown.splitlines())

    def test_commands_and_options(self):
        told = commands()
        self.assertEqual(set(self.complete("forcetouchctl ")), set(told))
        self.assertEqual(set(self.complete("forcetouchctl --")), {"--help", "--version"})
        for name, text in told.items():
            with self.subTest(command=name):
                self.assertEqual(
                    set(self.complete(f"forcetouchctl {name} --")), set(help_options(text)) | {"--help"})
        self.assertEqual(
            set(self.complete("forcetouchd --")),
            set(help_options(output(BIN / "forcetouchd", "--help"))))

    def test_values(self):
        self.assertEqual(set(self.complete("forcetouchctl replay --speed ")), {"original", "max"})
        self.assertEqual(set(self.complete("forcetouchctl replay --without ")), rules())
        self.assertIn(str(DEMO), self.complete(f"forcetouchctl replay {str(DEMO)[:-3]}"))
        self.assertIn(str(DEMO), self.complete(f"forcetouchd --replay {DEMO} {str(DEMO)[:-3]}"))
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        self.assertEqual(
            self.complete(f"forcetouchctl monitor --socket {daemon.path} "),
            {"d1": "Apple Inc. Magic Trackpad 2"})


class ZshTest(unittest.TestCase):
    @staticmethod
    def options(text):
        """{option: whether it takes a value} of calls of _arguments."""
        found = re.findall(r"'(?:\(- \*\)|\*)?(--[a-z-]+)=?\[[^]]*\](:?)", text)
        return {option: bool(value) for option, value in found}

    @staticmethod
    def told(text):
        return {option: bool(value) for option, value in help_options(text).items()}

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_understands_them(self):
        for file in COMPLETIONS.glob("_*"):
            output("zsh", "-n", file)

    def test_commands_and_options(self):
        text = (COMPLETIONS / "_forcetouchctl").read_text()
        told = commands()
        named = re.findall(r"^ +'([a-z]+):", text, re.M)
        self.assertEqual(named, list(told))
        arms = dict(re.findall(r"^        ([a-z]+)\)\n(.*?);;", text, re.M | re.S))
        self.assertEqual(list(arms), list(told))
        for name in told:
            with self.subTest(command=name):
                self.assertEqual(
                    self.options(arms[name]), {**self.told(told[name]), "--help": False})
        self.assertEqual(set(re.search(r":rule:\((.+?)\)", text)[1].split()), rules())
        self.assertEqual(
            self.options((COMPLETIONS / "_forcetouchd").read_text()),
            self.told(output(BIN / "forcetouchd", "--help")))


if __name__ == "__main__":
    unittest.main()

"""What the programs say of themselves, the manual pages and the settings file."""

import collections
import json
import os
import re
import subprocess
import tempfile
import unittest

from manual import MAN, Page, commands, help_options, output
from pages import blocks
from support import BIN, DEMO, ROOT, run

SETTINGS = ROOT / "etc/forcetouchd.yaml"


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
        text = (self.sources / "ActionsFile.swift").read_text()
        words = re.search(r"enum Key: String, CaseIterable {\n(.*?)\n  }", text, re.S)[1]
        keys = re.findall(r"[a-z-]+(?=\"?(?:,|$))", words, re.M)
        self.assertIn("shell", keys)
        self.assertEqual(re.findall(r"^\.It Cm ([a-z-]+) :", page.section("RULES"), re.M), keys)
        variables = re.findall(
            r'^      \("(FORCETOUCH_\w+)"', (self.sources / "ActionPress.swift").read_text(), re.M)
        self.assertIn("FORCETOUCH_X", variables)
        told = re.findall(r"^\.It Ev (.+)$", page.section("ENVIRONMENT"), re.M)
        self.assertEqual(" , ".join(told).split(" , "), variables)

    def check(self, text):
        """There must be nothing wrong with the rules of a text."""
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            status, _, complaints = run("run", "--check", "--actions", file.name)
        self.assertEqual((status, complaints), (0, ""))

    def test_the_examples_are_right(self):
        self.check((ROOT / "Examples/actions.yaml").read_text())
        (example,) = Page("forcetouch-actions.5").literals()
        self.check(example)
        text = (ROOT / "docs/actions.md").read_text()
        found = [block for block in blocks("docs/actions.md", text) if block.language == "yaml"]
        self.assertEqual(len(found), 2)
        for block in found:
            with self.subTest(place=block.place):
                self.check(block.text)


if __name__ == "__main__":
    unittest.main()

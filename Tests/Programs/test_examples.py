"""The commands that the manual pages show: they are run, and must print what the pages show.

Those that need a device node are run by umockdev-wrapper.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from live import LiveTestCase
from manual import MAN, commands, unescape
from support import BIN, DEMO, PATIENCE, ROOT, Daemon

INSTALLED = "/usr/share/doc/forcetouchd/examples"
# Commands of others that need a machine with systemd or uinput, which are not tried here.
MACHINE = ("systemctl", "journalctl", "usermod", "evemu-device", "evemu-play")
# Examples that wait for a person, and what tries them.
ASKING = {
    "forcetouchctl calibrate /dev/input/event5\nforcetouchctl calibrate /dev/input/event5 --reset\n":
        "test_calibrate_live",
}


class Example:
    """Commands of a page that stand together, lines that they print, and the files shown before."""

    def __init__(self, page, section, script, shown, files):
        self.page, self.section, self.script, self.shown, self.files = (
            page, section, script, shown, files)

    @property
    def needs_a_node(self):
        return "/dev/input/" in self.script

    def __str__(self):
        return f"{self.page}, {self.section}: {self.script}"


def examples():
    """All of all pages, in their order."""
    display = r"\.Bd -literal.*\n((?:.*\n)*?)\.Ed\n"
    found = []
    for path in sorted(MAN.iterdir()):
        section, files = None, []
        for heading, script, shown, file in re.findall(
                rf"^\.S[hs] (.+)$|((?:^\.Dl .*\n)+)(?:{display})?|^{display}",
                path.read_text(), re.M):
            if heading:
                section, files = heading, []
            elif script:
                lines = [re.sub(r"^[$#] ", "", unescape(line[4:])) for line in script.splitlines()]
                found.append(Example(
                    path.name, section, "\n".join(lines) + "\n", unescape(shown).splitlines(), files))
            else:
                files = [*files, unescape(file)]
    return found


def moved(text, places):
    """With each path that is a key changed into its value, all at once."""
    return re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], text)


class Runner:
    """A folder in the place of the machine, in which examples are run."""

    def __init__(self, folder, socket):
        self.folder, self.socket = folder, socket
        self.installed = os.path.join(folder, "examples")
        shutil.copytree(ROOT / "Examples/recordings", self.installed)
        shutil.copy(ROOT / "Examples/actions.yaml", self.installed)
        self.programs = os.path.join(folder, "programs")
        self.drop_ins = os.path.join(folder, "devices.d/")
        os.mkdir(self.drop_ins)
        os.mkdir(self.programs)
        for name in MACHINE:
            os.symlink("/bin/true", os.path.join(self.programs, name))

    def run(self, example, *before):
        """Its status, output and complaints; paths are those of the page."""
        for text in example.files:
            with open(os.path.join(self.folder, "my.yaml"), "w") as file:
                file.write(text)
        places = {INSTALLED: self.installed, "/run/forcetouchd/socket": self.socket,
                  "/etc/forcetouchd/devices.d/": self.drop_ins, "/tmp/": self.folder + "/"}
        script = moved(example.script, places)
        # A person does not type as fast as this, and ends by Ctrl-C what has no end.
        script = script.replace(" &\n", f" &\nuntil [ -S {self.folder}/replay ]; do sleep 0.05; done\n")
        script = re.sub(
            r"^(forcetouchctl record .*--output (\S+))$",
            r"\1 & until [ -e \2.part ]; do sleep 0.05; done; kill -INT $!; wait $!", script, flags=re.M)
        script = re.sub(
            r"^(forcetouchd (?!.*--replay)--socket (\S+).*)$",
            r"\1 & until [ -S \2 ]; do sleep 0.05; done; kill -INT $!; wait $!", script, flags=re.M)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join((*before, script))],
            capture_output=True, text=True, timeout=2 * PATIENCE, stdin=subprocess.DEVNULL,
            cwd=self.folder,
            env={**os.environ, "PATH": f"{self.programs}:{BIN}:{os.environ['PATH']}",
                 "HOME": self.folder, "FORCETOUCHD_SOCKET": self.socket})
        back = {here: there for there, here in places.items()}
        return done.returncode, moved(done.stdout, back), done.stderr


class ExamplesTestCase(unittest.TestCase):
    def assertWorks(self, example, runner, *before):
        status, printed, complaints = runner.run(example, *before)
        # What a doctor finds on the machine that runs the tests is no failure of the example.
        allowed = (0, 1) if "doctor" in example.script else (0,)
        self.assertIn(status, allowed, printed + complaints)
        if "doctor" in example.script:
            self.assertRegex(printed, r"(?m)^machine\n(.*\n)*findings\n")
            return
        lines = iter(printed.splitlines())
        for line in example.shown:
            self.assertIn(line, lines, printed)

    def runner(self, socket):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        return Runner(folder, socket)


class ExamplesTest(ExamplesTestCase):
    maxDiff = None

    def test_every_command_has_one(self):
        shown = {
            example.section for example in examples()
            if f"forcetouchctl {example.section}" in example.script}
        self.assertEqual(set(commands()) - shown, set())

    def test_they_work_and_print_what_the_page_shows(self):
        count = shown = 0
        for example in examples():
            if example.needs_a_node:
                continue
            count += 1
            shown += len(example.shown)
            with self.subTest(example=str(example)):
                daemon = Daemon("--replay", DEMO)
                self.addCleanup(daemon.close)
                self.assertWorks(example, self.runner(daemon.path))
        self.assertGreater(count, 15)
        self.assertGreater(shown, 10)


class LiveExamplesTest(LiveTestCase, ExamplesTestCase):
    def test_those_that_need_a_node_work(self):
        self.add_trackpad(5)
        daemon = self.start()
        count = 0
        for example in examples():
            if not example.needs_a_node or example.script in ASKING:
                continue
            count += 1
            with self.subTest(example=str(example)):
                runner = self.runner(daemon.path)
                # What is recorded here is nothing; what a calibration needs is a recording of touches.
                if "calibrate --from" in example.script:
                    record, _, rest = example.script.partition("\n")
                    self.assertWorks(Example(example.page, example.section, record + "\n", [], []), runner)
                    shutil.copy(os.path.join(runner.installed, "calibration.evemu"),
                                os.path.join(runner.folder, shlex.split(record)[-1]))
                    example.script = rest
                self.assertWorks(example, runner)
        self.assertGreaterEqual(count, 4)


if __name__ == "__main__":
    unittest.main()

"""What the programs make of their command line and their environment."""

import os
import shutil
import socket
import subprocess
import tempfile
import unittest

from manual import commands
from support import BIN, DEMO, PATIENCE, Daemon, run


def serve(path):
    """forcetouchd on a socket that it cannot have: its status and complaints."""
    done = subprocess.run(
        [BIN / "forcetouchd", "--socket", path], capture_output=True, text=True, timeout=PATIENCE,
        stdin=subprocess.DEVNULL)
    return done.returncode, done.stderr


class SocketTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def test_one_that_is_none_is_told_with_what_to_do(self):
        file, stale = os.path.join(self.folder, "file"), os.path.join(self.folder, "stale")
        open(file, "w").close()
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(stale)
        missing = os.path.join(self.folder, "none/socket")
        for path, hint in (
                (missing, f"(mkdir -p {self.folder}/none; forcetouchd --socket {missing})"),
                (self.folder, "it is a folder"), (file, "it is no socket"),
                (stale, f"is forcetouchd running? (forcetouchd --socket {stale})")):
            with self.subTest(path=path):
                status, output, complaints = run("devices", "--socket", path)
                self.assertEqual((status, output, complaints.count("\n")), (1, "", 1))
                self.assertIn(hint, complaints)
        for path, hint in ((missing, f"mkdir -p {self.folder}/none"),
                           (self.folder, "is no socket"), (file, "is no socket")):
            with self.subTest(served=path):
                status, complaints = serve(path)
                self.assertEqual((status, complaints.count("\n")), (1, 1))
                self.assertIn(hint, complaints)

    def test_the_environment_names_it_where_no_option_does(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        environment = {**os.environ, "FORCETOUCHD_SOCKET": daemon.path}
        for command in ("devices", "capability", "status"):
            self.assertEqual(run(command, env=environment)[0], 0, command)
        self.assertIn(f"  socket  {daemon.path}", run("doctor", env=environment)[1])
        complaints = run("devices", "--socket", "/nowhere/socket", env=environment)[2]
        self.assertIn("cannot connect to /nowhere/socket", complaints)


class WordsTest(unittest.TestCase):
    def complaint(self, *arguments):
        """What is wrong with a command line: a line, and exit status 2."""
        status, output, complaints = run(*arguments)
        self.assertEqual((status, output, complaints.count("\n")), (2, "", 1), complaints)
        return complaints

    def test_who_misspells_is_told_what_was_meant(self):
        for words, meant in (
                (["montor"], "monitor"), (["--versoin"], "--version"), (["hepl"], "help"),
                (["help", "calibrat"], "calibrate"), (["devices", "--jsno"], "--json"),
                (["replay", DEMO, "--without", "moveing"], "moving"),
                (["replay", DEMO, "--speed=orignal"], "original")):
            with self.subTest(words=words):
                self.assertTrue(
                    self.complaint(*words).endswith(f"; did you mean {meant}?\n"))
        self.assertIn("see forcetouchctl --help", self.complaint("dance"))
        self.assertIn("choose one of original, max", self.complaint("replay", DEMO, "--speed", "warp"))

    def test_a_device_that_is_misspelled(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        for name in ("magic trackpad", "Apple Inc. Magic Trakpad 2"):
            status, _, complaints = run("monitor", name, "--socket", daemon.path)
            self.assertEqual(status, 1)
            self.assertTrue(
                complaints.endswith("; did you mean Apple Inc. Magic Trackpad 2?\n"), complaints)

    def test_a_setting_that_is_misspelled(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("recogniton:\n  peek: 1\nrecognition:\n  sensitivty: light\n"
                       "devices:\n  - {nmae: a, enabled: no}\n")
            file.flush()
            complaints = run("probe", DEMO, "--config", file.name)[2]
        for place, meant in (("1:1", "recognition"), ("4:3", "sensitivity"), ("6:6", "name")):
            self.assertRegex(complaints, rf":{place}: \w+ is not known here; did you mean {meant}\?")

    def test_help_and_version_everywhere(self):
        overview = run("--help")
        self.assertEqual((overview[0], overview[2]), (0, ""))
        for words in (["-h"], ["help"], ["help", "help"], ["help", "--help"]):
            self.assertEqual(run(*words), overview, words)
        self.assertEqual(run("--version"), (0, "forcetouchctl 0.1.0\n", ""))
        for name in commands():
            told = run(name, "--help")
            self.assertEqual(told[0], 0)
            self.assertEqual(run(name, "-h"), told)
            self.assertEqual(run("help", name), told)
            self.assertEqual(run(name, "--version"), run("--version"))
            self.assertIn(name, self.complaint())
        self.assertIn("too much", self.complaint("help", "monitor", "replay"))


if __name__ == "__main__":
    unittest.main()

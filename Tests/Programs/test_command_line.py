"""What the programs make of their command line and their environment."""

import os
import shutil
import socket
import subprocess
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main()

"""What docs/getting-started.md says for others than Debian: `make install` under /usr/local (done before,
into /host/installed), and what systemd is told then."""

import os
import pathlib
import shutil
import unittest

from machine import PATIENCE, ask, device_of, run, show
from pages import ROOT, blocks
from support import MONITOR, wait_until
from test_first_peek import PAGE, make_bare
from uhid import MagicTrackpad

TREE = pathlib.Path("/host/installed")


class MakeInstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        make_bare()
        text = (ROOT / PAGE).read_text()
        cls.told = [block.text for block in blocks(PAGE, text)
                    if (block.language, block.word) == ("sh", "installs")]

    def follow(self, script):
        """Does what the page says, but for what make does."""
        lines = [line for line in script.splitlines() if " make " not in f" {line}"]
        run("bash", "-euxc", "\n".join(lines))

    @staticmethod
    def uninstall():
        """What `make uninstall` does, without make; and what the daemon kept."""
        run("systemctl", "stop", "forcetouchd.socket", "forcetouchd.service", check=False)
        for path in TREE.rglob("*"):
            if not path.is_dir():
                pathlib.Path("/", path.relative_to(TREE)).unlink(missing_ok=True)
        kept = [path.relative_to(TREE) for path in TREE.rglob("forcetouchd") if path.is_dir()]
        for folder in (*kept, "run/forcetouchd", "var/lib/forcetouchd"):
            shutil.rmtree(pathlib.Path("/", folder))
        run("systemctl", "daemon-reload")

    def test_it_serves_and_can_be_taken_away(self):
        installing, removing = self.told
        self.addCleanup(make_bare)
        self.addCleanup(self.uninstall)
        shutil.copytree(TREE, "/", dirs_exist_ok=True, symlinks=True)
        self.follow(installing)
        self.assertEqual(show("forcetouchd.socket", "ActiveState"), "active")
        self.assertIn("There is no trackpad", run("/usr/local/bin/forcetouchctl", "devices"))
        pad = MagicTrackpad()
        self.addCleanup(pad.remove)
        self.assertEqual(device_of(pad)["capability"], "available")
        pid = show("forcetouchd.service", "MainPID")
        self.assertEqual(os.readlink(f"/proc/{pid}/exe"), "/usr/local/bin/forcetouchd")
        self.assertIn("parameters", ask(f"{MONITOR}.GetStatistics"))
        self.assertRegex(run("/usr/local/bin/forcetouchctl", "devices"), "Magic Trackpad 2 .* available")
        self.follow(removing)
        wait_until(lambda: show("forcetouchd.service", "ActiveState") == "inactive",
                   "the service is gone", PATIENCE)
        self.assertEqual(show("forcetouchd.socket", "ActiveState"), "inactive")


if __name__ == "__main__":
    unittest.main()

"""The Debian package: installed again, purged. Comes last: in the end nothing is there any more."""

import grp
import os
import pathlib
import pwd
import subprocess
import unittest

from machine import SOCKET, Stream, daemon_pid, devices, run, show

CONFIGURATION = pathlib.Path("/etc/forcetouchd/forcetouchd.yaml")


class PackageTest(unittest.TestCase):
    def test_1_installed_again_it_restarts_and_keeps_settings_and_socket(self):
        devices()  # so that it runs
        pid, socket = daemon_pid(), os.stat(SOCKET).st_ino
        stream = Stream()
        self.addCleanup(stream.close)
        changed = CONFIGURATION.read_text() + "\nrecognition: {sensitivity: light}\n"
        CONFIGURATION.write_text(changed)
        run("dpkg", "--install", "/host/forcetouchd.deb")
        self.assertEqual(CONFIGURATION.read_text(), changed)
        self.assertEqual((stream.reply(), stream.reply()), ({"parameters": {}}, None),
                         "the stream was not told of the end")
        devices()
        self.assertNotIn(daemon_pid(), (0, pid), "the old program still runs")
        self.assertEqual(os.stat(SOCKET).st_ino, socket, "the socket is another")
        self.assertRegex(run("forcetouchctl", "status"), r"sensitivity +light +/etc/forcetouchd/")

    def test_2_purged_it_leaves_the_user_and_the_group_alone(self):
        devices()  # so that it runs
        pid = daemon_pid()
        run("dpkg", "--purge", "forcetouchd")
        self.assertFalse(os.path.exists(f"/proc/{pid}"), "the daemon still runs")
        self.assertEqual(show("forcetouchd.socket", "LoadState"), "not-found")
        left = subprocess.run(
            ["find", "/etc", "/usr", "/run", "/var/lib", "-name", "*forcetouch*"],
            capture_output=True, text=True).stdout.split()
        self.assertEqual(left, [])
        # Who is in the group is the administrator's business.
        self.assertEqual(pwd.getpwnam("forcetouchd").pw_shell, "/usr/sbin/nologin")
        self.assertEqual(grp.getgrnam("forcetouch").gr_name, "forcetouch")


if __name__ == "__main__":
    unittest.main()

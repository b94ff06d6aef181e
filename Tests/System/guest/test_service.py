"""The units: the sandbox, starting on demand, the watchdog, the journal."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

from machine import (
    DEVICES, PATIENCE, SERVICE, SETTINGS, SOCKET, Journal, MachineTestCase, ask, daemon_pid,
    device_of, devices, run, show, start_daemon, systemctl, write)
from numbers_seen import note
from sessions import add_user
from support import Raw, wait_until
from test_faults import UNITS, FaultTestCase
from uinput import touchpad

DROP_IN = pathlib.Path(f"/run/systemd/system/{SERVICE}.d/test.conf")
HERE = pathlib.Path(__file__).parent


def set_drop_in(text):
    write(DROP_IN, text)
    systemctl("daemon-reload")


def remove_drop_in():
    if DROP_IN.exists():
        DROP_IN.unlink()
        DROP_IN.parent.rmdir()
        systemctl("daemon-reload")


class UnitTest(MachineTestCase):
    def test_the_exposure_is_at_most_one(self):
        output = run("systemd-analyze", "security", "--no-pager", SERVICE)
        exposure = float(re.search(r"exposure level for \S+: ([0-9.]+)", output).group(1))
        self.assertLessEqual(exposure, 1.0, output)
        note("exposure by systemd-analyze security", exposure)

    def test_the_units_have_no_mistakes(self):
        units = [show(unit, "FragmentPath") for unit in (SERVICE, "forcetouchd.socket")]
        output = run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *units)
        self.assertEqual(output, "")

    def test_what_the_contract_asks_of_them(self):
        expected = {
            "User": "forcetouchd", "DynamicUser": "no", "PrivateUsers": "no",
            "PrivateNetwork": "no", "Type": "notify", "Restart": "on-failure",
            "StateDirectory": "forcetouchd", "RuntimeDirectory": "", "StartLimitIntervalUSec": "0"}
        self.assertEqual({name: show(SERVICE, name) for name in expected}, expected)
        watchdog = run("systemctl", "show", "--property=WatchdogUSec", "--value", SERVICE).strip()
        self.assertIn(watchdog, ("2min", "3min", "4min", "5min"))
        status = os.stat(SOCKET)
        folder = os.stat(os.path.dirname(SOCKET))
        self.assertEqual((oct(status.st_mode & 0o777), oct(folder.st_mode & 0o777), folder.st_uid),
                         ("0o666", "0o755", 0))


class SandboxTest(FaultTestCase):
    """A program in the daemon's place, in its sandbox, tries what the daemon must not be able to
    do; and the same program outside, as the same user, can do it: else it proved nothing."""

    daemon_may_end = True
    forbidden = {
        "write a device": "EPERM", "make a device": "EPERM", "IPv4": "EAFNOSUPPORT",
        "IPv6": "EAFNOSUPPORT", "see /home": "EACCES",
        "see the common /tmp": "ENOENT", "see another process": "ENOENT", "write /etc": "EROFS",
        "see the common /var/tmp": "ENOENT", "a user namespace": "EPERM",
        "memory to write and run": "EPERM",
    }
    allowed = ["read a device", "Unix socket", "hear udev", "write its state", "read /etc"]

    def setUp(self):
        super().setUp()
        self.addCleanup(start_daemon)
        self.addCleanup(remove_drop_in)
        pad = self.plug(touchpad("Test pad", UNITS))
        device_of(pad)
        add_user("alice")
        for path in ("/home/alice/secret", "/tmp/forcetouchd-probe", "/var/tmp/forcetouchd-probe"):
            write(pathlib.Path(path), "secret")
            os.chmod(path, 0o644)
        os.chmod("/home/alice", 0o755)
        # So that not the file's mode forbids it.
        os.chmod("/dev/uinput", 0o666)
        self.addCleanup(os.chmod, "/dev/uinput", 0o600)
        self.other = subprocess.Popen(["sleep", "infinity"])
        self.addCleanup(self.other.wait)
        self.addCleanup(self.other.kill)
        # Where the sandbox lets it be read.
        write(pathlib.Path("/usr/local/lib/probe.py"), (HERE / "probe.py").read_text())
        self.command = ["/usr/bin/python3", "/usr/local/lib/probe.py", pad.node,
                        str(self.other.pid)]

    def test_what_it_can_and_cannot_do(self):
        out = pathlib.Path("/run/probe.json")
        set_drop_in(
            f"[Service]\nExecStart=\nExecStart={' '.join(self.command)}\nType=oneshot\n"
            f"Restart=no\nStandardOutput=truncate:{out}\n")
        systemctl("restart", SERVICE)
        inside = json.loads(out.read_text())
        outside = json.loads(run(
            "setpriv", "--reuid=forcetouchd", "--regid=forcetouchd", "--init-groups",
            *self.command))
        self.assertEqual({what: inside.get(what) for what in self.forbidden}, self.forbidden)
        self.assertEqual({what: inside.get(what) for what in self.allowed},
                         dict.fromkeys(self.allowed, "done"))
        possible = set(self.forbidden) - {"write /etc"}  # which is root's
        self.assertEqual({what: outside.get(what) for what in possible},
                         dict.fromkeys(possible, "done"), "the probe proves nothing of these")


class OnDemandTest(FaultTestCase):
    daemon_may_end = True

    def test_twenty_short_runs_and_the_socket_lives(self):
        journal = Journal()
        took, pids = [], set()
        for _ in range(20):
            systemctl("kill", "--signal=TERM", SERVICE, check=False)
            wait_until(lambda: show(SERVICE, "ActiveState") == "inactive", "it ended", PATIENCE)
            began = time.monotonic()
            self.assertEqual(ask(f"{DEVICES}.List"), {"parameters": {"devices": []}})
            took.append(time.monotonic() - began)
            pids.add(daemon_pid())
        self.assertEqual(len(pids), 20, "not each was a run of its own")
        self.assertEqual(show("forcetouchd.socket", "ActiveState"), "active")
        self.assertNotIn("start-limit", journal.text())
        took.sort()
        note("connect to first reply, with the start of the daemon (median of 20)",
             f"{took[10] * 1000:.0f} ms")

    def test_idle_it_leaves_by_itself_and_the_next_call_is_answered(self):
        self.addCleanup(start_daemon)
        self.addCleanup(SETTINGS.unlink)
        write(SETTINGS, "service: {idle-exit-s: 1}\n")
        start_daemon()
        held = Raw(SOCKET, PATIENCE)
        self.assertIn("parameters", held.ask(f"{DEVICES}.List"))
        first = daemon_pid()
        time.sleep(2.5)  # a connection that says nothing keeps it
        self.assertEqual(daemon_pid(), first)
        held.close()
        wait_until(lambda: show(SERVICE, "ActiveState") == "inactive", "it left", PATIENCE)
        self.assertEqual((show(SERVICE, "Result"), show(SERVICE, "NRestarts")), ("success", "0"))
        self.assertEqual(show("forcetouchd.socket", "SubState"), "listening")
        self.assertIn("parameters", ask(f"{DEVICES}.List"))
        self.assertNotIn(daemon_pid(), (0, first))

    def test_the_folder_is_the_sockets_and_goes_with_it(self):
        self.addCleanup(systemctl, "start", "forcetouchd.socket")
        systemctl("stop", SERVICE)
        self.assertTrue(os.path.exists(SOCKET), "the service took the socket with it")
        systemctl("stop", "forcetouchd.socket")
        self.assertFalse(os.path.exists(SOCKET))

    def test_a_second_daemon_does_not_take_the_socket(self):
        done = subprocess.run(["forcetouchd"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn(f"serves {SOCKET} already", done.stderr)
        self.assertEqual(devices(), [])


class WatchdogTest(FaultTestCase):
    daemon_may_end = True

    def test_a_daemon_that_hangs_is_replaced_and_one_that_lives_is_not(self):
        self.addCleanup(start_daemon)
        self.addCleanup(remove_drop_in)
        set_drop_in("[Service]\nWatchdogSec=4\nTimeoutAbortSec=1\n")
        start_daemon()
        pid = daemon_pid()
        time.sleep(6)
        self.assertEqual(daemon_pid(), pid, "it does not tell the watchdog that it lives")
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: daemon_pid() not in (0, pid), "it is replaced", 4 + 1 + PATIENCE)
        self.assertEqual(devices(), [])


class JournalTest(FaultTestCase):
    def test_the_journal_says_what_came_and_went(self):
        journal = Journal()
        pad = self.plug(touchpad("Test pad", UNITS))
        device = device_of(pad)
        pad.remove()
        wait_until(lambda: not devices(), "it is gone", PATIENCE)
        name = device["device"]
        wait_until(lambda: f"{name} is gone" in journal.text(), "its end is told", PATIENCE)
        self.assertIn(f"{name} is Test pad ({pad.node}): available, units", journal.text())
        found = run("journalctl", "--quiet", "--output=json", f"--unit={SERVICE}",
                    f"FORCETOUCHD_DEVICE={name}", f"_PID={daemon_pid()}").splitlines()
        entries = [json.loads(line) for line in found]
        self.assertEqual({entry["PRIORITY"] for entry in entries}, {"6"}, found)
        self.assertTrue(any("is Test pad" in entry["MESSAGE"] for entry in entries), found)


if __name__ == "__main__":
    unittest.main()

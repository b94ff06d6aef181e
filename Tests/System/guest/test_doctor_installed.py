"""forcetouchctl doctor on the installed machine, and what it says of libinput against libinput."""

import json
import pathlib
import subprocess
import unittest

from machine import (
    ALLOW_VIRTUAL, PATIENCE, SERVICE, SETTINGS, TABLE, MachineTestCase, device_of, run,
    set_udev_rules, start_daemon, systemctl, write)
from sessions import add_user
from support import wait_until
from test_faults import UNITS, FaultTestCase, drop_rules
from uhid import MagicTrackpad
from uinput import touchpad
from users import run_as

OVERRIDES = pathlib.Path("/etc/libinput/local-overrides.quirks")


def doctor(*arguments):
    """Its status and output, as root; it must not complain."""
    done = subprocess.run(["forcetouchctl", "doctor", *arguments], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120)
    assert done.stderr == "", done.stderr
    return done.returncode, done.stdout


def report(severity="problem"):
    """The devices of its report, and what it found."""
    objects = [json.loads(line) for line in doctor("--json")[1].splitlines()]
    return ([o["device"] for o in objects if "device" in o],
            [o["finding"] for o in objects
             if "finding" in o and o["finding"]["severity"] == severity])


class HealthyTest(MachineTestCase):
    def test_a_fresh_installation_with_a_force_pad_has_no_problem(self):
        pad = self.plug(MagicTrackpad())
        device = device_of(pad)
        status, output = doctor()
        self.assertEqual(status, 0, output)
        for line in (r"  socket +/run/forcetouchd/socket, mode 0666",
                     r"  forcetouchd.socket +active \((listening|running)\), enabled",
                     r"  forcetouchd.service +active \(running\), .+",
                     r"  group forcetouch +allows it", r"  libinput +libinput\.so\.10\..+",
                     rf"  node +{device['node']}.*", r"  driver +magicmouse",
                     r"  permissions +0660 root:input, this user may read it, "
                     r"the daemon's user may read it",
                     # udev calls it external: libinput looks for no palms there.
                     r"  palms +no press is one to libinput: .+",
                     r"0 problems, \d hints?"):
            self.assertRegex(output, rf"(?m)^{line}$")

    def test_an_ordinary_user_sees_what_the_daemon_tells(self):
        add_user("alice")
        device_of(self.plug(MagicTrackpad()))
        status, output = run_as("alice", "forcetouchctl", "doctor")
        self.assertEqual(status, 0, output)
        self.assertIn("says the daemon", output)
        self.assertIn("this user may not read it, the daemon's user may read it", output)
        self.assertIn("sudo usermod -aG forcetouch $USER, and log in again", output)


class ProblemTest(FaultTestCase):
    daemon_may_end = True

    def assertProblem(self, text, remedy):
        status, output = doctor()
        self.assertEqual(status, 1, output)
        self.assertIn(text, output)
        self.assertIn(remedy, output)

    def test_a_socket_that_is_switched_off(self):
        self.addCleanup(systemctl, "start", "forcetouchd.socket", SERVICE)
        systemctl("stop", SERVICE, "forcetouchd.socket")
        self.assertProblem("problem: the daemon does not run: there is no socket",
                           "-> sudo systemctl enable --now forcetouchd.socket")

    def test_a_service_that_cannot_start(self):
        drop_in = pathlib.Path(f"/run/systemd/system/{SERVICE}.d/doctor.conf")

        def restore():
            drop_in.unlink()
            systemctl("daemon-reload")
            systemctl("reset-failed", SERVICE)
            start_daemon()

        self.addCleanup(restore)
        systemctl("stop", SERVICE)
        write(drop_in, "[Service]\nExecStart=\nExecStart=/bin/false\nRestart=no\n")
        systemctl("daemon-reload")
        systemctl("start", SERVICE, check=False)
        # Each connection starts it anew: it may be on its way just now.
        self.assertProblem("problem: the service does not run (", "journalctl -u forcetouchd -b")

    def test_a_wrong_line_and_a_setting_that_the_daemon_has_not_read(self):
        pad = self.plug(touchpad("Test pad", UNITS))
        device_of(pad)
        self.addCleanup(start_daemon)
        self.addCleanup(SETTINGS.unlink)
        write(SETTINGS, "recognition:\n  sensitivity: firm\n  peek: lots\n")
        self.assertProblem(f"problem: {SETTINGS}:3:9: expected a number; ignored", "mend it")
        self.assertProblem(f"the daemon judges Test pad ({pad.node}) otherwise than the files here do",
                           "-> sudo systemctl reload forcetouchd")
        output = doctor()[1]
        self.assertRegex(output, rf"recognition.sensitivity +firm +{SETTINGS}:2\n")
        write(SETTINGS, "recognition:\n  sensitivity: firm\n")
        systemctl("reload", SERVICE)
        wait_until(lambda: doctor()[0] == 0, "all is well again", PATIENCE)

    def test_a_node_that_the_daemon_may_not_read(self):
        # As a rule of somebody's own may have it.
        set_udev_rules(ALLOW_VIRTUAL + 'ACTION!="remove", SUBSYSTEM=="input", '
                       'ATTRS{name}=="Test locked", GROUP="root", MODE="0600"\n')
        self.addCleanup(set_udev_rules, ALLOW_VIRTUAL)
        pad = self.plug(touchpad("Test locked", UNITS))
        wait_until(lambda: any(d["device"]["node"] == pad.node for d in report()[0]),
                   "udev knows it", PATIENCE)
        self.assertProblem(f"problem: the daemon's user may not read Test locked ({pad.node})",
                           "give the node to the group input")


class LibinputTest(MachineTestCase):
    """The palm limit, as libinput itself has it: by its list of quirks, and by its log."""

    daemon_may_end = True

    def setUp(self):
        super().setUp()
        set_udev_rules(ALLOW_VIRTUAL)
        self.addCleanup(drop_rules)
        write(TABLE, "- name: Test palm pad\n  match: {bus: i2c, vendor: 0x1234, product: 0x6666}\n"
              "  kind: force\n  profile: {floor: 0, average: 150, ceiling: 1000}\n"
              "  source: the test\n")
        self.addCleanup(start_daemon)
        self.addCleanup(TABLE.unlink)
        start_daemon()
        self.pad = self.plug(touchpad("Test palm pad", (0, 1000, 0), product=0x6666))
        device_of(self.pad)

    def limit_of_libinput(self):
        """The limit that libinput goes by; None when it looks for no palms by pressure."""
        viewer = subprocess.Popen(
            ["stdbuf", "-oL", "libinput", "debug-events", "--verbose", "--device", self.pad.node],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            for line in viewer.stdout:
                if "palm: pressure threshold is" in line:
                    return int(line.split()[-1])
                if "DEVICE_ADDED" in line:
                    return None
            raise AssertionError("libinput did not take the device")
        finally:
            viewer.terminate()
            viewer.wait()
            viewer.stdout.close()

    def quirks_of_libinput(self):
        return dict(line.split("=", 1) for line in
                    run("libinput", "quirks", "list", self.pad.node).splitlines() if "=" in line)

    def test_the_limit_is_libinputs_and_the_lines_take_it_away(self):
        ((device,), (problem,)) = report()
        self.assertEqual(device["palm"]["limit"], self.limit_of_libinput())
        self.assertEqual(device["palm"]["limit"], 130)
        self.assertIn("takes a press above 130 on Test palm pad", problem["text"])
        self.assertIn(str(OVERRIDES), problem["remedy"])
        self.addCleanup(OVERRIDES.unlink)
        write(OVERRIDES, "\n".join(problem["lines"]) + "\n")
        ((device,), problems) = report()
        self.assertEqual(problems, [])
        self.assertEqual(device["palm"]["limit"], self.limit_of_libinput())
        self.assertEqual(device["palm"]["place"], {"file": str(OVERRIDES), "line": 6})
        self.assertEqual(self.quirks_of_libinput()["AttrPalmPressureThreshold"], "1000")

    def test_a_quirk_that_switches_pressure_off(self):
        self.addCleanup(OVERRIDES.unlink)
        write(OVERRIDES, "[Test]\nMatchName=Test palm*\nMatchUdevType=touchpad\n"
              "AttrEventCodeDisable=ABS_MT_PRESSURE;ABS_PRESSURE;\n")
        ((device,), problems) = report()
        self.assertEqual((device["palm"].get("limit"), self.limit_of_libinput()), (None, None))
        self.assertEqual(problems, [])

    def test_a_mistake_takes_all_quirks_from_libinput(self):
        self.addCleanup(OVERRIDES.unlink)
        write(OVERRIDES, "[Test]\nMatchName=Test palm*\nAttrPalmPressureThreshold=900\n"
              "MatchUdevType=touchpad\n")
        ((device,), hints) = report("hint")
        self.assertTrue(
            [h for h in hints if f"{OVERRIDES}:4: Match lines stand before" in h["text"]], hints)
        self.assertEqual((device["palm"]["limit"], self.limit_of_libinput()), (130, 130))


if __name__ == "__main__":
    unittest.main()

"""forcetouchctl doctor on live devices; see live.py."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from live import ABS, INPUT, KEY, LiveTestCase
from support import BIN, MAGIC, MONITOR, NOBODY, ROOT, wait_until

QUIRKS = """[Magic Trackpad 2]
MatchVendor=0x004C
MatchProduct=0x0265
MatchUdevType=touchpad
AttrPalmPressureThreshold={limit}
"""


def page_example():
    """The lines that the manual page shows."""
    text = (ROOT / "man/forcetouchctl.1").read_text().replace("\\[u2026]", "…")
    section = text[text.index("\n.Ss doctor\n"):]
    return re.search(r"^\.Bd -literal.*?\n(.*?)^\.Ed", section, re.M | re.S)[1].splitlines()


class DoctorTestCase(LiveTestCase):
    maxDiff = None

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        os.chmod(self.folder, 0o755)
        self.socket = str(self.folder / "socket")
        self.quirks = self.folder / "quirks"
        self.quirks.mkdir()

    def doctor(self, *arguments, **options):
        done = subprocess.run(
            [BIN / "forcetouchctl", "doctor", "--socket", self.socket, *arguments],
            capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
            env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.folder}/no-bus",
                 "LIBINPUT_QUIRKS_DIR": str(self.quirks)}, **options)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def serve(self, *arguments):
        daemon = self.start(*arguments)
        self.socket = daemon.path
        return daemon

    def device(self):
        """The one device, and what is found."""
        objects = [json.loads(line) for line in self.doctor("--json")[1].splitlines()]
        (device,) = [o["device"] for o in objects if "device" in o]
        return device, [o["finding"] for o in objects if "finding" in o]


class NoUdevTest(DoctorTestCase):
    def test_nodes_that_udev_has_not_looked_at(self):
        self.testbed.add_from_string(
            f"P: {INPUT.removeprefix('/sys')}/event0\nN: input/event0\nE: DEVNAME=/dev/input/event0\n"
            "E: MAJOR=13\nE: MINOR=64\nE: SUBSYSTEM=input\nA: dev=13:64\n")
        status, output = self.doctor()
        self.assertEqual(status, 1)
        self.assertIn("devices\n  udev has looked at none of the event nodes that there are\n", output)
        self.assertIn("    -> is systemd-udevd running?\n", output)


class DoctorLiveTest(DoctorTestCase):
    def setUp(self):
        super().setUp()
        self.add_trackpad(0)

    def set_property(self, name, value):
        self.testbed.set_property(f"{INPUT}/event0", name, value)

    def plant(self, limit):
        (self.quirks / "50-apple.quirks").write_text(QUIRKS.format(limit=limit))

    def test_a_device_is_shown_with_where_all_of_it_comes_from(self):
        self.serve()
        status, output = self.doctor()
        self.assertEqual(status, 0, output)
        for line in (r"Apple Inc. Magic Trackpad 2", r"  node  +/dev/input/event0",
                     r"  force  +available \(table\): known to measure force, says the daemon",
                     r"  device  +trackpad, bus bluetooth, vendor 0x004c, product 0x0265",
                     r"  driver  +magicmouse", r"  seat  +seat0",
                     r"  properties  +POINTER, BUTTONPAD",
                     r"  ABS_MT_POSITION_X  +-3678…3934, resolution 47",
                     r"  ABS_MT_PRESSURE  +0…253",
                     r"  table  +Apple Magic Trackpad 2 on Bluetooth "
                     r"\(devices.yaml:\d+ in this program\): .+",
                     r"  profile  +floor 0, average 28.5, ceiling 190, click 50; "
                     r"maximum possible force [\d.]+; from the table",
                     r"  thresholds  +hint 85, peek 106, pop 155; by the defaults",
                     r"  permissions  +0\d\d\d \w+:\w+, this user may read it, .+",
                     r"  in use  +pressure moves independently of contact size: not enough seen; .+",
                     r"  sudo forcetouchctl record /dev/input/event0 --output pad.yml"):
            self.assertRegex(output, rf"(?m)^{line}$")

    def test_without_a_daemon_the_files_tell(self):
        status, output = self.doctor()
        self.assertEqual(status, 1)
        self.assertRegex(output, r"force  +available \(table\): known to measure force, by the files")
        self.assertIn("  thresholds          hint 85, peek 106, pop 155", output)

    def test_the_daemon_says_what_it_saw(self):
        daemon = self.serve()
        self.monitor(daemon)
        fd = self.testbed.get_dev_fd("/dev/input/event0")
        wait_until(lambda: daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["devices"][0]["open"],
                   "the node is open")
        self.press(fd, [50, 110, 160])
        self.frame(fd, (ABS, 0x39, -1), (KEY, 0x14A, 0))
        seen = wait_until(
            lambda: (p := self.device()[0]["pressure"])["samples"] >= 4 and p, "it was seen")
        self.assertEqual((seen["minimum"], seen["maximum"], seen["contacts"]), (5, 160, 1))
        self.assertEqual(self.device()[0]["independence"], "notEnoughSeen")
        self.assertRegex(self.doctor()[1], r"in use .*; 5…160 of 0…253, 0 outside; 4 distinct; ")

    def test_a_palm_limit_below_the_pop_and_the_lines_that_help(self):
        self.set_property("ID_INPUT_TOUCHPAD_INTEGRATION", "internal")
        self.serve()
        # libinput's own, where no quirk is about the device.
        (self.quirks / "10-other.quirks").write_text("[A]\nMatchBus=usb\nModelX=1\n")
        device, (finding, *_) = self.device()
        self.assertEqual(device["palm"]["limit"], 130)
        self.assertEqual(finding["severity"], "problem")
        # Where libinput's own quirk allows the pop, all is well.
        self.plant(190)
        device, findings = self.device()
        self.assertEqual(device["palm"]["limit"], 190)
        self.assertEqual(device["palm"]["place"],
                         {"file": str(self.quirks / "50-apple.quirks"), "line": 5})
        self.assertEqual([f for f in findings if f["severity"] == "problem"], [])
        self.plant(154)
        status, output = self.doctor()
        self.assertEqual(status, 1)
        text, added = output.split("  problem: ")[1].split(
            "add these lines to /etc/libinput/local-overrides.quirks, and log in again\n")
        self.assertIn("takes a press above 154 on Apple Inc. Magic Trackpad 2 (/dev/input/event0) "
                      "for a palm, and pop is at 155", text)
        # They do what they say.
        lines = [line.strip() for line in added.splitlines() if line.startswith("       ")]
        self.assertEqual(lines[0][0], "[")
        (self.quirks / "99-added.quirks").write_text("\n".join(lines) + "\n")
        device, findings = self.device()
        self.assertEqual(device["palm"]["limit"], 253)
        self.assertEqual([f for f in findings if f["severity"] == "problem"], [])

    def test_the_manual_page_shows_what_is_printed(self):
        self.set_property("ID_INPUT_TOUCHPAD_INTEGRATION", "external")
        self.serve()
        (self.quirks / "10-other.quirks").write_text("[A]\nMatchBus=usb\nModelX=1\n")
        printed = self.doctor()[1].splitlines()
        example = page_example()
        self.assertGreater(len(example), 10)
        self.assertEqual([line for line in example if line not in printed], [])

    def test_libinput_takes_no_press_on_a_trackpad_beside_the_machine_for_a_palm(self):
        self.plant(100)
        self.serve()
        device, findings = self.device()
        self.assertNotIn("limit", device["palm"])
        self.assertIn("outside of the machine", device["palm"]["reason"])
        self.assertNotIn("palm", json.dumps(findings))

    def test_a_daemon_that_goes_by_other_files(self):
        other = self.folder / "other.yaml"
        other.write_text("recognition:\n  sensitivity: firm\n")
        self.serve("--config", other)
        status, output = self.doctor()
        self.assertEqual(status, 0, output)
        self.assertIn("hint: the daemon judges Apple Inc. Magic Trackpad 2 (/dev/input/event0) "
                      "otherwise than the files here do\n    -> sudo systemctl reload forcetouchd, "
                      "unless it was started to read other files", output)

    def test_a_daemon_that_plays_recordings_need_not_have_the_device(self):
        # The recording names the very node that is there.
        recording = self.folder / "pad.yml"
        text = (MAGIC / "usb.libinput-record.yml").read_text()
        recording.write_text(re.sub(r"node: /dev/input/event\d+", "node: /dev/input/event0", text))
        self.assertIn("node: /dev/input/event0", recording.read_text())
        self.serve("--replay", recording)
        status, output = self.doctor()
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"node  +/dev/input/event0\n  force  +available .*, by the files")
        self.assertRegex(output, r"node  +a recording\n  force  +available .*, says the daemon")

    def test_what_udev_switches_off(self):
        self.set_property("FORCETOUCHD_IGNORE", "1")
        self.serve()
        status, output = self.doctor()
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"force  +unavailable \(disabled\): switched off in the settings by "
                                 r"udev's FORCETOUCHD_IGNORE")
        self.assertRegex(output, r"hint: .* is not used: .* by udev's FORCETOUCHD_IGNORE")

    def test_no_serial_number_is_shown(self):
        self.set_property("DEVLINKS", "/dev/input/by-id/usb-Apple_CC2SERIAL-event-mouse "
                                      "/dev/input/by-path/pci-0000:00:14.0-event-mouse")
        for arguments in ((), ("--json",)):
            output = self.doctor(*arguments)[1]
            self.assertIn("/dev/input/by-path/pci-0000:00:14.0-event-mouse", output)
            self.assertNotIn("SERIAL", output)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_who_may_not_look_is_told_what_the_daemon_knows(self):
        root = self.testbed.get_root_dir()
        for folder, _, files in os.walk(root):  # umockdev's own sockets
            os.chmod(folder, 0o777)
            for file in files if "/ioctl" in folder else ():
                os.chmod(os.path.join(folder, file), 0o777)
        os.chmod(root + "/dev/input/event0", 0o600)
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        _, output = self.doctor(**user)
        self.assertRegex(output, r"force  +nobody could look at it")
        self.assertIn("this user may not read it", output)
        self.assertIn("hint: nobody could look at Apple Inc. Magic Trackpad 2 (/dev/input/event0)",
                      output)
        self.assertIn("    -> sudo forcetouchctl doctor\n", output)
        daemon = self.serve()
        os.chmod(daemon.folder, 0o755)
        status, output = self.doctor(**user)
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"force  +available \(table\): .*, says the daemon")
        self.assertRegex(output, r"pressure  +0…253")
        self.assertRegex(output, r"in use  +told to root and the group forcetouch only")


if __name__ == "__main__":
    unittest.main()

"""Live devices without hardware: the real libevdev and libudev, with umockdev in the kernel's place.

Run by umockdev-wrapper; without it these tests are skipped.
"""

import os
import struct
import unittest

from support import DEVICES, MAGIC, MONITOR, Daemon

WRAPPED = "umockdev" in os.environ.get("LD_PRELOAD", "")
if WRAPPED:
    import gi

    gi.require_version("UMockdev", "1.0")
    from gi.repository import UMockdev

INPUT = "/sys/devices/virtual/misc/uhid/0005:004C:0265.0001/input/input2"
ABS, KEY, SYN = 3, 1, 0


@unittest.skipUnless(WRAPPED, "not run by umockdev-wrapper (package umockdev)")
class LiveTestCase(unittest.TestCase):
    def setUp(self):
        self.testbed = UMockdev.Testbed.new()
        os.environ["UMOCKDEV_DIR"] = self.testbed.get_root_dir()
        self.id = 0

    def add_trackpad(self, number):
        """A Magic Trackpad 2 as /dev/input/eventNUMBER."""
        description = (MAGIC / "magic.umockdev").read_text()
        ioctls = (MAGIC / "magic.ioctl").read_text()
        description = description.replace("event0", f"event{number}").replace(
            "MINOR=64", f"MINOR={64 + number}").replace("dev=13:64", f"dev=13:{64 + number}")
        if number:  # its parents are there already
            description = description.split("\n\n")[0] + "\n"
        path = os.path.join(self.testbed.get_root_dir(), f"ioctl{number}")
        with open(path, "w") as file:
            file.write(ioctls.replace("event0", f"event{number}"))
        # Before it is there: umockdev ends a program that opens a node which has no answers yet.
        self.testbed.load_ioctl(f"/dev/input/event{number}", path)
        self.testbed.add_from_string(description)
        return f"{INPUT}/event{number}"

    def add_keyboard(self):
        """A keyboard with a pressure axis, as they are in the wild."""
        self.testbed.add_from_string(
            "P: /devices/platform/i8042/input/input9/event9\nN: input/event9\n"
            "E: DEVNAME=/dev/input/event9\nE: ID_INPUT=1\nE: ID_INPUT_KEY=1\n"
            "E: ID_INPUT_KEYBOARD=1\nE: MAJOR=13\nE: MINOR=73\nE: SUBSYSTEM=input\n"
            "A: dev=13:73\n\n"
            "P: /devices/platform/i8042/input/input9\nE: SUBSYSTEM=input\nE: ID_INPUT_KEYBOARD=1\n"
            'E: NAME="Keyboard with ABS_MT_PRESSURE"\nA: name=Keyboard\n')

    def remove(self, path):
        self.testbed.uevent(path, "remove")
        self.testbed.remove_device(path)

    def start(self, *arguments):
        daemon = Daemon(*arguments)
        self.addCleanup(daemon.close)
        return daemon

    def devices(self, daemon):
        return daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]

    def monitor(self, daemon):
        raw = daemon.connect()
        self.addCleanup(raw.close)
        raw.call(f"{MONITOR}.Watch", more=True)
        self.assertIn("snapshot", raw.reply()["parameters"])
        return raw

    def frame(self, fd, *events):
        data = b"".join(
            struct.pack("llHHi", 5, self.id * 8000, kind, code, value)
            for kind, code, value in (*events, (SYN, 0, 0)))
        self.id += 1
        os.write(fd, data)

    def press(self, fd, pressures):
        """A touch with a pressure a frame, not lifted."""
        self.frame(fd, (ABS, 0x2F, 0), (ABS, 0x39, self.id + 1), (ABS, 0x35, 10), (ABS, 0x36, 10),
                   (ABS, 0x3A, 5), (KEY, 0x14A, 1))
        for pressure in pressures:
            self.frame(fd, (ABS, 0x3A, pressure))

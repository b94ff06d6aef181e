"""Live devices through the real libevdev and libudev; see live.py."""

import ctypes
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

from live import ABS, KEY, SYN, LiveTestCase
from support import (
    BIN, DEVICES, MAGIC, MONITOR, PATIENCE, Daemon, events_of, run, wait_until, without_changes)


class Watch:
    """Counts how often a file is opened (inotify)."""

    def __init__(self, path):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if libc.inotify_add_watch(self.descriptor, path.encode(), 0x20) < 0:
            raise OSError(ctypes.get_errno(), path)

    def count(self):
        try:
            return len(os.read(self.descriptor, 65536)) // 16
        except BlockingIOError:
            return 0

    def close(self):
        os.close(self.descriptor)


class LiveDeviceTest(LiveTestCase):
    def next_event(self, raw):
        """The next event that is no `changed`."""
        while True:
            event = raw.reply()["parameters"].get("event")
            if event and event["event"] != "changed":
                return event

    def test_a_trackpad_is_found_and_judged(self):
        self.add_trackpad(0)
        (device,) = self.devices(self.start())
        self.assertEqual(device["node"], "/dev/input/event0")
        self.assertEqual(device["name"], "Apple Inc. Magic Trackpad 2")
        self.assertEqual((device["capability"], device["reason"]), ("available", "table"))
        self.assertEqual((device["driver"], device["seat"]), ("magicmouse", "seat0"))
        # uhid is not virtual: it is how real Bluetooth devices come.
        self.assertEqual(device["bus"], "bluetooth")

    def test_probe_judges_the_node_as_the_daemon_does(self):
        self.add_trackpad(0)
        status, output, complaints = run("probe", "/dev/input/event0", "--json")
        self.assertEqual((status, complaints), (0, ""))
        probed, (served,) = json.loads(output), self.devices(self.start())
        for device in (probed, served):
            del device["device"]
        self.assertEqual(probed, served)

    def test_live_events_are_those_of_the_recording(self):
        self.add_trackpad(0)
        daemon = self.start()
        raw = self.monitor(daemon)
        fd = self.testbed.get_dev_fd("/dev/input/event0")
        frames, frame = [], []
        for line in (MAGIC / "magic.events").read_text().splitlines():
            if not line.startswith("E:"):
                continue
            _, _, kind, code, value = line.split()[:5]
            event = (int(kind, 16), int(code, 16), int(value))
            if event[0] == SYN:
                frames.append(frame)
                frame = []
            else:
                frame.append(event)
        for events in frames:
            self.frame(fd, *events)
            time.sleep(0.005)
        expected = events_of(run(
            "replay", MAGIC / "magic.events", "--description", MAGIC / "magic.desc", "--json")[1])
        expected = [(e["event"], e["raw"]) for e in expected if e["event"] != "changed"]
        received = [self.next_event(raw) for _ in expected]
        self.assertEqual([(e["event"], e["raw"]) for e in received], expected)

    def test_removal_in_a_peek_closes_peek_and_contact(self):
        path = self.add_trackpad(0)
        daemon = self.start()
        raw = self.monitor(daemon)
        self.press(self.testbed.get_dev_fd("/dev/input/event0"), [50, 110, 112])
        self.assertEqual(self.next_event(raw)["event"], "began")
        self.assertEqual(self.next_event(raw)["event"], "peek")
        self.remove(path)
        closing = [self.next_event(raw) for _ in range(2)]
        self.assertEqual(
            [(e["event"], e["reason"]) for e in closing],
            [("peekCancelled", "deviceRemoved"), ("cancelled", "deviceRemoved")])
        self.assertEqual(raw.reply()["parameters"], {"removed": "d1"})
        wait_until(lambda: not self.devices(daemon), "the device is gone")

        # Added again as another node, it is a new device and works.
        self.add_trackpad(3)
        added = raw.reply()["parameters"]["added"]
        self.assertEqual((added["device"], added["node"]), ("d2", "/dev/input/event3"))
        wait_until(lambda: self.is_open(daemon, "event3"), "the new node is open")
        self.press(self.testbed.get_dev_fd("/dev/input/event3"), [50, 160])
        events = [self.next_event(raw) for _ in range(3)]
        self.assertEqual([e["event"] for e in events], ["began", "peek", "pop"])
        self.assertEqual(events[0]["device"], "d2")

    def test_a_device_is_open_only_while_somebody_listens(self):
        self.add_trackpad(0)
        daemon = self.start()
        self.assertEqual(len(self.devices(daemon)), 1)
        self.assertFalse(self.is_open(daemon, "event0"))
        raw = self.monitor(daemon)
        wait_until(lambda: self.is_open(daemon, "event0"), "the node is open")
        raw.close()
        wait_until(lambda: not self.is_open(daemon, "event0"), "the node is closed again")

    def test_a_keyboard_is_never_opened_whatever_axes_it_has(self):
        self.add_trackpad(0)
        self.add_keyboard()
        folder = self.testbed.get_root_dir() + "/dev/input/"
        pad, keyboard = Watch(folder + "event0"), Watch(folder + "event9")
        self.addCleanup(pad.close)
        self.addCleanup(keyboard.close)
        daemon = self.start()
        raw = self.monitor(daemon)
        wait_until(lambda: self.is_open(daemon, "event0"), "the trackpad is open")
        self.testbed.uevent("/sys/devices/platform/i8042/input/input9/event9", "change")
        self.assertEqual(len(self.devices(daemon)), 1)
        self.assertGreater(pad.count(), 0, "the watch sees nothing at all")
        self.assertEqual(keyboard.count(), 0)
        # Neither does the command.
        self.assertEqual(json.loads(run("probe", "/dev/input/event9", "--json")[1])["reason"],
                         "notTouch")
        self.assertEqual(run("record", "/dev/input/event9")[0], 1)
        self.assertEqual(keyboard.count(), 0)

    def test_thirty_devices_come_and_go_without_a_leak(self):
        # umockdev keeps unnamed sockets of its own for a node that vanishes while it is open:
        # only descriptors that are no sockets are counted, and the daemon's own count of clients.
        def descriptors():
            return sorted(d for d in daemon.descriptors() if not d.startswith("socket:"))

        daemon = self.start()
        raw = self.monitor(daemon)
        before = descriptors()
        for number in range(30):
            path = self.add_trackpad(number)
            self.assertIn("added", raw.reply()["parameters"])
            self.remove(path)
            self.assertIn("removed", raw.reply()["parameters"])
        wait_until(lambda: descriptors() == before, "every descriptor is closed")
        statistics = wait_until(
            lambda: daemon.ask(f"{MONITOR}.GetStatistics"), "statistics")["parameters"]
        self.assertEqual((statistics["devices"], statistics["connections"]), ([], 2))

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_a_node_without_permission_is_tried_again(self):
        nobody = 65534
        self.add_trackpad(0)
        root = self.testbed.get_root_dir()
        for folder, _, files in os.walk(root):  # umockdev's own sockets
            os.chmod(folder, 0o777)
            for file in files if "/ioctl" in folder else ():
                os.chmod(os.path.join(folder, file), 0o777)
        node = root + "/dev/input/event0"
        os.chmod(node, 0o600)
        daemon = Daemon(user=nobody)
        self.addCleanup(daemon.close)
        self.assertEqual(self.devices(daemon), [])
        wait_until(lambda: "Permission denied" in daemon.output(), "it says why")
        self.assertIn("be root or in the group input; trying again", daemon.output())
        self.assertEqual(daemon.output().count("Permission denied"), 1)
        os.chmod(node, 0o666)
        (device,) = wait_until(lambda: self.devices(daemon), "the device is there", 15)
        self.assertEqual(device["capability"], "available")

    def test_what_is_recorded_plays_as_it_was(self):
        self.add_trackpad(0)
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "pad.yml")
        recorder = subprocess.Popen(
            [BIN / "forcetouchctl", "record", "/dev/input/event0", "--output", path])
        # It has its name when it is whole.
        part = path + ".part"
        wait_until(lambda: os.path.exists(part) and os.path.getsize(part), "the recording began")
        fd = self.testbed.get_dev_fd("/dev/input/event0")
        self.press(fd, [50, 110, 160])
        self.frame(fd, (ABS, 0x39, -1), (KEY, 0x14A, 0))
        wait_until(lambda: open(part).read().count("SYN_REPORT") == 5, "five frames are written")
        recorder.send_signal(signal.SIGINT)
        self.assertEqual(recorder.wait(timeout=PATIENCE), 0)
        self.assertFalse(os.path.exists(part))

        status, output, complaints = run("replay", path, "--json")
        self.assertEqual((status, complaints), (0, ""))
        self.assertEqual(
            [(e["event"], e["raw"]) for e in events_of(output) if e["event"] != "changed"],
            [("began", 5), ("peek", 110), ("pop", 160), ("ended", 160)])
        recorded, live = (json.loads(run("probe", what, "--json")[1])
                          for what in (path, "/dev/input/event0"))
        for key in ("name", "kind", "bus", "vendor", "product", "x", "y", "pressure", "reason"):
            self.assertEqual(recorded[key], live[key])

    def is_open(self, daemon, name):
        return any(link.endswith("/" + name) or "/ptmx" in link or "/pts/" in link
                   for link in daemon.descriptors())


if __name__ == "__main__":
    unittest.main()

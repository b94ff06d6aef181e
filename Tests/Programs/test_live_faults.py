"""Live devices that say too much or nothing, too many of them, clocks that jump, full disks."""

import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

from live import ABS, KEY, LiveTestCase
from support import (
    BIN, COMPILER, DEVICES, MONITOR, PATIENCE, Daemon, mounting, needs_mounts, preloadable, wait_until)
from test_limits import used_in


class LiveFaultTestCase(LiveTestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.mkdtemp(prefix="forcetouch-fault-")
        self.addCleanup(shutil.rmtree, folder)
        self.folder = pathlib.Path(folder)

    def until(self, raw, kind):
        """What happened but for `changed`, up to an event of this kind."""
        seen = []
        while not seen or seen[-1][0] != kind:
            event = raw.reply()["parameters"].get("event")
            if event and event["event"] != "changed":
                seen.append((event["event"], event["reason"]) if "reason" in event
                            else (event["event"],))
        return seen

    def wait_open(self, daemon, count=1):
        def opened():
            devices = daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["devices"]
            return sum(device["open"] for device in devices) == count

        wait_until(opened, "the node is open")


class DeviceFaultTest(LiveFaultTestCase):
    def test_a_device_that_says_more_than_is_taken_at_once_is_read_to_its_end(self):
        self.add_trackpad(0)
        daemon = self.start()
        self.monitor(daemon)
        self.wait_open(daemon)
        fd = self.testbed.get_dev_fd("/dev/input/event0")
        self.press(fd, [20])

        def frames():
            (device,) = daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["devices"]
            return device["frames"]

        wait_until(lambda: frames() == 2, "the touch is read")
        # More than the 32 of a turn, less than what a pseudo-terminal holds, and nothing after it.
        burst = 80 * (struct.pack("llHHi", 9, 0, ABS, 0x3A, 21) + struct.pack("llHHi", 9, 0, 0, 0, 0))
        for number in range(1, 21):
            os.write(fd, burst)
            wait_until(lambda: frames() == 2 + 80 * number, "the burst is read")
        self.assertLess(used_in(daemon, 1), 0.1)

    def test_a_device_that_says_nothing_costs_nothing(self):
        self.add_trackpad(0)
        daemon = self.start()
        self.monitor(daemon)
        self.wait_open(daemon)
        # A frame that never ends: the device hangs in the middle of it.
        fd = self.testbed.get_dev_fd("/dev/input/event0")
        os.write(fd, struct.pack("llHHi", 9, 0, ABS, 0x3A, 20))
        self.assertLess(used_in(daemon, 1), 0.1)

    def test_256_devices_are_served_and_the_next_waits_for_a_place(self):
        paths = [self.add_trackpad(number) for number in range(258)]
        daemon = self.start()
        # Describing them all takes its time in umockdev.
        raw = daemon.connect(timeout=60)
        self.addCleanup(raw.close)

        def nodes():
            devices = raw.ask(f"{DEVICES}.List")["parameters"]["devices"]
            return {device["node"] for device in devices}

        served = wait_until(lambda: len(found := nodes()) == 256 and found, "256 devices", 60)
        left_out = "further ones are left out"
        self.assertEqual(daemon.output().count(left_out), 1)
        path = next(path for path in paths if f"/dev/input/{path.rsplit('/')[-1]}" in served)
        self.remove(path)
        wait_until(lambda: len(nodes()) == 256 and nodes() != served, "one that waited", 60)
        self.assertEqual(daemon.output().count(left_out), 1)

    def test_clients_cannot_take_the_descriptors_of_a_device(self):
        daemon = Daemon(wrapper=("prlimit", "--nofile=90"))
        self.addCleanup(daemon.close)
        raw = self.monitor(daemon)
        clients = [daemon.connect() for _ in range(100)]
        for client in clients:
            client.call(f"{DEVICES}.List")
        wait_until(lambda: "new clients wait" in daemon.output(), "it is full")
        self.add_trackpad(0)
        self.assertIn("added", raw.reply()["parameters"])
        wait_until(lambda: any(link.endswith("event0") or "/pt" in link
                               for link in daemon.descriptors()), "the node is open")
        for client in clients:
            client.close()


@unittest.skipUnless(COMPILER, "needs a C compiler")
class UdevTest(LiveFaultTestCase):
    def start(self, netlink, *arguments, **options):
        """Of udev it hears as netlink.c says."""
        daemon = Daemon(
            *arguments, **options, FORCETOUCH_NETLINK=str(netlink),
            LD_PRELOAD=f"{preloadable('netlink', self.folder)}:{os.environ['LD_PRELOAD']}")
        self.addCleanup(daemon.close)
        return daemon

    def nodes(self, daemon):
        return {device["node"] for device in self.devices(daemon)}

    def test_what_is_lost_of_udev_is_looked_for(self):
        overflows = self.folder / "overflows"
        overflows.write_bytes(bytes(8))
        gone = self.add_trackpad(0)
        daemon = self.start(overflows)
        raw = self.monitor(daemon)
        self.wait_open(daemon)
        self.press(self.testbed.get_dev_fd("/dev/input/event0"), [50, 110])
        self.assertEqual(self.until(raw, "peek"), [("began",), ("peek",)])
        # All of it happens before the daemon looks again.
        with daemon.held():
            overflows.write_bytes(struct.pack("q", 1))
            self.remove(gone)
            self.add_trackpad(1)
        self.assertEqual(self.until(raw, "cancelled"), [
            ("peekCancelled", "deviceRemoved"), ("cancelled", "deviceRemoved")])
        wait_until(lambda: self.nodes(daemon) == {"/dev/input/event1"}, "it sees what there is")
        self.assertEqual(daemon.output().count("udev's messages overflowed"), 1)
        # What comes after it is heard again.
        self.add_trackpad(2)
        wait_until(lambda: "/dev/input/event2" in self.nodes(daemon), "it hears again")
        self.assertLess(used_in(daemon, 1), 0.1)

    def test_without_a_socket_for_udev_those_are_served_that_are_there(self):
        self.add_trackpad(0)
        daemon = self.start("refused")
        self.assertIsNone(daemon.process.poll(), daemon.output())
        raw = self.monitor(daemon)
        self.wait_open(daemon)
        self.press(self.testbed.get_dev_fd("/dev/input/event0"), [50, 110])
        self.assertEqual(self.until(raw, "peek"), [("began",), ("peek",)])
        self.assertEqual(daemon.output().count(
            "cannot hear of devices that come and go: Address family not supported by protocol "
            "(does a container or a sandbox forbid it?); only those that are there now are served"), 1)
        self.assertLess(used_in(daemon, 1), 0.1)
        self.assertEqual(daemon.stop(), 0)
        self.assertEqual(self.until(raw, "cancelled"), [
            ("peekCancelled", "stopping"), ("cancelled", "stopping")])

    @needs_mounts
    def test_where_udev_does_not_run_it_says_so(self):
        self.add_trackpad(0)
        daemon = self.start("", wrapper=mounting("mount -t tmpfs none /run"))
        self.assertIsNone(daemon.process.poll(), daemon.output())
        self.assertEqual(self.nodes(daemon), {"/dev/input/event0"})
        self.assertEqual(daemon.output().count("udev does not run"), 1)
        self.assertLess(used_in(daemon, 1), 0.1)


@unittest.skipUnless(COMPILER, "needs a C compiler")
class ClockTest(LiveFaultTestCase):
    def setUp(self):
        super().setUp()
        self.clocks = self.folder / "clocks"
        self.move()
        self.add_trackpad(0)
        self.daemon = Daemon(
            FORCETOUCH_CLOCKS=str(self.clocks),
            LD_PRELOAD=f"{os.environ['LD_PRELOAD']}:{preloadable('clocks', self.folder)}")
        self.addCleanup(self.daemon.close)
        self.raw = self.monitor(self.daemon)
        self.wait_open(self.daemon)
        self.fd = self.testbed.get_dev_fd("/dev/input/event0")

    def move(self, asleep=0, real=0):
        """So many seconds the daemon's clocks are ahead; in place, for it has the file open."""
        with open(self.clocks, "r+b" if self.clocks.exists() else "wb") as file:
            file.write(struct.pack("qqq", asleep * 10**9, real * 10**9, 0))

    def test_sleep_cancels_what_is_open(self):
        self.press(self.fd, [50, 110])
        self.assertEqual(self.until(self.raw, "peek"), [("began",), ("peek",)])
        # It rests again: nothing of what comes now is taken together with what came.
        self.daemon.ask(f"{DEVICES}.List")
        self.move(asleep=5)
        self.frame(self.fd, (ABS, 0x3A, 112))
        self.assertEqual(self.until(self.raw, "cancelled"), [
            ("peekCancelled", "suspended"), ("cancelled", "suspended")])
        # What was down is heard of no more; the next touch is like any other.
        self.frame(self.fd, (ABS, 0x3A, 180))
        self.frame(self.fd, (ABS, 0x39, -1), (KEY, 0x14A, 0))
        self.press(self.fd, [50, 110])
        self.assertEqual(self.until(self.raw, "peek"), [("began",), ("peek",)])

    def test_a_clock_that_is_set_disturbs_nothing(self):
        self.press(self.fd, [50])
        for real in (-10**8, 10**9, 0):
            self.move(real=real)
            self.frame(self.fd, (ABS, 0x3A, 60 + real % 7))
        self.frame(self.fd, (ABS, 0x3A, 110))
        self.assertEqual(self.until(self.raw, "peek"), [("began",), ("peek",)])
        self.assertIn("devices", self.daemon.ask(f"{DEVICES}.List")["parameters"])


class RecordTest(LiveFaultTestCase):
    def record(self, path, *wrapper):
        return subprocess.Popen(
            [*wrapper, BIN / "forcetouchctl", "record", "/dev/input/event0", "--output", path],
            stderr=subprocess.PIPE, text=True)

    def test_a_disk_that_fills_up_takes_neither_the_old_recording_nor_the_new_so_far(self):
        self.add_trackpad(0)
        path, part = self.folder / "pad.yml", self.folder / "pad.yml.part"
        path.write_text("old")
        limit = 6000
        recorder = self.record(path, "prlimit", f"--fsize={limit}")
        wait_until(lambda: part.exists() and part.stat().st_size, "the recording began")
        fd = self.testbed.get_dev_fd("/dev/input/event0")
        self.press(fd, [10])

        def ended():
            self.press(fd, range(20, 40))
            return recorder.poll() is not None

        wait_until(ended, "the disk is full", 30)
        self.assertEqual(recorder.returncode, 1)
        self.assertEqual(
            recorder.stderr.read(), f"forcetouchctl: cannot write {path}: File too large; "
            f"what was recorded until then is in {part}\n")
        self.assertEqual(path.read_text(), "old")
        self.assertEqual(part.stat().st_size, limit)
        self.assertIn("devices:", part.read_text())

    def test_a_device_file_that_takes_nothing_is_told(self):
        self.add_trackpad(0)
        recorder = self.record("/dev/full")
        self.assertEqual(recorder.wait(timeout=PATIENCE), 1)
        self.assertEqual(
            recorder.stderr.read(),
            "forcetouchctl: cannot write /dev/full: No space left on device\n")


if __name__ == "__main__":
    unittest.main()

"""Force pads through the kernel's own drivers: found, judged, pressed, as the contract says."""

import subprocess
import time
import unittest

import pyudev
from machine import (
    DEVICES, PATIENCE, SETTINGS, TABLE, MachineTestCase, device_of, devices, run,
    start_daemon, write)
from uhid import MagicTrackpad, PrecisionTouchpad, UsbMagicTrackpad

# Around the thresholds of a Magic Trackpad 2 (peek 106, pop 155): just below, then on them.
TO_THE_POP = [8, 30, 60, 90, 105, 106, 107, 130, 154, 155, 156, 180, 150, 20]


class MagicTrackpadTests:
    """The same on Bluetooth and on USB."""

    def make(self):
        raise NotImplementedError

    def setUp(self):
        super().setUp()
        self.pad = self.plug(self.make())
        self.device = device_of(self.pad)
        self.stream = self.watch(device=self.device["device"])

    def test_it_is_found_and_judged(self):
        expected = {
            "kind": "trackpad", "driver": "magicmouse", "seat": "seat0", "capability": "available",
            "reason": "table", "explanation": "known to measure force", "estimated": False,
            "pressure": {"minimum": 0, "maximum": 253, "resolution": 0},
            "thresholds": {"hint": 85, "peek": 106, "pop": 155}, **self.pad.identity}
        self.assertEqual({key: self.device.get(key) for key in expected}, expected)

    def test_a_press_gives_peek_and_pop_at_the_first_values_that_reach_them(self):
        self.pad.press(TO_THE_POP)
        replies = self.stream.until("ended")
        self.assertReplies(replies, [("began", 8), ("peek", 106), ("pop", 155), ("ended", 20)])
        # Every frame of the kernel between is there, in order.
        changed = [r["event"]["raw"] for r in replies if r["event"]["event"] == "changed"]
        self.assertEqual(changed, TO_THE_POP[1:])
        times = [r["event"]["time"] for r in replies]
        self.assertEqual(times, sorted(times))

    def test_a_press_just_below_the_thresholds_gives_neither(self):
        self.pad.press([8, 60, 105, 105, 60])
        self.assertReplies(self.stream.until("ended"), [("began", 8), ("ended", 60)])
        self.pad.press([8, 60, 106, 154, 154, 60])
        self.assertReplies(self.stream.until("ended"), [
            ("began", 8), ("peek", 106), ("peekEnded", 60), ("ended", 60)])

    def test_a_second_finger_cancels_the_peek(self):
        self.pad.press([8, 60, 110], lift=False)
        self.assertReplies(self.stream.until("peek"), [("began", 8), ("peek", 110)])
        self.pad.fingers(self.pad.finger(120, True), self.pad.finger(10, True, 2, x=1500))
        self.assertReplies(
            self.stream.until("began"), [("peekCancelled", "otherContact"), ("began", 10)])
        self.pad.fingers(self.pad.finger(0, False), self.pad.finger(0, False, 2, x=1500))
        self.stream.until("ended")
        self.stream.until("ended")

    def test_pulling_it_out_in_a_press_closes_all_once(self):
        self.pad.press([8, 60, 110], lift=False)
        self.stream.until("peek")
        self.pad.remove()
        self.assertReplies(self.stream.until("removed"), [
            ("peekCancelled", "deviceRemoved"), ("cancelled", "deviceRemoved"), "removed"])
        self.assertEqual(devices(), [])


class BluetoothMagicTrackpadTest(MagicTrackpadTests, MachineTestCase):
    def make(self):
        return MagicTrackpad()

    def test_pulled_out_and_put_in_again_it_is_a_new_device(self):
        self.pad.remove()
        self.stream.until("removed")
        stream = self.watch()
        pad = self.plug(self.make())
        added, _ = stream.until_added(pad)
        self.assertNotEqual(added["device"], self.device["device"])
        pad.press([8, 110])
        replies = stream.until("ended")
        self.assertReplies(
            replies, [("began", 8), ("peek", 110), ("peekEnded", 110), ("ended", 110)])
        self.assertEqual(replies[0]["event"]["device"], added["device"])


class UsbMagicTrackpadTest(MagicTrackpadTests, MachineTestCase):
    def make(self):
        return UsbMagicTrackpad()


class PrecisionTouchpadTest(MachineTestCase):
    """A touchpad of hid-multitouch: nothing tells what its pressure is, unless somebody does."""

    @classmethod
    def setUpClass(cls):
        write(TABLE, "- name: Test pad in the table\n"
              "  match: {bus: i2c, vendor: 0x1234, product: 0x5679}\n  kind: force\n"
              "  profile: {floor: 0, average: 30, ceiling: 200, click: 60}\n  source: the test\n")
        write(SETTINGS, "devices:\n  - {vendor: 0x1234, product: 0x567a, estimated: true}\n")
        start_daemon()

    @classmethod
    def tearDownClass(cls):
        TABLE.unlink()
        SETTINGS.unlink()
        start_daemon()

    def make(self, product):
        pad = self.plug(PrecisionTouchpad(product=product))
        device = device_of(pad)
        self.assertEqual((device["driver"], device["bus"], device["kind"]),
                         ("hid-multitouch", "i2c", "trackpad"))
        self.assertEqual(device["pressure"], {"minimum": 0, "maximum": 255, "resolution": 0})
        return pad, device, self.watch(device=device["device"])

    def test_undescribed_it_gives_contacts_only(self):
        pad, device, stream = self.make(0x5678)
        self.assertEqual((device["capability"], device["reason"]), ("unknown", "undescribed"))
        self.assertNotIn("thresholds", device)
        pad.press([10, 100, 255, 20])
        replies = stream.until("ended")
        self.assertReplies(replies, [("began", 10), ("ended", 20)])
        self.assertEqual([r["event"]["raw"] for r in replies], [10, 100, 255, 20, 20])
        self.assertFalse([r for r in replies if "force" in r["event"]], "force of unknown pressure")

    def test_in_the_table_it_peeks_and_pops(self):
        pad, device, stream = self.make(0x5679)
        self.assertEqual((device["capability"], device["reason"]), ("available", "table"))
        # From click 60 to ceiling 200: 0.25, 0.40 and 0.75 of the way.
        self.assertEqual(device["thresholds"], {"hint": 95, "peek": 116, "pop": 165})
        pad.press([10, 115, 116, 164, 165, 20])
        replies = stream.until("ended")
        self.assertReplies(replies, [("began", 10), ("peek", 116), ("pop", 165), ("ended", 20)])
        peek = next(r["event"] for r in replies if r["event"]["event"] == "peek")
        self.assertEqual((peek["pressure"], peek["force"]), (0.58, 3.8667))

    def test_estimated_it_peeks_and_every_event_says_so(self):
        pad, device, stream = self.make(0x567A)
        self.assertEqual((device["capability"], device["reason"], device["estimated"]),
                         ("unknown", "undescribed", True))
        # The level of a contact is the most that it has in its first 100 ms: it takes time to have one.
        # A pad that says nothing for so long has lost its fingers (kernel: hid-multitouch).
        end = time.monotonic() + 0.15
        while time.monotonic() < end:
            pad.press([10], lift=False)
        pad.press([107, 108, 193, 194, 20])  # 10, and 0.40 and 0.75 of what is left: 108 and 193.75
        replies = stream.until("ended")
        self.assertReplies(replies, [("began", 10), ("peek", 108), ("pop", 194), ("ended", 20)])
        self.assertTrue(all(r["event"].get("estimated") for r in replies), replies)


class AgreementTest(MachineTestCase):
    """The devices are those that libinput and udev know."""

    def test_the_list_agrees_with_libinput_and_udev(self):
        pads = [self.plug(make()) for make in (MagicTrackpad, UsbMagicTrackpad, PrecisionTouchpad)]
        listed = {device_of(pad)["node"] for pad in pads}
        self.assertEqual({d["node"] for d in devices()}, listed)
        self.assertEqual(
            {d.device_node for d in pyudev.Context().list_devices(subsystem="input")
             if d.sys_name.startswith("event") and d.properties.get("ID_INPUT_TOUCHPAD") == "1"},
            listed)
        for node in listed:
            self.assertIn("ID_INPUT_TOUCHPAD=1",
                          run("udevadm", "info", "--query=property", f"--name={node}"))
        known = {}
        for paragraph in run("libinput", "list-devices").split("\n\n"):
            fields = dict(line.split(":", 1) for line in paragraph.splitlines() if ":" in line)
            if "gesture" in fields.get("Capabilities", ""):
                known[fields["Kernel"].strip()] = (
                    fields["Device"].strip(), fields["Seat"].split(",")[0].strip())
        self.assertEqual(known, {d["node"]: (d["name"], d["seat"]) for d in devices()})


class RebindingTest(MachineTestCase):
    """The kernel gives a new HID device to its generic driver first, then to the real one, and
    udev tells of both. Clients see one device, settled."""

    def test_a_rebound_device_is_announced_once(self):
        run("modprobe", "--remove", "hid_magicmouse")  # its driver is loaded only when it is there
        monitor = pyudev.Monitor.from_netlink(pyudev.Context(), "udev")
        monitor.filter_by("input")
        monitor.start()
        streams = [self.watch(), self.watch(f"{DEVICES}.Watch")]
        pad = self.plug(MagicTrackpad())
        added, before = streams[0].until_added(pad)
        self.assertEqual(before, [], "something was announced before")
        self.assertEqual((added["driver"], added["reason"]), ("magicmouse", "table"))
        pad.press([8, 110])
        self.assertReplies(streams[0].until("ended"), [
            ("began", 8), ("peek", 110), ("peekEnded", 110), ("ended", 110)])
        pad.remove()
        self.assertReplies(streams[0].until("removed"), ["removed"])
        self.assertEqual(streams[1].until("removed"),
                         [{"added": added}, {"removed": added["device"]}])
        seen = []
        while event := monitor.poll(timeout=0.5):
            if event.sys_name.startswith("event"):
                seen.append(event.action)
        self.assertEqual(seen, ["add", "remove", "add", "remove"], "the kernel did not rebind it")

    def test_a_daemon_that_starts_in_between_settles_too(self):
        run("modprobe", "--remove", "hid_magicmouse")
        self.daemon_may_end = True
        starting = subprocess.Popen(["systemctl", "restart", "forcetouchd.service"])
        pad = self.plug(MagicTrackpad())
        self.assertEqual(starting.wait(timeout=PATIENCE), 0)
        device = device_of(pad)
        self.assertEqual((device["driver"], device["reason"]), ("magicmouse", "table"))
        stream = self.watch()
        pad.press([8, 110])
        self.assertReplies(stream.until("ended"), [
            ("began", 8), ("peek", 110), ("peekEnded", 110), ("ended", 110)])


if __name__ == "__main__":
    unittest.main()

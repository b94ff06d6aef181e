"""Recordings that `libinput record` made of the kernel's own drivers (Tests/Fixtures/README.md)."""

import json
import unittest

from support import ROOT, events_of, run

FIXTURES = ROOT / "Tests/Fixtures"


class KernelRecordingTest(unittest.TestCase):
    def openings(self, *arguments):
        """(event, raw) of all but `changed`."""
        status, output, complaints = run("replay", *arguments, "--json")
        self.assertEqual((status, complaints), (0, ""))
        return [(e["event"], e["raw"]) for e in events_of(output) if e["event"] != "changed"]

    def test_a_magic_trackpad_peeks_and_pops_on_bluetooth_and_on_usb(self):
        for bus in ("bluetooth", "usb"):
            with self.subTest(bus=bus):
                path = FIXTURES / f"magic-trackpad-2/{bus}.libinput-record.yml"
                device = json.loads(run("probe", path, "--json")[1])
                self.assertEqual((device["bus"], device["capability"], device["reason"]),
                                 (bus, "available", "table"))
                self.assertEqual(self.openings(path), [
                    ("began", 8), ("ended", 6),
                    ("began", 10), ("peek", 106), ("peekEnded", 12), ("ended", 12),
                    ("began", 9), ("peek", 106), ("pop", 155), ("ended", 15)])

    def test_a_precision_touchpad_is_undescribed_and_can_be_estimated(self):
        path = FIXTURES / "precision-touchpad/i2c.libinput-record.yml"
        device = json.loads(run("probe", path, "--json")[1])
        self.assertEqual((device["kind"], device["bus"], device["capability"], device["reason"]),
                         ("trackpad", "i2c", "unknown", "undescribed"))
        self.assertEqual(self.openings(path), [
            ("began", 8), ("ended", 6), ("began", 10), ("ended", 12), ("began", 9), ("ended", 15)])
        # These fingers are down for less than 100 ms: whatever they have is their ordinary level.
        self.assertEqual(self.openings(path, "--estimated"), self.openings(path))
        # 0.40 and 0.75 of the declared 0..255: 102 and 191.25.
        self.assertEqual(self.openings(path, "--estimated", "--without", "baseline"), [
            ("began", 8), ("ended", 6),
            ("began", 10), ("peek", 105), ("peekEnded", 12), ("ended", 12),
            ("began", 9), ("peek", 106), ("pop", 240), ("ended", 15)])


if __name__ == "__main__":
    unittest.main()

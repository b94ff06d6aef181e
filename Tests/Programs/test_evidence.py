"""A device that claims to measure force, and whose use proves that it does not."""

import json
import pathlib
import re
import shutil
import tempfile
import unittest

from previewing import Context, ScreenRecording, kinds
from support import CONTROL, DEVICES, MONITOR, PATIENT, ROOT, Daemon, events_of, run

REASON = "in use its pressure always equals the size of the contact"


class LyingRecording(ScreenRecording):
    """The touchscreen with pressure in units per gram reports the size of the contact as pressure."""

    def __init__(self, size=lambda pressure: pressure):
        super().__init__()
        self.size = size

    def down(self, time, x, y, pressure=10, slot=0):
        self.identifier += 1
        self.frame(
            time, (3, 0x2F, slot), (3, 0x39, self.identifier), (3, 0x35, x), (3, 0x36, y),
            (3, 0x3A, pressure), (3, 0x30, self.size(pressure)), (1, 0x14A, 1))

    def press(self, time, pressure, slot=0):
        self.frame(time, (3, 0x2F, slot), (3, 0x3A, pressure), (3, 0x30, self.size(pressure)))

    def use(self):
        """Touches that ask for no preview, then a press that peeks and goes on, then another."""
        time = 0
        for _ in range(20):
            self.down(time, 2000, 1200, 20)
            self.press(time + 8, 70)
            self.up(time + 16)
            time += 24
        self.down(time, 2000, 1200, 20)
        self.press(time + 8, 100)
        # Time for an answer.
        time += 900
        for _ in range(60):
            self.press(time, 160)
            self.press(time + 8, 150)
            time += 16
        self.up(time)
        self.down(time + 100, 2000, 1200, 20)
        self.press(time + 108, 300)
        self.up(time + 116)
        # Time for questions to the daemon: it leaves at the end.
        self.down(time + 50_000, 2000, 1200, 20)
        self.up(time + 50_008)
        return self


class EvidenceTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        self.folder = pathlib.Path(folder)
        self.path = LyingRecording().use().write(self.folder / "liar.evemu")

    def serve(self, recording):
        daemon = Daemon("--state", self.folder / "kept", *PATIENT, "--replay", recording)
        self.addCleanup(daemon.close)
        return daemon

    def monitor(self, daemon):
        raw = daemon.connect()
        self.addCleanup(raw.close)
        raw.ask(f"{MONITOR}.Watch", {}, more=True)
        return raw

    def device(self, daemon):
        (device,) = daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        return device

    def statistics(self, daemon):
        (device,) = daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["devices"]
        return device["pressure"]

    def test_a_proven_lie_cancels_what_is_open_and_makes_the_device_unavailable(self):
        daemon = self.serve(self.path)
        watcher = daemon.connect()
        self.addCleanup(watcher.close)
        (device,) = watcher.ask(f"{DEVICES}.Watch", more=True)["parameters"]["snapshot"]
        self.assertEqual((device["capability"], device["reason"]), ("available", "units"))
        context = Context(daemon.path, coverage="everything", touchscreens=True)
        self.addCleanup(context.close)
        monitor = self.monitor(daemon)
        (question,) = context.until("question")
        context.answer(question)
        self.assertEqual(
            kinds([question, *context.until("peekCancelled")]),
            ["question", "peekProgress", "peek", "popProgress", "peekCancelled(reconfigured)"])
        changed = watcher.reply()["parameters"]["changed"]
        self.assertEqual((changed["capability"], changed["reason"]), ("unavailable", "equalsSize"))
        self.assertEqual(changed["explanation"], REASON)
        self.assertNotIn("profile", changed)

        # The monitor hears the same, in order, and of the press after it no force.
        told = []
        while len(told) < 6:
            reply = monitor.reply()["parameters"]
            if "changed" in reply:
                told.append(reply["changed"]["reason"])
            elif reply["event"]["contact"] > 20 and reply["event"]["event"] != "changed":
                event = reply["event"]
                told.append((event["event"], event.get("reason"), "force" in event))
        self.assertEqual(told, [
            ("began", None, True), ("peek", None, True), ("peekCancelled", "reconfigured", True),
            ("cancelled", "reconfigured", True), "equalsSize", ("began", None, False)])

        seen = self.statistics(daemon)
        self.assertEqual(
            (seen["proven"], seen["minimum"], seen["wraps"], seen["outside"]),
            ("equalsSize", 20, 0, 0))
        self.assertEqual((seen["equal"], seen["majorCorrelation"]), (1, 1))
        self.assertNotIn("minorCorrelation", seen)
        self.assertIn(seen["distinct"], (5, 6))

        # It stays, and a calibration is refused.
        self.assertEqual(
            daemon.ask(f"{CONTROL}.Reload"), {"parameters": {"problems": []}})
        self.assertEqual(self.device(daemon)["reason"], "equalsSize")
        refused = daemon.ask(f"{CONTROL}.SetProfile", {
            "device": "d1", "profile": {"floor": 0, "ceiling": 300}})
        self.assertEqual(refused, {
            "error": f"{CONTROL}.InvalidProfile", "parameters": {"reason": REASON}})
        self.assertEqual(self.device(daemon)["reason"], "equalsSize")
        self.assertTrue(context.is_silent())
        self.assertEqual(
            daemon.output().count(
                f"device: d1 is Test touchscreen: {REASON}; it is unavailable until it is "
                "plugged in again\n"), 1)

    def test_the_command_finds_it_at_the_same_event_as_the_daemon(self):
        monitor = self.monitor(self.serve(self.path))
        served = []
        while not served or served[-1].get("reason") != "reconfigured" \
                or served[-1]["event"] != "cancelled":
            reply = monitor.reply()["parameters"]
            if "event" in reply:
                served.append(reply["event"])
        status, output, complaints = run("replay", self.path, "--json")
        self.assertEqual((status, complaints), (0, ""))
        events = events_of(output)
        self.assertEqual(len(events), len(output.splitlines()))
        self.assertEqual(events[:len(served)], served)
        self.assertTrue(all("force" not in event for event in events[len(served):]))

        status, output, complaints = run("replay", self.path)
        self.assertEqual((status, complaints), (0, ""))
        self.assertEqual(output.count(f"d1  Test touchscreen: unavailable, {REASON}\n"), 1)
        self.assertRegex(
            output, r"cancelled\(reconfigured\).*\nd1  Test touchscreen: unavailable")
        # Who only looks at the description does not know.
        self.assertEqual(json.loads(run("probe", self.path, "--json")[1])["reason"], "units")

    def test_a_guess_is_made_for_who_asks_for_one(self):
        status, output, _ = run("replay", self.path, "--estimated", "--json")
        self.assertEqual(status, 0)
        after = [e for e in events_of(output) if e["contact"] > 21]
        self.assertTrue(after and all(e["estimated"] and "force" in e for e in after))

    def test_a_pad_whose_pressure_is_more_than_its_size_is_not_accused(self):
        sizes = iter(range(10_000))
        path = LyingRecording(lambda pressure: pressure + next(sizes) % 9).use().write(
            self.folder / "honest.evemu")
        output = run("replay", path, "--json")[1]
        self.assertNotIn("reconfigured", output)
        self.assertEqual(events_of(output)[-1]["event"], "ended")
        daemon = self.serve(path)
        monitor = self.monitor(daemon)
        while monitor.reply()["parameters"].get("event", {}).get("raw") != 300:
            pass
        seen = self.statistics(daemon)
        self.assertNotIn("proven", seen)
        self.assertLess(seen["equal"], 0.2)
        self.assertLess(seen["majorCorrelation"], 1)
        self.assertEqual(self.device(daemon)["reason"], "units")

    def test_the_page_has_the_numbers_of_the_source(self):
        source = (ROOT / "Sources/ForceTouchDevices/Evidence/PressureProof.swift").read_text()
        numbers = dict(re.findall(r"static let (\w+)(?:: Int64)? = (\d+)", source))
        self.assertEqual(numbers.pop("lightPart"), "16")
        self.assertEqual(len(numbers), 6)
        page = (ROOT / "docs/devices.md").read_text()
        table = page[page.index("| reason | proven when |"):page.index("A sample is a state")]
        self.assertIn("sixteenth", table)
        self.assertEqual(set(numbers.values()) - set(re.findall(r"\d+", table)), set())


if __name__ == "__main__":
    unittest.main()

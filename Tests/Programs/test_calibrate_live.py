"""forcetouchctl calibrate with a device that is pressed: the whole dialog; see live.py."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from live import ABS, KEY, LiveTestCase
from support import BIN, CONTROL, DEVICES, MONITOR, PATIENCE, wait_until
from terminal import Terminal

LIGHT, NORMAL, FIRM, FLAT = (12, 14, 10), (29, 26, 31), (172, 184, 166), (13, 17, 15)


class CalibrateTest(LiveTestCase):
    def setUp(self):
        super().setUp()
        self.state = tempfile.mkdtemp(prefix="forcetouch-state-")
        self.addCleanup(shutil.rmtree, self.state)
        self.path = self.add_trackpad(0)
        self.pad = self.testbed.get_dev_fd("/dev/input/event0")
        self.daemon = self.start("--state", f"{self.state}/kept")

    def device(self):
        (device,) = self.devices(self.daemon)
        return device

    def statistics(self):
        (device,) = self.daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["devices"]
        return device

    def is_open(self):
        return self.statistics()["open"]

    def kept(self):
        """What the daemon has written."""
        folder = pathlib.Path(self.state, "kept")
        return {f.name: f.read_text() for f in folder.iterdir()} if folder.exists() else {}

    def dialog(self, *arguments, **variables):
        dialog = Terminal("calibrate", *arguments, "--socket", self.daemon.path, **variables)
        self.addCleanup(dialog.close)
        return dialog

    # MARK: Fingers

    def size(self, pressure, is_flat):
        return 700 + pressure if is_flat else round(180 + 55 * pressure ** (1 / 3))

    def come_down(self, is_flat=False, slot=0, x=10, size=None):
        size = (size or self.size)(4, is_flat)
        self.frame(self.pad, (ABS, 0x2F, slot), (ABS, 0x39, self.id + 1), (ABS, 0x30, size),
                   (ABS, 0x35, x), (ABS, 0x36, 10), (ABS, 0x3A, 4), (KEY, 0x14A, 1))

    def lift(self, slot=0):
        self.frame(self.pad, (ABS, 0x2F, slot), (ABS, 0x39, -1), (KEY, 0x14A, 0))

    def touch(self, level, is_flat=False, frames=70, size=None, x=None):
        """A finger that comes down, is held, and lifts; the pad clicks at 50."""
        ramp = [4 + (level - 4) * step / 20 for step in range(1, 20)]
        tremor = [level * (1 + 0.02 * (step % 3 - 1)) for step in range(frames)]
        frames, clicked = [], False
        for number, pressure in enumerate(ramp + tremor + ramp[::-2]):
            pressure = round(pressure)
            events = [(ABS, 0x30, (size or self.size)(pressure, is_flat)), (ABS, 0x3A, pressure)]
            if (pressure >= 50) != clicked:
                clicked = not clicked
                events.append((KEY, 0x110, int(clicked)))
            if x and number == 30:
                events.append((ABS, 0x35, x))
            frames.append(events)
        self.come_down(is_flat, size=size)
        # umockdev's node is a terminal: what does not fit into its buffer is torn.
        for start in range(0, len(frames), 20):
            part = frames[start:start + 20]
            before = self.statistics()["frames"]
            for events in part:
                self.frame(self.pad, *events)
            wait_until(lambda: self.statistics()["frames"] >= before + len(part), "they are read")
        self.lift()

    def touch_as_asked(self, dialog, efforts=(LIGHT, NORMAL, FIRM, FLAT), size=None):
        """All touches, each when it is asked for."""
        for number, levels in enumerate(efforts):
            word = ("light", "normal", "firm", "flat")[number]
            for round_, level in enumerate(levels, 1):
                dialog.expect(f"{round_} of 3: {word}")
                self.touch(level, is_flat=word == "flat", size=size)
                dialog.expect(r"raw [\d.]+ ± [\d.]+")

    # MARK: Tests

    def test_a_pad_is_calibrated_step_by_step_and_stays_so(self):
        watcher = self.daemon.connect()
        watcher.ask(f"{DEVICES}.Watch", more=True)
        dialog = self.dialog("/dev/input/event0")
        dialog.expect(r"d1  Apple Inc. Magic Trackpad 2, pressure 0…253")
        self.touch_as_asked(dialog)
        self.assertEqual(dialog.shown.count(", clicked at"), len(FIRM))
        dialog.expect(r"normal +29, 26, 31 +29 ")
        profile = dialog.expect(
            r"profile +floor ([\d.]+), average ([\d.]+), ceiling ([\d.]+), click ([\d.]+)")
        dialog.expect(r"thresholds +hint [\d.]+, peek [\d.]+, pop [\d.]+")
        dialog.expect(r"\[y/N\] ")
        self.assertEqual(self.device()["reason"], "table")
        dialog.type("y\n")
        dialog.expect("d1 is available: calibrated on this machine")
        self.assertEqual(dialog.end(), 0)

        changed = watcher.reply()["parameters"]["changed"]
        self.assertEqual(changed["reason"], "calibrated")
        for name, shown in zip(("floor", "average", "ceiling", "click"), profile.groups()):
            self.assertEqual(changed["profile"][name], float(shown))
        self.assertEqual(changed["profile"]["average"], 29)
        self.assertEqual(changed["profile"]["ceiling"], 172)
        self.assertTrue(50 <= changed["profile"]["click"] < 62, changed["profile"])
        self.assertTrue(4 <= changed["profile"]["floor"] < 8, changed["profile"])
        watcher.close()

        self.daemon.stop()
        self.daemon = self.start("--state", f"{self.state}/kept")
        self.assertEqual(self.device()["reason"], "calibrated")
        self.assertEqual(self.device()["profile"], changed["profile"])
        dialog = self.dialog("d1", "--reset")
        dialog.expect("d1 is available again: known to measure force")
        self.assertEqual(dialog.end(), 0)
        self.assertEqual(self.device()["reason"], "table")

    def test_a_touch_that_does_not_count_is_asked_for_again(self):
        dialog = self.dialog("d1", "--yes")
        dialog.expect("1 of 3: light")
        self.touch(12, frames=5)
        dialog.expect("again: too short; hold still for a second")
        self.touch(12, x=2000)
        dialog.expect("again: the finger moved; keep it in its place")
        self.come_down()
        self.come_down(slot=1, x=900)
        self.lift(slot=1)
        self.lift(slot=0)
        dialog.expect("again: there was a second finger; use one alone")
        self.assertNotIn("2 of 3", dialog.shown)
        self.touch(12)
        dialog.expect(r"raw 12 ± [\d.]+")
        dialog.expect("2 of 3: light")

    def test_a_finger_that_was_down_before_must_lift_first(self):
        raw = self.monitor(self.daemon)
        wait_until(self.is_open, "the device is open")
        self.come_down()
        self.assertEqual(self.next_began(raw)["raw"], 4)
        dialog = self.dialog("d1")
        dialog.expect("1 of 3: light")
        self.lift()
        dialog.expect("again: the finger was down already; lift it first")

    def next_began(self, raw):
        while True:
            event = raw.reply()["parameters"].get("event")
            if event and event["event"] == "began":
                return event

    def test_a_pad_that_measures_size_is_refused_and_nothing_is_written(self):
        dialog = self.dialog("d1", "--yes")
        # The flat of the finger reads as a hard press.
        self.touch_as_asked(dialog, (LIGHT, NORMAL, FIRM, (170, 165, 180)))
        self.assertEqual(dialog.end(), 1)
        self.assertEqual(
            dialog.last_line(),
            "forcetouchctl: a light touch with the flat of the finger reads as a hard one: its pressure "
            "is the size of the contact, not force; if you pressed there, try again without; nothing was "
            "written")
        self.assertEqual((self.kept(), self.device()["reason"]), ({}, "table"))

    def test_what_the_touches_prove_to_the_daemon_ends_it(self):
        dialog = self.dialog("d1", "--yes")
        with self.assertRaises(AssertionError):
            self.touch_as_asked(
                dialog, ((60, 64, 58), (100, 104, 98), (180, 176, 184), (190, 195, 188)),
                size=lambda pressure, flat: 100 + 2 * pressure)
        self.assertEqual(dialog.end(), 1)
        self.assertEqual(
            dialog.last_line(),
            "forcetouchctl: it cannot be calibrated any more: in use its pressure always equals the size "
            "of the contact; nothing was written")
        self.assertEqual((self.kept(), self.device()["reason"]), ({}, "equalsSize"))
        # It is told before anybody presses again.
        dialog = self.dialog("d1")
        self.assertEqual(dialog.end(), 1)
        self.assertIn("d1, Apple Inc. Magic Trackpad 2, cannot be calibrated: in use", dialog.last_line())

    def test_without_a_yes_nothing_is_written(self):
        for answer in ("n\n", "\n", "\x04", "yesterday\n"):
            with self.subTest(answer=answer):
                dialog = self.dialog("d1")
                dialog.type("y\n")  # too early: it is no answer
                self.touch_as_asked(dialog)
                dialog.expect(r"\[y/N\] ")
                dialog.type(answer)
                self.assertEqual(dialog.end(), 1)
                self.assertEqual(
                    dialog.last_line(), "forcetouchctl: you did not agree; nothing was written")
        self.assertEqual((self.kept(), self.device()["reason"]), ({}, "table"))

    def stopped(self, act):
        """What is said when something comes between, in the middle of a touch."""
        dialog = self.dialog("d1")
        dialog.expect("1 of 3: light")
        self.touch(12)
        dialog.expect("2 of 3: light")
        self.come_down()
        dialog.expect(r"raw 4")
        act(dialog)
        status = dialog.end()
        self.lift()
        self.assertEqual(status, 1)
        self.assertEqual(self.kept(), {})
        return dialog.last_line()

    def test_whatever_comes_between_is_said_in_one_line(self):
        stopped = "forcetouchctl: stopped; nothing was written"
        self.assertEqual(self.stopped(lambda d: d.type("\x03")), stopped)
        self.assertEqual(self.stopped(lambda d: d.process.send_signal(signal.SIGTERM)), stopped)
        self.assertEqual(self.stopped(lambda d: d.process.send_signal(signal.SIGHUP)), stopped)
        self.assertEqual(
            self.stopped(lambda d: self.daemon.process.send_signal(signal.SIGTERM)),
            "forcetouchctl: the daemon stopped; nothing was written")
        self.daemon = self.start("--state", f"{self.state}/kept")
        self.assertRegex(
            self.stopped(lambda d: self.daemon.process.kill()),
            "^forcetouchctl: the connection was lost: the service closed it; "
            r"is forcetouchd running\? \(.+\); nothing was written$")
        self.daemon = self.start("--state", f"{self.state}/kept")
        self.assertEqual(
            self.stopped(lambda d: self.remove(self.path)),
            "forcetouchctl: the device is gone; nothing was written")

    def test_at_the_question_too(self):
        dialog = self.dialog("d1")
        self.touch_as_asked(dialog)
        dialog.expect(r"\[y/N\] ")
        dialog.type("\x03")
        self.assertEqual(dialog.end(), 1)
        self.assertEqual(dialog.last_line(), "forcetouchctl: stopped; nothing was written")
        dialog = self.dialog("d1")
        self.touch_as_asked(dialog)
        dialog.expect(r"\[y/N\] ")
        self.remove(self.path)
        wait_until(lambda: not self.devices(self.daemon), "the device is gone")
        dialog.type("y\n")
        self.assertEqual(dialog.end(), 1)
        self.assertEqual(dialog.last_line(), "forcetouchctl: the device is gone; nothing was written")
        self.assertEqual(self.kept(), {})

    def test_a_terminal_that_is_closed_ends_it(self):
        dialog = self.dialog("d1")
        dialog.expect("1 of 3: light")
        wait_until(self.is_open, "the device is open")
        os.close(dialog.terminal)
        self.assertEqual(dialog.process.wait(timeout=PATIENCE), 1)
        wait_until(lambda: not self.is_open(), "nobody listens to the device")

    def test_a_device_that_is_switched_off_meanwhile_ends_it(self):
        config = pathlib.Path(self.state, "config.yaml")
        config.write_text("")
        self.daemon.stop()
        self.daemon = self.start("--state", f"{self.state}/kept", "--config", config)
        dialog = self.dialog("d1")
        dialog.expect("1 of 3: light")
        config.write_text("devices:\n- {bus: bluetooth, enabled: false}\n")
        self.daemon.ask(f"{CONTROL}.Reload")
        self.assertEqual(dialog.end(), 1)
        self.assertEqual(
            dialog.last_line(),
            "forcetouchctl: it cannot be calibrated any more: switched off in the settings; "
            "nothing was written")

    def test_the_live_line_is_drawn_anew_on_a_terminal_only(self):
        for variables, is_drawn, is_bold in [
                ({}, True, True), ({"NO_COLOR": "1"}, True, False), ({"TERM": "dumb"}, False, False)]:
            with self.subTest(**variables):
                dialog = self.dialog("d1", **variables)
                dialog.expect("1 of 3: light")
                self.come_down()
                dialog.expect(r"█?\S* +raw 4 +force 0\.")
                self.lift()
                dialog.expect("too short")
                self.assertEqual("\x1b[K" in dialog.shown, is_drawn)
                self.assertEqual("\x1b[1m" in dialog.shown, is_bold)
                if not is_drawn:
                    self.assertNotIn("\x1b", dialog.shown)

    def test_it_is_drawn_thirty_times_a_second_at_most(self):
        dialog = self.dialog("d1")
        dialog.expect("1 of 3: light")
        start = time.monotonic()
        self.touch(12, frames=1500)
        dialog.expect(r"raw 12 ± [\d.]+\r\n")
        elapsed = time.monotonic() - start
        self.assertLessEqual(dialog.shown.count("force"), 30 * elapsed + 1)

    def test_for_programs_there_is_one_object(self):
        process = subprocess.Popen(
            [BIN / "forcetouchctl", "calibrate", "d1", "--yes", "--json", "--socket", self.daemon.path],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        told = ""
        for word, levels in zip(("light", "normal", "firm", "flat"), (LIGHT, NORMAL, FIRM, FLAT)):
            for round_, level in enumerate(levels, 1):
                while f"{round_} of 3: {word}" not in told:
                    line = process.stderr.readline()
                    self.assertTrue(line, told)
                    told += line
                self.touch(level, is_flat=word == "flat")
        output, rest = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, rest)
        self.assertNotIn("\x1b", told + rest)
        result = json.loads(output)
        self.assertEqual(output.count("\n"), 1)
        self.assertEqual(
            (result["device"], result["feelsForce"], result["stored"]), ("d1", True, True))
        self.assertEqual([t["effort"] for t in result["touches"]], ["light", "normal", "firm", "flat"])
        self.assertEqual(result["touches"][1]["levels"], list(NORMAL))
        self.assertEqual(result["profile"], self.device()["profile"])
        self.assertEqual(result["thresholds"], self.device()["thresholds"])


if __name__ == "__main__":
    import unittest

    unittest.main()

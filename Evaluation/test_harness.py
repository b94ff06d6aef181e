"""The harness counts what is there, and notices what is worse."""

import copy
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
import presses
from presses import Finger, Trial

from harness import ablation, captures, deliberate, figures, ordinary, page
from harness.program import Program, ProgramError
from harness.rates import Rate
from harness.recordings import TrialWriter

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
PROGRAM = ROOT / ".build/release/forcetouchctl"
PADS = presses.pads()
THRESHOLDS = {"hint": 250, "peek": 400, "pop": 750}


def finger(raws, first=0, x=700, y=1400):
    return Finger(first, numpy.full(len(raws), x), numpy.full(len(raws), y), numpy.array(raws))


def touch(*fingers):
    return Trial("peek", "peek", list(fingers), [])


def written(trials, pad="touchscreen"):
    file = io.StringIO()
    writer = TrialWriter(PADS[pad], file)
    for trial in trials:
        writer.write(trial)
    return writer, file.getvalue()


def replayed(text, *options, kinds=None):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "recording.evemu")
        pathlib.Path(path).write_text(text)
        return list(Program(PROGRAM).replay(path, *options, kinds=kinds))


class RecordingTest(unittest.TestCase):
    def test_the_program_sees_what_was_written(self):
        _, text = written([touch(finger([10, 450, 460, 470, 20]))])
        events = replayed(text)
        self.assertEqual([event["event"] for event in events],
                         ["began", "changed", "peek", "changed", "changed", "changed", "peekEnded", "ended"])
        self.assertEqual([event["raw"] for event in events if event["event"] in ("began", "changed")],
                         [10, 450, 460, 470, 20])
        self.assertEqual(events[2]["time"], 8333)

    def test_fingers_have_their_slots_and_the_next_trial_the_first(self):
        _, text = written([touch(finger([10, 20, 30]), finger([40, 50], first=1, x=900)), touch(finger([70, 80]))])
        events = replayed(text)
        self.assertEqual([(event["contact"], event["slot"], event["raw"]) for event in events if event["event"] == "began"],
                         [(1, 0, 10), (2, 1, 40), (3, 0, 70)])
        self.assertEqual(sum(event["event"] == "ended" for event in events), 3)

    def test_every_pad_is_what_the_model_takes_it_for(self):
        for pad in PADS.values():
            self.assertGreater(deliberate.thresholds(Program(PROGRAM), pad, "medium")["pop"], pad.average)

    def test_a_program_that_fails_is_no_figure(self):
        with self.assertRaisesRegex(ProgramError, "status 1.*no-such-file"):
            Program(PROGRAM).probe("no-such-file")
        with self.assertRaisesRegex(ProgramError, "make programs"):
            Program("/no/such/program")

    def test_the_rules_are_known(self):
        self.assertIn("otherContact", Program(PROGRAM).rules())


class JudgeTest(unittest.TestCase):
    def judge(self, trials, *events, pad="touchscreen"):
        writer, _ = written(trials, pad)
        return deliberate.judge(trials, writer, THRESHOLDS, events)

    def test_events_are_of_the_trial_in_which_they_come(self):
        trials = [touch(finger([10, 450, 20])), touch(finger([10, 460, 800, 20]))]
        writer, text = written(trials)
        outcome = deliberate.judge(trials, writer, THRESHOLDS, replayed(text, kinds=("peek", "pop")))
        self.assertEqual((outcome.count, outcome.peeked, outcome.popped), (2, 2, 1))
        self.assertEqual(dict(outcome.latency), {0: 3})

    def test_an_event_after_the_crossing_frame_is_late(self):
        outcome = self.judge([touch(finger([10, 450, 460, 470, 20]))], {"event": "peek", "time": 25000})
        self.assertEqual(dict(outcome.latency), {2: 1})

    def test_an_event_of_a_finger_that_moved_is_not(self):
        moving = finger([10, 450, 460, 470, 20])
        moving.x = numpy.array([0, 100, 100, 100, 100])
        outcome = self.judge([touch(moving)], {"event": "peek", "time": 25000}, pad="magic-trackpad-2")
        self.assertEqual((dict(outcome.latency), outcome.waited), ({}, 1))

    def test_a_peek_of_nothing_is_an_error(self):
        with self.assertRaises(AssertionError):
            self.judge([touch(finger([10, 350, 20]))], {"event": "peek", "time": 8333})


class OrdinaryTest(unittest.TestCase):
    def test_formats(self):
        lines = {
            "a.events": "E: 12.000345 0003 003a 0065\nE: 12.000345 0000 0000 0\n",
            "b.txt": "[    12.345] 0003 003a 00000041\n[    12.345] 0003 0039 ffffffff\n",
            "c.txt": "[   12.345678] EV_ABS       ABS_MT_PRESSURE      00000041\n"
                     "[   12.345678] EV_KEY       BTN_TOUCH            DOWN\n",
            "d.yml": "    - [ 12,    345,   3,  58,      65] # EV_ABS / ABS_MT_PRESSURE 65\n",
        }
        expected = {
            "a.events": [(12000345, 3, 0x3A, 65), (12000345, 0, 0, 0)],
            "b.txt": [(12345000, 3, 0x3A, 65), (12345000, 3, 0x39, -1)],
            "c.txt": [(12345678, 3, 0x3A, 65), (12345678, 1, 0x14A, 1)],
            "d.yml": [(12000345, 3, 0x3A, 65)],
        }
        with tempfile.TemporaryDirectory() as folder:
            for name, text in lines.items():
                path = pathlib.Path(folder, name)
                path.write_text(text)
                self.assertEqual(captures.events(path), expected[name])

    def test_kinds(self):
        def contact(began=0, ended=200_000, frames=20, extent=1.0):
            return ordinary.Contact("", began, ended, frames, extent, 50, False)
        one = contact()
        beside = contact(began=100_000, ended=900_000)
        for kind, of, others, clicks in (
                ("tap", one, [], []), ("noise", contact(frames=2), [], []), ("drag", contact(extent=6), [], []),
                ("click", one, [], [100_000]), ("tap", one, [], [300_000]), ("rest", contact(ended=400_000), [], []),
                ("multi-finger", one, [beside], []), ("scroll", contact(extent=6), [beside], [])):
            with self.subTest(kind=kind):
                self.assertEqual(ordinary.kind_of(of, [of, *others], clicks), kind)

    def test_pressure_is_scaled_and_ours_are_told_apart(self):
        capture = ordinary.load(ROOT / "Examples/recordings/peek-and-pop.evemu", ROOT, is_ours=True)
        found = ordinary.contacts(ordinary.Player(Program(PROGRAM)), capture)
        self.assertEqual([(c.kind, c.peak, c.meant) for c in found.values()],
                         [("tap", 33, False), ("drag", 181, True), ("click", 127, True)])
        file = io.StringIO()
        ordinary.write(capture, file, capture.device, 2)
        raws = [int(line.split()[-1]) for line in file.getvalue().splitlines() if " 0003 003a " in line]
        self.assertEqual(max(raws), 362)


class FiguresTest(unittest.TestCase):
    def setUp(self):
        self.accepted = figures.read(HERE / "figures-short.json")
        self.found = copy.deepcopy(self.accepted)

    def worse(self):
        return figures.compare(self.found, self.accepted)[0]

    def first(self, meant):
        return next(counts for counts in self.found["deliberate"].values() if counts["meant"] == meant)

    def test_the_same_is_not_worse(self):
        self.assertEqual(figures.compare(self.found, self.accepted), ([], []))

    def test_one_press_less_is_worse_and_one_more_is_better(self):
        for meant, what, better in (("peek", "peeks", 1), ("pop", "pops", 1), ("peek", "pops", -1), ("touch", "peeks", -1)):
            for change in (1, -1):
                with self.subTest(meant=meant, what=what, change=change):
                    self.setUp()
                    self.first(meant)[what] += change
                    worse, found_better = figures.compare(self.found, self.accepted)
                    self.assertEqual((len(worse), len(found_better)), (0, 1) if change == better else (1, 0))

    def test_fewer_trials_or_conditions_are_nothing_to_compare_with(self):
        self.first("peek")["trials"] -= 1
        self.assertEqual(len(self.worse()), 1)
        self.setUp()
        del self.found["deliberate"][next(iter(self.found["deliberate"]))]
        self.assertEqual(len(self.worse()), 1)

    def test_a_false_peek_of_ordinary_use_is_worse(self):
        self.found["ordinary"]["units, no click, force 2"]["rest"]["peeks"] += 1
        self.assertEqual(len(self.worse()), 1)

    def test_a_rule_that_does_nothing_any_more_is_worse(self):
        rule = next(rule for rule, said in self.found["ablation"].items() if said["changes"])
        self.found["ablation"][rule]["changes"] = []
        self.assertEqual(self.worse(), [f"the rule {rule} changes no figure any more"])

    def test_without_the_corpus_the_rest_is_compared(self):
        self.found["ordinary"] = {}
        self.assertEqual(self.worse(), [])
        self.first("peek")["peeks"] -= 1
        self.assertEqual(len(self.worse()), 1)

    def test_some_things_must_never_be(self):
        self.assertEqual(figures.broken(self.found), [])
        self.first("peek")["late"] = 1
        self.found["ordinary"]["estimated, as recorded"]["rest"]["pops"] = 1
        self.found["ordinary"]["Magic Trackpad 2, force 1"]["tap"]["peeks"] = 1
        self.found["ablation"]["palm"] = {"changes": [], "scenario": None}
        self.assertEqual(len(figures.broken(self.found)), 4)

    def test_every_scenario_that_justifies_a_rule_is_there(self):
        for rule in Program(PROGRAM).rules():
            self.assertIsNotNone(ablation.scenario(rule, ROOT), rule)
        self.assertIsNone(ablation.scenario("noSuchRule", ROOT))


class RateTest(unittest.TestCase):
    def test_bounds_are_clopper_and_pearsons(self):
        # The rule of three, exactly: 1 - 0.025 ** (1 / 100).
        self.assertAlmostEqual(Rate(0, 100).bounds[1], 0.036217, places=6)
        self.assertEqual(Rate(0, 100).bounds[0], 0)
        low, high = Rate(10, 100).bounds
        self.assertAlmostEqual(low, 0.049005, places=6)
        self.assertAlmostEqual(high, 0.176223, places=6)


class PageTest(unittest.TestCase):
    def test_the_page_says_what_was_accepted(self):
        self.assertEqual((ROOT / "docs/evaluation.md").read_text(), page.text(figures.read(HERE / "figures.json")))

    def test_pictures_of_the_page_are_there(self):
        text = (ROOT / "docs/evaluation.md").read_text()
        for name in ("press", "pads", "spread", "ordinary"):
            self.assertIn(f"images/evaluation-{name}.svg", text)
            self.assertTrue((ROOT / f"docs/images/evaluation-{name}.svg").exists())


class CommandTest(unittest.TestCase):
    def test_wrong_usage_is_status_2(self):
        done = subprocess.run([sys.executable, HERE / "evaluate.py", "--no-such"], capture_output=True)
        self.assertEqual(done.returncode, 2)

    def test_a_program_that_is_not_there_is_told(self):
        done = subprocess.run([sys.executable, HERE / "evaluate.py", "--program", "/no/such"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "make evaluate: there is no /no/such; run `make programs` first\n"))


if __name__ == "__main__":
    unittest.main()

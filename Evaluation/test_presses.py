"""The model of presses is what its parameters say."""

import pathlib
import re
import unittest

import numpy
from scipy import signal

from presses import Goals, Parameters, pads, trial
from presses.force import Band, Course, Unsteadiness
from presses.trials import DEEDS, deeds

P = Parameters()
PADS = pads()
GOALS = {"magic-trackpad-2": Goals(106, 155), "haptic-trackpad": Goals(1600, 2125), "touchscreen": Goals(400, 750)}


def generator(seed=1):
    return numpy.random.Generator(numpy.random.PCG64(seed))


def trials(meant, pad, count, parameters=P, watching=False):
    return [trial(meant, PADS[pad], GOALS[pad], parameters, [7, index], watching) for index in range(count)]


class StandsAloneTest(unittest.TestCase):
    def test_it_imports_nothing_of_ours(self):
        allowed = {"copy", "dataclasses", "pathlib", "tomllib", "numpy"}
        for path in pathlib.Path(__file__).parent.glob("presses/*.py"):
            for dots, module in re.findall(r"^(?:from (\.*)(\w*)|import (?:\w+))", path.read_text(), re.M):
                if not dots and module:
                    self.assertIn(module, allowed, path)
            for module in re.findall(r"^import (\w+)", path.read_text(), re.M):
                self.assertIn(module, allowed, path)

    def test_every_parameter_has_a_source(self):
        self.assertGreater(len(P.sources), 30)
        for key, source in P.sources.items():
            self.assertTrue(source.strip(), key)


class ForceTest(unittest.TestCase):
    def test_a_rise_takes_as_long_as_it_says(self):
        for rise in (0.08, 0.25, 0.6):
            course = Course(P)
            course.go(100, rise)
            course.hold(1)
            time = numpy.linspace(0, 2, 200001)
            force = course.force(time)
            taken = time[numpy.argmax(force >= 90)] - time[numpy.argmax(force >= 10)]
            self.assertAlmostEqual(taken, rise, delta=rise * 0.001)

    def test_an_overshoot_is_as_high_as_it_says_and_goes(self):
        course = Course(P)
        course.go(100, 0.2, overshoot=0.05)
        course.hold(2)
        force = course.force(numpy.linspace(0, 2, 20001))
        self.assertAlmostEqual(force.max(), 105, delta=0.01)
        self.assertAlmostEqual(force[-1], 100, delta=0.01)

    def test_the_tremor_lies_within_its_band(self):
        rate, power = 200, 0
        for seed in range(40):
            band = Band(P["tremor.low"], P["tremor.high"], generator(seed))
            values = band(numpy.arange(20 * rate) / rate)
            frequencies, density = signal.periodogram(values, rate, window="hann")
            power = power + density
        within = (frequencies > P["tremor.low"] - 0.2) & (frequencies < P["tremor.high"] + 0.2)
        self.assertGreater(power[within].sum() / power.sum(), 0.999)
        # Evenly: neither half has more than the other.
        middle = (P["tremor.low"] + P["tremor.high"]) / 2
        self.assertAlmostEqual(power[within & (frequencies < middle)].sum() / power.sum(), 0.5, delta=0.1)

    def test_a_held_force_is_as_unsteady_as_it_says(self):
        time = numpy.arange(0, 30, 0.01)
        tremor, wander = [], []
        for seed in range(60):
            unsteady = Unsteadiness(P, 200, generator(seed))
            tremor.append(unsteady.tremor(time).std())
            wander.append(unsteady.wander(time).std())
        self.assertAlmostEqual(numpy.sqrt(numpy.mean(numpy.square(tremor))), 1, delta=0.02)
        self.assertAlmostEqual(numpy.sqrt(numpy.mean(numpy.square(wander))), 1, delta=0.04)
        still = Parameters(drift__amount=0.0)
        spread = [Unsteadiness(still, 200, generator(s)).apply(numpy.full(3000, 100.0), time).std() for s in range(60)]
        expected = numpy.hypot(P["wander.amplitude"] * 100, P["tremor.amplitude"] * 100 + P["tremor.least"] * 200)
        self.assertAlmostEqual(numpy.sqrt(numpy.mean(numpy.square(spread))), expected, delta=expected * 0.05)

    def test_a_force_that_is_not_watched_drops(self):
        quiet = Parameters(tremor__amplitude=0.0, tremor__least=0.0, wander__amplitude=0.0)
        force = Unsteadiness(quiet, 200, generator()).apply(numpy.full(2, 100.0), numpy.array([0.0, P["drift.time"]]))
        self.assertAlmostEqual(force[0], 100)
        self.assertAlmostEqual(force[1], 100 * (1 - P["drift.amount"] * (1 - numpy.exp(-1))))


class TrialTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same(self):
        for first, second in zip(trials("pop", "magic-trackpad-2", 5), trials("pop", "magic-trackpad-2", 5)):
            numpy.testing.assert_array_equal(first.fingers[0].raw, second.fingers[0].raw)
        raws = {tuple(t.fingers[0].raw) for t in trials("pop", "magic-trackpad-2", 50)}
        self.assertEqual(len(raws), 50)

    def test_the_force_that_is_held_is_spread_as_it_says(self):
        quiet = {"tremor__amplitude": 0.0, "tremor__least": 0.0, "wander__amplitude": 0.0, "drift__amount": 0.0,
                 "rise__overshoot": 0.0}
        for spread in (0.05, 0.10, 0.25):
            parameters = Parameters(aim__spread=spread, **quiet)
            peaks = [t.fingers[0].raw.max() for t in trials("peek", "touchscreen", 1000, parameters)]
            # Sensor noise of 3 units makes the greatest of some hundred samples a little greater.
            self.assertAlmostEqual(numpy.mean(peaks), 575 + 7, delta=575 * spread * 0.1 + 4)
            self.assertAlmostEqual(numpy.std(peaks) / 575, spread, delta=spread * 0.07)

    def test_everything_that_can_be_done_is_done(self):
        for name, pad in PADS.items():
            for meant in ("touch", "peek", "pop"):
                done = {t.deed for t in trials(meant, name, 200)}
                self.assertEqual(done, set(deeds(meant, pad)))
                for deed in done:
                    self.assertEqual(DEEDS[deed], meant)

    def test_half_of_the_pops_look_first(self):
        looks = [t.deed == "look-pop" for t in trials("pop", "magic-trackpad-2", 1000)]
        self.assertAlmostEqual(numpy.mean(looks), P["hold.look_first"], delta=0.05)

    def test_a_pad_reports_at_its_rate_within_its_range(self):
        pad = PADS["touchscreen"]
        for rate in (60, 1000):
            one = trial("peek", pad.at(rate), GOALS["touchscreen"], P, [7, 1])
            self.assertAlmostEqual(len(one.fingers[0].raw) / rate, 1.5, delta=1)
        for name, pad in PADS.items():
            for one in trials("pop", name, 50):
                raw = one.fingers[0].raw
                self.assertTrue((raw > pad.minimum).all() and (raw <= pad.maximum).all())
                self.assertEqual(raw.dtype.kind, "i")

    def test_the_pad_clicks_where_it_says(self):
        pad = PADS["magic-trackpad-2"]
        self.assertEqual(pad.button([10, 49, 50, 46, 45, 44, 60, 20]), [(2, 1), (5, 0), (6, 1), (7, 0)])
        self.assertEqual(PADS["touchscreen"].button([999]), [])
        for one in trials("peek", "magic-trackpad-2", 20):
            self.assertEqual([value for _, value in one.button][::2].count(0), 0)
            self.assertEqual(one.button[-1][1], 0)

    def test_a_drag_moves_with_the_button_held(self):
        pad = PADS["magic-trackpad-2"]
        drags = [t for t in trials("touch", "magic-trackpad-2", 200) if t.deed == "drag"]
        self.assertGreater(len(drags), 15)
        held = 0
        for one in drags:
            way = numpy.hypot(*[numpy.ptp(p) / a.units_per_mm for p, a in
                                ((one.fingers[0].x, pad.x), (one.fingers[0].y, pad.y))])
            self.assertGreater(way, 3)
            held += len(one.button) == 2
        # Now and then somebody lets go for a moment, or never pressed hard enough.
        self.assertGreater(held / len(drags), 0.6)

    def test_the_pointer_rests_before_the_press(self):
        pad = PADS["magic-trackpad-2"]
        found = 0
        for one in trials("peek", "magic-trackpad-2", 60):
            finger = one.fingers[0]
            if one.deed == "point-peek" and finger.raw.max() >= 106:
                way = numpy.hypot((finger.x - finger.x[0]) / pad.x.units_per_mm, (finger.y - finger.y[0]) / pad.y.units_per_mm)
                crossing = numpy.argmax(finger.raw >= 106)
                self.assertGreater(way.max(), 3)
                # Where it presses it is where it arrived.
                self.assertLess(abs(way[crossing] - way[-1]), 3)
                found += 1
        self.assertGreater(found, 20)

    def test_who_watches_presses_on_until_it_shows(self):
        soft = Parameters(aim__spread=0.25)
        once = [t.fingers[0].raw.max() >= 400 for t in trials("peek", "touchscreen", 400, soft)]
        watched = trials("peek", "touchscreen", 400, soft, watching=True)
        shown = [t.fingers[0].raw.max() >= 400 for t in watched]
        self.assertLess(numpy.mean(once), 0.95)
        self.assertGreater(numpy.mean(shown), 0.98)
        self.assertTrue(any(t.tries > 1 for t in watched))


if __name__ == "__main__":
    unittest.main()

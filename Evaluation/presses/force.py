"""The force of one finger over time: steps from one level to the next, and what is unsteady on top."""

import numpy

# A minimum-jerk step is at 10 % after this part of its duration and at 90 % after 1 minus it.
TEN_PERCENT = 0.24663
# Sinusoids that make up a band of noise.
COMPONENTS = 16


def step(u):
    """From 0 to 1 while u goes from 0 to 1, with the least jerk: bell-shaped rate, as people move."""
    u = numpy.clip(u, 0, 1)
    return u**3 * (10 - 15 * u + 6 * u**2)


class Band:
    """Gaussian noise within a band of frequencies, with a root mean square of 1, defined at any time."""

    def __init__(self, low, high, generator):
        self.frequencies = generator.uniform(low, high, COMPONENTS)
        self.phases = generator.uniform(0, 2 * numpy.pi, COMPONENTS)

    def __call__(self, time):
        angles = 2 * numpy.pi * numpy.outer(time, self.frequencies) + self.phases
        return numpy.sin(angles).sum(axis=1) * numpy.sqrt(2 / COMPONENTS)


class Unsteadiness:
    """Tremor, wander and drift of one finger."""

    def __init__(self, parameters, ceiling, generator):
        """ceiling: the hardest comfortable force."""
        self.parameters = parameters
        self.least = parameters["tremor.least"] * ceiling
        self.tremor = Band(parameters["tremor.low"], parameters["tremor.high"], generator)
        self.wander = Band(parameters["wander.low"], parameters["wander.high"], generator)

    def apply(self, force, time, moving=False):
        """The force with what is unsteady about it. moving: whether the finger moves, at each time."""
        p = self.parameters
        times = numpy.where(moving, p["move.unsteadiness"], 1.0)
        tremor = (p["tremor.amplitude"] * force + self.least * (force > 0)) * self.tremor(time)
        wander = p["wander.amplitude"] * force * self.wander(time)
        drift = 1 - p["drift.amount"] * (1 - numpy.exp(-time / p["drift.time"]))
        return numpy.maximum(force * drift + times * (tremor + wander), 0)


class Course:
    """Levels of force one after another; `force(time)` without what is unsteady."""

    def __init__(self, parameters):
        self.settle = parameters["rise.settle"]
        self.steps = []  # (start, duration, from, to, overshoot as a force)
        self.level = 0.0
        self.end = 0.0

    def go(self, level, rise, overshoot=0.0):
        """To another level, with so many seconds from 10 % to 90 % of the way; overshoot is a part of it."""
        duration = rise / (1 - 2 * TEN_PERCENT)
        self.steps.append((self.end, duration, self.level, level, overshoot * (level - self.level)))
        self.level = level
        self.end += duration

    def hold(self, seconds):
        self.end += seconds

    def force(self, time):
        force = numpy.zeros(len(time))
        for start, duration, before, after, overshoot in self.steps:
            force += (after - before + overshoot) * step((time - start) / duration)
            since = numpy.clip(time - start - duration, 0, None)
            force -= overshoot * (1 - numpy.exp(-since / self.settle))
        return force

"""Presses that are meant: the model's trials through the program."""

import bisect
import collections
import dataclasses
import os
import tempfile

import numpy
import presses

from .recordings import TRACKPAD, TrialWriter, device

# Of the contract of recognition: how far a finger strays on a trackpad before it moves, and how
# long it rests after that.
TRACKPAD_SLOP, REST = 1.0, 0.1


@dataclasses.dataclass(frozen=True)
class Condition:
    """So many people-presses on a pad, with what is different from the parameters."""
    pad: str
    meant: str
    count: int
    sensitivity: str = "medium"
    spread: float = 0.10
    watching: bool = False
    rate: float | None = None
    changed: tuple[tuple[str, float], ...] = ()

    @property
    def name(self):
        """What makes it different, for the file of figures."""
        parts = [self.pad, self.sensitivity, f"spread {self.spread:g}", self.meant]
        if self.watching:
            parts.append("watching")
        if self.rate:
            parts.append(f"{self.rate:g} Hz")
        parts += [f"{key.replace('__', '.')} {value:g}" for key, value in self.changed]
        return ", ".join(parts)


@dataclasses.dataclass
class Outcome:
    """Of the trials of a condition: how many peeked, popped, and how long it took."""
    count: int = 0
    peeked: int = 0
    popped: int = 0
    tries: int = 0
    # Events of fingers that rested: how many frames after the one that crosses.
    latency: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    # Events of fingers that moved when they crossed.
    waited: int = 0
    # {deed: [count, peeked, popped]}
    deeds: dict = dataclasses.field(default_factory=dict)


def settings(folder, sensitivity):
    """A settings file."""
    path = os.path.join(folder, f"{sensitivity}.yaml")
    with open(path, "w") as file:
        file.write(f"recognition:\n  sensitivity: {sensitivity}\n")
    return path


def thresholds(program, pad, sensitivity):
    """Where the peek and the pop come on a pad, as the program says."""
    with tempfile.TemporaryDirectory(prefix="forcetouch-") as folder:
        path = os.path.join(folder, "pad.evemu")
        with open(path, "w") as file:
            file.write(str(device(pad)))
        said = program.probe(path, "--config", settings(folder, sensitivity))
    expected = {"floor": pad.floor, "average": pad.average, "ceiling": pad.ceiling}
    if pad.click is not None:
        expected["click"] = pad.click
    profile = {key: said["profile"][key] for key in expected}
    if said["capability"] != "available" or profile != expected:
        raise AssertionError(f"{pad.name} is not what the model takes it for: {said}")
    return said["thresholds"]


def evaluate(program, condition, variants=((),)):
    """{variant: Outcome}; a variant is a tuple of rules that are switched off."""
    pad = presses.pads()[condition.pad]
    if condition.rate:
        pad = pad.at(condition.rate)
    parameters = presses.Parameters(**{"aim__spread": condition.spread, **dict(condition.changed)})
    raw = thresholds(program, pad, condition.sensitivity)
    goals = presses.Goals(raw["peek"], raw["pop"])
    with tempfile.TemporaryDirectory(prefix="forcetouch-") as folder:
        path = os.path.join(folder, "trials.evemu")
        trials = []
        with open(path, "w") as file:
            writer = TrialWriter(pad, file)
            for number in range(condition.count):
                # The same people press under all conditions.
                trial = presses.trial(
                    condition.meant, pad, goals, parameters, [20260301, number], condition.watching)
                writer.write(trial)
                trials.append(trial)
        config = settings(folder, condition.sensitivity)
        outcomes = {}
        for rules in variants:
            options = [word for rule in rules for word in ("--without", rule)]
            events = program.replay(path, "--config", config, *options, kinds=("peek", "pop"))
            outcomes[rules] = judge(trials, writer, raw, events)
    return outcomes


def judge(trials, writer, raw, events):
    """What the events say of the trials."""
    outcome = Outcome(count=len(trials), tries=sum(trial.tries for trial in trials))
    found = collections.defaultdict(list)
    starts = [writer.microseconds(start) for start in writer.starts]
    for event in events:
        found[bisect.bisect_right(starts, event["time"]) - 1].append(event)
    for number, trial in enumerate(trials):
        kinds = {event["event"] for event in found[number]}
        entry = outcome.deeds.setdefault(trial.deed, [0, 0, 0])
        entry[0] += 1
        entry[1] += "peek" in kinds
        entry[2] += "pop" in kinds
        if len(trial.fingers) == 1:
            measure(trial.fingers[0], writer, writer.starts[number], raw, found[number], outcome)
    outcome.peeked = sum(entry[1] for entry in outcome.deeds.values())
    outcome.popped = sum(entry[2] for entry in outcome.deeds.values())
    return outcome


def measure(finger, writer, start, raw, events, outcome):
    """How long after the frame that crosses each event came."""
    since = 0
    for event in events:
        threshold = raw[event["event"]]
        crossings = numpy.flatnonzero(finger.raw[since:] >= threshold)
        frame = event["time"] * writer.pad.rate / 1_000_000 - start - finger.first
        if not len(crossings):
            raise AssertionError(f"a {event['event']} without a crossing: {event}")
        crossing = since + int(crossings[0])
        if writer.pad.kind == TRACKPAD and moves(finger, writer.pad, crossing):
            outcome.waited += 1
        else:
            outcome.latency[round(frame) - crossing] += 1
        # A pop is looked for from where the peek came.
        since = max(int(frame + 1e-6), 0)


def moves(finger, pad, frame):
    """Whether a finger on a trackpad counts as moving: it left its anchor, which follows, not long ago."""
    xs = (finger.x[:frame + 1] / pad.x.units_per_mm).tolist()
    ys = (finger.y[:frame + 1] / pad.y.units_per_mm).tolist()
    anchor, left = (xs[0], ys[0]), None
    for index, (x, y) in enumerate(zip(xs, ys)):
        if (x - anchor[0])**2 + (y - anchor[1])**2 > TRACKPAD_SLOP**2 * (1 + 1e-9):
            anchor, left = (x, y), index
    return left is not None and frame - left < REST * pad.rate

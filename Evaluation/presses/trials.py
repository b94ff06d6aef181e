"""What somebody does on a pad, and what the pad reports of it."""

import copy
import dataclasses

import numpy

from .force import TEN_PERCENT, Band, Course, Unsteadiness, step


@dataclasses.dataclass(frozen=True)
class Goals:
    """Where the preview comes and where it opens, in raw pressure: what people know of the pad."""
    peek: float
    pop: float


@dataclasses.dataclass
class Finger:
    """What the pad reports of one finger: its frames from touch to lift."""
    first: int  # the number of the frame in which it is there first
    x: numpy.ndarray
    y: numpy.ndarray
    raw: numpy.ndarray

    @property
    def end(self):
        """The number of the frame in which it lifts."""
        return self.first + len(self.raw)


@dataclasses.dataclass
class Trial:
    """meant: `touch`, `peek` or `pop`. deed: how it was done."""
    meant: str
    deed: str
    fingers: list[Finger]
    button: list[tuple[int, int]]  # (number of the frame, down or up) of a pad that clicks
    tries: int = 1  # how often somebody pressed on

    @property
    def frames(self):
        """How many there are, up to the last lift and with it."""
        return max(finger.end for finger in self.fingers) + 1


DEEDS = {
    # What is meant as a touch and nothing more.
    "tap": "touch", "rest": "touch", "point": "touch", "slide": "touch", "scroll": "touch", "click": "touch",
    "drag": "touch",
    # A press, once and at once; after moving the pointer, without lifting; on from a peek.
    "peek": "peek", "point-peek": "peek", "pop": "pop", "point-pop": "pop", "look-pop": "pop",
}


def deeds(meant, pad):
    """All ways to do something on a pad."""
    def possible(deed):
        if deed in ("click", "drag"):
            return pad.click is not None
        if deed in ("point", "point-peek", "point-pop"):
            return pad.kind == "trackpad"
        return deed != "slide" or pad.kind == "touchscreen"

    return [deed for deed, meaning in DEEDS.items() if meaning == meant and possible(deed)]


def trial(meant, pad, goals, parameters, seed, watching=False):
    """One deed of those that mean it, chosen by the seed.

    watching: who sees nothing happen presses on (`reaction.*`). Too hard is too hard: a preview that
    opened is open. Without it nothing is corrected.
    """
    generator = numpy.random.Generator(numpy.random.PCG64(seed))
    choices = deeds(meant, pad)
    if meant == "pop":
        # Half of them look first.
        looks = generator.random() < parameters["hold.look_first"]
        choices = ["look-pop"] if looks else [deed for deed in choices if deed != "look-pop"]
    deed = choices[generator.integers(len(choices))]
    return _Person(pad, goals, parameters, generator).do(deed, watching)


class _Person:
    def __init__(self, pad, goals, parameters, generator):
        self.pad, self.goals, self.p, self.generator = pad, goals, parameters, generator

    # What is drawn by lot.

    def spread(self, mean, variation):
        """Never less than a twentieth: nobody presses backward."""
        return max(self.generator.normal(mean, mean * variation), mean / 20)

    def lot(self, median, spread):
        """A time or a way; the parameters' names."""
        return self.p[median] * numpy.exp(self.generator.normal(0, self.p[spread]))

    def rise(self):
        return max(self.lot("rise.median", "rise.spread"), self.p["rise.fastest"])

    def overshoot(self):
        return self.generator.uniform(0, self.p["rise.overshoot"])

    # Forces, in units above the floor.

    @property
    def ordinary(self):
        return self.pad.average - self.pad.floor

    def aim(self, goal):
        peek, pop = self.goals.peek - self.pad.floor, self.goals.pop - self.pad.floor
        if goal == "peek":
            return peek + self.p["aim.peek"] * (pop - peek)
        return pop + self.p["aim.pop"] * max(self.pad.ceiling - self.pad.floor - pop, 0)

    def clicked(self):
        return self.spread(self.p["aim.click"] * (self.pad.click - self.pad.floor), self.p["aim.ordinary_spread"])

    def pressed(self, goal):
        return self.spread(self.aim(goal), self.p["aim.spread"])

    # Deeds.

    def do(self, deed, watching):
        fingers, tries = {
            "tap": self.tap, "click": self.click, "rest": self.rest, "point": self.point,
            "drag": self.drag, "slide": self.slide, "scroll": self.scroll,
        }[deed]() if DEEDS[deed] == "touch" else self.press(deed, watching)
        together = numpy.zeros(max(finger.end for finger in fingers) + 1)
        for finger in fingers:
            together[finger.first:finger.end] += finger.raw - self.pad.floor
        return Trial(DEEDS[deed], deed, fingers, self.pad.button((together + self.pad.floor).tolist()), tries)

    def tap(self):
        course = Course(self.p)
        rise = self.lot("tap.duration", "tap.spread") / 2 * (1 - 2 * TEN_PERCENT)
        course.go(self.spread(self.ordinary, self.p["aim.ordinary_spread"]), rise)
        course.go(0, rise)
        return [self.finger(course)], 1

    def click(self):
        course = Course(self.p)
        course.go(self.clicked(), self.quick(), self.overshoot())
        course.go(0, self.quick())
        return [self.finger(course)], 1

    def drag(self):
        """A click that is held while the finger moves."""
        course = Course(self.p)
        course.go(self.clicked(), self.quick(), self.overshoot())
        move = self.move(course)
        course.go(0, self.quick())
        return [self.finger(course, move)], 1

    def rest(self):
        course = self.land(self.spread(self.ordinary, self.p["aim.ordinary_spread"]))
        course.hold(self.lot("rest.duration", "hold.spread"))
        course.go(0, self.quick())
        return [self.finger(course)], 1

    def point(self):
        course, move = self.pointing()
        course.go(0, self.quick())
        return [self.finger(course, move)], 1

    def slide(self):
        course, move = self.pointing(self.p["aim.slide"], self.p["aim.slide_spread"])
        course.go(0, self.quick())
        return [self.finger(course, move)], 1

    def scroll(self):
        """Two fingers side by side, each as hard as a finger that slides."""
        course, move = self.pointing(self.p["aim.slide"], self.p["aim.slide_spread"])
        course.go(0, self.quick())
        other = self.land(self.spread(self.p["aim.slide"] * self.ordinary, self.p["aim.slide_spread"]))
        other.hold(max(move.end - other.end, 0))
        other.go(0, self.quick())
        spacing = self.p["hand.spacing"]
        place = _Place(self.p, self.pad, self.generator)
        return [self.finger(course, move, place=place), self.finger(other, move, place=place.beside(spacing))], 1

    def press(self, deed, watching):
        goal = DEEDS[deed]
        move = None
        if deed.startswith("point-"):
            course, move = self.pointing()
            course.hold(self.lot("rest.before_press", "rest.before_press_spread"))
        else:
            course = Course(self.p)
        if deed == "look-pop":
            course.go(self.pressed("peek"), self.rise(), self.overshoot())
            course.hold(self.look("peek"))
        level = self.pressed(goal)
        course.go(level, self.rise(), self.overshoot())
        threshold = {"peek": self.goals.peek, "pop": self.goals.pop}[goal]
        unsteadiness = Unsteadiness(self.p, self.pad.ceiling - self.pad.floor, self.generator)
        seed = self.generator.integers(2**63)
        tries = 1
        while watching:
            held = copy.deepcopy(course)
            held.hold(self.p["reaction.median"])
            seen = self.finger(held, move, unsteadiness, seed=seed).raw.max() >= threshold
            if seen or tries > self.p["reaction.tries"]:
                break
            tries += 1
            course = held
            level *= 1 + self.p["reaction.press_on"]
            course.go(level, self.rise(), 0.0)
        course.hold(self.look(goal))
        course.go(0, self.quick())
        return [self.finger(course, move, unsteadiness, seed=seed)], tries

    def pointing(self, force=None, variation=None):
        """A finger that comes down and moves."""
        force = self.p["aim.pointing"] if force is None else force
        variation = self.p["aim.ordinary_spread"] if variation is None else variation
        course = self.land(self.spread(force * self.ordinary, variation))
        return course, self.move(course)

    def move(self, course):
        """Moves, at the force of the moment."""
        distance = self.lot("move.distance", "move.distance_spread")
        duration = self.lot("move.time", "move.time_spread")
        angle = self.generator.uniform(0, 2 * numpy.pi)
        start = course.end
        course.hold(duration)
        return _Move(start, course.end, distance * numpy.cos(angle), distance * numpy.sin(angle))

    def land(self, force):
        course = Course(self.p)
        course.go(force, self.quick())
        return course

    def quick(self):
        """Of a finger that is put down, a button that is pressed, and a lift."""
        return max(self.lot("lift.median", "rise.spread"), self.p["rise.fastest"])

    def look(self, goal):
        return self.lot(f"hold.{goal}_median", "hold.spread")

    # What the pad reports.

    def finger(self, course, move=None, unsteadiness=None, place=None, seed=None):
        """Reported at the pad's rate, the clock of which does not wait for the finger."""
        generator = self.generator if seed is None else numpy.random.Generator(numpy.random.PCG64(int(seed)))
        pad, p = self.pad, self.p
        count = max(int(numpy.ceil(course.end * pad.rate)), 2)
        time = (numpy.arange(count) + generator.random()) / pad.rate
        unsteadiness = unsteadiness or Unsteadiness(p, pad.ceiling - pad.floor, generator)
        moving = move.moving(time) if move else numpy.zeros(count, bool)
        force = unsteadiness.apply(course.force(time), time, moving)
        place = place or _Place(p, pad, generator)
        x, y = place.at(time, force / (pad.ceiling - pad.floor), move)
        raw = pad.raw(force, generator)
        # A finger is there from the first frame whose force the pad can feel.
        felt = numpy.flatnonzero(raw > pad.minimum)
        first, last = (felt[0], felt[-1] + 1) if len(felt) else (0, 1)
        return Finger(int(first), pad.x.raw(x)[first:last], pad.y.raw(y)[first:last],
                      numpy.maximum(raw[first:last], pad.minimum + 1))


@dataclasses.dataclass(frozen=True)
class _Move:
    """A way with the least jerk, in mm."""
    start: float
    end: float
    x: float
    y: float

    def part(self, time):
        return step((time - self.start) / (self.end - self.start))

    def moving(self, time):
        return (time > self.start) & (time < self.end)


class _Place:
    """Where a finger is, in mm from the middle of the pad."""

    def __init__(self, parameters, pad, generator):
        self.parameters = parameters
        self.start = [generator.uniform(-0.2, 0.2) * axis.length for axis in (pad.x, pad.y)]
        self.roll = generator.normal(0, parameters["place.roll"], 2)
        self.tremor = [Band(parameters["tremor.low"], parameters["tremor.high"], generator) for _ in range(2)]

    def beside(self, spacing):
        """Another finger of the same hand."""
        other = copy.copy(self)
        other.start = [self.start[0] + spacing, self.start[1]]
        return other

    def at(self, time, pressure, move):
        """pressure: force as a part of the hardest comfortable one."""
        places = []
        for index, way in enumerate((move.x, move.y) if move else (0, 0)):
            place = self.start[index] + self.roll[index] * pressure
            place = place + self.parameters["place.tremor"] * self.tremor[index](time)
            places.append(place + (way * move.part(time) if move else 0))
        return places

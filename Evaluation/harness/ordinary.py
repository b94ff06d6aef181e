"""Ordinary use: recordings of real devices, played as if their pressure were force."""

import collections
import dataclasses
import fnmatch
import os
import pathlib
import statistics
import tempfile

from . import captures
from .recordings import (
    ABS, ABS_PRESSURE, BTN_LEFT, BTN_TOOL_FINGER, BTN_TOUCH, KEY, POSITION_X, PRESSURE, SINGLE_TOUCH, SLOT, SYN,
    TOUCHSCREEN, TRACKING_ID, TRACKPAD, TYPE_A, TYPE_B, Device)

# What recordings that do not say it were made of: kind, position axes, pressure range (None where
# nobody knows). Ranges are those of descriptions of the same devices (kernel: drivers/input/mouse,
# evemu-describe); a phone's are the screen's, as far as it was touched.
SYNAPTICS = (TRACKPAD, (1472, 5472, 0), (1408, 4448, 0), (0, 255))
ALPS = (TRACKPAD, (0, 2000, 0), (0, 1400, 0), (0, 127))
DEVICES = {
    "*SynPS2*": SYNAPTICS,
    "*libinput-man*": (TRACKPAD, (0, 4089, 42), (0, 2811, 41), (0, 255)),
    "*ALPS_DualPoint*": (TRACKPAD, (0, 1023, 0), (0, 767, 0), (0, 127)),
    "*ALPS-DualPoint-TouchPad-non-MT*": (TRACKPAD, (0, 1023, 0), (0, 767, 0), (0, 127)),
    "*AlpsPS2*": ALPS,
    "*CyPS2*": (TRACKPAD, (0, 1600, 16), (0, 900, 15), (0, 255)),
    "*ETPS2*": (TRACKPAD, (0, 1152, 0), (0, 768, 0), (0, 255)),
    "*tablets_n4*": (TOUCHSCREEN, (0, 1535, 0), (0, 2559, 0), (0, 255)),
    "*MonkeyHelper*Phone*": (TOUCHSCREEN, (0, 1023, 0), (0, 1023, 0), None),
    "*MonkeyHelper*Tablet*": (TOUCHSCREEN, (0, 2047, 0), (0, 1279, 0), None),
    "*ViaLin*": (TOUCHSCREEN, (0, 1439, 0), (0, 2879, 0), None),
    "*magic-trackpad-2*": (TRACKPAD, (-3678, 3934, 47), (-2478, 2587, 44), (0, 253)),
    "*precision-touchpad*": (TRACKPAD, (0, 4095, 40), (0, 2047, 31), (0, 4095)),
    "*Examples/recordings*": (TRACKPAD, (-3678, 3934, 47), (-2478, 2587, 44), (0, 253)),
}
# Without a resolution the longer axis is taken to be so long, in mm: for the kinds of use only.
LENGTH = {TRACKPAD: 100, TOUCHSCREEN: 130}

# How hard the middle contact of a recording presses, in ordinary touches.
FORCES = (1.0, 1.5, 2.0)
# Two pads that feel force: one that says how many units are a gram and does not click (the stricter:
# its peek is at 2.7 times an ordinary touch), and a Magic Trackpad 2 (at 3.7 times). Force 1 is 50 g
# of the former.
UNITS = 10
PADS = {
    "units, no click": (500, {"pressure": (0, 20000, UNITS)}),
    "Magic Trackpad 2": (28.5, {"pressure": (0, 253, 0), "id": (0x05, 0x004C, 0x0265)}),
}
# A guess goes by the declared range: force 1 is 3/20 of it.
ESTIMATED = "estimated"
GUESSED = (300, (0, 2000, 0))

KINDS = ("tap", "click", "scroll", "drag", "rest", "multi-finger", "noise")
# What makes a contact what, in mm and seconds.
STAYS, SHORT, FEWEST = 5.0, 0.3, 3


@dataclasses.dataclass
class Contact:
    """One contact of a recording."""
    file: str
    began: int
    ended: int
    frames: int
    extent: float  # mm
    peak: int
    meant: bool  # made up as a press
    kind: str = ""


@dataclasses.dataclass
class Capture:
    """A recording with what is known of its device."""
    name: str
    device: Device
    events: list
    pressure: tuple[int, int] | None
    is_ours: bool

    @property
    def has_pressure(self):
        return any(kind == ABS and code in (PRESSURE, ABS_PRESSURE) for _, kind, code, _ in self.events)


def load(path, root, is_ours=False):
    """A Capture; None where the file is of no touch device with pressure, or nobody knows of which."""
    known = next((device for pattern, device in DEVICES.items() if fnmatch.fnmatch(str(path), pattern)), None)
    if known is None:
        return None
    kind, x, y, pressure = known
    events = [event for event in captures.events(path) if event[1] in (SYN, KEY, ABS)]
    codes = {(kind, code) for _, kind, code, _ in events}
    if (ABS, POSITION_X) not in codes:
        protocol = SINGLE_TOUCH
    elif (SYN, 2) in codes:
        protocol = TYPE_A
    else:
        protocol = TYPE_B
    if protocol != SINGLE_TOUCH and (ABS, PRESSURE) not in codes:
        # Drivers that tell only how hard the pad is pressed in all: of the contact that is told last.
        events = [(time, kind, PRESSURE if (kind, code) == (ABS, ABS_PRESSURE) else code, value)
                  for time, kind, code, value in events]
    keep = {ABS: {0, 1, ABS_PRESSURE} if protocol == SINGLE_TOUCH else {SLOT, POSITION_X, 0x36, TRACKING_ID, PRESSURE},
            KEY: {BTN_TOUCH, BTN_LEFT, BTN_TOOL_FINGER}, SYN: {0, 2, 3}}
    events = [event for event in events if event[2] in keep[event[1]]]
    device = Device(kind, x, y, (0, 20000, UNITS), protocol, name=path.name)
    capture = Capture(str(path.relative_to(root)), device, events, pressure, is_ours)
    return capture if capture.has_pressure else None


def corpus_folder(root):
    return pathlib.Path(os.environ.get("FORCETOUCH_TEST_CORPUS", root.parent / "shared/corpus"))


def captures_of(root):
    """(ours, those of the corpus, names of corpus files that hold no pressure of a finger)."""
    ours = sorted([*root.glob("Examples/recordings/*.evemu"), *root.glob("Tests/Fixtures/*/*.events"),
                   *root.glob("Tests/Fixtures/*/*.libinput-record.yml")])
    folder = corpus_folder(root)
    files = sorted(path for path in folder.glob("*/*") if path.suffix in (".events", ".txt", ".yml"))
    loaded = [(path, load(path, folder)) for path in files]
    return ([capture for path in ours if (capture := load(path, root, is_ours=True))],
            [capture for _, capture in loaded if capture],
            [path.name for path, capture in loaded if not capture])


def write(capture, file, device, scale):
    """The recording with another device, its pressure times `scale`."""
    file.write(str(device))
    for time, kind, code, value in capture.events:
        if kind == ABS and code in (PRESSURE, ABS_PRESSURE):
            # A touch that is felt stays one.
            value = min(max(round(value * scale), min(value, 1)), device.pressure[1])
        file.write(f"E: {time // 1_000_000}.{time % 1_000_000:06d} {kind:04x} {code:04x} {value}\n")


class Player:
    """Plays captures through the program, out of one folder."""

    def __init__(self, program):
        self.program = program

    def play(self, capture, device, scale, *options):
        with tempfile.TemporaryDirectory(prefix="forcetouch-") as folder:
            path = os.path.join(folder, "capture.evemu")
            with open(path, "w") as file:
                write(capture, file, device, scale)
            empty = os.path.join(folder, "settings.yaml")
            open(empty, "w").close()
            return list(self.program.replay(path, "--config", empty, *options))


def contacts(player, capture):
    """{number: Contact} of a recording, each with what it was used for."""
    device = capture.device
    longest = max(device.x[1] - device.x[0], device.y[1] - device.y[0])
    scale = [axis[2] or longest / LENGTH[device.kind] for axis in (device.x, device.y)]
    found = {}
    places = collections.defaultdict(list)
    for event in player.play(capture, device, 1):
        number = event["contact"]
        if event["event"] == "began":
            found[number] = Contact(capture.name, event["time"], event["time"], 0, 0, 0, False)
        contact = found[number]
        contact.ended = event["time"]
        if event["event"] in ("began", "changed"):
            contact.frames += 1
            contact.peak = max(contact.peak, event.get("raw", 0))
            if "x" in event:
                places[number].append((event["x"] / scale[0], event["y"] / scale[1]))
    for number, contact in found.items():
        x, y = zip(*places[number]) if places[number] else ((0,), (0,))
        contact.extent = max(max(x) - min(x), max(y) - min(y))
    if capture.is_ours:
        # Made up: a tap, and presses.
        hardest = max(contact.peak for contact in found.values())
        for contact in found.values():
            contact.meant = contact.peak >= hardest / 2
    presses = [time for time, kind, code, value in capture.events if (kind, code, value) == (KEY, BTN_LEFT, 1)]
    for contact in found.values():
        contact.kind = kind_of(contact, found.values(), presses)
    return found


def kind_of(contact, others, presses):
    """What a contact was used for; the first that fits."""
    if contact.frames < FEWEST:
        return "noise"
    beside = any(other is not contact and other.began < contact.ended and contact.began < other.ended for other in others)
    stays = contact.extent <= STAYS
    if beside:
        return "multi-finger" if stays else "scroll"
    if not stays:
        return "drag"
    if any(contact.began <= press <= contact.ended for press in presses):
        return "click"
    return "tap" if contact.ended - contact.began <= SHORT * 1_000_000 else "rest"


@dataclasses.dataclass
class Counts:
    """Of contacts that nobody meant as a press."""
    contacts: int = 0
    peeks: int = 0
    pops: int = 0


def evaluate(program, root, variants=((),)):
    """{(pad, force): {variant: {kind: Counts}}}, what was played, and what could not be, for the page."""
    player = Player(program)
    ours, corpus, without = captures_of(root)
    tables = collections.defaultdict(lambda: {v: collections.defaultdict(Counts) for v in variants})
    played = []
    for capture in ours + corpus:
        found = {number: contact for number, contact in contacts(player, capture).items() if contact.peak > 0}
        if not found:
            continue
        median = statistics.median(contact.peak for contact in found.values())
        played.append((capture.name, capture.is_ours, len(found), sum(c.meant for c in found.values())))
        runs = [(pad, force, dataclasses.replace(capture.device, **changes), force * ordinary / median, ())
                for pad, (ordinary, changes) in PADS.items() for force in FORCES
                if pad != "Magic Trackpad 2" or capture.device.kind == TRACKPAD]
        ordinary, pressure = GUESSED
        guessed = dataclasses.replace(capture.device, pressure=pressure)
        runs += [(ESTIMATED, force, guessed, force * ordinary / median, ("--estimated",)) for force in FORCES]
        if capture.pressure:
            plain = dataclasses.replace(capture.device, pressure=(*capture.pressure, 0))
            runs.append((ESTIMATED, None, plain, 1, ("--estimated",)))
        for pad, force, device, scale, options in runs:
            for rules in variants:
                switched = [word for rule in rules for word in ("--without", rule)]
                table = tables[pad, force][rules]
                happened = collections.defaultdict(set)
                for event in player.play(capture, device, scale, *options, *switched):
                    if event["event"] in ("peek", "pop"):
                        happened[event["contact"]].add(event["event"])
                for number, contact in found.items():
                    if contact.meant:
                        continue
                    counts = table[contact.kind]
                    counts.contacts += 1
                    counts.peeks += "peek" in happened[number]
                    counts.pops += "pop" in happened[number]
    return dict(tables), played, without

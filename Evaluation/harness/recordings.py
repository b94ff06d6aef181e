"""Recordings as evemu-record would print them."""

import dataclasses

SYN, KEY, ABS = 0, 1, 3
SYN_REPORT = (SYN, 0)
BTN_LEFT, BTN_TOOL_FINGER, BTN_TOUCH = 0x110, 0x145, 0x14A
ABS_X, ABS_Y, ABS_PRESSURE = 0x00, 0x01, 0x18
SLOT, POSITION_X, POSITION_Y, TRACKING_ID, PRESSURE = 0x2F, 0x35, 0x36, 0x39, 0x3A
DIRECT, BUTTONPAD = 1, 2  # input properties

TRACKPAD, TOUCHSCREEN = "trackpad", "touchscreen"
TYPE_B, TYPE_A, SINGLE_TOUCH = "type B", "type A", "single touch"

# Of a finger, in hexadecimal: where it is and how hard it presses.
CODES = ("0035", "0036", "003a")

# Seconds between two trials in one recording: longer than anything the recognizer waits for.
PAUSE = 0.5


@dataclasses.dataclass(frozen=True)
class Device:
    """What a recording says of its device. Axes are (minimum, maximum, resolution)."""
    kind: str
    x: tuple[int, int, int]
    y: tuple[int, int, int]
    pressure: tuple[int, int, int]
    protocol: str = TYPE_B
    clicks: bool = False
    name: str = "Pad of the evaluation"
    id: tuple[int, int, int] = (0x18, 0x1209, 0x0001)  # bus, vendor, product: of nobody

    def __str__(self):
        properties = 1 << DIRECT if self.kind == TOUCHSCREEN else (1 << BUTTONPAD if self.clicks else 0)
        keys = {BTN_TOUCH} if self.kind == TOUCHSCREEN else {BTN_TOUCH, BTN_TOOL_FINGER, BTN_LEFT}
        axes = {ABS_X: self.x, ABS_Y: self.y, ABS_PRESSURE: self.pressure}
        if self.protocol != SINGLE_TOUCH:
            axes = {POSITION_X: self.x, POSITION_Y: self.y, TRACKING_ID: (0, 65535, 0), PRESSURE: self.pressure}
        if self.protocol == TYPE_B:
            axes[SLOT] = (0, 9, 0)
        bus, vendor, product = self.id
        lines = ["# EVEMU 1.3", f"N: {self.name}", f"I: {bus:04x} {vendor:04x} {product:04x} 0000"]
        lines += [f"P: {octets}" for octets in bits({bit for bit in range(32) if properties >> bit & 1}, 8)]
        for kind, codes, size in ((SYN, {SYN, KEY, ABS}, 8), (KEY, keys, 96), (ABS, set(axes), 8)):
            lines += [f"B: {kind:02x} {octets}" for octets in bits(codes, size)]
        lines += [f"A: {code:02x} {low} {high} 0 0 {resolution}" for code, (low, high, resolution) in sorted(axes.items())]
        return "\n".join(lines) + "\n"


def bits(codes, size):
    """A bit mask of so many bytes, eight a line."""
    mask = bytearray(size)
    for code in codes:
        mask[code // 8] |= 1 << code % 8
    return [mask[start:start + 8].hex(" ") for start in range(0, size, 8)]


def device(pad):
    """The device that a pad of the model is."""
    table = {"magic-trackpad-2": (0x05, 0x004C, 0x0265)}
    return Device(
        kind=pad.kind, name=pad.title, clicks=pad.click is not None,
        id=next((id for name, id in table.items() if pad.name.startswith(name)), (0x18, 0x1209, 0x0001)),
        x=(pad.x.minimum, pad.x.maximum, pad.x.units_per_mm), y=(pad.y.minimum, pad.y.maximum, pad.y.units_per_mm),
        pressure=(pad.minimum, pad.maximum, pad.units_per_gram))


class TrialWriter:
    """One trial after another, each with its frames; `starts` says at which frame each began."""

    def __init__(self, pad, file):
        self.pad, self.file = pad, file
        self.starts = []
        self.frame = 0
        self.slot = 0
        self.id = 0
        file.write(str(device(pad)))

    def microseconds(self, frame):
        return round(frame * 1_000_000 / self.pad.rate)

    def write(self, trial):
        self.starts.append(self.frame)
        lines = [""] * trial.frames  # what happens in each frame, without its time
        down = [0] * (trial.frames + 1)
        for slot, finger in enumerate(trial.fingers):
            before = (None, None, None)
            for number, now in enumerate(zip(finger.x.tolist(), finger.y.tolist(), finger.raw.tolist()), finger.first):
                mine = ""
                if number == finger.first:
                    mine = f"0003 0039 {self.id}\n"
                    self.id = (self.id + 1) % 65536
                for code, value, old in zip(CODES, now, before):
                    if value != old:
                        mine += f"0003 {code} {value}\n"
                before = now
                if mine and len(trial.fingers) > 1:
                    mine = f"0003 002f {slot}\n{mine}"
                lines[number] += mine
            lift = "0003 0039 -1\n"
            lines[finger.end] += f"0003 002f {slot}\n{lift}" if len(trial.fingers) > 1 else lift
            down[finger.first] += 1
            down[finger.end] -= 1
        if len(trial.fingers) > 1:
            # The next trial has one finger, in slot 0, and does not say so.
            lines[-1] += "0003 002f 0\n"
        if self.pad.kind == TRACKPAD:
            for number, value in trial.button:
                lines[number] += f"0001 0110 {value}\n"
        fingers = 0
        text = []
        for number, (line, change) in enumerate(zip(lines, down)):
            if change and (fingers == 0) != (fingers + change == 0):
                line += f"0001 014a {int(fingers == 0)}\n"
            fingers += change
            if line:
                seconds, rest = divmod(self.microseconds(self.frame + number), 1_000_000)
                stamp = f"E: {seconds}.{rest:06d} "
                text.append(stamp + (line + "0000 0000 0\n").rstrip("\n").replace("\n", "\n" + stamp) + "\n")
        self.file.write("".join(text))
        self.frame += trial.frames + round(PAUSE * self.pad.rate)

"""Events out of recordings that other programs made."""

import pathlib
import re

from .recordings import ABS, KEY, SYN

# The names that getevent prints.
NAMES = {
    "SYN_REPORT": 0, "SYN_MT_REPORT": 2, "SYN_DROPPED": 3,
    "BTN_TOUCH": 0x14A, "BTN_TOOL_FINGER": 0x145, "BTN_LEFT": 0x110,
    "ABS_X": 0x00, "ABS_Y": 0x01, "ABS_PRESSURE": 0x18, "ABS_MT_SLOT": 0x2F, "ABS_MT_TOUCH_MAJOR": 0x30,
    "ABS_MT_TOUCH_MINOR": 0x31, "ABS_MT_WIDTH_MAJOR": 0x32, "ABS_MT_WIDTH_MINOR": 0x33, "ABS_MT_ORIENTATION": 0x34,
    "ABS_MT_POSITION_X": 0x35, "ABS_MT_POSITION_Y": 0x36, "ABS_MT_TOOL_TYPE": 0x37, "ABS_MT_TRACKING_ID": 0x39,
    "ABS_MT_PRESSURE": 0x3A, "ABS_MT_DISTANCE": 0x3B,
}
TYPES = {"EV_SYN": SYN, "EV_KEY": KEY, "EV_ABS": ABS}

EVEMU = re.compile(r"^E: (\d+)\.(\d+) ([0-9a-fA-F]{4}) ([0-9a-fA-F]{4}) (-?\d+)")
LIBINPUT = re.compile(r"^\s*- \[\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(-?\d+)\s*\]")
GETEVENT = re.compile(r"^\[\s*(\d+)\.(\d+)\] (?:\S+: )?([0-9a-f]{4}) ([0-9a-f]{4}) ([0-9a-f]{8})")
GETEVENT_NAMES = re.compile(r"^\[\s*(\d+)\.(\d+)\] (?:\S+: )?(EV_\w+)\s+(\w+)\s+(\w+)")


def events(path):
    """[(microseconds, type, code, value)] of evemu, getevent or libinput record; [] of anything else."""
    found = []
    for line in pathlib.Path(path).read_text(errors="replace").splitlines():
        if match := EVEMU.match(line):
            seconds, micros, kind, code, value = match.groups()
            found.append((time(seconds, micros), int(kind, 16), int(code, 16), int(value)))
        elif match := LIBINPUT.match(line):
            seconds, micros, kind, code, value = map(int, match.groups())
            found.append((seconds * 1_000_000 + micros, kind, code, value))
        elif match := GETEVENT.match(line):
            seconds, micros, *numbers = match.groups()
            kind, code, value = (int(number, 16) for number in numbers)
            found.append((time(seconds, micros), kind, code, signed(value)))
        elif match := GETEVENT_NAMES.match(line):
            seconds, micros, kind, code, value = match.groups()
            value = {"DOWN": 1, "UP": 0}.get(value) if value in ("DOWN", "UP") else signed(int(value, 16))
            if kind in TYPES and code in NAMES:
                found.append((time(seconds, micros), TYPES[kind], NAMES[code], value))
    return found


def time(seconds, fraction):
    return int(seconds) * 1_000_000 + int(fraction.ljust(6, "0")[:6])


def signed(value):
    """Android prints 32 bits."""
    return value - (1 << 32) if value & 1 << 31 else value

"""What `libinput record` writes of a pad that is pressed."""

import pathlib
import signal
import subprocess
import sys

import yaml
from machine import PATIENCE, device_of, openers
from support import wait_until
from uhid import MagicTrackpad, PrecisionTouchpad, UsbMagicTrackpad

# Three touches: a tap, a press to the peek of a Magic Trackpad 2 (106), one to the pop (155).
TOUCHES = [[8, 20, 6], [10, 40, 80, 105, 106, 120, 60, 12],
           [9, 50, 100, 106, 130, 154, 155, 190, 240, 90, 15]]
EVENTS = [("began", 8), ("ended", 6), ("began", 10), ("peek", 106), ("peekEnded", 12),
          ("ended", 12), ("began", 9), ("peek", 106), ("pop", 155), ("ended", 15)]

FIXTURES = {
    "magic-trackpad-2/bluetooth.libinput-record.yml": MagicTrackpad,
    "magic-trackpad-2/usb.libinput-record.yml": UsbMagicTrackpad,
    "precision-touchpad/i2c.libinput-record.yml": PrecisionTouchpad,
}


def record(command, node, path, pad):
    """Records a pad that is touched three times."""

    def written():
        """By now; ours lies beside its file until it is whole."""
        files = [file for file in (path, pathlib.Path(f"{path}.part")) if file.exists()]
        return files[0].read_text() if files else ""
    recorder = subprocess.Popen(
        [*command, node], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    try:
        wait_until(lambda: any(pid == recorder.pid for pid, _ in openers(node))
                   or recorder.poll() is not None, "the recorder has the node open", PATIENCE)
        # The node is open before the description is written: a touch must not come in between.
        # libinput's head ends so, evemu's with its axes.
        wait_until(lambda: any(end in written() for end in ("events:", "\nA: ")), "it records", PATIENCE)
        frames = 0
        for pressures in TOUCHES:
            pad.press(pressures)
            frames += len(pressures) + 1
        wait_until(lambda: written().count("SYN_REPORT") >= frames, "all is written",
                   PATIENCE)
    finally:
        recorder.send_signal(signal.SIGINT)
        output = recorder.communicate(timeout=PATIENCE)[0]
    if recorder.returncode != 0:
        raise AssertionError(f"{command}: status {recorder.returncode}: {output}")


def record_with_libinput(maker, path):
    """A recording by libinput's own command, of a new device of the maker."""
    pad = maker()
    try:
        record(["libinput", "record", "--output-file", str(path)], device_of(pad)["node"], path,
               pad)
    finally:
        pad.remove()


def events_in(path):
    """(type, code, value) of each event in a recording, times left out; tracking IDs are counted
    from the first, because the kernel counts on."""
    first, events = None, []
    for entry in yaml.safe_load(path.read_text())["devices"][0]["events"]:
        for _, _, kind, code, value in entry.get("evdev", []):
            if (kind, code) == (3, 0x39) and value >= 0:
                first = value if first is None else first
                value -= first
            if (kind, code) != (4, 5):  # MSC_TIMESTAMP
                events.append((kind, code, value if kind else 0))
    return events


if __name__ == "__main__":  # make-fixtures
    for name, maker in FIXTURES.items():
        path = pathlib.Path(sys.argv[1]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        record_with_libinput(maker, path)
        print(name)

"""The instructions of one frame in the daemon, step by step, by callgrind.

They are counted, not timed: the same program gives the same numbers on any machine, however busy.
Two runs that differ only in the number of frames give what one frame costs.
"""

import pathlib
import tempfile

from callgrind import OUTSIDE, Profile
from fifo import FifoMachine
from programs import Daemon, play

FEW, MANY = 200, 1000

# What the user's program pays for in one frame; the functions that do it.
WHOLE = "sd_event_loop"
STEPS = (
    ("read", r"EvdevReader\.nextFrame\(into:\)", "libevdev's events become a frame"),
    ("track", r"ContactTracker\.process\(_:into:\)", "the frame becomes contacts"),
    ("prove", r"PressureStatistics\.add\(_:\)", "what pressure does is evidence"),
    ("recognize", r"Recognizer\.process\(_:into:\)", "contacts become events"),
    ("arbitrate", r"PreviewArbiter\.process\(_:of:at:into:\)", "who is asked for a preview: nobody here"),
    ("encode", r"static EventEncoder\.encodeReplies\(_:device:into:\)", "events become JSON"),
    ("queue", r"MonitorStream\.send\(_:of:encoded:\)", "each stream takes its messages"),
    ("write", r"ServerConnection\.write\(_:\)", "send"),
)


def profile(frames, clients, contacts, folder):
    machine = FifoMachine()
    messages, out = folder / "messages", folder / f"callgrind-{frames}"
    play("record", Daemon, machine, 1, contacts, 500, frames, messages)
    play("measure", Daemon, machine, clients, contacts, 200, frames, messages,
         wrapper=(*OUTSIDE, f"--callgrind-out-file={out}"))
    return Profile(out)


def count(clients, contacts):
    """{step: instructions of one frame}, and their sum as `all`."""
    with tempfile.TemporaryDirectory(prefix="forcetouch-steps-") as folder:
        folder = pathlib.Path(folder)
        few, many = (profile(frames, clients, contacts, folder) for frames in (FEW, MANY))
    per_frame = lambda pattern: (many.inside(pattern) - few.inside(pattern)) / (MANY - FEW)
    counts = {name: per_frame(pattern) for name, pattern, _ in STEPS}
    missing = [name for name, cost in counts.items() if cost <= 0]
    if missing:
        raise RuntimeError(
            f"callgrind saw nothing of {', '.join(missing)}: is the program stripped, or is the "
            "function called otherwise now? See STEPS in steps.py")
    counts["queue"] -= counts["write"]
    whole = per_frame(WHOLE)
    counts["loop, and what is between"] = whole - sum(counts.values())
    counts["all"] = whole
    return counts

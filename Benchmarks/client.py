"""What ForceTouch, the client library, costs a program per event: instructions and allocations.

A program of a few lines (Client/) follows one press with progress in every frame. Two presses that
differ only in the number of frames give what one event costs.
"""

import os
import pathlib
import re
import subprocess
import tempfile

from callgrind import OUTSIDE, Profile
from programs import BUILT, HERE, support

from previewing import ScreenRecording

FEW, MANY = 200, 1000
# It is slow to answer under valgrind.
PATIENT = "previewing: {question-timeout-ms: 10000, total-timeout-ms: 10000}\n"
FOLLOW = HERE / "Client/.build/release/follow"


def press(frames, folder):
    """A recorded press that peeks, goes on between peek and pop, and lifts."""
    recording = ScreenRecording()
    recording.down(0, 2000, 1200)
    for index in range(5):
        recording.press(20 + 10 * index, 80 + 10 * index)
    for index in range(frames):
        recording.press(2000 + 4 * index, 140 + index % 50)
    recording.up(2000 + 4 * frames)
    return recording.write(folder / f"{frames}.evemu")


def follow(frames, folder, wrapper=(), **variables):
    """Plays a press to the program; gives how many events it heard, and its complaints."""
    settings = folder / "patient.yaml"
    settings.write_text(PATIENT)
    daemon = support.Daemon(
        "--config", settings, "--replay", press(frames, folder), patience=60)
    try:
        done = subprocess.run(
            [*wrapper, FOLLOW], env={**os.environ, "FORCETOUCHD_SOCKET": daemon.path, **variables},
            capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise RuntimeError(f"follow: {done.stderr}\n{daemon.output()}")
        return int(done.stdout), done.stderr
    finally:
        daemon.close()


def count():
    """(instructions, allocations) of one event."""
    # (of the whole run, events) of the short press and of the long one.
    instructions, allocations = [], []
    with tempfile.TemporaryDirectory(prefix="forcetouch-client-") as folder:
        folder = pathlib.Path(folder)
        for frames in (FEW, MANY):
            out = folder / f"callgrind-{frames}"
            heard, _ = follow(frames, folder, (*OUTSIDE, f"--callgrind-out-file={out}"))
            instructions.append((Profile(out).total, heard))
            heard, complaints = follow(frames, folder, LD_PRELOAD=str(BUILT / "allocations.so"))
            count = int(re.search(r"allocations: (\d+)", complaints).group(1))
            allocations.append((count, heard))
    return [(many[0] - few[0]) / (many[1] - few[1]) for few, many in (instructions, allocations)]

"""What one frame allocates, once everything is warm: nothing, whoever listens.

Only a release build can be held to that; `make test-release` makes one.
"""

import os
import pathlib
import re
import shutil
import tempfile
import threading
import unittest

from previewing import Context, ScreenRecording
from support import BIN, COMPILER, MONITOR, Daemon, preloadable

WHY_NOT = (
    f"needs a release build in FORCETOUCH_BIN, not {BIN}" if BIN.name != "release"
    else "needs a C compiler" if COMPILER is None
    else None)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class AllocationTests(unittest.TestCase):
    FEW, MANY = 500, 2500

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-allocations-")
        self.addCleanup(shutil.rmtree, folder)
        self.folder = pathlib.Path(folder)
        self.counter = preloadable("allocations", self.folder)

    def recording(self, frames):
        """A press that peeks, and so many frames of another force each before it lifts."""
        recording = ScreenRecording()
        recording.down(0, 2000, 1200)
        for index in range(5):
            recording.press(20 + 10 * index, 80 + 10 * index)
        recording.press(200, 140)
        for index in range(frames):
            recording.press(210 + index, 150 + index % 50)
        recording.up(210 + frames)
        return recording.write(self.folder / f"{frames}.evemu")

    def allocations(self, frames, listen):
        os.environ["LD_PRELOAD"] = str(self.counter)
        try:
            daemon = Daemon("--replay", self.recording(frames))
        finally:
            del os.environ["LD_PRELOAD"]
        self.addCleanup(daemon.close)
        listen(daemon)
        self.assertEqual(daemon.process.wait(30), 0)
        return int(re.search(r"allocations: (\d+)", daemon.output()).group(1))

    def assertAllocatesNothing(self, listen):
        few, many = (self.allocations(frames, listen) for frames in (self.FEW, self.MANY))
        # What is read in one go and what is written in one go is never twice the same.
        self.assertLess((many - few) / (self.MANY - self.FEW), 0.05, f"{few}, then {many}")

    @staticmethod
    def monitor(daemon):
        raw = daemon.connect(timeout=30)
        raw.call(f"{MONITOR}.Watch", {}, more=True)
        while raw.reply():
            pass
        raw.close()

    @staticmethod
    def preview(daemon):
        context = Context(daemon.path, coverage="everything", touchscreens=True)
        context.answer(context.until("question")[-1])
        context.until("peekEnded")
        while context.reply():
            pass
        context.close()

    def test_a_frame_for_a_monitor(self):
        self.assertAllocatesNothing(self.monitor)

    def test_a_frame_for_a_previewing_context(self):
        self.assertAllocatesNothing(self.preview)

    def test_a_frame_for_both(self):
        def both(daemon):
            monitor = threading.Thread(target=self.monitor, args=[daemon])
            monitor.start()
            self.preview(daemon)
            monitor.join()

        self.assertAllocatesNothing(both)

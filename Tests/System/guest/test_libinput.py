"""Recordings and the real thing: libinput's of what the kernel gives; ours, played by libinput and
by evemu."""

import pathlib
import subprocess
import tempfile
import unittest

from machine import (
    PATIENCE, MachineTestCase, brief, device_of, devices, set_udev_rules)
from recorded import EVENTS, FIXTURES, events_in, record, record_with_libinput
from support import ROOT, events_of, run, wait_until
from test_faults import drop_rules
from uhid import MagicTrackpad


class RecordingTest(MachineTestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_what_libinput_records_now_is_what_the_fixtures_have(self):
        for name, maker in FIXTURES.items():
            with self.subTest(fixture=name):
                path = self.folder / "now.yml"
                record_with_libinput(maker, path)
                self.assertEqual(events_in(path), events_in(ROOT / "Tests/Fixtures" / name))
                wait_until(lambda: not devices(), "the pad is gone", PATIENCE)

    def test_a_recording_by_libinput_gives_the_events_of_the_live_device(self):
        path = self.folder / "pad.yml"
        pad = self.plug(MagicTrackpad())
        device = device_of(pad)
        stream = self.watch(device=device["device"])
        record(["libinput", "record", "--output-file", str(path)], device["node"], path, pad)
        live = [e for _ in range(3) for e in stream.until("ended")]
        self.assertReplies(live, EVENTS)
        status, output, complaints = run("replay", path, "--json")
        self.assertEqual((status, complaints), (0, ""))
        keys = ("event", "slot", "x", "y", "raw", "pressure", "force", "stage", "peekProgress")
        self.assertEqual(
            [[event.get(key) for key in keys] for event in events_of(output)],
            [[reply["event"].get(key) for key in keys] for reply in live])

    def test_our_recording_played_by_libinput_is_what_it_was(self):
        # `libinput replay` makes a uinput device from the recording and writes its events.
        recorded = self.record_ours("pad.yml")
        player = self.start("libinput", "replay", self.folder / "pad.yml")

        def play(node):
            player.stdin.write("\n")  # it waits for this before each time that it plays
            player.stdin.flush()

        self.assertPlayed(recorded, play)

    def test_our_recording_played_by_evemu_is_what_it_was(self):
        recorded = self.record_ours("pad.evemu")
        self.start("evemu-device", self.folder / "pad.evemu")
        self.assertPlayed(
            recorded, lambda node: self.start("evemu-play", node, stdin=open(self.folder / "pad.evemu")))

    def record_ours(self, name):
        """Records a pad and takes it away; gives the device, and what the daemon read of it."""
        pad = self.plug(MagicTrackpad())
        device = device_of(pad)
        stream = self.watch(device=device["device"], frames=True)
        path = self.folder / name
        record(["forcetouchctl", "record", "--output", str(path)], device["node"], path, pad)
        live = self.frames_and_events(stream)
        pad.remove()
        stream.close()
        wait_until(lambda: not devices(), "the pad is gone", PATIENCE)
        set_udev_rules('ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", '
                       'ATTRS{name}=="Apple Inc. Magic Trackpad 2", '
                       'ENV{FORCETOUCHD_ALLOW_VIRTUAL}="1"\n')
        self.addCleanup(drop_rules)
        return device, live

    def start(self, *command, stdin=subprocess.PIPE):
        player = subprocess.Popen(
            list(map(str, command)), stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for stream in (player.stdout, player.stdin or stdin):
            self.addCleanup(stream.close)
        self.addCleanup(player.wait)
        self.addCleanup(player.kill)
        return player

    def assertPlayed(self, recorded, play):
        """The device that a player made is the one that was recorded, and does what that did."""
        device, live = recorded
        # `libinput replay` is Python, and reads YAML: slow where all is emulated.
        played = wait_until(devices, "the player made the device", 3 * PATIENCE)[0]
        same = ("name", "kind", "bus", "vendor", "product", "x", "y", "pressure", "thresholds",
                "capability", "reason")
        self.assertEqual({k: played.get(k) for k in same}, {k: device.get(k) for k in same})
        stream = self.watch(device=played["device"], frames=True)
        play(played["node"])
        frames, events = self.frames_and_events(stream)
        self.assertEqual(frames, live[0])
        self.assertEqual(events, live[1])
        self.assertEqual(events, EVENTS)

    def frames_and_events(self, stream):
        """The frames of three touches as the daemon reads them, tracking IDs counted from the
        first, and their openings and closings."""
        replies = [r for _ in range(3) for r in stream.until("ended")]
        first, frames = None, []
        for reply in replies:
            if "frame" in reply:
                frame = []
                for event in reply["frame"]["events"]:
                    kind, code, value = event["type"], event["code"], event["value"]
                    if (kind, code) == (3, 0x39) and value >= 0:
                        first = value if first is None else first
                        value -= first
                    frame.append((kind, code, value))
                frames.append(frame)
        return frames, brief([r for r in replies if "event" in r])


if __name__ == "__main__":
    unittest.main()

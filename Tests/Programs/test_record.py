"""forcetouchctl record, and what lasts, on a terminal; see live.py."""

import ctypes
import ctypes.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from live import ABS, INPUT, KEY, LiveTestCase
from support import BIN, NOBODY, PATIENCE, events_of, run, wait_until
from terminal import Terminal

NODE = "/dev/input/event0"
# Where a Magic Trackpad says that a finger is, and the middle of that.
POSITIONS = {0: 128, 1: 54, 0x35: 128, 0x36: 54}
LIBEVEMU = ctypes.util.find_library("evemu")


def events_in(path):
    """(code, value) of every event on an absolute axis of a recording in either format."""
    text = path.read_text()
    if text.startswith("# EVEMU"):
        return [(int(code, 16), int(value)) for code, value in
                re.findall(r"^E: \S+ 0003 (\w+) (-?\d+)", text, re.M)]
    return [(int(code), int(value)) for code, value in
            re.findall(r"- \[ *\d+, *\d+, *3, *(\d+), *(-?\d+)\]", text)]


class RecordTestCase(LiveTestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.mkdtemp(prefix="forcetouch-record-")
        self.addCleanup(shutil.rmtree, folder)
        self.folder = pathlib.Path(folder)
        self.add_trackpad(0)
        self.pad = self.testbed.get_dev_fd(NODE)

    def began(self, path):
        """Waits until the device is read."""
        part = pathlib.Path(f"{path}.part")
        wait_until(lambda: part.exists() and part.stat().st_size, "the recording began")
        return part

    def start(self, path, *arguments, **options):
        """A recorder that reads the device; what it complains of is piped."""
        recorder = subprocess.Popen(
            [BIN / "forcetouchctl", "record", NODE, "--output", path, *map(str, arguments)],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(recorder.stderr.close)
        self.addCleanup(recorder.wait)
        self.addCleanup(recorder.kill)
        self.began(path)
        return recorder

    def terminal(self, *arguments, **options):
        terminal = Terminal(*arguments, **options)
        self.addCleanup(terminal.close)
        return terminal

    def touch(self, pressures=(50, 110, 160), step=0):
        """A press that moves by `step` a frame, and lifts."""
        self.frame(self.pad, (ABS, 0x2F, 0), (ABS, 0x39, self.id + 1), (ABS, 0x35, 700), (ABS, 0x36, 900),
                   (ABS, 0, 700), (ABS, 1, 900), (ABS, 0x3A, 5), (KEY, 0x14A, 1))
        for number, pressure in enumerate(pressures, 1):
            self.frame(self.pad, (ABS, 0x35, 700 + step * number), (ABS, 0, 700 + step * number),
                       (ABS, 0x3A, pressure))
        self.frame(self.pad, (ABS, 0x39, -1), (KEY, 0x14A, 0))

    def wait_for_frames(self, part, count):
        wait_until(lambda: part.read_text().count("SYN_REPORT") == count, f"{count} frames are written")

    def record(self, name, *arguments, step=0):
        """A recording of one press, whole."""
        path = self.folder / name
        recorder = self.start(path, *arguments)
        self.touch(step=step)
        self.wait_for_frames(self.began(path), 5)
        recorder.send_signal(signal.SIGINT)
        self.assertEqual((recorder.wait(timeout=PATIENCE), recorder.stderr.read()), (0, ""))
        return path

    def replayed(self, path):
        """What a recording gives, but for `changed`."""
        status, output, complaints = run("replay", path, "--json")
        self.assertEqual((status, complaints), (0, ""))
        return [(e["event"], e["raw"]) for e in events_of(output) if e["event"] != "changed"]

    pressed = [("began", 5), ("peek", 110), ("pop", 160), ("ended", 160)]


class LiveLineTest(RecordTestCase):
    def test_it_tells_how_the_recording_goes_and_is_gone_at_the_end(self):
        path = self.folder / "pad.yml"
        terminal = self.terminal("record", NODE, "--output", path)
        terminal.expect(r"\d+\.\d s  0 frames  \S+ \w+  0 contacts")
        self.press(self.pad, [50, 110, 160])
        terminal.expect(r"s  4 frames  \S+ \w+  1 contact  force [\d.]+, raw 160")
        self.frame(self.pad, (ABS, 0x39, -1), (KEY, 0x14A, 0))
        terminal.expect(r"s  5 frames  \S+ \w+  0 contacts  ")
        terminal.type("\x03")
        self.assertEqual(terminal.end(), 0)
        self.assertTrue(terminal.shown.endswith("\r\x1b[K"), terminal.shown[-80:])
        self.assertNotIn("\n", terminal.shown)
        self.assertEqual(self.replayed(path), self.pressed)

    def test_it_fits_into_the_terminal(self):
        terminal = self.terminal("record", NODE, "--output", self.folder / "pad.yml", columns=24)
        terminal.expect("frames")
        terminal.type("\x03")
        self.assertEqual(terminal.end(), 0)
        self.assertEqual({len(line) for line in terminal.drawn()}, {23})

    def test_it_does_not_stand_between_the_lines_of_the_recording_itself(self):
        terminal = self.terminal("record", NODE)
        terminal.expect("events:")
        self.touch()
        terminal.expect("ABS_MT_PRESSURE 160")
        terminal.type("\x03")
        self.assertEqual(terminal.end(), 0)
        self.assertEqual(terminal.drawn(), [])

    def test_there_is_none_where_escapes_mean_nothing(self):
        path = self.folder / "pad.yml"
        terminal = self.terminal("record", NODE, "--output", path, TERM="dumb")
        part = self.began(path)
        self.touch()
        self.wait_for_frames(part, 5)
        terminal.type("\x03")
        self.assertEqual(terminal.end(), 0)
        self.assertEqual(terminal.shown.replace("^C", ""), "")


class EndTest(RecordTestCase):
    def test_signals_end_it_with_a_whole_file(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number=number):
                path = self.folder / f"{number.name}.yml"
                recorder = self.start(path)
                self.touch()
                self.wait_for_frames(self.began(path), 5)
                recorder.send_signal(number)
                self.assertEqual((recorder.wait(timeout=PATIENCE), recorder.stderr.read()), (0, ""))
                self.assertFalse(pathlib.Path(f"{path}.part").exists())
                self.assertEqual(self.replayed(path), self.pressed)

    def test_a_terminal_that_is_closed_ends_it_so_too(self):
        path = self.folder / "pad.yml"
        terminal = self.terminal("record", NODE, "--output", path)
        part = self.began(path)
        self.touch()
        self.wait_for_frames(part, 5)
        os.close(terminal.terminal)
        self.assertEqual(terminal.process.wait(timeout=PATIENCE), 0)
        self.assertEqual(self.replayed(path), self.pressed)

    def test_it_ends_before_the_file_is_larger_than_it_may_be(self):
        path = self.folder / "pad.yml"
        recorder = self.start(path, "--limit", "16K")

        def ended():
            self.touch(range(20, 40))
            return recorder.poll() is not None

        wait_until(ended, "the limit is reached")
        self.assertEqual(recorder.returncode, 0)
        self.assertEqual(
            recorder.stderr.read(), "forcetouchctl: the recording is as large as it may be, 16 KiB, "
            "and ends; --limit allows more\n")
        self.assertLessEqual(path.stat().st_size, 16 << 10)
        # One more frame has some hundred bytes.
        self.assertGreater(path.stat().st_size, 15 << 10)
        status, _, complaints = run("replay", path)
        self.assertEqual((status, complaints), (0, ""))

    def test_a_place_that_is_not_there_is_told(self):
        self.assertEqual(
            run("record", NODE, "--output", "/nowhere/pad.yml"),
            (1, "", "forcetouchctl: cannot write /nowhere/pad.yml: No such file or directory; "
             "--output names another place\n"))

    def test_wrong_options_are_refused(self):
        for arguments, complaint in [
                (("--limit", "much"), "much is no size; say a number with K, M or G behind it, such as 100M"),
                (("--limit", "99999999999999999999G"), "99999999999999999999G is no size; say a number "
                 "with K, M or G behind it, such as 100M"),
                (("--limit", "9999999999999G"), "9999999999999G is no size; say a number "
                 "with K, M or G behind it, such as 100M"),
                (("--limit", "16383"), "--limit 16383 leaves no room; say at least 16 KiB"),
                (("--format", "evtest"), "there is no format evtest; choose one of libinput, evemu")]:
            with self.subTest(arguments=arguments):
                self.assertEqual(run("record", NODE, *arguments), (2, "", f"forcetouchctl: {complaint}\n"))


class AnonymizeTest(RecordTestCase):
    def test_the_force_stays_and_the_places_go(self):
        plain = self.record("plain.yml", step=40)
        self.assertEqual([value for code, value in events_in(plain) if code == 0x35], [700, 740, 780, 820])
        for name in ("pad.yml", "pad.evemu"):
            with self.subTest(name=name):
                path = self.record(name, "--anonymize", step=40)
                events = events_in(path)
                told = [(code, value) for code, value in events if code in POSITIONS]
                self.assertEqual(sorted(told), sorted(POSITIONS.items()))
                self.assertEqual([value for code, value in events if code == 0x3A], [5, 50, 110, 160])
                self.assertEqual(self.replayed(path), self.pressed)
                text = path.read_text()
                self.assertIn("# Anonymized: every contact is said to be in the middle.", text)
                self.assertNotIn("/dev/input", text)
                self.assertEqual(json.loads(run("probe", path, "--json")[1])["reason"], "table")

    def test_what_is_typed_on_a_touchscreen_is_told_unless_it_is_left_out(self):
        self.testbed.set_property(f"{INPUT}/event0", "ID_INPUT_TOUCHPAD", "0")
        self.testbed.set_property(f"{INPUT}/event0", "ID_INPUT_TOUCHSCREEN", "1")
        path = self.folder / "screen.yml"
        recorder = self.start(path)
        recorder.send_signal(signal.SIGINT)
        self.assertEqual(recorder.wait(timeout=PATIENCE), 0)
        self.assertEqual(
            recorder.stderr.read(), "forcetouchctl: a touchscreen's recording holds what is typed on it; "
            "mind whom you give it, or --anonymize\n")
        remark = "# This holds where a screen was touched, and so what was typed on it: mind whom you give it."
        self.assertEqual(path.read_text().splitlines()[0], remark)
        self.assertEqual(json.loads(run("probe", path, "--json")[1])["kind"], "touchscreen")
        self.assertNotIn("typed", self.record("anonymous.yml", "--anonymize").read_text())


class EvemuTest(RecordTestCase):
    def test_both_formats_give_the_same(self):
        paths = [self.record("pad.yml"), self.record("pad.evemu"),
                 self.record("other", "--format", "evemu")]
        self.assertTrue(paths[0].read_text().startswith("version: 1\n"))
        for path in paths[1:]:
            self.assertTrue(path.read_text().startswith("# EVEMU 1.3\n"))
            # The kernel counts contacts on.
            first, other = ([event for event in events_in(file) if event[0] != 0x39]
                            for file in (paths[0], path))
            self.assertEqual(other, first)
            self.assertEqual(self.replayed(path), self.pressed)
        probed = [json.loads(run("probe", path, "--json")[1]) for path in paths]
        for key in ("name", "kind", "bus", "vendor", "product", "x", "y", "pressure", "reason"):
            self.assertEqual(probed[1][key], probed[0][key], key)

    @unittest.skipUnless(LIBEVEMU, "libevemu is not installed (package evemu-tools)")
    def test_evemu_reads_it(self):
        """By the library that evemu-device and evemu-play are made of."""
        path = self.record("pad.evemu")
        libc, evemu = ctypes.CDLL(None), ctypes.CDLL(LIBEVEMU)
        for function in (libc.fopen, evemu.evemu_new):
            function.restype = ctypes.c_void_p
        evemu.evemu_get_name.restype = ctypes.c_char_p
        file = ctypes.c_void_p(libc.fopen(os.fsencode(path), b"r"))
        self.addCleanup(libc.fclose, file)
        device = ctypes.c_void_p(evemu.evemu_new(None))
        self.assertGreater(evemu.evemu_read(device, file), 0)
        self.assertEqual(evemu.evemu_get_name(device), b"Apple Inc. Magic Trackpad 2")
        self.assertEqual([evemu.evemu_get_id_bustype(device), evemu.evemu_get_id_vendor(device),
                          evemu.evemu_get_id_product(device)], [5, 0x4C, 0x265])
        axis = json.loads(run("probe", NODE, "--json")[1])["x"]
        self.assertEqual(
            [getattr(evemu, f"evemu_get_abs_{what}")(device, 0x35) for what in ("minimum", "maximum", "resolution")],
            [axis["minimum"], axis["maximum"], axis["resolution"]])
        for kind, code, has in [(3, 0x3A, 1), (3, 0x20, 0), (1, 0x14A, 1), (1, 30, 0)]:
            self.assertEqual(evemu.evemu_has_event(device, kind, code), has, (kind, code))
        self.assertEqual([evemu.evemu_has_prop(device, number) for number in range(4)], [1, 0, 1, 0])
        # struct input_event.
        event = (ctypes.c_uint8 * 24)()
        read = []
        while evemu.evemu_read_event(file, ctypes.byref(event)) > 0:
            data = bytes(event)
            if int.from_bytes(data[16:18], "little") == ABS:
                read.append((int.from_bytes(data[18:20], "little"),
                             int.from_bytes(data[20:], "little", signed=True)))
        self.assertEqual(read, events_in(path))


class WhichTest(RecordTestCase):
    def test_without_a_node_it_says_what_there_is(self):
        self.add_keyboard()
        status, output, complaint = run("record")
        self.assertEqual((status, output), (2, ""))
        lines = complaint.splitlines()
        self.assertEqual(lines[-1], "forcetouchctl: which device? forcetouchctl record NODE, out of these")
        (line,) = lines[:-1]
        self.assertRegex(line, rf"^  {NODE}  Apple Inc\. Magic Trackpad 2  trackpad$")

    def test_another_node_is_refused_with_where_to_look(self):
        self.assertEqual(
            run("record", "/dev/input/event77"),
            (1, "", "forcetouchctl: there is no /dev/input/event77; "
             "forcetouchctl record, alone, lists the nodes that there are\n"))

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_who_may_not_read_it_is_told_how(self):
        root = self.testbed.get_root_dir()
        for folder, _, files in os.walk(root):  # umockdev's own sockets
            os.chmod(folder, 0o777)
            for file in files if "/ioctl" in folder else ():
                os.chmod(os.path.join(folder, file), 0o777)
        os.chmod(root + NODE, 0o600)
        self.assertEqual(
            run("record", NODE, user=NOBODY, group=NOBODY, extra_groups=[]),
            (1, "", f"forcetouchctl: this user may not read {NODE}: use sudo; the members of the group "
             "input may, too\n"))


class NoDeviceTest(LiveTestCase):
    """What is said to who misses a device."""

    def test_every_input_device_is_named_with_why_it_is_none(self):
        self.add_keyboard()
        daemon = self.start()
        reason = r"/dev/input/event9  Keyboard with ABS_MT_PRESSURE  a keyboard, says udev"
        for command in ("devices", "capability"):
            status, output, complaint = run(command, "--socket", daemon.path)
            self.assertEqual((status, complaint), (0, ""))
            self.assertIn("There is no trackpad or touchscreen. There are:\n  " + reason, output)
        self.assertIn(
            f"\ndevices\n  There is no trackpad or touchscreen. There are:\n    {reason}\nsettings\n",
            run("status", "--socket", daemon.path)[1])
        self.assertIn(
            "there is no trackpad or touchscreen among 1 input devices: /dev/input/event9 "
            "(Keyboard with ABS_MT_PRESSURE) is a keyboard, says udev", daemon.output())
        monitor = subprocess.Popen(
            [BIN / "forcetouchctl", "monitor", "--socket", daemon.path], stdout=subprocess.PIPE, text=True)
        self.addCleanup(monitor.stdout.close)
        self.addCleanup(monitor.wait)
        self.addCleanup(monitor.kill)
        self.assertEqual([monitor.stdout.readline() for _ in range(3)], [
            "There is no trackpad or touchscreen. There are:\n", f"  {reason}\n",
            "Waiting for one; Ctrl-C ends it.\n"])
        self.assertEqual(run("record"), (
            1, "", f"There is no trackpad or touchscreen. There are:\n  {reason}\n"
            "forcetouchctl: there is nothing to record\n"))

    def test_a_machine_without_any_is_told_so(self):
        self.assertIn("udev knows no input device at all", run("devices", "--socket", self.start().path)[1])


class ProgressTest(LiveTestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.mkdtemp(prefix="forcetouch-progress-")
        self.addCleanup(shutil.rmtree, folder)
        self.path = pathlib.Path(folder, "long.evemu")
        # A second passes in the middle of it, whatever the machine; what is read then is told.
        lines = "".join(f"E: {{0}}.{number:06} 0004 0005 {number}\nE: {{0}}.{number:06} 0000 0000 0\n"
                        for number in range(9000))
        self.path.write_text("N: Pad\nI: 0003 0001 0001 0001\n" + lines.format(1) + lines.format(2))

    arguments = ("--speed", "original")

    def test_a_large_recording_tells_how_far_it_is_read(self):
        terminal = Terminal("replay", self.path, *self.arguments)
        self.addCleanup(terminal.close)
        share = int(terminal.expect(re.escape(str(self.path)) + r": (\d+) %\x1b\[K")[1])
        self.assertIn(share, range(101))
        self.assertEqual(terminal.end(), 0)
        # It is gone before anything else is printed.
        self.assertIn("\r\x1b[K0 contacts, 0 peeks, 0 pops", terminal.shown)
        self.assertNotIn("%", terminal.last_line())

    def test_where_nobody_looks_it_is_not_told(self):
        self.assertEqual(run("replay", self.path, *self.arguments)[2], "")


if __name__ == "__main__":
    unittest.main()

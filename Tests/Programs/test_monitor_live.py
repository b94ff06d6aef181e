"""The live monitor on a real terminal, by what stands on the screen."""

import os
import pathlib
import re
import signal
import subprocess
import termios
import unittest

from PIL import Image
from support import DEMO, MONITOR, ROOT, Daemon, events_of, run, without_changes, wait_until
from tmux import COLORS, Terminal

FIXTURES = ROOT / "Tests/Fixtures/devices"
# In the demo's recording the second contact is past the pop then, pressed with 180 of 190.
HELD = 1.655


def lasting(folder, name="lasting.evemu", source=DEMO, until=None):
    """A recording whose device stays for minutes after its last frame, or after the one at `until`,
    with the fingers as they are then. A still finger sends nothing, and nothing is heard of the frames
    that keep it: they repeat where a slot without a finger was."""
    lines = []
    for line in source.read_text().splitlines():
        if line.startswith("E:") and until is not None and float(line.split()[1]) > until:
            break
        lines.append(line)
    time = float(lines[-1].split()[1])
    for _ in range(8):
        time += 50
        lines += [f"E: {time:.6f} 0003 002f 9", f"E: {time:.6f} 0003 0036 1",
                  f"E: {time:.6f} 0003 002f 0", f"E: {time:.6f} 0000 0000 0"]
    path = pathlib.Path(folder) / name
    path.write_text("\n".join(lines) + "\n")
    return path


def repeated(folder, times=100):
    """A recording that goes on for minutes."""
    lines = DEMO.read_text().splitlines()
    events = [line.split(maxsplit=2)[1:] for line in lines if line.startswith("E:")]
    again = [line for line in lines if not line.startswith("E:")]
    for number in range(times):
        again += [f"E: {float(time) + 5 * number:.6f} {event}" for time, event in events]
    path = pathlib.Path(folder) / "repeated.evemu"
    path.write_text("\n".join(again) + "\n")
    return path


class LiveMonitorTestCase(unittest.TestCase):
    """A daemon with a device that stays, and a terminal."""

    columns, rows = 80, 24
    until = HELD

    def setUp(self):
        self.terminal = Terminal(self.columns, self.rows)
        self.addCleanup(self.terminal.close)
        self.recording = lasting(self.terminal.folder, until=self.until)
        self.daemon = Daemon(*self.daemon_arguments())
        self.addCleanup(self.daemon.close)

    def daemon_arguments(self):
        return "--replay", self.recording

    def start(self, *arguments, before="", **variables):
        self.terminal.start(
            "monitor", "--socket", self.daemon.path, *arguments, before=before, **variables)
        return self.terminal.wait_for("q  quit")

    def wait_for_pop(self):
        """The recording stands still there."""
        return self.terminal.wait_for(re.compile(r"#2\s+pop\s+force 6\.32 of 6\.67\s+raw 180"))


class ScreenTest(LiveMonitorTestCase):
    def test_a_press_is_seen_with_its_marks(self):
        self.start()
        screen = self.wait_for_pop()
        lines = screen.split("\n")
        self.assertIn("Apple Inc. Magic Trackpad 2", lines[0])
        self.assertIn("available: known to measure force; peek at 106, pop at 155", lines[1])
        # The bar, under the names of its marks; force 6.32 of 6.67 is past both, and each is cut
        # out of it just under its name.
        names = next(n for n, line in enumerate(lines) if "peek" in line and "6.67" in line)
        bar = lines[names + 1]
        self.assertRegex(bar, "█{20}")
        for word, part in ("peek", 106 / 190), ("pop", 155 / 190):
            start = lines[names].index(word)
            marks = [n for n in range(start - 1, start + len(word) + 1) if bar[n] == "│"]
            self.assertEqual(len(marks), 1, "\n".join(lines))
            width = len(bar.rstrip()) - bar.index("█")
            self.assertAlmostEqual((marks[0] - bar.index("█")) / width, part, delta=0.03)
        # On the pad, a spot with its name.
        self.assertIn("162 × 115 mm", screen)
        self.assertRegex(screen, "█+▄? ?#2 pop |█+▀? ?#2 pop ")
        for event in "began", "peek", "pop":
            self.assertRegex(screen, rf"\d\.\d{{3}}\s+#2\s+{event}\s+force \d")
        self.assertRegex(screen, r"\d+ a second")
        self.assertIn("of the fastest", screen)
        self.assertTrue(lines[23].startswith(" p  pause"), screen)

    def test_it_follows_the_size_of_the_terminal(self):
        self.start()
        small = self.wait_for_pop()

        def pad(screen):
            return [line for line in screen.split("\n") if re.match(r" │.*│", line)]

        self.terminal.resize(120, 40)
        wait_until(lambda: self.terminal.lines()[39].startswith(" p  pause"), "it fills the screen")
        large = self.terminal.text()
        self.assertGreater(len(pad(large)), len(pad(small)) + 4)
        self.assertGreater(large.count("█"), 2 * small.count("█"))
        self.terminal.resize(50, 12)
        screen = self.terminal.wait_for("The monitor needs 72×20")
        self.assertIn("50×12", screen)
        self.terminal.resize(72, 20)
        wait_until(lambda: self.terminal.lines()[19].startswith(" p  pause"), "it fits again")
        self.assertRegex(self.terminal.text(), r"#2\s+pop")

    def test_a_terminal_may_be_called_larger_than_any(self):
        self.start()
        self.wait_for_pop()
        terminal = self.terminal.tmux("display-message", "-p", "#{pane_tty}").strip()
        descriptor = os.open(terminal, os.O_RDWR | os.O_NOCTTY)
        self.addCleanup(os.close, descriptor)
        termios.tcsetwinsize(descriptor, (32_000, 32_000))
        # What belongs below its last row is drawn on that.
        wait_until(lambda: not self.terminal.lines()[23].startswith(" p  pause"), "it is drawn")
        process = pathlib.Path(f"/proc/{self.terminal.pid()}/status")
        memory = int(re.search(r"VmRSS:\s+(\d+) kB", process.read_text())[1])
        self.assertLess(memory, 1_000_000)
        termios.tcsetwinsize(descriptor, (24, 80))
        wait_until(lambda: self.terminal.lines()[23].startswith(" p  pause"), "it fits again")
        termios.tcsetwinsize(descriptor, (65_535, 65_535))
        self.terminal.press("q")
        self.terminal.wait_for("status 0")

    def test_the_end_of_a_recording_is_the_end(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        self.terminal.start("monitor", "--socket", daemon.path)
        screen = self.terminal.wait_for("status 0")
        self.assertIn("d1  Apple Inc. Magic Trackpad 2: 3 contacts, 2 peeks, 1 pop", screen)


class PictureTest(LiveMonitorTestCase):
    """The picture in README.md; `SCREENSHOTS` is where it is kept."""

    columns, rows = 100, 30
    # The third contact peeks, after the second popped.
    until = 2.602

    def test_the_screen_is_drawn_as_a_picture(self):
        self.start()
        self.terminal.wait_for(re.compile(r"#3\s+peek\s+force 4\.46 of 6\.67\s+raw 127"))
        folder = pathlib.Path(os.environ.get("SCREENSHOTS", self.terminal.folder))
        picture = folder / "monitor.png"
        capture = self.terminal.tmux("capture-pane", "-e", "-p", "-N")
        subprocess.run(
            [ROOT / "scripts/terminal-picture", picture], input=capture, text=True, check=True)
        with Image.open(picture) as image:
            width, height = image.size
            colors = {color for _, color in image.convert("RGB").getcolors(1 << 20)}
        self.assertEqual((width, height), (100 * 10 + 24, 30 * 19 + 24))
        # The colors of a touch, a peek and a pop.
        self.assertLessEqual({(95, 175, 215), (255, 175, 0), (255, 95, 175)}, colors)


class LookTest(LiveMonitorTestCase):
    def look(self, **variables):
        self.start(**variables)
        self.wait_for_pop()
        return self.terminal.colored()

    def test_256_colors(self):
        self.assertIn("48;5;205", self.look(TERM="screen-256color"))

    def test_8_colors(self):
        screen = self.look(TERM="xterm")
        self.assertRegex(screen, r"\x1b\[(?:\d+;)*45m")
        self.assertNotIn("8;5;", screen)

    def test_no_colors_are_on_a_terminal_that_has_none(self):
        self.assertNotRegex(self.look(TERM="vt100"), COLORS)

    def test_no_color_is_respected(self):
        self.assertNotRegex(self.look(TERM="screen-256color", NO_COLOR="1"), COLORS)

    def test_only_ascii_is_written_where_nothing_else_is_shown(self):
        self.start(LC_ALL="C")
        screen = self.wait_for_pop()
        self.assertTrue(screen.isascii(), screen)
        self.assertRegex(screen, "#{20}")
        self.assertIn("162 x 115 mm", screen)


class KeyTest(LiveMonitorTestCase):
    def test_help(self):
        self.start()
        self.terminal.press("?")
        screen = self.terminal.wait_for("1.00 is an ordinary touch")
        self.assertIn("save the last 30 seconds", screen)
        self.terminal.press("Escape")
        self.terminal.wait_for("force, the last")

    def test_a_sensitivity_is_tried_here_only(self):
        self.start()
        self.wait_for_pop()
        self.terminal.press("s")
        self.terminal.wait_for("TRIAL: light, here only")
        self.terminal.press("s", "s")
        screen = self.terminal.wait_for("TRIAL: firm, here only")
        # 50 + 1.25 * 0.4 * 140, and 50 + 1.25 * 0.75 * 140: 180 is no pop any more.
        self.assertIn("peek at 120, pop at 181.3", screen)
        self.assertRegex(screen, r"#2\s+peek\s+force 6\.32")
        self.assertNotRegex(screen, r"#\d\s+pop")
        device = self.daemon.ask("org.forcetouchd.Devices.List")["parameters"]["devices"][0]
        self.assertEqual(device["thresholds"]["pop"], 155)
        self.terminal.press("s")
        screen = self.terminal.wait_for("pop at 155")
        self.assertNotIn("TRIAL", screen)
        self.assertRegex(screen, r"#2\s+pop")

    def test_a_saved_recording_replays_to_the_same_events(self):
        self.start()
        self.wait_for_pop()
        names = []

        def another():
            found = re.search(r"Saved 1\.6 s: (forcetouch-[\d-]+\.yml)", self.terminal.text())
            return found and found[1] not in names and found[1]

        for _ in range(2):
            self.terminal.press("w")
            names.append(wait_until(another, "a file of its own"))
        names = [self.terminal.folder / name for name in names]
        first, second = (path.read_text() for path in names)
        self.assertEqual(first, second)
        status, output, complaints = run("replay", names[0], "--json")
        self.assertEqual((status, complaints), (0, ""))
        _, expected, _ = run("replay", self.recording, "--json")
        kinds = [e for e in without_changes(events_of(expected)) if e[1] <= HELD * 1000]
        self.assertEqual(without_changes(events_of(output))[:len(kinds)], kinds)
        self.assertIn("pop", [kind for kind, _ in kinds])
        _, saved, _ = run("probe", names[0])
        _, original, _ = run("probe", self.recording)
        self.assertEqual(saved.split(), original.split())

    def test_a_recording_that_cannot_be_whole_is_not_kept(self):
        self.start(before="ulimit -f 1;")
        self.wait_for_pop()
        self.terminal.press("w")
        self.terminal.wait_for(
            re.compile(r"Not saved: cannot write forcetouch-[\d-]+\.yml: File too large"))
        self.assertEqual(list(self.terminal.folder.glob("forcetouch-*")), [])


class PauseTest(LiveMonitorTestCase):
    def daemon_arguments(self):
        return "--replay", repeated(self.terminal.folder)

    def test_the_screen_stands_still_and_goes_on(self):
        raw = self.daemon.connect()
        self.addCleanup(raw.close)
        self.start()
        self.terminal.press("p")
        self.terminal.wait_for("PAUSED: p goes on")
        # Somebody else hears it all meanwhile.
        raw.call(f"{MONITOR}.Watch", {}, more=True)

        def hear(kind):
            while (event := raw.reply()["parameters"].get("event", {})).get("event") != kind:
                pass
            return event["contact"]

        def contacts():
            return re.findall(r"#(\d+)\s+(\w+)", self.terminal.text())

        contact = hear("began")
        before = contacts()
        while hear("ended") < contact:
            pass
        self.assertEqual(contacts(), before)
        self.terminal.press("p")
        wait_until(lambda: any(int(number) >= contact for number, _ in contacts()), "it goes on")
        self.assertNotIn("PAUSED", self.terminal.text())


class DevicesTest(LiveMonitorTestCase):
    def daemon_arguments(self):
        other = lasting(self.terminal.folder, "other.evemu")
        other.write_text(other.read_text().replace(
            "Apple Inc. Magic Trackpad 2", "E\tvil\x1b]0;name\x07 pad").replace("004c 0265", "0001 0002"))
        return "--replay", self.recording, other

    def test_another_device_is_chosen(self):
        screen = self.start()
        self.assertIn("d1 Apple Inc. Magic Trackpad 2", screen)
        self.assertIn("1 of 2 devices", screen)
        self.terminal.press("d")
        screen = self.terminal.wait_for("unknown: nobody has described yet")
        self.assertIn("available: known to measure force", screen)
        self.terminal.press("Down", "Enter")
        screen = self.terminal.wait_for("monitor  d2")
        # What a device calls itself writes characters, and does nothing else.
        self.assertIn("vil", screen.split("\n")[0])
        self.assertRegex(self.terminal.wait_for("raw"), r"#\d")
        self.terminal.press("s")
        self.terminal.wait_for("this device does not feel force")


class NoDeviceTest(unittest.TestCase):
    def test_it_waits_and_says_so(self):
        daemon = Daemon()
        self.addCleanup(daemon.close)
        terminal = Terminal()
        self.addCleanup(terminal.close)
        terminal.start("monitor", "--socket", daemon.path)
        # Why each that there is counts for none, as `devices` says it.
        _, output, _ = run("devices", "--socket", daemon.path)
        screen = terminal.wait_for("Waiting for one.")
        self.assertIn(output.split("\n")[0][:70], screen)
        terminal.press("d")
        terminal.press("q")
        terminal.wait_for("status 0")


class EndTest(LiveMonitorTestCase):
    """However it ends, the terminal is as it was."""

    def end(self, by, status, said=""):
        before = self.terminal.modes()
        self.start()
        self.wait_for_pop()
        self.assertEqual(
            self.terminal.tmux("display-message", "-p", "#{alternate_on}").strip(), "1")
        by()
        screen = self.terminal.wait_for(re.compile(rf"^status {status}$", re.MULTILINE))
        # A line that is too long goes on in the next.
        self.assertIn(said, screen.replace("\n", ""))
        self.assertEqual(self.terminal.modes(), before)

    def kill(self, number):
        return lambda: os.kill(self.terminal.pid(), number)

    def test_q(self):
        self.end(lambda: self.terminal.press("q"), 0, "2 contacts, 1 peek, 1 pop")

    def test_ctrl_c(self):
        self.end(lambda: self.terminal.press("C-c"), 0)

    def test_sigterm(self):
        self.end(self.kill(signal.SIGTERM), 128 + signal.SIGTERM)

    def test_a_crash(self):
        self.end(self.kill(signal.SIGSEGV), 128 + signal.SIGSEGV)

    def test_a_trap(self):
        self.end(self.kill(signal.SIGILL), 128 + signal.SIGILL)

    def test_the_daemon_is_killed(self):
        self.end(lambda: self.daemon.stop(signal.SIGKILL), 1, "is forcetouchd running?")

    def test_the_daemon_stops(self):
        self.end(self.daemon.stop, 0)

    def test_ctrl_z_and_back(self):
        before = self.terminal.modes()
        self.start()
        self.wait_for_pop()
        self.terminal.press("C-z")
        self.terminal.wait_for("Stopped")
        self.assertEqual(self.terminal.modes(), before)
        self.terminal.type("clear; fg")
        screen = self.wait_for_pop()
        self.assertIn("q  quit", screen)
        self.terminal.press("q")
        self.terminal.wait_for(re.compile(r"^\$", re.MULTILINE))
        self.assertEqual(self.terminal.modes(), before)

    def test_ctrl_z_and_another_daemon(self):
        self.start("d1")
        self.wait_for_pop()
        self.terminal.press("w")
        self.terminal.wait_for("Saved")
        (first,) = self.terminal.folder.glob("forcetouch-*.yml")
        self.terminal.press("C-z")
        self.terminal.wait_for("Stopped")
        self.daemon.process.kill()
        self.daemon.process.wait()
        other = lasting(self.terminal.folder, "other.evemu", until=HELD)
        other.write_text(
            other.read_text().replace("Apple Inc. Magic Trackpad 2", "Other").replace(
                "004c 0265", "004c 0324"))
        self.addCleanup(Daemon("--replay", other, folder=self.daemon.folder).close)
        self.terminal.type("clear; fg")
        self.terminal.wait_for("monitor  d1 Other")
        self.terminal.wait_for(re.compile("#2.*raw 180"))
        self.terminal.press("Escape")
        self.terminal.wait_for("q  quit")
        self.terminal.press("w")
        self.terminal.wait_for("Saved")
        (second,) = set(self.terminal.folder.glob("forcetouch-*.yml")) - {first}
        for path, name in (first, "Apple Inc. Magic Trackpad 2"), (second, "Other"):
            self.assertEqual(re.search('name: "(.+)"', path.read_text())[1], name)
        self.terminal.press("q")
        screen = self.terminal.wait_for("d1  Other:")
        self.assertIn("d1  Apple Inc. Magic Trackpad 2: ", screen)

    def test_ctrl_z_and_kill(self):
        before = self.terminal.modes()
        self.start()
        self.wait_for_pop()
        self.terminal.press("C-z")
        self.terminal.wait_for("Stopped")
        process = pathlib.Path(f"/proc/{self.terminal.pid()}")
        self.terminal.type("kill %1")
        wait_until(lambda: not process.exists(), "it ends")
        # The shell says so before its next prompt.
        self.terminal.press("Enter")
        self.terminal.wait_for("Terminated")
        self.assertEqual(self.terminal.modes(), before)


class LinesTest(LiveMonitorTestCase):
    until = None

    def test_plain_prints_lines_on_a_terminal(self):
        self.terminal.start("monitor", "--plain", "--socket", self.daemon.path)
        screen = self.terminal.wait_for(re.compile(r"#3\s+ended"))
        self.assertRegex(screen, r"1\.588  #2   pop +█+\S +force 5\.44")
        self.assertNotIn("q  quit", screen)

    def test_a_terminal_that_cannot_be_drawn_on_gets_lines(self):
        self.terminal.start("monitor", "--socket", self.daemon.path, TERM="dumb")
        self.terminal.wait_for(re.compile(r"#3\s+ended"))

    def test_a_terminal_of_an_unknown_kind_gets_lines(self):
        self.terminal.start("monitor", "--socket", self.daemon.path, TERM="there-is-none")
        self.terminal.wait_for(re.compile(r"#3\s+ended"))


if __name__ == "__main__":
    unittest.main()

"""The example in a real window, pressed by a recording and a real daemon."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(FOLDER / "../../Tests/Programs"))

from screen import Screen, darkest, differ
from support import MONITOR, PATIENCE, ROOT, Daemon, wait_until

SLOW_PRESS = ROOT / "Examples/recordings/slow-press.evemu"
# A machine that does other things too must not be taken for a program that does not answer.
SETTINGS = FOLDER / "Tests/patient.yaml"
# Where `make screenshots` wants them.
SCREENSHOTS = os.environ.get("SCREENSHOTS")

# The window, as its .ui file and its style sheet make it.
ROW, TABLE, WIDTH, HEIGHT = 65, 320, 760, 400
LETTER, PLACE, PERSON, GIFT, LETTER_2, PLACE_2 = range(6)
OPENED = (TABLE + 2, 0, WIDTH, HEIGHT - 60)
HINT = (TABLE + 2, HEIGHT - 60, WIDTH, HEIGHT)


def row(number):
    return (0, ROW * number + 2, TABLE - 2, min(ROW * number + 62, HEIGHT))


def middle_of(number):
    return (150, ROW * number + 32)


class WindowTestCase(unittest.TestCase):
    def setUp(self):
        self.screen = Screen()
        self.addCleanup(self.screen.close)

    def start_daemon(self, **options):
        self.daemon = Daemon("--replay", SLOW_PRESS, "--config", SETTINGS, **options)
        self.addCleanup(self.daemon.close)
        return self.daemon.path

    def start(self, socket):
        """Starts the program, and waits until its window is there."""
        self.program = self.screen.start(socket)
        self.addCleanup(self.end_program)
        wait_until(lambda: darkest(self.screen.image(), row(LETTER)) < 80
                   and max(self.screen.image().getpixel((5, 5))) > 200, "the window is there")
        return self.screen.settled()

    def end_program(self):
        self.assertIsNone(self.program.poll(), "the program is still alive")
        self.program.terminate()
        complaints = self.program.communicate(timeout=PATIENCE)[1]
        self.assertEqual(complaints, "")

    def point_at(self, number):
        self.screen.pointer("mousemove", *middle_of(number))

    def press(self, number):
        """Puts the pointer on a row. The program says that it is there, whereupon the recording
        plays; gives what its finger does."""
        self.point_at(number)
        return Finger(self.daemon)

    def when(self, condition, what):
        """The first image for which the condition holds, and the screen does not change any more."""
        wait_until(lambda: condition(self.screen.image()), what)
        image = self.screen.settled()
        self.assertTrue(condition(image), what)
        return image

    def save(self, image, name):
        if SCREENSHOTS:
            image.save(os.path.join(SCREENSHOTS, name), optimize=True)


class Finger:
    """What the finger of the recording does, once the program made the recording play."""

    def __init__(self, daemon):
        # A recording that is watched plays, too; so it is watched when it plays already.
        wait_until(lambda: any(
            device["open"]
            for device in daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["devices"]),
            "the recording plays")
        self.raw = daemon.connect(timeout=30)
        self.raw.call(f"{MONITOR}.Watch", more=True)
        self.pending = self.raw.reply()["parameters"]["snapshot"]["events"]

    def until(self, kind):
        self.until_event(lambda event: event["event"] == kind, kind)

    def until_raw(self, raw):
        self.until_event(lambda event: event.get("raw", 0) >= raw, f"{raw} of pressure")

    def until_event(self, condition, what):
        while True:
            while self.pending:
                if condition(self.pending.pop(0)):
                    return
            reply = self.raw.reply()
            if not reply:
                raise AssertionError(f"the recording ended without {what}")
            if "event" in reply["parameters"]:
                self.pending.append(reply["parameters"]["event"])


def is_dimmed(image, box):
    return darkest(image, box) > 150


def is_in_focus(image, box):
    return darkest(image, box) < 80


def is_peek_at(number):
    others = [row(other) for other in range(6) if other != number]
    return lambda image: is_in_focus(image, row(number)) and all(
        is_dimmed(image, other) for other in others)


def is_table(image):
    return all(is_in_focus(image, row(number)) for number in range(6))


class PeekAndPopTest(WindowTestCase):
    def test_a_light_press_shows_the_preview_and_lifting_takes_it_away(self):
        before = self.start(self.start_daemon())
        self.save(before, "table.png")
        finger = self.press(PLACE)
        finger.until("peek")
        peek = self.when(is_peek_at(PLACE), "the other rows are dimmed")
        self.save(peek, "table-peek.png")
        self.assertTrue(is_dimmed(peek, HINT))
        # The preview is beside the row, and as dark as ever.
        left, top, right, bottom = differ(before, peek, OPENED)
        self.assertLess(left, 30)
        self.assertLess(top, middle_of(PLACE)[1])
        self.assertGreater(bottom, middle_of(PLACE)[1])
        self.assertTrue(is_in_focus(peek, (TABLE + 2 + left, top, TABLE + 2 + right, bottom)))
        # Beside what is previewed there is nothing.
        self.assertLess(right, WIDTH - TABLE - 100)

        finger.until("peekEnded")
        after = self.when(is_table, "the rows are back")
        self.assertIsNone(differ(before, after, OPENED))
        self.assertIsNone(differ(before, after, HINT))

        finger.until("pop")
        pop = self.when(
            lambda image: is_table(image) and is_in_focus(image, OPENED), "the page is opened")
        self.save(pop, "table-pop.png")

        # It is the page that a click opens.
        finger.until("ended")
        self.screen.pointer("mousemove", *middle_of(LETTER), "click", 1)
        letter = self.when(lambda image: differ(image, pop, OPENED), "another page is opened")
        self.screen.pointer("mousemove", *middle_of(PLACE), "click", 1)
        self.when(lambda image: differ(image, letter, OPENED), "the page is opened again")
        self.assertIsNone(differ(pop, self.screen.settled(), OPENED))

    def test_a_gift_can_be_peeked_at_and_not_opened(self):
        before = self.start(self.start_daemon())
        finger = self.press(GIFT)
        finger.until("peek")
        self.when(is_peek_at(GIFT), "the other rows are dimmed")
        finger.until("pop")
        after = self.when(is_table, "the preview is gone")
        self.assertIsNone(differ(before, after, OPENED))

    def test_the_finger_that_peeks_clicks_nothing(self):
        before = self.start(self.start_daemon())
        finger = self.press(PLACE)
        # Most trackpads click before the peek. (The list forgets a click that is held for long.)
        finger.until_raw(85)
        self.screen.pointer("mousedown", 1)
        finger.until("peek")
        wait_until(lambda: is_peek_at(PLACE)(self.screen.image()), "the other rows are dimmed")
        self.screen.pointer("mouseup", 1)
        # Others click when they are pressed harder.
        self.screen.pointer("click", 1)
        finger.until("peekEnded")
        after = self.when(is_table, "the preview is gone")
        self.assertIsNone(differ(before, after, OPENED))


class WithoutForceTest(WindowTestCase):
    def test_it_is_a_table_whose_rows_are_opened_by_clicks(self):
        last = self.start("/nonexistent/socket")
        for number in (LETTER, PLACE, PERSON, LETTER_2, PLACE_2):
            self.screen.pointer("mousemove", *middle_of(number), "click", 1)
            last_page = last
            last = self.when(
                lambda image: differ(image, last_page, OPENED), f"row {number} is opened")
            self.assertTrue(is_table(last))
        self.screen.pointer("mousemove", *middle_of(GIFT), "click", 1)
        self.assertIsNone(differ(last, self.screen.settled(), OPENED), "the gift stays closed")

    def test_a_daemon_that_comes_later_is_found(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        without = self.start(os.path.join(folder, "socket"))
        self.start_daemon(folder=folder)
        self.when(lambda image: differ(image, without, HINT), "the hint says that there is force")
        self.press(PERSON).until("peek")
        self.when(is_peek_at(PERSON), "the other rows are dimmed")


class MistakesTest(unittest.TestCase):
    def test_the_compiler_refuses_each_wrong_initializer_and_says_what_is_right(self):
        build = FOLDER / ".build/debug"
        includes = subprocess.run(
            ["pkg-config", "--cflags-only-I", "gtk4"], check=True, text=True,
            capture_output=True).stdout.split()
        done = subprocess.run(
            ["swiftc", "-typecheck", "-swift-version", "6", "-Xfrontend", "-verify", "-Xfrontend",
             "-verify-ignore-unrelated", "-I", build / "Modules", "-I", FOLDER / "Sources/CGTK",
             "-Xcc", f"-fmodule-map-file={build}/CLinux.build/module.modulemap",
             *[word for include in includes for word in ("-Xcc", include)],
             FOLDER / "Tests/wrong-initializers.swift"],
            capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

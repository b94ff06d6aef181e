"""The example on a real Wayland compositor: the kernel's events go to the compositor and to
forcetouchd side by side; the program gets its touch from the one and the force from the other."""

import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

import uinput
from machine import (
    ALLOW_VIRTUAL, MachineTestCase, all_open, device_of, set_udev_rules, start_daemon, statistics,
    write)
from sessions import Session, UserStream, add_user
from support import PREVIEWING, ROOT, wait_until

USER = "alice"
RUNTIME = pathlib.Path("/run/wayland-test")
PROGRAM = pathlib.Path("/usr/local/bin/TableView")
SCREENSHOTS = ROOT / "screenshots"
SETTINGS = pathlib.Path("/etc/forcetouchd/conf.d/wayland.yaml")
# All of this runs under emulation.
PATIENT = "previewing: {question-timeout-ms: 2000, total-timeout-ms: 4000, claim-window-ms: 5000}\n"
SECONDS = 60

# The window fills the screen.
WIDTH, HEIGHT, ROW, TABLE = 1280, 720, 65, 320
CONFIGURATION = f"""
output HEADLESS-1 resolution {WIDTH}x{HEIGHT}
input type:touch map_to_output HEADLESS-1
default_border none
exec {PROGRAM} >{RUNTIME}/program.log 2>&1
"""
PLACE, GIFT = 1, 3


class Compositor:
    """sway with a screen that is only in memory, and libinput's devices. Of the session's user."""

    def __init__(self):
        RUNTIME.mkdir(mode=0o700, exist_ok=True)
        uid = add_user(USER)
        os.chown(RUNTIME, uid, uid)
        self.session = Session(USER, 3)
        self.session.activate()
        self.seatd = subprocess.Popen(["seatd", "-u", USER], stderr=subprocess.DEVNULL)
        wait_until(lambda: os.path.exists("/run/seatd.sock"), "seatd answers", SECONDS)
        write(RUNTIME / "configuration", CONFIGURATION)
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(RUNTIME), "XDG_RUNTIME_DIR": str(RUNTIME),
            "LIBSEAT_BACKEND": "seatd", "WLR_BACKENDS": "headless,libinput",
            "WLR_RENDERER": "pixman", "WLR_HEADLESS_OUTPUTS": "1",
            "GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo", "GTK_A11Y": "none"}
        with open(RUNTIME / "sway.log", "w") as log:
            self.sway = subprocess.Popen(
                ["sway", "-c", str(RUNTIME / "configuration")], user=uid, group=uid,
                extra_groups=[], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log)
        self.user = {"user": uid, "group": uid, "extra_groups": []}
        wait_until(lambda: list(RUNTIME.glob("sway-ipc.*")), "sway answers", SECONDS)
        self.environment["SWAYSOCK"] = str(next(RUNTIME.glob("sway-ipc.*")))
        wait_until(lambda: list(RUNTIME.glob("wayland-?")), "sway has a display", SECONDS)
        self.environment["WAYLAND_DISPLAY"] = next(RUNTIME.glob("wayland-?")).name

    def point_at(self, x, y):
        subprocess.run(["swaymsg", f"seat seat0 cursor set {x} {y}"], check=True, timeout=SECONDS,
                       env=self.environment, stdout=subprocess.DEVNULL, **self.user)

    def image(self):
        done = subprocess.run(["grim", "-t", "ppm", "-"], check=True, timeout=SECONDS,
                              env=self.environment, stdout=subprocess.PIPE, **self.user)
        return Image(done.stdout)

    def complaints(self):
        return (RUNTIME / "program.log").read_text()

    def close(self):
        for process in (self.sway, self.seatd):
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=SECONDS)
        self.session.end()


class Image:
    """A picture in the format PPM."""

    def __init__(self, data):
        self.data = data
        header, self.pixels = data.split(b"\n255\n", 1)
        self.width, self.height = map(int, header.split()[1:3])

    def rows(self, box):
        left, top, right, bottom = box
        return [self.pixels[3 * (y * self.width + left):3 * (y * self.width + right)]
                for y in range(top, bottom)]

    def darkest(self, box):
        return min(map(min, self.rows(box)))

    def brightest(self, box):
        return max(map(max, self.rows(box)))

    def is_like(self, other, box):
        return self.rows(box) == other.rows(box)

    def save(self, name):
        SCREENSHOTS.mkdir(exist_ok=True)
        (SCREENSHOTS / name).write_bytes(self.data)


OPENED = (TABLE + 2, 0, WIDTH, HEIGHT - 80)


def row(number):
    return (4, ROW * number + 2, TABLE - 20, ROW * number + 62)


def is_table(image):
    """Dark text on a light ground; before the window comes, all is dark."""
    return all(image.darkest(row(number)) < 80 < 200 < image.brightest(row(number))
               for number in range(6))


def is_peek_at(number):
    return lambda image: all(
        (image.darkest(row(other)) < 80) == (other == number) for other in range(6))


class WaylandTest(MachineTestCase):
    @classmethod
    def setUpClass(cls):
        # Other users do not see /host.
        shutil.copy(ROOT / PROGRAM.name, PROGRAM)

    def setUp(self):
        set_udev_rules(ALLOW_VIRTUAL)
        write(SETTINGS, PATIENT)
        self.addCleanup(SETTINGS.unlink)
        start_daemon()
        super().setUp()

    def start(self, device):
        """The compositor with the program, whose window has been drawn."""
        # sway begins with the devices that there are, and does not begin without any.
        self.plug(device)
        self.assertEqual(device_of(device)["capability"], "available")
        self.compositor = Compositor()
        self.addCleanup(self.compositor.close)
        return self.when(is_table, "the window is there")

    def when(self, condition, what):
        """The first image for which the condition holds."""
        image = None

        def holds():
            nonlocal image
            image = self.compositor.image()
            return condition(image)

        try:
            wait_until(holds, what, SECONDS)
        except AssertionError:
            image.save("failed.ppm")
            raise AssertionError(
                f"not: {what}; the program says: {self.compositor.complaints()}"
                f"; the daemon: {statistics()}") from None
        return image

    def assertPreview(self, before, peek, number):
        """Beside the row there is a preview, and nothing below it."""
        beside = (TABLE + 20, ROW * number + 20, TABLE + 240, ROW * number + 60)
        self.assertFalse(before.is_like(peek, beside))
        self.assertLess(peek.darkest((TABLE + 20, 0, TABLE + 300, 300)), 80)
        self.assertTrue(before.is_like(peek, (TABLE + 20, 350, WIDTH, HEIGHT - 80)))

    def test_a_press_on_the_screen_is_claimed_peeks_and_pops(self):
        screen = uinput.touchscreen(pressure=(0, 400, 1))  # peek at 133, pop at 250
        before = self.start(screen)
        other = UserStream(USER, f"{PREVIEWING}.Register", coverage="view", active=True)
        self.addCleanup(other.close)
        place = {"x": 150 * 3000 // WIDTH, "y": (ROW * PLACE + 32) * 2000 // HEIGHT}

        wait_until(all_open, "the screen is open", SECONDS)
        screen.touch(40, **place)
        time.sleep(0.5)  # the touch goes through the compositor to the program, and is claimed
        for pressure in (90, 120, 150):
            screen.touch(pressure, **place)
        peek = self.when(is_peek_at(PLACE), "the preview is shown")
        peek.save("touch-peek.ppm")
        self.assertPreview(before, peek, PLACE)
        screen.lift()
        after = self.when(is_table, "the preview is gone")
        self.assertTrue(before.is_like(after, OPENED))

        screen.touch(40, **place)
        time.sleep(0.5)
        for pressure in (90, 150, 200, 280):
            screen.touch(pressure, **place)
        pop = self.when(lambda image: is_table(image) and not image.is_like(before, OPENED),
                        "the row is opened")
        screen.lift()
        pop.save("touch-pop.ppm")
        # Another program on the same screen learns nothing of these touches.
        self.assertEqual([reply for reply in other.received() if "event" in reply], [])

    def test_a_press_on_a_pad_peeks_at_the_row_under_the_pointer(self):
        pad = uinput.touchpad(pressure=(0, 600, 1))  # click at 200, peek at 320, pop at 425
        before = self.start(pad)
        self.compositor.point_at(150, ROW * PLACE + 32)
        # The program says that the pointer is there: the daemon needs the pad.
        wait_until(all_open, "the pad is open", SECONDS)
        for pressure in (50, 150, 280, 340):
            pad.touch(pressure)
            time.sleep(0.2)
        peek = self.when(is_peek_at(PLACE), "the preview is shown")
        peek.save("pad-peek.ppm")
        self.assertPreview(before, peek, PLACE)
        pad.lift()
        after = self.when(is_table, "the preview is gone")
        self.assertTrue(before.is_like(after, OPENED))


if __name__ == "__main__":
    unittest.main()

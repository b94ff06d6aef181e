"""A screen of its own for a program, with a pointer that a test moves, and what is seen on it."""

import os
import subprocess

from PIL import Image, ImageChops, ImageGrab

from support import PATIENCE, wait_until

PROGRAM = os.path.join(os.path.dirname(__file__), "../.build/debug/TableView")


class Screen:
    SIZE = (760, 400)  # as large as the program's window, which lies in its corner

    def __init__(self):
        reader, writer = os.pipe()
        # A server without clients starts anew, and drops who comes meanwhile, unless told not to.
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-noreset", "-nolisten", "tcp", "-screen", "0",
             "{}x{}x24".format(*self.SIZE)],
            pass_fds=[writer], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as number:
            self.display = ":" + number.readline().strip()
        # Draws what is transparent, as every desktop does.
        self.compositor = subprocess.Popen(
            ["xcompmgr", "-d", self.display], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self, socket):
        """Starts the program; what it complains of is read at the end."""
        return subprocess.Popen(
            [PROGRAM], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "DISPLAY": self.display, "FORCETOUCHD_SOCKET": str(socket),
                 "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
                 "XDG_RUNTIME_DIR": os.path.dirname(socket), "HOME": os.path.dirname(socket)})

    def image(self):
        return ImageGrab.grab(xdisplay=self.display).convert("RGB")

    def settled(self):
        """What is there when nothing moves any more."""
        last = self.image()

        def same():
            nonlocal last
            before, last = last, self.image()
            return not differ(before, last)

        for _ in range(3):
            wait_until(same, "the screen is at rest")
        return last

    def pointer(self, *command):
        subprocess.run(["xdotool", *map(str, command)], check=True, timeout=PATIENCE,
                       env={**os.environ, "DISPLAY": self.display})

    def close(self):
        for process in (self.compositor, self.server):
            process.terminate()
            process.wait(timeout=PATIENCE)


def differ(one, other, box=None):
    """The box of what differs, None if nothing does."""
    if box:
        one, other = one.crop(box), other.crop(box)
    return ImageChops.difference(one, other).getbbox()


def darkest(image, box):
    """0 is black: how dark the darkest of the text in a box is."""
    return image.crop(box).convert("L").getextrema()[0]

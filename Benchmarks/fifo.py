"""Pads without a kernel that has uinput, and without root: FIFOs in the place of event nodes.

Both programs read the same FIFO: what is written into it are the kernel's `struct input_event`s, and
waiting for them and reading them is the kernel's work as well. umockdev tells the daemon's libudev
and libevdev what device that is; once the daemon runs, nothing of umockdev is in the way
(fifo_node.c).
"""

import os
import pathlib

import gi

from programs import BUILT, HERE

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

MAGIC = HERE.parent / "Tests/Fixtures/magic-trackpad-2"


class FifoMachine:
    """So many Magic Trackpads."""

    def __init__(self, pads=1):
        self.testbed = UMockdev.Testbed.new()
        self.root = pathlib.Path(self.testbed.get_root_dir())
        self.variables = {
            "UMOCKDEV_DIR": str(self.root),
            "LD_PRELOAD": f"{BUILT}/fifo_node.so:libumockdev-preload.so.0",
        }
        nodes = [self._add(number) for number in range(pads)]
        self.node = nodes[0]

    def _add(self, number):
        description = (MAGIC / "magic.umockdev").read_text().replace("event0", f"event{number}")
        description = description.replace("MINOR=64", f"MINOR={64 + number}").replace(
            "dev=13:64", f"dev=13:{64 + number}")
        if number:  # its parents are there already
            description = description.split("\n\n")[0] + "\n"
        self.testbed.add_from_string(description)
        ioctls = self.root / f"ioctl{number}"
        ioctls.write_text((MAGIC / "magic.ioctl").read_text().replace("event0", f"event{number}"))
        self.testbed.load_ioctl(f"/dev/input/event{number}", str(ioctls))
        node = self.root / f"dev/input/event{number}"
        node.unlink()
        os.mkfifo(node)
        return node

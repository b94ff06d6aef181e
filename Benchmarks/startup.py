"""The CPU time from the daemon's start to READY=1."""

import os
import socket
import statistics
import tempfile

from fifo import FifoMachine
from programs import Daemon

PADS = 4


def once(machine):
    folder = tempfile.mkdtemp(prefix="forcetouch-ready-")
    path = os.path.join(folder, "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(path)
        notified.settimeout(60)
        with Daemon(machine, NOTIFY_SOCKET=path) as daemon:
            while b"READY=1" not in notified.recv(4096):
                pass
            cost = daemon.processor_time()
    os.unlink(path)
    os.rmdir(folder)
    return cost * 1000


def measure(times):
    """The median in milliseconds, with four pads."""
    machine = FifoMachine(PADS)
    return statistics.median(once(machine) for _ in range(times))

"""In the machine: daemon, relay and libinput on the kernel's own event nodes; memory by devices and
clients. The machine is emulated where there is no hardware virtualization: only ratios mean
anything, and what the kernel does weighs more than on a real processor.
"""

import signal
import subprocess
import tempfile

from machine import ALLOW_VIRTUAL, device_of, openers, set_udev_rules, start_daemon, status_field, systemctl
from numbers_seen import note
from pairs import Spread, compare
from programs import PROGRAM, Daemon, KernelMachine, placed, play
from support import wait_until
from test_faults import UNITS, FaultTestCase
from uinput import touchpad

# Not so fast that an emulated machine cannot follow: libinput takes frames that come all at once for
# a fault.
PAIRS, HERTZ, FRAMES = 20, 50, 100
# The frames that load plays before those.
WARM_UP = 64


class Libinput:
    """`libinput debug-events` on one node."""

    clients_do = "plain"
    motions = 0

    def __init__(self, machine, node, folder, messages):
        self.said = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            ["libinput", "debug-events", "--device", node], stdin=subprocess.DEVNULL,
            stdout=self.said, stderr=subprocess.STDOUT, preexec_fn=placed(PROGRAM))
        pid = self.process.pid
        wait_until(lambda: any(opener == pid for opener, _ in openers(node)), "libinput reads it", 20)

    def output(self):
        self.said.seek(0)
        return self.said.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # It takes this one as the order to end, and writes what it still has to say.
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        Libinput.motions += self.output().count("POINTER_MOTION")


class Benchmark(FaultTestCase):
    daemon_may_end = True

    def alone(self):
        """Without the installed daemon, which would read the pad too."""
        set_udev_rules(ALLOW_VIRTUAL)
        systemctl("stop", "forcetouchd.socket", "forcetouchd.service")

    def test_the_daemon_against_the_relay(self):
        self.alone()
        for clients in (1, 64):
            cell = compare(KernelMachine(), clients, 1, HERTZ, PAIRS, FRAMES)
            note(f"evdev, {clients} clients", f"CPU {cell.cpu}, latency {cell.latency}")

    def test_the_daemon_against_libinput(self):
        self.alone()
        ratios = []
        with tempfile.NamedTemporaryFile() as messages:
            load = KernelMachine(), 1, 1, HERTZ, FRAMES, messages.name
            play("record", Daemon, *load)
            for number in range(PAIRS):
                cost = {}
                for program in (Daemon, Libinput) if number % 2 else (Libinput, Daemon):
                    clients = 1 if program is Daemon else 0
                    cost[program], *_ = play(
                        "measure", program, load[0], clients, *load[2:])
                ratios.append(cost[Daemon] / cost[Libinput])
        motions = Libinput.motions / PAIRS / (WARM_UP + FRAMES)
        note("libinput debug-events", f"CPU {Spread.of(ratios)}, its motions {motions:.2f} a frame")

    def test_memory_by_devices_and_clients(self):
        for devices in (1, 4, 16):
            for clients in (1, 8, 64):
                start_daemon()
                pads = [touchpad(f"Test pad {i}", UNITS) for i in range(devices)]
                for pad in pads:
                    device_of(pad)
                streams = [self.watch() for _ in range(clients)]
                try:
                    for pad in pads:
                        pad.press([100, 700, 860])
                    for stream in streams:
                        for _ in pads:
                            stream.until("ended")
                    note(f"memory, {devices} devices, {clients} clients",
                         f"RssAnon {status_field('RssAnon')} kB, RSS {status_field('VmRSS')} kB")
                finally:
                    for stream in streams:
                        stream.close()
                    for pad in pads:
                        pad.remove()

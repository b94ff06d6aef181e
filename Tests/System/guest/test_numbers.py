"""What the daemon costs, inside the machine."""

import time
import unittest

from machine import PATIENCE, daemon_pid, device_of, start_daemon, statistics, status_field
from numbers_seen import note
from support import wait_until
from test_faults import UNITS, FaultTestCase
from uinput import touchpad


class NumbersTest(FaultTestCase):
    def test_memory_with_four_devices_and_eight_clients(self):
        self.daemon_may_end = True
        start_daemon()
        pads = [self.plug(touchpad(f"Test pad {i}", UNITS)) for i in range(4)]
        for pad in pads:
            device_of(pad)
        streams = [self.watch() for _ in range(8)]
        for pad in pads:
            pad.press([100, 700, 860])
        for stream in streams:
            for _ in pads:
                stream.until("ended")
        anonymous, resident = status_field("RssAnon"), status_field("VmRSS")
        note("memory with 4 devices and 8 clients", f"RssAnon {anonymous} kB, RSS {resident} kB")
        self.assertLessEqual(anonymous, 3 * 1024)
        self.assertLessEqual(resident, 14 * 1024)

    def test_it_never_wakes_while_nobody_listens(self):
        pad = self.plug(touchpad("Test pad", UNITS))
        device_of(pad)
        stream = self.watch()
        pad.press([100, 700])
        stream.until("ended")
        stream.close()
        wait_until(lambda: not any(d["open"] for d in statistics()["devices"]), "it is closed",
                   PATIENCE)
        pid, counts = daemon_pid(), []
        time.sleep(1)  # until the connections that asked are gone
        # The watchdog is told of every one and a half minutes: not in both of two windows.
        for _ in range(2):
            before = status_field("voluntary_ctxt_switches", pid)
            for pressure in range(100, 200):  # which nobody hears
                pad.touch(pressure)
                time.sleep(0.1)
            counts.append(status_field("voluntary_ctxt_switches", pid) - before)
            if counts[-1] == 0:
                break
        pad.lift()
        note("wake-ups in 10 s without listeners, while a finger presses", counts[-1])
        self.assertEqual(counts[-1], 0)


if __name__ == "__main__":
    unittest.main()

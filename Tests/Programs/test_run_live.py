"""forcetouchctl run on live devices; see live.py."""

import unittest

from live import ABS, KEY, LiveTestCase
from support import MONITOR, PATIENT, wait_until
from test_run import KEEP, Runner


class RunLiveTest(LiveTestCase):
    def test_a_device_that_comes_later_is_known_by_its_name(self):
        daemon = self.start(*PATIENT)
        runner = Runner(
            f"- {{on: peek, device: Apple Inc. Magic Trackpad 2, shell: '{KEEP}'}}\n", daemon.path)
        self.addCleanup(runner.close)
        runner.is_ready()
        self.add_trackpad(0)
        fd = self.testbed.get_dev_fd("/dev/input/event0")
        wait_until(lambda: [d["open"] for d in daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]
                            ["devices"]] == [True], "the node is open")
        self.press(fd, [50, 90, 120, 125])
        self.assertEqual(runner.environment("1 peek")["DEVICE"], "Apple Inc. Magic Trackpad 2")
        self.frame(fd, (ABS, 0x39, -1), (KEY, 0x14A, 0))


if __name__ == "__main__":
    unittest.main()

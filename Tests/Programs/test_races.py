"""What is decided in the middle of a press: profiles, settings and proofs come while peeks are open."""

import collections
import os
import random
import shutil
import signal
import tempfile
import unittest

from live import ABS, KEY, LiveTestCase
from previewing import Context
from streams import Answerer, Listener, contacts
from support import CONTROL, DEVICES, MONITOR, PATIENT, wait_until

SEED = int(os.environ.get("FORCETOUCH_SEED", random.randrange(1 << 32)))
# So often a peek is taken away by a decision, and so often a device is proven to lie.
CANCELLATIONS, PROOFS = 10, 2
MOST_ROUNDS = 1000


class Keeper(Listener):
    """Hears everything, and counts why peeks were cancelled."""

    def __init__(self, raw):
        self.reasons = collections.Counter()
        super().__init__(raw, contacts())

    def heard(self, parameters):
        event = parameters.get("event", {})
        if event.get("event") == "peekCancelled":
            self.reasons[event["reason"]] += 1


class RaceTest(LiveTestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.mkdtemp(prefix="forcetouch-race-")
        self.addCleanup(shutil.rmtree, folder)
        self.generator = random.Random(SEED)
        self.honest, self.liar = self.plug(0), self.plug(1)
        self.daemon = self.start("--state", folder, *PATIENT)
        self.decider = self.daemon.connect()
        self.addCleanup(self.decider.close)
        self.undecided = collections.deque()
        self.listeners = []

    def plug(self, number):
        path = self.add_trackpad(number)
        return path, self.testbed.get_dev_fd(f"/dev/input/event{number}")

    def watch(self, frames):
        raw = self.daemon.connect(None)
        raw.call(f"{MONITOR}.Watch", {"frames": frames}, more=True)
        return raw

    def join_in(self):
        """One more monitor, or one more context that answers in its way."""
        if self.generator.random() < 0.3:
            return self.listeners.append(
                Listener(self.watch(self.generator.random() < 0.5), contacts()))
        context = Context(self.daemon.path, coverage="everything", active=True)
        context.stream.socket.settimeout(None)
        self.listeners.append(Answerer(context, self.generator.choice([
            Answerer.accept, Answerer.accept, Answerer.decline, lambda *_: None,
            lambda answerer, event: answerer.accept(event, allowsPop=False)])))

    def retire(self, listener):
        listener.leave()
        self.assertEqual(listener.grammar.problems, [])

    def decide(self):
        """Something is decided while the daemon has events to read; nobody waits for its answer."""
        method = self.generator.choice(
            ["SetProfile", "SetProfile", "ResetProfile", "SetSetting", "ResetSetting", "Reload", None])
        if method is None:
            return self.daemon.process.send_signal(signal.SIGHUP)
        parameters = {}
        if method.endswith("Profile"):
            devices = self.devices(self.daemon)
            parameters["device"] = self.generator.choice(devices)["device"]
        if method.endswith("Setting"):
            parameters["name"] = "recognition.sensitivity"
        if method == "SetProfile":
            parameters["profile"] = {
                "floor": 0, "average": 30, "ceiling": self.generator.choice([150, 190])}
        if method == "SetSetting":
            parameters["value"] = self.generator.choice(["light", "medium", "firm"])
        self.decider.call(f"{CONTROL}.{method}", parameters)
        self.undecided.append(method)

    def hear_decisions(self):
        while self.undecided:
            method, reply = self.undecided.popleft(), self.decider.reply()
            # A device that was proven to lie takes no profile.
            if (method, reply.get("error")) != ("SetProfile", f"{CONTROL}.InvalidProfile"):
                self.assertNotIn("error", reply, method)

    def touch(self, fd, pressure, size, *events):
        if self.generator.random() < 0.2:
            self.decide()
        self.frame(fd, *events, (ABS, 0x3A, pressure), (ABS, 0x30, size))
        # Others have their turn: without it, all frames of a press would be read in one.
        self.devices(self.daemon)

    def press(self, fd, size):
        """Lightly, then as far as a peek and on, then off."""
        down = (ABS, 0x2F, 0), (ABS, 0x39, self.id + 1), (ABS, 0x35, 10), (ABS, 0x36, 10), (KEY, 0x14A, 1)
        self.touch(fd, 5, size(5), *down)
        for pressure in (30, 125, 135, 125, 135, 125, self.generator.choice([120, 180])):
            self.touch(fd, pressure, size(pressure))
        self.frame(fd, (ABS, 0x39, -1), (KEY, 0x14A, 0))
        self.hear_decisions()

    def is_proven(self):
        return any(device["reason"] == "equalsSize" for device in self.devices(self.daemon))

    def test_whatever_is_decided_in_a_press_everything_is_closed(self):
        with self.subTest(seed=SEED):
            self.race()

    def race(self):
        wait_until(lambda: len(self.devices(self.daemon)) == 2, "both are there")
        keepers = [Keeper(self.watch(frames)) for frames in (False, True)]
        proofs, number = 0, 1
        for _ in range(MOST_ROUNDS):
            if proofs >= PROOFS and keepers[0].reasons["reconfigured"] >= CANCELLATIONS:
                break
            if len(self.listeners) < 8:
                self.join_in()
            elif self.generator.random() < 0.2:
                self.retire(self.listeners.pop(self.generator.randrange(len(self.listeners))))
            self.press(self.honest[1], lambda pressure: 400 - pressure % 7)
            self.press(self.liar[1], lambda pressure: pressure)
            if self.is_proven():
                # One that comes back is another device: nothing is known of it.
                proofs += 1
                number += 1
                self.remove(self.liar[0])
                self.liar = self.plug(number)
                wait_until(lambda: self.devices(self.daemon)[-1]["node"].endswith(f"event{number}"),
                           "it is there")
        self.assertGreaterEqual(proofs, PROOFS)
        self.assertGreaterEqual(keepers[0].reasons["reconfigured"], CANCELLATIONS)
        self.assertEqual(self.daemon.stop(), 0, self.daemon.output()[-2000:])
        for listener in (*keepers, *self.listeners):
            listener.join(10)
            self.assertTrue(listener.was_ended, "a stream had no last reply")
            self.assertEqual(listener.grammar.problems, [])
            if isinstance(listener, Answerer):
                self.assertEqual(listener.unclosed(), [])
            else:
                self.assertEqual(listener.grammar.open, {})
            self.retire(listener)


if __name__ == "__main__":
    unittest.main()

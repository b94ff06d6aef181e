"""Everything at once, at random, for a while: `make soak SECONDS=600`; some seconds in `make test`.

A real daemon with devices that are plugged and unplugged, contexts that answer, decline, come late,
never answer or vanish, clients that do not read or send nonsense, settings and profiles that change,
a session that is locked. In the end every contact and every accepted preview must have been closed,
and the daemon be as it was: descriptors, memory, rest. A failure tells the seed and what was done last.
"""

import collections
import json
import os
import random
import statistics
import struct
import sys
import tempfile
import time
import unittest

from live import ABS, KEY, LiveTestCase
from login import Bus, Seat, needs_seats
from previewing import Context
from streams import Answerer, Listener, contacts
from support import CONTROL, DEVICES, MONITOR, PREVIEWING, Daemon, wait_until
from test_limits import used_in

SECONDS = float(os.environ.get("SECONDS", 20))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
MOST_CLIENTS = 30
MOST_DEVICES = 4
# What memory may grow by from the second quarter of a run to the last, in kB: queues of clients
# that do not read come and go, and malloc keeps what it got.
MOST_GROWTH = 3000


def accept(context, question):
    context.accept(question)


def decline(context, question):
    context.decline(question)


def accept_late(context, question):
    time.sleep(random.uniform(0, 0.2))
    context.accept(question)


def never_answer(context, question):
    pass


def vanish(context, question):
    context.is_leaving = True
    context.raw.socket.shutdown(2)


ANSWERS = (accept, accept, accept, decline, accept_late, never_answer, vanish)


class Pad:
    """A trackpad and the finger on it."""

    def __init__(self, soak, number):
        self.soak, self.number = soak, number
        self.path = soak.add_trackpad(number)
        self.fd = soak.testbed.get_dev_fd(f"/dev/input/event{number}")
        os.set_blocking(self.fd, False)
        self.unwritten = b""
        self.pressure = None

    def move(self, generator):
        """One frame of a finger that comes, presses, moves and goes."""
        if self.pressure is None:
            self.pressure = 5
            self.frame(
                (ABS, 0x2F, 0), (ABS, 0x39, self.soak.id % 60000 + 1),
                (ABS, 0x35, generator.randrange(-3000, 3000)), (ABS, 0x36, generator.randrange(2000)),
                (ABS, 0x30, generator.randrange(100, 900)), (ABS, 0x3A, 5), (KEY, 0x14A, 1))
        elif generator.random() < 0.08:
            self.pressure = None
            self.frame((ABS, 0x39, -1), (KEY, 0x14A, 0))
        else:
            self.pressure = min(200, max(1, self.pressure + generator.randrange(-15, 30)))
            size = (ABS, 0x30, generator.randrange(100, 900))
            self.frame((ABS, 0x3A, self.pressure), size)

    def frame(self, *events):
        """Whole events; frames that find no room, as nobody reads the device, are lost."""
        self.soak.id += 1
        if len(self.unwritten) < 1000:
            self.unwritten += b"".join(
                struct.pack("llHHi", 5 + self.soak.id // 100, self.soak.id % 100 * 10_000, *event)
                for event in (*events, (0, 0, 0)))
        try:
            self.unwritten = self.unwritten[os.write(self.fd, self.unwritten):]
        except BlockingIOError:
            pass


@needs_seats
class SoakTest(LiveTestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-soak-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.config = f"{self.folder}/config.yaml"
        open(self.config, "w").close()
        self.bus = Bus(self.folder)
        self.addCleanup(self.bus.close)
        seat = Seat(self.folder)
        seat.sit(1001)
        self.generator = random.Random(SEED)
        self.pads, self.listeners, self.raws = [], [], []
        self.numbers = 0
        self.is_locked = False
        self.done = collections.deque(maxlen=40)
        self.counts = collections.Counter()
        self.problems = []
        self.closed = 0
        self.daemon = Daemon(
            "--config", self.config, "--state", f"{self.folder}/state", wrapper=seat.wrap(),
            DBUS_SYSTEM_BUS_ADDRESS=self.bus.address)
        self.addCleanup(self.daemon.close)

    # What is done.

    def plug(self):
        if len(self.pads) < MOST_DEVICES:
            self.pads.append(Pad(self, self.numbers))
            self.numbers += 1

    def unplug(self):
        if self.pads:
            pad = self.pads.pop(self.generator.randrange(len(self.pads)))
            self.remove(pad.path)

    def monitor_comes(self):
        raw = self.daemon.connect(None)
        raw.call(f"{MONITOR}.Watch", {"frames": self.generator.random() < 0.5}, more=True)
        self.listeners.append(Listener(raw, contacts()))

    def context_comes(self):
        context = Context(self.daemon.path, coverage="everything", active=True)
        context.stream.socket.settimeout(None)
        self.listeners.append(Answerer(context, self.generator.choice(ANSWERS)))

    def context_turns(self):
        contexts = [l for l in self.listeners if isinstance(l, Answerer) and l.is_alive()]
        if contexts:
            token = self.generator.choice(contexts).context.token
            method = "Unregister" if self.generator.random() < 0.2 else "SetActive"
            parameters = {"token": token}
            if method == "SetActive":
                parameters["active"] = self.generator.random() < 0.7
            self.daemon.ask(f"{PREVIEWING}.{method}", parameters)

    def listener_goes(self):
        if self.listeners:
            self.retire(self.listeners.pop(self.generator.randrange(len(self.listeners))))

    def silent_client_comes(self):
        raw = self.daemon.connect()
        raw.call(f"{MONITOR}.Watch", {"frames": True}, more=True)
        self.raws.append(raw)

    def nonsense_comes(self):
        raw = self.daemon.connect()
        raw.send(self.generator.choice([
            self.generator.randbytes(200) + b"\0", b"x" * 40_000, b'{"method":', b"\0\0\0",
            b'{"method":"a.b","parameters":' + b"[" * 3000 + b"\0"]))
        self.raws.append(raw)

    def caller_comes(self):
        raw = self.daemon.connect()
        raw.socket.setblocking(False)
        call = json.dumps({"method": f"{DEVICES}.List", "oneway": self.generator.random() < 0.5})
        try:
            raw.socket.send(500 * (call.encode() + b"\0"))
        except BlockingIOError:
            pass
        self.raws.append(raw)

    def raw_goes(self):
        if self.raws:
            self.raws.pop(self.generator.randrange(len(self.raws))).close()

    def settings_change(self):
        with open(self.config, "w") as file:
            file.write(self.generator.choice([
                "", "recognition:\n  sensitivity: firm\n", "[", "recognition:\n  peek: lots\n",
                "devices:\n- {vendor: 0x004c, enabled: false}\n"]))
        if self.generator.random() < 0.5:
            self.daemon.process.send_signal(1)
        else:
            self.daemon.ask(f"{CONTROL}.Reload")

    def setting_is_set(self):
        self.daemon.ask(f"{CONTROL}.SetSetting", {
            "name": "recognition.sensitivity",
            "value": self.generator.choice(["light", "medium", "firm", "none"])})

    def profile_is_set(self):
        devices = self.daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        if devices:
            device = self.generator.choice(devices)["device"]
            if self.generator.random() < 0.5:
                self.daemon.ask(f"{CONTROL}.ResetProfile", {"device": device})
            else:
                self.daemon.ask(f"{CONTROL}.SetProfile", {"device": device, "profile": {
                    "floor": 0, "average": 30, "ceiling": self.generator.randrange(50, 260)}})

    def session_is_locked(self):
        self.is_locked = not self.is_locked
        self.bus.change_session(LockedHint=self.is_locked)

    def is_served(self):
        begin = time.monotonic()
        self.assertIn("devices", self.daemon.ask(f"{DEVICES}.List")["parameters"])
        self.longest = max(self.longest, time.monotonic() - begin)

    ACTIONS = {
        plug: 3, unplug: 2, monitor_comes: 4, context_comes: 8, context_turns: 4, listener_goes: 8,
        silent_client_comes: 3, nonsense_comes: 4, caller_comes: 2, raw_goes: 6, settings_change: 1,
        setting_is_set: 1, profile_is_set: 1, session_is_locked: 1, is_served: 4}

    # How it goes.

    def retire(self, listener):
        listener.leave()
        self.problems += listener.grammar.problems
        self.closed += len(listener.grammar.closed)

    def memory(self):
        for line in open(f"/proc/{self.daemon.process.pid}/status"):
            if line.startswith("RssAnon"):
                return int(line.split()[1])

    def descriptors(self):
        # umockdev keeps sockets of its own for nodes that vanish while they are open.
        return sorted(d for d in self.daemon.descriptors() if not d.startswith("socket:"))

    def act(self):
        clients = len(self.listeners) * 2 + len(self.raws)
        actions, weights = zip(*self.ACTIONS.items())
        action = self.generator.choices(actions, weights)[0]
        if clients >= MOST_CLIENTS and action.__name__.endswith("_comes"):
            action = self.generator.choice((type(self).listener_goes, type(self).raw_goes))
        self.done.append(f"{time.monotonic() - self.begin:.2f} {action.__name__}")
        self.counts[action.__name__] += 1
        action(self)
        self.assertIsNone(self.daemon.process.poll(), self.daemon.output()[-2000:])

    def test_it_bears_everything_at_once(self):
        try:
            self.soak()
        except BaseException:
            time.sleep(0.5)  # a daemon that crashes says where
            print(f"\nseed {SEED}; the last that was done:", *self.done, sep="\n  ", file=sys.stderr)
            print(f"the daemon: {self.daemon.process.poll() or 'runs'}; it said last:\n"
                  + self.daemon.output()[-6000:], file=sys.stderr)
            raise

    def soak(self):
        keeper = self.daemon.connect(None)
        keeper.call(f"{MONITOR}.Watch", more=True)
        keeper = Listener(keeper, contacts())
        # What logind says is known by then, and all is open that stays so.
        wait_until(lambda: self.daemon.ask(
            f"{MONITOR}.GetStatistics")["parameters"]["seats"], "somebody sits at the seat")
        before = self.descriptors()
        self.begin = time.monotonic()
        self.longest = 0
        self.plug()
        memories = []
        next_action = next_sample = 0
        while (elapsed := time.monotonic() - self.begin) < SECONDS:
            for pad in self.pads:
                pad.move(self.generator)
            if elapsed >= next_action:
                self.act()
                next_action = elapsed + self.generator.uniform(0, 0.1)
            if elapsed >= next_sample:
                memories.append(self.memory())
                next_sample = elapsed + SECONDS / 200
            time.sleep(0.004)
        while self.listeners:
            self.listener_goes()
        while self.raws:
            self.raw_goes()
        while self.pads:
            self.unplug()
        self.assertEqual(self.problems, [])
        figures = wait_until(lambda: self.is_quiet(), "all clients and devices are gone", 30)
        try:
            wait_until(lambda: self.descriptors() == before, "every descriptor is closed")
        except AssertionError:
            self.assertEqual(self.descriptors(), before)
        wait_until(lambda: used_in(self.daemon, 1) < 0.05, "it rests")
        quarter = len(memories) // 4
        growth = statistics.median(memories[-quarter:]) - statistics.median(memories[quarter:2 * quarter])
        self.stop_in_a_press(keeper)
        print(
            f"\nseed {SEED}: {SECONDS:.0f} s, {sum(self.counts.values())} actions, "
            f"{self.numbers} devices, {keeper.grammar.events} events to one monitor, "
            f"{self.closed + len(keeper.grammar.closed)} contacts and previews closed, "
            f"{figures['coalesced']} coalesced, {figures['disconnected']} disconnected, "
            f"{len(before)} descriptors as before, "
            f"RssAnon {memories[0]} kB at first, {min(memories)} to {max(memories)} kB, "
            f"growth {growth:+.0f} kB, longest answer {self.longest * 1000:.0f} ms",
            file=sys.stderr)
        self.assertLess(growth, MOST_GROWTH)

    def is_quiet(self):
        figures = self.daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]
        return figures if figures["devices"] == [] and figures["connections"] == 2 else None

    def stop_in_a_press(self, keeper):
        """SIGTERM while contacts are open closes them, and all others were closed before."""
        with open(self.config, "w"):
            pass
        self.daemon.ask(f"{CONTROL}.ResetSetting", {"name": "recognition.sensitivity"})
        self.daemon.ask(f"{CONTROL}.Reload")
        self.assertEqual(keeper.grammar.open, {})
        pad = Pad(self, self.numbers)
        device = wait_until(lambda: self.daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["devices"],
                            "it is there")[0]["device"]
        wait_until(lambda: self.daemon.ask(
            f"{MONITOR}.GetStatistics")["parameters"]["devices"][0]["open"], "it is open")
        pad.move(self.generator)
        wait_until(lambda: any(key[0] == device for key in keeper.grammar.open), "it is touched")
        self.assertEqual(self.daemon.stop(), 0)
        keeper.join(10)
        self.assertTrue(keeper.was_ended, "the last reply is missing")
        self.assertEqual((keeper.grammar.problems, keeper.grammar.open), ([], {}))


if __name__ == "__main__":
    unittest.main()

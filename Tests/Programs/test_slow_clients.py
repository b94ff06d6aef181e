"""How long events are under way to one client while others do their worst.

The daemon plays a recording; a client of its own process notes when each event arrives. What an
event is late by is its latency: arrival − time of the recording, less the smallest difference of
the run. Others come and go in turns with quiet, in the same run, so that a busy machine slows
both; and of each the best turn counts, because a machine that stops for a moment does so in one
turn, a daemon that waits for a client in all. The bounds are wide: they are for a daemon that waits
for a client, not for one that works.
"""

import json
import multiprocessing
import os
import shutil
import socket
import statistics
import sys
import tempfile
import time
import unittest

from previewing import ScreenRecording
from support import DEVICES, MONITOR, PREVIEWING, Daemon, Raw, wait_until

RATE = 100  # frames a second
QUIET, LOUD = 1, 2  # seconds
ROUNDS = int(os.environ.get("FORCETOUCH_ROUNDS", 3))
WATCHERS = 4
FACTOR = 5
# Of the median and of the 99th percentile, in seconds: what else runs on the machine.
SLACK = {"median": 0.05, "p99": 0.25}

fork = multiprocessing.get_context("fork")


def connect(path):
    """A connection, though so many wait for one that the kernel takes no more at once."""
    while True:
        try:
            return Raw(path, 60)
        except BlockingIOError:
            time.sleep(0.01)


def measure(path, results):
    """Hears all events of the recording; gives (arrival, time) of each, in seconds."""
    raw = Raw(path, 60)
    raw.call(f"{MONITOR}.Watch", more=True)
    times = []
    results.send("ready")
    while (reply := raw.reply()) and reply.get("continues"):
        if event := reply["parameters"].get("event"):
            times.append((time.monotonic(), event["time"] / 1e6))
    results.send(times)


def watchers(path, count):
    raws = []
    for _ in range(count):
        raw = connect(path)
        raw.call(f"{MONITOR}.Watch", {"frames": True}, more=True)
        raws.append(raw)
    return raws


def never_read(path, stop):
    raws = watchers(path, WATCHERS)
    stop.wait()
    return raws


def read_a_byte_a_second(path, stop):
    raws = watchers(path, WATCHERS)
    while not stop.wait(1):
        for raw in raws:
            raw.socket.recv(1)


def come_and_go(path, stop):
    """500 clients of every kind, one after the other, again and again."""
    calls = [
        (f"{MONITOR}.Watch", {"frames": True}, True), (f"{DEVICES}.List", None, False),
        (f"{PREVIEWING}.Register", {"coverage": "view", "active": True}, True)]
    held = []
    for number in range(sys.maxsize):
        if stop.is_set():
            return
        raw = connect(path)
        method, parameters, more = calls[number % len(calls)]
        raw.call(method, parameters, **({"more": True} if more else {}))
        held.append(raw)
        if len(held) > 50:
            held.pop(0).close()
        time.sleep(LOUD / 500)


def call_without_end(path, stop):
    """Ten connections full of calls that want no answer, and ten that do not read theirs."""
    raws = []
    for number in range(20):
        raw = connect(path)
        raw.socket.setblocking(False)
        raws.append(raw)
    oneway = json.dumps({"method": f"{DEVICES}.List", "oneway": True}).encode() + b"\0"
    call = json.dumps({"method": f"{DEVICES}.List"}).encode() + b"\0"
    rests = [b""] * len(raws)
    while not stop.is_set():
        for index, raw in enumerate(raws):
            rests[index] = rests[index] or 200 * (oneway if index % 2 else call)
            try:
                rests[index] = rests[index][raw.socket.send(rests[index]):]
            except BlockingIOError:
                pass
        time.sleep(0.001)


def connect_without_end(path, stop):
    """As many connections as can be made, over and over."""
    while not stop.is_set():
        with socket.socket(socket.AF_UNIX) as raw:
            raw.settimeout(1)
            try:
                raw.connect(path)
            except OSError:
                pass


DISTURBERS = {
    "never read": never_read, "a byte a second": read_a_byte_a_second, "come and go": come_and_go,
    "call without end": call_without_end, "connect without end": connect_without_end}


def percentile(values, share):
    return sorted(values)[int(share * (len(values) - 1))]


class SlowClientTest(unittest.TestCase):
    def recording(self, seconds):
        """One finger that presses lightly, so often and so long."""
        recording = ScreenRecording()
        recording.down(0, 2000, 1200)
        recording.lines += [
            f"E: {i // RATE}.{i % RATE * 1_000_000 // RATE:06d} 0003 003a {10 + i % 7:04d}\n"
            f"E: {i // RATE}.{i % RATE * 1_000_000 // RATE:06d} 0000 0000 0000"
            for i in range(1, int(seconds * RATE))]
        folder = tempfile.mkdtemp(prefix="forcetouch-latency-")
        self.addCleanup(shutil.rmtree, folder)
        return recording.write(f"{folder}/steady.evemu")

    def start(self, function, *arguments):
        process = fork.Process(target=function, args=arguments)
        process.start()
        self.addCleanup(process.join)
        self.addCleanup(process.kill)
        return process

    def play(self):
        """Alternates quiet and each kind of client; gives the latencies of each."""
        seconds = ROUNDS * len(DISTURBERS) * (QUIET + LOUD)
        # Longer than the turns, however late a busy machine begins each.
        daemon = Daemon("--replay", self.recording(10 * seconds))
        self.addCleanup(daemon.close)
        results, sender = fork.Pipe(duplex=False)
        self.start(measure, daemon.path, sender)
        self.assertEqual(results.recv(), "ready")
        spans = []
        for _ in range(ROUNDS):
            for name, function in DISTURBERS.items():
                begin = time.monotonic()
                time.sleep(QUIET)
                spans.append(("quiet", begin, time.monotonic()))
                stop = fork.Event()
                begin = time.monotonic()
                other = self.start(function, daemon.path, stop)
                time.sleep(LOUD)
                spans.append((name, begin, time.monotonic()))
                stop.set()
                other.join(10)
                if other.is_alive():
                    other.kill()
        daemon.stop()
        wait_until(results.poll, "the stream is over", 60)
        times = results.recv()
        offset = min(arrival - event for arrival, event in times)
        latencies = {}
        for name, begin, end in spans:
            latencies.setdefault(name, []).append([
                arrival - event - offset for arrival, event in times if begin <= event + offset < end])
        return latencies

    def test_nobody_is_kept_waiting_by_others(self):
        latencies = self.play()
        self.assertEqual(set(latencies), {"quiet", *DISTURBERS})
        # Nothing is lost to who reads, whatever others do.
        for name in DISTURBERS:
            self.assertGreater(sum(map(len, latencies[name])), 0.9 * ROUNDS * LOUD * RATE, name)
        figures = {
            name: {"median": min(map(statistics.median, turns)),
                   "p99": min(percentile(values, 0.99) for values in turns)}
            for name, turns in latencies.items()}
        lines = [f"{name}: median {f['median'] * 1000:.2f} ms, p99 {f['p99'] * 1000:.2f} ms"
                 for name, f in figures.items()]
        print("\n" + "\n".join(lines), file=sys.stderr)
        for name in DISTURBERS:
            for kind, slack in SLACK.items():
                self.assertLess(
                    figures[name][kind], FACTOR * figures["quiet"][kind] + slack, lines)


if __name__ == "__main__":
    unittest.main()

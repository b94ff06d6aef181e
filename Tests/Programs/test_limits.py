"""What there is a limit for: clients that go beyond it are refused, told once, and harm nobody."""

import itertools
import math
import os
import pathlib
import shutil
import tempfile
import time
import unittest

from support import (
    CONTROL, DEMO, DEVICES, MONITOR, NOBODY, PREVIEWING, Daemon, DaemonTestCase, as_nobody,
    wait_until)

LONGEST_MESSAGE = 16 * 1024
LIST = f'{{"method":"{DEVICES}.List"'.encode()


def used_in(daemon, seconds):
    """What a daemon that is left alone uses in so long."""
    before = daemon.processor_time()
    time.sleep(seconds)
    return daemon.processor_time() - before


class MessageTest(DaemonTestCase):
    def test_a_message_has_16_KiB(self):
        for length, is_taken in ((LONGEST_MESSAGE, True), (LONGEST_MESSAGE + 1, False)):
            raw = self.daemon.connect()
            raw.send(LIST + b" " * (length - len(LIST) - 1) + b"}\0")
            self.assertEqual(raw.reply() is not None, is_taken, length)
            raw.close()
        self.assertAlive()

    def test_the_worst_that_fits_is_refused_soon(self):
        room = LONGEST_MESSAGE - 100
        call = b'{"method":"%s.GetCapability","parameters":{"device":' % DEVICES.encode()
        # What a harmless one of that length costs, is what the others are compared with.
        plain = self.cost(call + b'"' + b"a" * room + b'"}}\0')
        worst = {
            "numbers": call + b"[" + b"1," * (room // 2) + b"1]}}\0",
            "nesting": call + b"[" * 20 + b'{"a":[],"b":' * (room // 14) + b"\0",
            "escapes": call + b'"' + b"\\u0061" * (room // 6) + b'"}}\0',
            "keys": call + b"{" + b",".join(
                b'"%d":1e9' % i for i in range(room // 12)) + b"}}}\0",
            "exponents": call + b"1" + b"0" * room + b"}}\0",
        }
        for name, message in worst.items():
            with self.subTest(name):
                self.assertLessEqual(len(message), LONGEST_MESSAGE + 1)
                self.assertLess(self.cost(message), 4 * plain)
        self.assertAlive()

    def cost(self, message):
        """The processor time that twenty of them take, which are refused."""
        before = self.daemon.processor_time()
        for _ in range(20):
            raw = self.daemon.connect()
            raw.send(message)
            reply = raw.reply()
            self.assertTrue(reply is None or "error" in reply, reply)
            raw.close()
        return self.daemon.processor_time() - before

    def test_a_thousand_malformed_messages_are_told_once(self):
        for _ in range(1000):
            raw = self.daemon.connect()
            raw.send(b"nonsense\0")
            raw.reply()
            raw.close()
        self.assertEqual(self.daemon.output().count("no Varlink call"), 1)
        self.assertAlive()


class ConnectionTest(DaemonTestCase):
    def test_a_user_has_128_contexts_as_each_has_a_connection(self):
        held = [self.daemon.connect() for _ in range(128)]
        for raw in held:
            raw.call(f"{PREVIEWING}.Register", {"coverage": "view"}, more=True)
            self.assertIn("snapshot", raw.reply()["parameters"])
        self.assertIsNone(self.daemon.ask(f"{DEVICES}.List"))
        held.pop().close()
        statistics = wait_until(
            lambda: self.daemon.ask(f"{MONITOR}.GetStatistics"), "a place is free")["parameters"]
        self.assertEqual((statistics["streams"], statistics["connections"]), (127, 128))
        # A connection has one: what is asked on it waits for the end of the first.
        held[0].call(f"{PREVIEWING}.Register", {"coverage": "view"}, more=True)
        for raw in held:
            raw.close()
        self.assertAlive()

    def test_a_thousand_connections_too_many_are_told_once(self):
        held = [self.daemon.connect() for _ in range(128)]
        for _ in range(1000):
            raw = self.daemon.connect()
            self.assertIsNone(raw.reply())
            raw.close()
        for raw in held:
            raw.close()
        self.assertEqual(self.daemon.output().count("further ones are closed"), 1)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_who_has_all_of_theirs_takes_none_of_others(self):
        os.chmod(self.daemon.folder, 0o755)
        with as_nobody():
            held = [self.daemon.connect() for _ in range(130)]
            self.assertIsNone(self.daemon.ask(f"{DEVICES}.List"))
        self.assertAlive()
        for raw in held:
            raw.close()


class DescriptorTest(unittest.TestCase):
    def serve_more_than_it_can(self, descriptors, complaint):
        """A daemon with so many descriptors, and more clients than those."""
        daemon = Daemon("--replay", DEMO, wrapper=("prlimit", f"--nofile={descriptors}"))
        self.addCleanup(daemon.close)
        waiting = [daemon.connect() for _ in range(100)]
        for raw in waiting:
            raw.call(f"{DEVICES}.List")
        wait_until(lambda: complaint in daemon.output(), "it says that it is full")
        self.assertLess(used_in(daemon, 2), 0.2)
        # Each is served once those before it are gone, and nobody is forgotten.
        while waiting:
            raw = waiting.pop(0)
            self.assertIn("devices", raw.reply()["parameters"])
            raw.close()
        self.assertIn("devices", daemon.ask(f"{DEVICES}.List")["parameters"])
        self.assertLess(daemon.output().count("new clients wait"), 20)
        self.assertEqual(daemon.stop(), 0)

    def test_out_of_descriptors_it_waits_and_does_not_spin(self):
        self.serve_more_than_it_can(20, "Too many open files")

    def test_clients_leave_descriptors_to_everything_else(self):
        self.serve_more_than_it_can(64 + 40, "40 connections are all that there may be")


class LogTest(unittest.TestCase):
    def test_of_many_lines_some_are_left_out_and_counted(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-limits-")
        self.addCleanup(shutil.rmtree, folder)
        config = pathlib.Path(folder, "config.yaml")
        config.write_text("")
        daemon = Daemon("--config", config, "--replay", DEMO)
        self.addCleanup(daemon.close)
        begin = time.monotonic()
        counter = itertools.count()

        def told():
            # A hundred mistakes that it has not heard of: three times that is too much at once.
            config.write_text("".join(f"mistake-{next(counter)}: 1\n" for _ in range(100)))
            self.assertEqual(len(daemon.ask(f"{CONTROL}.Reload")["parameters"]["problems"]), 100)
            return "lines were left out here" in daemon.output()

        wait_until(told, "it says how many")
        windows = 1 + math.ceil((time.monotonic() - begin) / 10)
        self.assertLessEqual(daemon.output().count("mistake-"), 200 * windows)


if __name__ == "__main__":
    unittest.main()

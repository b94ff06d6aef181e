"""Clients that send what they should not, or do not what they should."""

import json
import os
import pathlib
import random
import signal
import socket
import stat
import subprocess
import tempfile
import time
import unittest

from support import (
    BIN, DEMO, DEVICES, MONITOR, NOBODY, PATIENCE, Daemon, DaemonTestCase, run, wait_until)


class HostileClientTest(DaemonTestCase):
    def assertClosedBy(self, data):
        raw = self.daemon.connect()
        raw.send(data)
        self.assertIsNone(raw.reply(), data[:80])
        raw.close()
        self.assertAlive()

    def test_malformed_messages_close_their_connection_alone(self):
        for data in [
            b"\0", b"{\0", b"[]\0", b'"text"\0', b"null\0", b"{}\0", b'{"method":1}\0',
            b'{"method":"a.b","more":"yes"}\0', b'{"method":"a.b"}}\0', b"{'method':'a.b'}\0",
            b'{"method":"a.b","parameters":[}\0', b"\xff\xfe\0", b'{"method":"\xff"}\0',
            b'{"method":"a.b" "more":true}\0', b"GET / HTTP/1.1\r\n\r\n\0",
        ]:
            self.assertClosedBy(data)

    def test_a_message_that_is_too_long_is_cut_early(self):
        raw = self.daemon.connect()
        before = self.memory()
        sent = 0
        while sent < 100 << 20 and raw.send(b"x" * 65536):
            sent += 65536
        self.assertLess(sent, 8 << 20)
        raw.close()
        self.assertLess(self.memory() - before, 8 << 20)
        self.assertAlive()

    def test_deep_nesting_is_refused(self):
        deep = b'{"method":"org.forcetouchd.Devices.List","parameters":{"a":'
        self.assertClosedBy(deep + b"[" * 8000 + b"]" * 8000 + b"}}\0")
        self.assertClosedBy(deep + b'{"a":' * 40 + b"1" + b"}" * 40 + b"}}\0")

    def test_half_a_message_waits_and_harms_nobody(self):
        raw = self.daemon.connect()
        raw.send(b'{"method":"org.forcetouchd.')
        self.assertAlive()
        raw.send(b'Devices.List"}\0')
        self.assertIn("devices", raw.reply()["parameters"])
        raw.send(b'{"method":"org.forcetouchd.')
        raw.close()
        self.assertAlive()

    def test_a_message_may_come_byte_by_byte(self):
        raw = self.daemon.connect()
        for byte in b'{"method":"org.forcetouchd.Devices.List"}\0':
            raw.send(bytes([byte]))
        self.assertIn("devices", raw.reply()["parameters"])
        raw.close()

    def test_calls_in_one_packet_are_answered_in_order(self):
        raw = self.daemon.connect()
        one = b'{"method":"org.forcetouchd.Devices.List"}\0'
        two = b'{"method":"org.forcetouchd.Devices.GetCapability"}\0'
        raw.send((one + two) * 50)
        for _ in range(50):
            self.assertIn("devices", raw.reply()["parameters"])
            self.assertIn("capability", raw.reply()["parameters"])
        raw.close()

    def test_many_large_answers_are_read_at_the_clients_pace(self):
        raw = self.daemon.connect()
        count = 1500
        raw.send(count * (
            b'{"method":"org.varlink.service.GetInterfaceDescription",'
            b'"parameters":{"interface":"org.forcetouchd.Monitor"}}\0'))
        time.sleep(0.5)
        for _ in range(count):
            self.assertIn("description", raw.reply()["parameters"])
        raw.close()

    def test_a_half_closed_connection_still_gets_its_replies(self):
        raw = self.daemon.connect()
        raw.send(b'{"method":"org.forcetouchd.Devices.List"}\0')
        raw.socket.shutdown(socket.SHUT_WR)
        self.assertIn("devices", raw.reply()["parameters"])
        self.assertIsNone(raw.reply())
        raw.close()

    def error(self, message):
        raw = self.daemon.connect()
        raw.send(message.encode() + b"\0")
        reply = raw.reply()
        raw.close()
        return reply["error"], reply["parameters"]

    def test_numbers_out_of_range_are_invalid_parameters(self):
        for value in ["1e999", "-1", "9223372036854775808", "true", "[1]", "{}"]:
            error = self.error(
                '{"method":"org.forcetouchd.Devices.GetCapability","parameters":{"device":%s}}'
                % value)
            self.assertEqual(
                error, ("org.varlink.service.InvalidParameter", {"parameter": "device"}), value)
        self.assertAlive()

    def test_what_there_is_not_has_its_own_error(self):
        service = "org.varlink.service"
        self.assertEqual(
            self.error('{"method":"org.example.Foo.Bar"}'),
            (f"{service}.InterfaceNotFound", {"interface": "org.example.Foo"}))
        self.assertEqual(
            self.error('{"method":"nothing"}'), (f"{service}.InterfaceNotFound", {"interface": ""}))
        self.assertEqual(
            self.error('{"method":"%s.Foo"}' % DEVICES),
            (f"{service}.MethodNotFound", {"method": "Foo"}))
        self.assertEqual(
            self.error('{"method":"%s.List","parameters":{"devise":"d1"}}' % DEVICES),
            (f"{service}.InvalidParameter", {"parameter": "devise"}))
        self.assertEqual(
            self.error('{"method":"%s.List","parameters":[]}' % DEVICES),
            (f"{service}.InvalidParameter", {"parameter": "parameters"}))
        self.assertEqual(
            self.error('{"method":"%s.GetInterfaceDescription"}' % service),
            (f"{service}.InvalidParameter", {"parameter": "interface"}))

    def test_a_stream_needs_more(self):
        for interface in (DEVICES, MONITOR):
            self.assertEqual(
                self.error('{"method":"%s.Watch"}' % interface),
                ("org.varlink.service.ExpectedMore", {}))
        self.assertAlive()

    def test_a_connection_that_streams_is_busy(self):
        raw = self.daemon.connect()
        raw.call(f"{DEVICES}.Watch", more=True)
        self.assertIn("snapshot", raw.reply()["parameters"])
        raw.call(f"{DEVICES}.List")
        raw.socket.settimeout(0.3)
        with self.assertRaises(TimeoutError):
            raw.reply()
        raw.close()
        self.assertAlive()

    def test_a_client_that_vanishes_in_a_stream_harms_nobody(self):
        keeper = self.daemon.connect()
        keeper.call(f"{MONITOR}.Watch", more=True)
        for _ in range(20):
            raw = self.daemon.connect()
            raw.call(f"{MONITOR}.Watch", more=True)
            raw.reply()
            raw.close()
        events = []
        while (reply := keeper.reply()) and reply.get("continues"):
            if "event" in reply["parameters"]:
                events.append(reply["parameters"]["event"]["event"])
        self.assertEqual(events.count("peek"), 2)
        self.assertEqual(events.count("ended"), 3)
        self.assertEqual(self.daemon.process.wait(timeout=PATIENCE), 0)

    def test_random_mutations_never_kill_the_daemon(self):
        generator = random.Random(7)
        good = b'{"method":"org.forcetouchd.Monitor.Watch","more":true,"parameters":{"frames":true}}\0'
        for _ in range(300):
            data = bytearray(good)
            for _ in range(generator.randrange(1, 6)):
                place = generator.randrange(len(data))
                match generator.randrange(3):
                    case 0: data[place] = generator.randrange(256)
                    case 1: del data[place]
                    case 2: data[place:place] = bytes([generator.randrange(256)]) * generator.randrange(1, 9)
            raw = self.daemon.connect()
            raw.send(bytes(data))
            raw.close()
        # The replay may have begun: one of the mutants was a good call.
        self.assertIsNone(self.daemon.process.poll(), self.daemon.output())

    def test_a_user_has_128_connections(self):
        held = [self.daemon.connect() for _ in range(128)]
        over = self.daemon.connect()
        over.call(f"{DEVICES}.List")
        self.assertIsNone(over.reply())
        over.close()
        held.pop().close()
        wait_until(lambda: self.daemon.ask(f"{DEVICES}.List"), "a place is free")
        for raw in held:
            raw.close()
        self.assertAlive()

    def memory(self):
        for line in open(f"/proc/{self.daemon.process.pid}/status"):
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024


class NoReaderTest(unittest.TestCase):
    def test_a_client_that_never_reads_delays_nobody(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        stuck = daemon.connect()
        stuck.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.call(f"{MONITOR}.Watch", {"frames": True}, more=True)
        reader = daemon.connect()
        reader.call(f"{MONITOR}.Watch", more=True)
        seen = []
        while (reply := reader.reply()) and reply.get("continues"):
            if "event" in reply["parameters"]:
                seen.append(reply["parameters"]["event"]["event"])
        self.assertEqual(seen.count("peek"), 2)
        # The one who does not read cannot keep the daemon from ending.
        self.assertEqual(daemon.process.wait(timeout=PATIENCE), 0)
        stuck.close()


class StartTest(unittest.TestCase):
    def folder(self):
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        return folder.name

    def start(self, *arguments):
        return subprocess.run(
            [BIN / "forcetouchd", *map(str, arguments)], capture_output=True, text=True,
            timeout=PATIENCE, stdin=subprocess.DEVNULL)

    def assertOneLine(self, done, status, *words):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_the_second_daemon_on_a_socket_says_so_and_stops(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        second = self.start("--socket", daemon.path, "--replay", DEMO)
        self.assertOneLine(second, 1, "another daemon", "(pid ", daemon.path)
        self.assertTrue(daemon.answers())

    def test_a_socket_that_a_crash_left_behind_is_replaced(self):
        daemon = Daemon("--replay", DEMO)
        daemon.stop(signal.SIGKILL)
        daemon.log.close()
        self.assertTrue(os.path.exists(daemon.path))
        again = Daemon("--replay", DEMO, folder=daemon.folder)
        self.addCleanup(again.close)
        self.assertTrue(again.answers())

    def test_a_socket_that_somebody_else_serves_is_left_alone(self):
        path = os.path.join(self.folder(), "socket")
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(path)
            other.listen()
            self.assertOneLine(
                self.start("--socket", path, "--replay", DEMO), 1, "another daemon", "serves")
            self.assertTrue(os.path.exists(path))

    def test_a_file_in_the_place_of_the_socket_is_left_alone(self):
        path = os.path.join(self.folder(), "socket")
        pathlib.Path(path).write_text("precious")
        self.assertOneLine(self.start("--socket", path, "--replay", DEMO), 1, "is no socket")
        self.assertEqual(pathlib.Path(path).read_text(), "precious")

    def test_a_folder_that_is_not_there_is_named(self):
        path = os.path.join(self.folder(), "missing", "socket")
        self.assertOneLine(
            self.start("--socket", path, "--replay", DEMO), 1, path, "folder does not exist")

    def test_a_path_that_is_too_long_is_named(self):
        self.assertOneLine(
            self.start("--socket", "/tmp/" + "x" * 120, "--replay", DEMO), 1, "107 bytes")

    def test_a_recording_that_cannot_be_read_stops_the_start(self):
        path = os.path.join(self.folder(), "socket")
        self.assertOneLine(
            self.start("--socket", path, "--replay", "/nowhere"), 1, "/nowhere", "No such file")
        self.assertFalse(os.path.exists(path))

    def test_wrong_usage_has_status_2(self):
        self.assertOneLine(self.start("--nonsense"), 2, "--nonsense", "--help")
        self.assertOneLine(self.start("--socket"), 2, "needs an argument")
        self.assertEqual(self.start("--version").stdout.split()[0], "forcetouchd")
        self.assertIn("usage:", self.start("--help").stdout)

    def test_a_wrong_settings_line_is_reported_and_ignored_alone(self):
        settings = os.path.join(self.folder(), "settings.yaml")
        pathlib.Path(settings).write_text(
            "recognition:\n  peek: 2\n  sensitivity: light\n  colour: red\n")
        daemon = Daemon("--replay", DEMO, "--config", settings)
        self.addCleanup(daemon.close)
        self.assertIn(f"{settings}:2:9: must lie between 0 and 1; ignored", daemon.output())
        self.assertIn(f"{settings}:4:3: colour is not known here; ignored", daemon.output())
        (device,) = daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        # light: three quarters of the way
        self.assertEqual(device["thresholds"]["peek"], 92)

    def test_a_settings_file_that_is_not_there_is_reported(self):
        path = os.path.join(self.folder(), "socket")
        self.assertOneLine(
            self.start("--socket", path, "--replay", DEMO, "--config", "/nowhere.yaml"), 1,
            "cannot read /nowhere.yaml")

    def test_a_recording_in_which_all_is_due_at_once_starves_nobody(self):
        folder = self.folder()
        head, _, body = DEMO.read_bytes().partition(b"E: ")
        path = pathlib.Path(folder) / "burst.evemu"
        frame = b"E: 0.0 0003 003a %d\nE: 0.0 0000 0000 0\n"
        count = 60_000
        path.write_bytes(head + b"".join(frame % (i % 200) for i in range(count)))
        daemon = Daemon("--replay", path)
        self.addCleanup(daemon.close)
        watcher, asker = daemon.connect(), daemon.connect()
        # More calls than are answered in a turn, all there before the first frame.
        asked = 40
        with daemon.held():
            watcher.call(f"{MONITOR}.Watch", more=True)
            asker.ask_often(f"{MONITOR}.GetStatistics", asked)
        played = []
        for _ in range(asked):
            # A recording that was played is no device any more.
            (device,) = asker.reply()["parameters"]["devices"]
            played.append(device["frames"])
        self.assertLess(0, played[-1])
        self.assertLess(played[-1], count)
        self.assertIsNone(daemon.process.poll())
        self.assertEqual(daemon.stop(), 0)
        watcher.close()
        asker.close()

    def recording(self, lines):
        """A recording of the demo's trackpad with other events."""
        path = pathlib.Path(self.folder()) / "made.evemu"
        path.write_bytes(DEMO.read_bytes().partition(b"E: ")[0] + b"".join(lines))
        return path

    def touch(self, number, time=b"0.0", pressure=10):
        return b"".join(
            b"E: %s %s\n" % (time, event) for event in (
                b"0003 0039 %d" % number, b"0003 0035 5", b"0003 0036 5",
                b"0003 003a %d" % pressure, b"0000 0000 0"))

    def lift(self, time=b"0.0"):
        return b"E: %s 0003 0039 -1\nE: %s 0000 0000 0\n" % (time, time)

    def replies(self, raw):
        while reply := raw.reply():
            yield reply["parameters"]

    def test_a_clock_that_jumps_in_a_recording_makes_nobody_wait(self):
        for times in ((b"1.0", b"100000.0", b"100000.01"), (b"100.0", b"0.000001", b"100.01")):
            path = self.recording(
                [self.touch(1, times[0]), self.touch(1, times[1], 20), self.lift(times[2])])
            daemon = Daemon("--replay", path)
            self.addCleanup(daemon.close)
            raw = daemon.connect()
            raw.call(f"{MONITOR}.Watch", more=True)
            kinds = [r["event"]["event"] for r in self.replies(raw) if "event" in r]
            raw.close()
            self.assertEqual(kinds, ["began", "changed", "ended"])
            self.assertEqual(daemon.process.wait(timeout=PATIENCE), 0)

    def test_a_switched_off_recording_says_nothing_and_ends(self):
        settings = pathlib.Path(self.folder()) / "settings.yaml"
        settings.write_text("devices:\n- {vendor: 0x004c, enabled: false}\n")
        path = self.recording([self.touch(1), self.lift(b"0.01")])
        daemon = Daemon("--replay", path, "--config", settings)
        self.addCleanup(daemon.close)
        raw = daemon.connect()
        raw.call(f"{MONITOR}.Watch", {"frames": True}, more=True)
        snapshot, *rest = self.replies(raw)
        raw.close()
        self.assertEqual(snapshot["snapshot"]["devices"][0]["reason"], "disabled")
        self.assertEqual(rest, [{"removed": "d1"}, {}])
        self.assertEqual(daemon.process.wait(timeout=PATIENCE), 0)

    def test_a_slow_reader_loses_only_changes_and_is_told_how_many(self):
        frames = 20_000
        pressures = b"".join(
            b"E: 0.0 0003 003a %d\nE: 0.0 0000 0000 0\n" % (20 + i % 60) for i in range(frames))
        path = self.recording([self.touch(1), pressures, self.lift(b"1.0"), self.touch(2, b"60")])
        daemon = Daemon("--replay", path)
        self.addCleanup(daemon.close)
        slow = daemon.connect(timeout=30)
        slow.call(f"{MONITOR}.Watch", more=True)

        def played():
            (device,) = daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["devices"]
            return device["frames"] == frames + 2

        wait_until(played, "the touch is over", 60)
        counted = daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["coalesced"]
        self.assertGreater(counted, 0)
        told, kinds, last = 0, [], -1
        for reply in self.replies(slow):
            told += reply.get("coalesced", 0)
            if event := reply.get("event"):
                kinds.append(event["event"])
                self.assertGreaterEqual(event["time"], last)
                last = event["time"]
                if event["event"] == "ended":
                    break
        slow.close()
        self.assertEqual(told, counted)
        self.assertEqual((kinds[0], kinds[-1]), ("began", "ended"))
        # Every change was sent or is counted.
        self.assertEqual(kinds.count("changed") + told, frames)

    def test_who_takes_not_even_openings_and_closings_is_disconnected(self):
        taps = b"".join(self.touch(i) + self.lift() for i in range(5000))
        path = self.recording([taps, self.touch(9999, b"60")])
        daemon = Daemon("--replay", path)
        self.addCleanup(daemon.close)
        stuck = daemon.connect(timeout=30)
        stuck.call(f"{MONITOR}.Watch", more=True)
        wait_until(
            lambda: daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["disconnected"] == 1,
            "the stuck client is given up", 60)
        self.assertEqual(daemon.output().count("does not read its stream"), 1)
        replies = list(self.replies(stuck))
        stuck.close()
        # What it got before is whole and in order; then its connection ended.
        events = [r["event"] for r in replies if "event" in r]
        self.assertEqual(
            [e["event"] for e in events], (["began", "ended"] * 5000)[:len(events)])
        self.assertLess(len(events), 10_000)

    def test_stopping_in_a_peek_closes_it_and_ends_the_stream(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        raw = daemon.connect()
        raw.call(f"{MONITOR}.Watch", more=True)
        while (raw.reply()["parameters"].get("event") or {}).get("event") != "peek":
            pass
        daemon.process.send_signal(signal.SIGTERM)
        replies = []
        while reply := raw.reply():
            replies.append(reply)
        events = [r["parameters"]["event"] for r in replies if "event" in r["parameters"]]
        closing = [(e["event"], e.get("reason")) for e in events if e["event"] != "changed"]
        self.assertEqual(
            closing, [("peekCancelled", "stopping"), ("cancelled", "stopping")])
        self.assertNotIn("continues", replies[-1])
        self.assertEqual(daemon.process.wait(timeout=PATIENCE), 0)
        self.assertFalse(os.path.exists(daemon.path))


@unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
class OtherUserTest(unittest.TestCase):
    """A daemon of root and a client that is nobody, and a daemon of nobody after one of root."""

    def setUp(self):
        self.daemon = Daemon("--replay", DEMO)
        self.addCleanup(self.daemon.close)
        os.chmod(self.daemon.folder, 0o755)

    def test_anybody_may_list_devices(self):
        self.assertEqual(
            len(self.daemon.ask_as_nobody(f"{DEVICES}.List")["parameters"]["devices"]), 1)

    def test_another_user_may_serve_where_a_daemon_was(self):
        os.chmod(self.daemon.folder, 0o1777)
        self.daemon.stop()
        self.assertEqual(os.listdir(self.daemon.folder), [os.path.basename(self.daemon.log.name)])
        other = Daemon(
            "--replay=" + str(DEMO), folder=self.daemon.folder, user=NOBODY, is_owner=False)
        self.addCleanup(other.close)
        self.assertIsNone(other.process.poll(), other.output())
        self.assertEqual(len(other.ask(f"{DEVICES}.List")["parameters"]["devices"]), 1)

    def test_monitoring_needs_root_or_the_group(self):
        reply = self.daemon.ask_as_nobody(f"{MONITOR}.Watch", more=True)
        self.assertEqual(reply["error"], f"{MONITOR}.PermissionDenied")
        self.assertIn("forcetouch", reply["parameters"]["needed"])
        self.assertEqual(
            self.daemon.ask_as_nobody(f"{MONITOR}.GetStatistics")["error"], f"{MONITOR}.PermissionDenied")


if __name__ == "__main__":
    unittest.main()

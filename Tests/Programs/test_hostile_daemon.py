"""What the tools do when the daemon is none, or is meant to harm."""

import json
import os
import signal
import socket
import socketserver
import subprocess
import tempfile
import threading
import unittest

from support import BIN, DEMO, PATIENCE, ROOT, Daemon, run, wait_until

ESCAPES = "\x1b[2J\x1b]0;title\x07\u009b31m"
CALIBRATION = ROOT / "Examples/recordings/calibration.evemu"
FARTHEST = 2**63 - 1


class FakeDaemon(socketserver.ThreadingUnixStreamServer):
    """Answers what is asked; `replies` has for each method its replies, None for silence."""

    daemon_threads = True

    def __init__(self, path, replies):
        self.replies = replies
        super().__init__(path, FakeSession)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


class FakeSession(socketserver.BaseRequestHandler):
    def handle(self):
        received = b""
        while data := self.request.recv(65536):
            received += data
            *calls, received = received.split(b"\0")
            for call in map(json.loads, calls):
                # A tool that ended does not mind.
                try:
                    self.answer(call)
                except OSError:
                    return

    def answer(self, call):
        method = ".".join(call["method"].split(".")[-2:])
        for reply in self.server.replies.get(method, [{"error": f"org.example{ESCAPES}"}]) or []:
            self.request.sendall(json.dumps(reply).encode() + b"\0")


class HostileDaemonTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        self.path = f"{folder.name}/socket"
        self.device = json.loads(run("probe", CALIBRATION, "--json")[1]) | {"device": "d1"}

    def serve(self, **replies):
        """Replies by the method's name, with _ for the dots."""
        daemon = FakeDaemon(self.path, {
            "service.GetInfo": [{"parameters": {
                "vendor": "v", "product": "forcetouchd", "version": "1", "url": "", "interfaces": []}}],
            "Devices.List": [{"parameters": {"devices": [self.device]}}],
            **{name.replace("_", "."): value for name, value in replies.items()}})
        self.addCleanup(daemon.close)

    def watch(self, *events):
        return [{"parameters": {"snapshot": {"devices": [self.device], "events": []}},
                 "continues": True},
                *({"parameters": {"event": event}, "continues": True} for event in events),
                {"parameters": {}}]

    def test_nothing_that_it_says_moves_the_cursor(self):
        for key in ("device", "name", "node", "explanation", "driver", "seat"):
            self.device[key] = f"d1{ESCAPES}"
        self.serve(
            Monitor_Watch=self.watch(),
            Monitor_GetStatistics=[{
                "error": "org.forcetouchd.Monitor.PermissionDenied",
                "parameters": {"needed": f"more{ESCAPES}"}}],
            Control_GetSettings=[{"parameters": {
                "settings": [{"name": f"a.b{ESCAPES}", "value": ESCAPES, "file": ESCAPES, "line": 1}],
                "problems": [f"wrong{ESCAPES}"]}}])
        for command in ("devices", "capability", "status", "monitor", "doctor", "calibrate"):
            with self.subTest(command=command):
                arguments = ["d1", "--reset"] if command == "calibrate" else []
                status, output, complaints = run(command, *arguments, "--socket", self.path)
                self.assertIn(status, (0, 1))
                self.assertTrue(output + complaints)
                controls = {c for c in output + complaints if ord(c) < 0x20 or 0x7f <= ord(c) < 0xa0}
                self.assertLessEqual(controls, {"\n"})

    def test_numbers_beyond_all_bounds_are_printed_somehow(self):
        event = {"event": "began", "device": self.device["device"], "contact": 1, "slot": 0, "time": 0,
                 "stage": 0, "peekProgress": 0, "popProgress": 0}
        cases = [
            [{"pressure": 1e300, "force": 1e300}], [{"pressure": -5, "force": -1e308}],
            [{"pressure": 1e9, "force": 1}], [{"raw": -2**31}],
            [{"time": FARTHEST}, {"time": -FARTHEST - 1}, {"time": FARTHEST, "event": "changed"},
             {"time": -FARTHEST - 1, "event": "changed"}],
        ]
        for case in cases:
            with self.subTest(case=case):
                self.serve(Monitor_Watch=self.watch(*(event | news for news in case)))
                status, output, _ = run("monitor", "--socket", self.path)
                self.assertIn(status, (0, 1))
                self.assertIn("began", output)
                self.assertLess(max(map(len, output.splitlines())), 500)
                os.unlink(self.path)

    def end(self, process):
        """Sends SIGTERM until the process is gone; one must do."""
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertIn(process.returncode, (-signal.SIGTERM, 1))

    def start(self, *arguments, **options):
        process = subprocess.Popen(
            [BIN / "forcetouchctl", *map(str, arguments), "--socket", self.path],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
        self.addCleanup(process.stdout.close)
        return process

    def test_a_calibration_that_it_does_not_take_can_be_ended(self):
        asked = threading.Event()

        class Silence(list):
            def __iter__(self):
                asked.set()
                return iter(())
        silence = Silence([None])
        self.serve(
            Control_GetSettings=[{"parameters": {"settings": [], "problems": []}}],
            Control_SetProfile=silence)
        process = self.start(
            "calibrate", "d1", "--yes", "--from", CALIBRATION, stdin=subprocess.DEVNULL)
        self.assertTrue(asked.wait(10))
        self.end(process)

    def test_a_recording_that_never_comes_can_be_ended(self):
        self.serve(
            Control_GetSettings=[{"parameters": {"settings": [], "problems": []}}])
        process = self.start("calibrate", "d1", "--yes", "--from", "-", stdin=subprocess.PIPE)
        self.addCleanup(process.stdin.close)

        def reads():
            with open(f"/proc/{process.pid}/wchan") as place:
                return "pipe" in place.read()
        wait_until(reads, "it waits for the recording")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=PATIENCE), -signal.SIGTERM)


class ClosedDescriptorsTest(unittest.TestCase):
    def test_a_report_that_nobody_can_take_goes_nowhere_else(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        done = subprocess.run(
            ["sh", "-c", 'exec "$0" status --socket "$1" >&-', BIN / "forcetouchctl", daemon.path],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=30)
        self.assertEqual(
            (done.returncode, done.stderr),
            (1, "forcetouchctl: cannot write the output: Bad file descriptor\n"))

    def test_a_daemon_without_them_keeps_sockets_off_their_numbers(self):
        daemon = Daemon(
            "--replay", DEMO, wrapper=("sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-'))
        self.addCleanup(daemon.close)
        for number in range(3):
            self.assertEqual(os.readlink(f"/proc/{daemon.process.pid}/fd/{number}"), "/dev/null")


if __name__ == "__main__":
    unittest.main()

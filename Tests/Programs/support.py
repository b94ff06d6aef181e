"""What the tests of the programs share: a daemon on a private socket, and raw talk to it."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("FORCETOUCH_BIN", ROOT / ".build/debug"))
DEMO = ROOT / "Examples/recordings/peek-and-pop.evemu"
MAGIC = ROOT / "Tests/Fixtures/magic-trackpad-2"
# Settings of a daemon whose programs may be slow to answer.
PATIENT = ("--config", ROOT / "Tests/Programs/patient.yaml")
MONITOR = "org.forcetouchd.Monitor"
DEVICES = "org.forcetouchd.Devices"
PREVIEWING = "org.forcetouchd.Previewing"
NOBODY = 65534
COMPILER = shutil.which("cc") or shutil.which("clang")
# How many seconds anything may take on a busy machine that must happen at all.
PATIENCE = 30
CONTROL = "org.forcetouchd.Control"


def run(*arguments, timeout=60, **options):
    """Runs forcetouchctl; gives its status, output and complaints."""
    done = subprocess.run(
        [BIN / "forcetouchctl", *map(str, arguments)],
        capture_output=True, text=True, errors="replace", timeout=timeout,
        stdin=subprocess.DEVNULL, **options)
    return done.returncode, done.stdout, done.stderr


def wait_until(condition, what, seconds=PATIENCE):
    """Waits for something that must come true soon."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError(f"after {seconds} s still not: {what}")


def can_mount():
    return os.geteuid() == 0 and subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"],
        capture_output=True).returncode == 0


needs_mounts = unittest.skipUnless(can_mount(), "only root can mount what nobody else sees")


def mounting(commands):
    """Runs a daemon where these commands have mounted something that nobody else sees."""
    return ("unshare", "--mount", "sh", "-c", f'{commands} && exec "$@"', "sh")


def preloadable(name, folder):
    """A library for LD_PRELOAD, of the C file of this name beside the tests."""
    library = pathlib.Path(folder) / f"{name}.so"
    source = ROOT / f"Tests/Programs/{name}.c"
    subprocess.run([COMPILER, "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


@contextlib.contextmanager
def as_nobody():
    """The kernel takes what connects meanwhile for nobody's; needs root."""
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


class Daemon:
    """A forcetouchd of its own."""

    def __init__(self, *arguments, folder=None, user=None, is_owner=True, wrapper=(),
                 patience=PATIENCE, preexec_fn=None, **variables):
        self.folder = folder or tempfile.mkdtemp(prefix="forcetouch-test-")
        if user is not None and is_owner:
            os.chown(self.folder, user, user)
        self.path = os.path.join(self.folder, "socket")
        self.log = open(os.path.join(self.folder, f"log-{time.monotonic_ns()}"), "w+")
        self.process = subprocess.Popen(
            [*wrapper, BIN / "forcetouchd", "--socket", self.path, "--verbose",
             *map(str, arguments)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, user=user, group=user,
            extra_groups=None if user is None else [], env={**os.environ, **variables},
            preexec_fn=preexec_fn)
        wait_until(lambda: self.answers() or self.process.poll() is not None, "the daemon answers",
                   patience)

    def answers(self):
        try:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.connect(self.path)
            return True
        except OSError:
            return False

    def output(self):
        self.log.flush()
        with open(self.log.name) as log:
            return log.read()

    def descriptors(self):
        folder = f"/proc/{self.process.pid}/fd"
        links = []
        for name in os.listdir(folder):
            try:
                links.append(os.readlink(f"{folder}/{name}"))
            except OSError:
                pass
        return links

    def processor_time(self):
        """What it has used so far, in seconds: the clock of clock_getcpuclockid(3)."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    @contextlib.contextmanager
    def held(self):
        """It stands still meanwhile: all that is done to it is there at once when it goes on."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def connect(self, timeout=PATIENCE):
        return Raw(self.path, timeout)

    def ask(self, method, parameters=None):
        """One call on a connection of its own."""
        raw = self.connect()
        try:
            return raw.ask(method, parameters)
        finally:
            raw.close()

    def ask_as_nobody(self, method, parameters=None, **flags):
        """What a process of the user nobody, in no group, is answered."""
        os.chmod(self.folder, 0o755)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
                os.write(writer, json.dumps(self.connect().ask(method, parameters, **flags)).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as answer:
            text = answer.read()
        os.waitpid(child, 0)
        return json.loads(text)

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(timeout=PATIENCE)
        return status

    def close(self):
        self.stop()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Raw:
    """A connection that sends whatever it is told."""

    def __init__(self, path, timeout=PATIENCE):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.pending = b""

    def send(self, data):
        try:
            self.socket.sendall(data)
            return True
        except (BrokenPipeError, ConnectionResetError):
            return False

    def call(self, method, parameters=None, **flags):
        message = {"method": method, **flags}
        if parameters is not None:
            message["parameters"] = parameters
        self.send(json.dumps(message).encode() + b"\0")

    def ask_often(self, method, times):
        """Makes one call so often, all at once; the replies are still to be taken."""
        self.send(times * (json.dumps({"method": method}).encode() + b"\0"))

    def reply(self):
        """The next reply, or None when the daemon closed the connection."""
        while b"\0" not in self.pending:
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                return None
            self.pending += data
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, parameters=None, **flags):
        self.call(method, parameters, **flags)
        return self.reply()

    def close(self):
        self.socket.close()


class StandIn:
    """Something that listens where a daemon should; each connection goes to `answer`, on a thread of its own."""

    def __init__(self, path, answer=lambda client: client.close()):
        self.path, self.answer = path, answer
        self.clients, self.threads = [], []
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen()
        self.start(self.accept)

    def start(self, work, *arguments):
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def accept(self):
        with contextlib.suppress(OSError):  # it is closed
            while True:
                client, _ = self.socket.accept()
                self.clients.append(client)
                self.start(self.answer, client)

    def heard(self):
        """What each client said until it left, where `answer` reads nothing."""
        return [b"".join(iter(lambda: client.recv(4096), b"")) for client in self.clients]

    def close(self):
        for stream in (self.socket, *self.clients):
            with contextlib.suppress(OSError):
                stream.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(PATIENCE)
        for stream in (self.socket, *self.clients):
            stream.close()


class DaemonTestCase(unittest.TestCase):
    """Tests that talk to a daemon; each has its own, and it must be alive at the end."""

    arguments = ("--replay", DEMO)

    def setUp(self):
        self.daemon = Daemon(*self.arguments)
        self.addCleanup(self.daemon.close)

    def assertAlive(self):
        """The daemon serves a new client as if nothing had happened."""
        self.assertIsNone(self.daemon.process.poll(), self.daemon.output())
        reply = self.daemon.ask(f"{DEVICES}.List")
        self.assertEqual(len(reply["parameters"]["devices"]), 1)


def without_changes(events):
    """(event, time in ms) of everything but `changed`."""
    return [(e["event"], e["time"] // 1000) for e in events if e["event"] != "changed"]


def events_of(output):
    """The events of `--json` output."""
    return [o["event"] for o in map(json.loads, output.splitlines()) if "event" in o]

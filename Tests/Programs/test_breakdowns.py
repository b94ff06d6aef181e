"""What breaks down: full disks, a kill in the middle, nobody who reads the log, SIGTERM at any moment."""

import contextlib
import errno
import os
import pathlib
import random
import shutil
import signal
import socket
import tempfile
import time
import unittest

from previewing import Context
from streams import Answerer, Listener, contacts
from support import (
    CONTROL, DEMO, DEVICES, MONITOR, PATIENT, Daemon, mounting, needs_mounts, wait_until)

OLD, NEW = ({"floor": 0, "average": 20, "ceiling": ceiling} for ceiling in (100, 120))


class BreakdownTestCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="forcetouch-fault-")
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *arguments, **options):
        self.daemon = Daemon(*arguments, "--replay", DEMO, **options)
        self.addCleanup(self.daemon.close)
        self.assertIsNone(self.daemon.process.poll(), self.daemon.output())
        return self.daemon

    def call(self, method, **parameters):
        return self.daemon.ask(f"{CONTROL}.{method}", parameters)

    def ceiling(self):
        (device,) = self.daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        return device["profile"]["ceiling"]

    def sensitivity(self):
        settings = self.call("GetSettings")["parameters"]["settings"]
        return next(s["value"] for s in settings if s["name"] == "recognition.sensitivity")


class StorageTest(BreakdownTestCase):
    def assertRefused(self, reason):
        """Neither a profile nor a setting can be kept, and what there was counts and stays."""
        before = {f.name: f.read_text() for f in self.kept.iterdir()}
        for reply in (self.call("SetProfile", device="d1", profile=NEW),
                      self.call("SetSetting", name="recognition.sensitivity", value="light")):
            self.assertEqual(reply.get("error"), f"{CONTROL}.NotStored", reply)
            self.assertIn(reason, reply["parameters"]["reason"])
        self.assertEqual({f.name: f.read_text() for f in self.kept.iterdir()}, before)
        self.assertEqual((self.ceiling(), self.sensitivity()), (OLD["ceiling"], "firm"))

    def store(self, profile, sensitivity):
        self.assertEqual(self.call("SetProfile", device="d1", profile=profile), {"parameters": {}})
        self.assertEqual(
            self.call("SetSetting", name="recognition.sensitivity", value=sensitivity),
            {"parameters": {}})

    @needs_mounts
    def test_a_full_disk_leaves_the_old_files(self):
        daemon = self.start("--state", self.folder, wrapper=mounting(
            f"mount -t tmpfs -o size=64k none {self.folder}"))
        self.kept = pathlib.Path(f"/proc/{daemon.process.pid}/root{self.folder}")
        self.store(OLD, "firm")
        filler = self.kept / "filler"
        with self.assertRaises(OSError) as full, open(filler, "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        self.assertEqual(full.exception.errno, errno.ENOSPC)
        self.assertRefused("No space left on device")
        filler.unlink()
        self.store(NEW, "light")
        self.assertEqual(self.ceiling(), NEW["ceiling"])

    def test_a_write_that_is_cut_off_leaves_the_old_files(self):
        self.start("--state", self.folder)
        self.kept = pathlib.Path(self.folder)
        self.store(OLD, "firm")
        # A file may have ten bytes: of what is written so many are taken, then none.
        self.daemon.stop()
        self.start("--state", self.folder, wrapper=("prlimit", "--fsize=10"))
        self.assertRefused("File too large")

    def test_a_kill_in_the_middle_leaves_the_old_profile_or_the_new(self):
        generator = random.Random(3)
        self.start("--state", self.folder)
        self.store(OLD, "firm")
        for _ in range(8):
            raws = [self.daemon.connect() for _ in range(4)]
            for number in range(40):
                raws[number % 4].call(f"{CONTROL}.SetProfile", {
                    "device": "d1", "profile": (OLD, NEW)[number % 2]})
            time.sleep(generator.uniform(0, 0.02))
            self.daemon.stop(signal.SIGKILL)
            for raw in raws:
                raw.close()
            self.start("--state", self.folder)
            self.assertIn(self.ceiling(), (OLD["ceiling"], NEW["ceiling"]))
            self.assertEqual(self.call("GetSettings")["parameters"]["problems"], [])
        # What the kill left there is in nobody's way.
        self.store(NEW, "light")
        self.assertEqual(
            sorted(os.listdir(self.folder)), ["profiles.yaml", "settings.yaml"])

    def start_with_settings(self, make):
        """A daemon with an /etc of its own; gives its settings file, which `make` makes."""
        etc = pathlib.Path(self.folder, "etc")
        shutil.copytree("/etc", etc, symlinks=True, ignore=lambda folder, names: [
            name for name in names if name == "forcetouchd" or not os.access(f"{folder}/{name}", os.R_OK)])
        settings = etc / "forcetouchd/forcetouchd.yaml"
        settings.parent.mkdir()
        make(settings)
        self.start(
            "--state", f"{self.folder}/state", wrapper=mounting(f"mount --bind {etc} /etc"))
        return settings

    @needs_mounts
    def test_settings_that_cannot_be_read_any_more_count_as_before(self):
        settings = self.start_with_settings(
            lambda path: path.write_text("recognition:\n  sensitivity: firm\n"))
        self.assertEqual(self.sensitivity(), "firm")
        settings.unlink()
        settings.symlink_to(settings)  # too many levels: not even root can read it
        (problem,) = self.call("Reload")["parameters"]["problems"]
        self.assertIn("cannot read /etc/forcetouchd/forcetouchd.yaml", problem)
        self.assertEqual(self.sensitivity(), "firm")
        # What is set meanwhile is kept, and its program told that it does not count yet.
        reply = self.call("SetProfile", device="d1", profile=NEW)
        self.assertEqual(reply["error"], f"{CONTROL}.NotStored")
        self.assertIn("it is kept, but does not count yet", reply["parameters"]["reason"])
        settings.unlink()
        settings.write_text("recognition:\n  sensitivity: light\n")
        self.assertEqual(self.call("Reload"), {"parameters": {"problems": []}})
        self.assertEqual((self.sensitivity(), self.ceiling()), ("light", NEW["ceiling"]))
        # One that is gone is no trouble: it need not be there.
        settings.unlink()
        self.assertEqual(self.call("Reload"), {"parameters": {"problems": []}})
        self.assertEqual(self.sensitivity(), "medium")

    @needs_mounts
    def test_settings_that_never_could_be_read_stop_nothing(self):
        self.start_with_settings(lambda path: path.symlink_to(path))
        self.store(NEW, "light")
        self.assertEqual((self.sensitivity(), self.ceiling()), ("light", NEW["ceiling"]))
        self.assertEqual(self.daemon.output().count("cannot read /etc"), 1)


class LogTest(BreakdownTestCase):
    LINES = 300

    def reload_often(self):
        """Each is a line for the log."""
        raw = self.daemon.connect()
        for _ in range(self.LINES):
            self.assertIn("parameters", raw.ask(f"{CONTROL}.Reload"))
        raw.close()

    @contextlib.contextmanager
    def journal(self):
        """A daemon whose journal is a socket of the test."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journald:
            journald.bind(f"{self.folder}/socket")
            journald.settimeout(10)
            self.start(wrapper=mounting(
                "mount -t tmpfs none /run && mkdir -p /run/systemd/journal && "
                f"mount --bind {self.folder} /run/systemd/journal && "
                "export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2)"))
            yield journald

    @needs_mounts
    def test_the_journal_gets_whole_messages_with_their_fields(self):
        with self.journal() as journald:
            self.call("Reload")
            while "are read again" not in (message := journald.recv(65536).decode()):
                pass
        fields = dict(line.split("=", 1) for line in message.splitlines())
        self.assertEqual(fields, {
            "PRIORITY": "6", "FORCETOUCHD_ORIGIN": "settings",
            "MESSAGE": "settings, device table and profiles are read again"})
        self.assertEqual(self.daemon.output(), "")

    @needs_mounts
    def test_a_journal_that_hangs_keeps_nobody_waiting(self):
        with self.journal() as journald:
            self.reload_often()
            # What found no room is counted, and told when there is some again.
            journald.setblocking(False)

            def told():
                self.call("Reload")
                with contextlib.suppress(BlockingIOError):
                    while True:
                        if b"lines were left out here" in journald.recv(65536):
                            return True

            wait_until(told, "it says that lines were left out")

    @needs_mounts
    def test_a_journal_that_is_away_keeps_nobody_waiting(self):
        with self.journal():
            os.unlink(f"{self.folder}/socket")
            self.reload_often()

    def test_a_pipe_that_nobody_reads_keeps_nobody_waiting(self):
        pipe = f"{self.folder}/pipe"
        os.mkfifo(pipe)
        descriptor = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, descriptor)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(descriptor, b"x" * 4096)
        self.start(wrapper=("sh", "-c", f'exec "$@" 2>{pipe}', "sh"))
        self.reload_often()
        self.assertEqual(self.daemon.stop(), 0)


class EndTest(unittest.TestCase):
    """SIGTERM at any moment: what was opened is closed for each client, and the status is 0."""

    ROUNDS = int(os.environ.get("FORCETOUCH_ROUNDS", 10))

    def test_at_any_moment_all_that_is_open_is_closed(self):
        seed = int(os.environ.get("FORCETOUCH_SEED", random.randrange(1 << 32)))
        generator = random.Random(seed)
        opened = 0
        for number in range(self.ROUNDS):
            with self.subTest(seed=seed, round=number):
                opened += self.end_somewhere(generator)
        self.assertGreater(opened, 0, "nothing was ever open")

    def end_somewhere(self, generator):
        """Gives how many contacts were heard of."""
        daemon = Daemon(*PATIENT, "--replay", DEMO, "--replay", DEMO)
        self.addCleanup(daemon.close)
        listeners = []
        for frames in (False, True):
            raw = daemon.connect()
            raw.call(f"{MONITOR}.Watch", {"frames": frames}, more=True)
            listeners.append(Listener(raw, contacts()))
        for index in range(4):
            listeners.append(Answerer(
                Context(daemon.path, coverage="everything", active=True),
                Answerer.accept if index % 2 else lambda *_: None))
        watcher = daemon.connect()
        watcher.call(f"{DEVICES}.Watch", more=True)
        # The recordings take some three seconds.
        time.sleep(generator.uniform(0, 2.5))
        self.assertEqual(daemon.stop(), 0)
        heard = 0
        for listener in listeners:
            listener.join(10)
            self.assertTrue(listener.was_ended, "a stream had no last reply")
            self.assertEqual(listener.grammar.problems, [])
            if isinstance(listener, Answerer):
                self.assertEqual(listener.unclosed(), [])
            else:
                self.assertEqual(listener.grammar.open, {})
                heard += len(listener.grammar.closed)
            listener.leave()
        while (reply := watcher.reply()) and reply.get("continues"):
            pass
        self.assertEqual(reply, {"parameters": {}})
        watcher.close()
        return heard


if __name__ == "__main__":
    unittest.main()

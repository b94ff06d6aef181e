"""forcetouchctl run: rules of an actions file, followed on recordings that a real daemon plays."""

import contextlib
import fcntl
import os
import pathlib
import pty
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import time
import unittest

from previewing import Context, ScreenRecording
from support import (
    BIN, COMPILER, DEMO, NOBODY, PATIENCE, PATIENT, Daemon, StandIn, preloadable, run, wait_until)

PAD = "Apple Inc. Magic Trackpad 2"
# Leaves its environment behind, whole or not at all.
KEEP = 'env >"$T.$$" && mv "$T.$$" "$T/$FORCETOUCH_INTERACTION $FORCETOUCH_EVENT"'
# What the demo is to rules for everything: a press to the pop, a press to the peek.
WHOLE = ["1 peek", "1 pop", "2 peek", "2 peekEnded"]


class Runner:
    """A `forcetouchctl run` with a folder, which its commands know as $T."""

    def __init__(self, actions, socket, environment=None, **options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="forcetouch-test-"))
        self.made = self.folder / "made"
        self.made.mkdir()
        self.actions = self.folder / "actions.yaml"
        self.actions.write_text(actions)
        self.log = open(self.folder / "log", "w+")
        if "user" in options:
            os.chmod(self.folder, 0o755)
        self.process = subprocess.Popen(
            [BIN / "forcetouchctl", "run", "--actions", self.actions, "--socket", socket],
            **{"stdin": subprocess.DEVNULL, "stdout": self.log, "stderr": self.log, **options},
            env={**os.environ, "T": str(self.made), **(environment or {})})

    def said(self):
        """The lines of its own, and those of its commands."""
        with open(self.log.name) as log:
            return log.read().replace(str(self.actions), "FILE").splitlines()

    def waits_for(self, text):
        wait_until(lambda: any(text in line for line in self.said()), f"{text!r} is said")

    def is_ready(self):
        self.waits_for("in force")
        return self

    def names(self):
        """What the commands made."""
        return sorted(path.name for path in self.made.iterdir())

    def makes(self, *names):
        wait_until(lambda: self.names() == sorted(names), f"there is {names}", 10)

    def read(self, name):
        """A file that a command made, as soon as there is something in it."""
        path = self.made / name
        wait_until(lambda: path.exists() and path.read_text(), f"{name} is made")
        return path.read_text()

    def environment(self, name):
        """{variable without FORCETOUCH_: value} that a command had."""
        pairs = (line.split("=", 1) for line in self.read(name).splitlines())
        return {key.removeprefix("FORCETOUCH_"): value
                for key, value in pairs if key.startswith("FORCETOUCH_")
                and key not in ("FORCETOUCH_BIN", "FORCETOUCH_PYTHON")}

    def send(self, number):
        self.process.send_signal(number)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        self.log.close()
        shutil.rmtree(self.folder)


def is_running(pid):
    """Whether there is such a process that has not ended, waited for or not."""
    try:
        return pathlib.Path(f"/proc/{int(pid)}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def are_gone(pids):
    """Waits until there are no such processes: the kernel takes a moment."""
    wait_until(lambda: not any(map(is_running, pids)), f"{pids} are gone", 5)


def presses(path, count, pause=300, pressure=140):
    """A recording of the touchscreen: a tap, then after half a second presses, each to the peek."""
    recording = ScreenRecording()
    recording.down(0, 1000, 1800)
    recording.up(50)
    for number in range(count):
        start = 500 + number * pause
        recording.down(start, 1000, 1800)
        for step, value in ((10, 90), (60, 120), (100, pressure)):
            recording.press(start + step, value)
        recording.up(start + 200)
    return recording.write(path)


class Mute(StandIn):
    """Passes everything on to a daemon and back, but for the call that asks to follow the devices."""

    def __init__(self, daemon):
        self.daemon = daemon
        # Those that asked to follow the devices.
        self.unanswered = []
        super().__init__(os.path.join(daemon.folder, "mute"), self.relay)

    def relay(self, client):
        inner = self.daemon.connect(timeout=None).socket
        self.start(self.pass_on, inner, client)
        self.pass_on(client, inner)

    def pass_on(self, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if b"org.forcetouchd.Devices.Watch" in data:
                    self.unanswered.append(source)
                else:
                    sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)


class RunTestCase(unittest.TestCase):
    maxDiff = None

    def daemon(self, *arguments, **options):
        daemon = Daemon(*PATIENT, "--replay", *(arguments or [DEMO]), **options)
        self.addCleanup(daemon.close)
        return daemon

    def runner(self, actions, daemon, **options):
        """One for a daemon, or for the path of a socket."""
        runner = Runner(actions, getattr(daemon, "path", daemon), **options)
        self.addCleanup(runner.close)
        return runner

    def recording(self, *arguments, **options):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o755)
        return presses(f"{folder}/presses.evemu", *arguments, **options)


class EventsTest(RunTestCase):
    def test_each_event_runs_its_command_and_says_what_is_known(self):
        runner = self.runner(f"""
- on: [peek, pop, peekEnded, peekCancelled]
  shell: '{KEEP}'
""", self.daemon(), environment={"FORCETOUCH_X": "stale", "FORCETOUCH_REASON": "stale"})
        runner.makes(*WHOLE)
        peek = runner.environment("1 peek")
        force = float(peek.pop("FORCE"))
        self.assertAlmostEqual(force, 3.79, 1)
        self.assertAlmostEqual(float(peek.pop("PRESSURE")) * 20 / 3, force, 2)
        self.assertEqual(peek, {
            "EVENT": "peek", "INTERACTION": "1", "TIME": "1236000", "DEVICE": PAD,
            "DEVICE_ID": "d1", "MAXIMUM_FORCE": "6.6667"})
        self.assertGreater(float(runner.environment("1 pop")["FORCE"]), force)
        self.assertEqual(runner.environment("2 peekEnded")["INTERACTION"], "2")
        # The recording is over, and so is the daemon; nothing but that went wrong.
        runner.waits_for("trying again")
        self.assertEqual(len(runner.said()), 2, runner.said())

    def test_without_a_rule_for_the_pop_the_peek_stays_until_the_finger_lifts(self):
        runner = self.runner(f"""
- {{on: peek, shell: '{KEEP}'}}
- {{on: peekEnded, shell: '{KEEP}'}}
- {{on: pop, device: some other, shell: '{KEEP}'}}
""", self.daemon())
        runner.makes("1 peek", "1 peekEnded", "2 peek", "2 peekEnded")

    def test_a_press_that_is_taken_back_before_its_peek_ends_nothing(self):
        recording = ScreenRecording()
        recording.down(0, 1000, 1800)
        recording.press(200, 100)
        recording.up(400)
        # The second peeks and is taken back by another finger.
        recording.down(600, 1000, 1800)
        for time, pressure in ((620, 100), (660, 140)):
            recording.press(time, pressure)
        recording.down(760, 3000, 600, slot=1)
        recording.up(900, slot=0)
        recording.up(901, slot=1)
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        runner = self.runner(
            f"- {{on: [peek, peekEnded, peekCancelled], shell: '{KEEP}'}}\n",
            self.daemon(recording.write(f"{folder}/two.evemu")))
        runner.waits_for("trying again")
        runner.makes("2 peek", "2 peekCancelled")
        self.assertEqual(runner.environment("2 peekCancelled")["REASON"], "otherContact")

    def test_on_a_touchscreen_the_location_is_known(self):
        runner = self.runner(
            f"- {{on: peek, shell: '{KEEP}'}}\n", self.daemon(self.recording(1)))
        peek = runner.environment("1 peek")
        # 1000 of 4000 and 1800 of 2400.
        self.assertEqual((peek["X"], peek["Y"]), ("0.25", "0.75"))
        self.assertEqual(float(peek["GRAMS"]), 140)

    def test_a_rule_is_for_its_device_alone(self):
        runner = self.runner(f"""
- {{on: peek, device: "{PAD}", shell: 'touch "$T/name"'}}
- {{on: peek, device: d1, shell: 'touch "$T/id"'}}
- {{on: peek, device: Magic, shell: 'touch "$T/part"'}}
- {{on: peek, device: d2, shell: 'touch "$T/other"'}}
- {{on: peekEnded, shell: 'touch "$T/end"'}}
""", self.daemon())
        wait_until(lambda: "end" in runner.names(), "the press is over")
        self.assertEqual(runner.names(), ["end", "id", "name"])

    def test_a_device_without_a_rule_is_left_to_others_at_once(self):
        """A no, not a silence: the next is asked in the frame of the hint, or just after."""
        recording = ScreenRecording()
        recording.down(0, 1000, 1800)
        recording.up(50)
        starts = (2000, 2600, 3200)
        for start in starts:
            recording.down(start, 1000, 1800)
            for step in range(40):
                recording.press(start + 10 + step * 10, 90 + step)
            recording.up(start + 500)
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        daemon = self.daemon(recording.write(f"{folder}/press.evemu"))
        other = Context(daemon.path, coverage="everything", touchscreens=True)
        self.addCleanup(other.close)
        # Registered later, so asked earlier.
        self.runner("- {on: peek, device: d2, run: ['true']}\n", daemon).is_ready()
        delays = []
        for start in starts:
            question = other.event()
            delays.append(question["time"] // 1000 - start - 10)
            other.answer(question, preview=False)
        # Three silences would have taken 50 ms each, and frames come every 10 ms; a busy machine may
        # be slow now and then.
        self.assertLess(min(delays), 30)

    def test_a_daemon_that_does_not_tell_its_devices_keeps_no_question(self):
        """The answer is a no, long before the daemon takes a silence for one."""
        recording = ScreenRecording()
        recording.down(0, 1000, 1800)
        recording.up(50)
        recording.down(2000, 1000, 1800)
        for step in range(40):
            recording.press(2010 + step * 10, 90 + step)
        recording.up(2500)
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        daemon = self.daemon(recording.write(f"{folder}/press.evemu"))
        other = Context(daemon.path, coverage="everything", touchscreens=True)
        self.addCleanup(other.close)
        mute = Mute(daemon)
        self.addCleanup(mute.close)
        # Registered later, so asked earlier.
        self.runner("- {on: peek, run: ['true']}\n", mute).is_ready()
        question = other.event()
        self.assertEqual(question["event"], "question")
        self.assertTrue(mute.unanswered)
        other.answer(question, preview=False)

    def test_arguments_are_no_shells_business(self):
        runner = self.runner("""
- on: peek
  run: [sh, -c, 'printf "%s\\n" "$@" >$T/args', x, "$HOME; exit 3", "a  b", "*", 5, ""]
""", self.daemon())
        self.assertEqual(runner.read("args"), "$HOME; exit 3\na  b\n*\n5\n\n")

    def test_a_command_begins_as_from_a_shell(self):
        runner = self.runner("""
- on: peek
  run:
    - sh
    - -c
    - ls /proc/self/fd | wc -l >$T/fds; readlink /proc/self/fd/0 >$T/input;
      grep -E 'Sig(Blk|Ign)' /proc/self/status >$T/signals; echo "said by the command"
""", self.daemon())
        # Those of ls: three, and the folder.
        self.assertEqual(runner.read("fds").strip(), "4")
        self.assertEqual(runner.read("input").strip(), "/dev/null")
        # glibc itself ignores two that it keeps to itself.
        own = 1 << 31 | 1 << 32
        self.assertEqual(
            [int(line.split()[1], 16) & ~own for line in runner.read("signals").splitlines()], [0, 0])
        runner.waits_for("said by the command")


class LimitsTest(RunTestCase):
    def test_a_rule_is_followed_as_often_as_it_may(self):
        runner = self.runner("""
- {on: peek, at-most-every-ms: 700, shell: 'echo limited >>$T/log'}
- {on: peek, shell: 'echo free >>$T/log'}
- {on: peekEnded, shell: 'echo end >>$T/ends'}
""", self.daemon(self.recording(5)))
        wait_until(lambda: runner.read("ends").count("end") == 5, "five presses are over")
        # Peeks at 0, 300, 600, 900, 1200 ms.
        counts = [runner.read("log").count(word) for word in ("limited", "free")]
        self.assertEqual(counts, [2, 5])

    def test_a_command_that_takes_too_long_is_ended_with_all_it_started(self):
        runner = self.runner("""
- on: peek
  timeout-s: 0.3
  shell: |
    trap "" TERM
    sleep 300 & echo $! >$T/child
    echo $$ >$T/shell
    wait; sleep 300
- on: peek
  timeout-s: 0.3
  shell: |
    trap 'echo asked >$T/polite; exit' TERM
    sleep 300 & echo $! >$T/other; wait
""", self.daemon(self.recording(1)))
        pids = [int(runner.read(name)) for name in ("child", "shell", "other")]
        started = time.monotonic()
        # The third heeds SIGTERM and may be gone.
        self.assertTrue(all(map(is_running, pids[:2])))
        self.assertEqual(runner.read("polite").strip(), "asked")
        # SIGKILL comes to what did not heed SIGTERM, not before 2 s.
        are_gone(pids)
        self.assertGreater(time.monotonic() - started, 1.9)
        runner.waits_for("FILE:2:3: the command took too long and was ended")
        runner.waits_for("FILE:9:3: the command took too long and was ended")
        children = pathlib.Path(f"/proc/{runner.process.pid}/task/{runner.process.pid}/children")
        self.assertEqual(children.read_text(), "")

    def test_not_more_run_at_once_than_should(self):
        rules = "- {on: peek, shell: 'echo $$ >>$T/pids; exec sleep 300'}\n" * 20
        runner = self.runner(rules, self.daemon(self.recording(3)))
        wait_until(lambda: len(runner.read("pids").split()) == 16, "16 are there")
        runner.waits_for("trying again")
        pids = runner.read("pids").split()
        self.assertEqual(len(pids), 16)
        self.assertEqual([line for line in runner.said() if "already" in line], [
            "forcetouchctl: 16 commands are running already; until one ends, no other starts"])
        runner.send(signal.SIGTERM)
        self.assertEqual(runner.process.wait(timeout=PATIENCE), 0)
        are_gone(pids)

    def test_a_command_that_fails_is_told_once(self):
        runner = self.runner("""
- {on: peek, run: [no-such-program, a]}
- {on: peek, run: [/etc]}
- {on: peek, shell: exit 3}
- {on: peek, shell: kill -KILL $$}
- {on: peekEnded, shell: 'echo end >>$T/ends'}
""", self.daemon(self.recording(3)))
        wait_until(lambda: runner.read("ends").count("end") == 3, "three presses are over")
        runner.waits_for("trying again")
        self.assertEqual(sorted(line for line in runner.said() if "FILE:" in line), [
            "forcetouchctl: FILE:2:3: cannot start no-such-program: No such file or directory",
            "forcetouchctl: FILE:3:3: cannot start /etc: Permission denied",
            "forcetouchctl: FILE:4:3: the command failed with status 3",
            "forcetouchctl: FILE:5:3: the command was ended by signal 9: Killed"])


class EndTest(RunTestCase):
    @unittest.skipUnless(COMPILER, "needs a C compiler")
    def test_it_ends_with_its_commands(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                # On a clock that stands still: the time that what does not heed it would get is
                # never over.
                runner = self.runner("""
- on: peek
  shell: |
    sleep 300 & echo $! >$T/child
    echo $$ >$T/shell
    wait
""", self.daemon(self.recording(1)), environment=self.standing_clock())
                pids = [runner.read(name) for name in ("child", "shell")]
                runner.send(number)
                self.assertEqual(runner.process.wait(timeout=PATIENCE), 0)
                are_gone(pids)

    def standing_clock(self):
        """What puts a process on a monotonic clock on which it is always the same time."""
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-clock-")
        self.addCleanup(folder.cleanup)
        clocks = pathlib.Path(folder.name, "clocks")
        clocks.write_bytes(struct.pack("qqq", 0, 0, time.monotonic_ns()))
        return {"FORCETOUCH_CLOCKS": str(clocks),
                "LD_PRELOAD": str(preloadable("clocks", folder.name))}

    def test_what_does_not_heed_it_is_killed(self):
        runner = self.runner("""
- on: peek
  shell: |
    trap "" TERM
    echo $$ >$T/shell
    sleep 300; sleep 300
""", self.daemon(self.recording(1)))
        pid = runner.read("shell")
        runner.send(signal.SIGTERM)
        self.assertEqual(runner.process.wait(timeout=PATIENCE), 0)
        are_gone([pid])

    def test_it_goes_on_when_nobody_reads_what_it_says(self):
        reader, writer = os.pipe()
        runner = self.runner("""
- {on: peek, run: [no-such-program]}
- {on: peekEnded, shell: 'touch $T/end'}
""", self.daemon(self.recording(2)), stdout=writer, stderr=writer)
        os.close(writer)
        self.assertIn(b"in force", os.read(reader, 1000))
        os.close(reader)
        wait_until(lambda: "end" in runner.names(), "the peek ended")
        self.assertIsNone(runner.process.poll())

    def test_it_ends_with_its_terminal(self):
        master, slave = pty.openpty()

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        runner = self.runner(
            "- {on: peek, run: ['true']}\n", self.daemon(), stdin=slave, preexec_fn=take_terminal)
        os.close(slave)
        runner.is_ready()
        os.close(master)
        self.assertEqual(runner.process.wait(timeout=PATIENCE), 0)


class DaemonTest(RunTestCase):
    RULES = f"- {{on: [peek, pop, peekEnded, peekCancelled], shell: '{KEEP}'}}\n"

    def test_a_daemon_that_stops_closes_the_peek_and_the_next_is_served(self):
        for number, reason in ((signal.SIGTERM, "stopping"), (signal.SIGKILL, "connectionLost")):
            with self.subTest(signal=number):
                daemon = self.daemon()
                runner = self.runner(self.RULES, daemon)
                runner.read("1 peek")
                daemon.process.send_signal(number)
                self.assertEqual(runner.environment("1 peekCancelled")["REASON"], reason)
                daemon.process.wait(timeout=PATIENCE)
                for path in runner.made.iterdir():
                    path.unlink()
                time.sleep(1)
                Daemon(*PATIENT, "--replay", DEMO, folder=daemon.folder)
                runner.makes(*WHOLE)
                runner.waits_for("the daemon is there")
                # It went once, it came once, and went at the end of the recording.
                said = [line for line in runner.said()
                        if "again" in line or "the daemon is there" in line]
                self.assertEqual(len([l for l in said if "the daemon is there" in l]), 1, said)
                self.assertLessEqual(len(said), 3, said)

    def test_without_a_daemon_it_says_so_once_and_waits(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        runner = self.runner(self.RULES, f"{folder}/socket")
        runner.waits_for("trying again")
        time.sleep(1.5)
        self.assertEqual(len(runner.said()), 1)
        self.assertRegex(runner.said()[0], "cannot be reached at .*/socket: No such file or directory; "
                         r"is forcetouchd running\? .*; trying again until it is there")
        self.daemon(folder=folder)
        runner.makes(*WHOLE)

    def test_whoever_started_it_is_told_that_it_is_ready(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listener:
            listener.bind(f"{folder}/notify")
            listener.settimeout(5)
            environment = {"NOTIFY_SOCKET": f"{folder}/notify"}
            runner = self.runner("- {on: peek, shell: 'env >$T/env'}\n", self.daemon(),
                                 environment=environment)
            self.assertEqual(listener.recv(100), b"READY=1")
            # The commands have nothing to tell.
            self.assertNotIn("NOTIFY_SOCKET", runner.read("env"))
            # Nor is it ready with a file that is no use.
            useless = self.runner("- {on: peek}\n", "/nowhere", environment=environment)
            self.assertEqual(useless.process.wait(timeout=PATIENCE), 1)
            listener.setblocking(False)
            self.assertRaises(BlockingIOError, listener.recv, 100)

    def test_it_sleeps_while_nothing_happens(self):
        recording = ScreenRecording()
        recording.down(100, 1000, 1800)
        recording.up(30_000)
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        runner = self.runner(self.RULES, self.daemon(recording.write(f"{folder}/long.evemu")))
        runner.is_ready()
        # A connection counts as lasting after a second.
        time.sleep(1.5)

        def wake_ups():
            status = pathlib.Path(f"/proc/{runner.process.pid}/status").read_text()
            return int(status.split("voluntary_ctxt_switches:")[1].split()[0])
        before = wake_ups()
        time.sleep(1.5)
        self.assertEqual(wake_ups(), before)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_who_is_not_in_the_group_is_told_of_touchscreens(self):
        daemon = self.daemon(self.recording(1), DEMO)
        os.chmod(daemon.folder, 0o755)
        runner = self.runner(self.RULES, daemon, user=NOBODY, group=NOBODY, extra_groups=[])
        runner.waits_for("left out")
        self.assertEqual(runner.said(), [
            "forcetouchctl: 1 rule of FILE in force; they wait, for this user is not in front of an "
            "unlocked screen",
            "forcetouchctl: Test touchscreen is left out: touchscreens need membership in the group "
            "forcetouch: `sudo usermod -aG forcetouch $USER` and log in again"])
        # For whom no rule is, nothing is missing.
        other = self.runner(f"- {{on: peek, device: '{PAD}', run: ['true']}}\n", daemon,
                            user=NOBODY, group=NOBODY, extra_groups=[])
        other.is_ready()
        time.sleep(0.3)
        self.assertEqual(len(other.said()), 1)

    def test_a_daemon_that_knows_no_previewing_is_no_use(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as listener:
            listener.bind(f"{folder}/socket")
            listener.listen()
            runner = self.runner(self.RULES, f"{folder}/socket")
            listener.settimeout(5)
            stream, _ = listener.accept()
            calls, _ = listener.accept()
            stream.recv(4096)
            stream.sendall(b'{"error":"org.varlink.service.InterfaceNotFound",'
                           b'"parameters":{"interface":"org.forcetouchd.Previewing"}}\0')
            self.assertEqual(runner.process.wait(timeout=PATIENCE), 1)
            stream.close()
            calls.close()
        self.assertEqual(len(runner.said()), 1)
        self.assertIn("does the daemon have another version?", runner.said()[0])


class ReloadTest(RunTestCase):
    def test_a_good_file_counts_and_a_bad_one_changes_nothing(self):
        daemon = self.daemon(self.recording(40))
        runner = self.runner("- {on: peek, shell: 'touch $T/first'}\n", daemon)
        wait_until(lambda: "first" in runner.names(), "the first rule counts")
        # Not before it is asked to.
        runner.actions.write_text("- {on: peek, shell: 'touch $T/second'}\n")
        time.sleep(0.5)
        self.assertEqual(runner.names(), ["first"])
        runner.send(signal.SIGHUP)
        wait_until(lambda: "second" in runner.names(), "the second rule counts")
        runner.waits_for("1 rule of FILE in force now")

        # A file that is half wrong, one that is no YAML, one that is not there.
        for text, place in (("- {on: peek, shell: 'touch $T/third'}\n- {on: pop}\n", "FILE:2:3: run is"),
                            ("- {on: peek\n", "FILE:2:1: "), (None, "cannot read FILE")):
            with self.subTest(text=text):
                if text is None:
                    runner.actions.unlink()
                else:
                    runner.actions.write_text(text)
                before = len(runner.said())
                (runner.made / "second").unlink()
                runner.send(signal.SIGHUP)
                wait_until(lambda: len(runner.said()) == before + 2, "it says why")
                self.assertIn(place, runner.said()[-2])
                self.assertEqual(
                    runner.said()[-1],
                    "forcetouchctl: FILE is not right; the rules of before stay in force")
                wait_until(lambda: "second" in runner.names(), "the second rule still counts")
        self.assertEqual(runner.names(), ["first", "second"])
        self.assertIsNone(runner.process.poll())


class CheckTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="forcetouch-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = self.folder / "forcetouch/actions.yaml"
        self.path.parent.mkdir()

    def check(self, text, *arguments, **options):
        """The status and the lines of output and complaints."""
        if text is not None:
            self.path.write_text(text)
        status, output, complaints = run("run", "--check", *arguments, **options)
        return (status, *(t.replace(str(self.path), "FILE").splitlines() for t in (output, complaints)))

    def test_a_right_file_is_explained(self):
        self.assertEqual(self.check(f"""
- on: peek
  device: "{PAD}"
  run: [echo, "two words"]
  timeout-s: 5
  at-most-every-ms: 200
- on: [peekEnded, peekCancelled]
  shell: echo over | cat
- on: pop
  run: [no-such-program]
""", "--actions", self.path), (0, [
            f'FILE:2:3: on peek of "{PAD}": run ["echo", "two words"], for 5 s at most, '
            "at most every 200 ms",
            "FILE:7:3: on peekEnded or peekCancelled of any device: let the shell run "
            '"echo over | cat", for 10 s at most',
            'FILE:9:3: on pop of any device: run ["no-such-program"], for 10 s at most '
            "(there is no such program)"], []))

    def test_what_is_wrong_is_said_with_its_place(self):
        self.assertEqual(self.check("""
- {on: peek, run: ["true"]}
- {on: pop, run: a, shell: b, color: red}
""", "--actions", self.path), (1, [
            'FILE:2:3: on peek of any device: run ["true"], for 10 s at most'], [
            "forcetouchctl: FILE:3:3: either run or shell, not both; this rule is ignored",
            "forcetouchctl: FILE:3:18: expected a list, as [notify-send, Peek]; a line for the shell "
            "goes under shell; this rule is ignored",
            "forcetouchctl: FILE:3:31: color is not known here; this rule is ignored",
            "forcetouchctl: FILE has 3 problems"]))
        # What is no list of rules at all has none to ignore.
        self.assertEqual(self.check("on: peek\n", "--actions", self.path), (1, [], [
            "forcetouchctl: FILE:1:1: expected a list", "forcetouchctl: FILE has a problem"]))

    def test_a_wrong_rule_does_not_keep_the_others_from_being_followed(self):
        daemon = Daemon("--replay", DEMO)
        self.addCleanup(daemon.close)
        runner = Runner("- {on: pop}\n- {on: peek, shell: 'touch $T/right'}\n", daemon.path)
        self.addCleanup(runner.close)
        wait_until(lambda: runner.names() == ["right"], "the right rule is followed")
        self.assertEqual(runner.said()[:2], [
            "forcetouchctl: FILE:1:3: run is missing, or shell; this rule is ignored",
            "forcetouchctl: 1 rule of FILE in force"])

    def test_where_the_file_is(self):
        self.path.write_text("- {on: peek, run: ['true']}\n")
        told = (0, ['FILE:1:3: on peek of any device: run ["true"], for 10 s at most'], [])
        clean = {k: v for k, v in os.environ.items() if k not in ("XDG_CONFIG_HOME", "HOME")}
        config = {**clean, "XDG_CONFIG_HOME": str(self.folder), "HOME": "/nowhere"}
        self.assertEqual(self.check(None, env=config), told)
        (self.folder / ".config").symlink_to(self.folder)
        home = {**clean, "HOME": str(self.folder)}
        for environment in (home, {**home, "XDG_CONFIG_HOME": ""}, {**home, "XDG_CONFIG_HOME": "a"}):
            status, output, _ = run("run", "--check", env=environment)
            self.assertEqual(status, 0)
            self.assertIn(f"{self.folder}/.config/forcetouch/actions.yaml:1:3: on peek", output)
        self.assertEqual(self.check(None, env=clean), (
            1, [], ["forcetouchctl: HOME is not set; say --actions FILE"]))

    def test_without_a_rule_there_is_nothing_to_do(self):
        self.assertEqual(self.check("", "--actions", self.path), (1, [], [
            "forcetouchctl: there is no rule in FILE", "forcetouchctl: FILE has a problem"]))
        self.path.unlink()
        for arguments in (["--check"], []):
            status, output, complaints = run("run", *arguments, "--actions", self.path)
            self.assertEqual((status, output), (1, ""))
            self.assertIn(f"cannot read {self.path}: No such file or directory", complaints)

    def test_wrong_usage(self):
        for arguments in (["x"], ["--actions"], ["--chekc"]):
            self.assertEqual(run("run", *arguments)[0], 2, arguments)


if __name__ == "__main__":
    unittest.main()

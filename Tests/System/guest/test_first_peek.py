"""A newcomer's first minutes: every command that docs/getting-started.md has for them is typed, in
order, in a machine without forcetouchd, and prints what stands there."""

import difflib
import fcntl
import glob
import os
import pathlib
import pty
import pwd
import re
import shutil
import signal
import subprocess
import termios
import threading
import unittest

from machine import PATIENCE, all_open, daemon_pid, run
from pages import ROOT, blocks, matches
from sessions import Session, add_user
from support import wait_until
from uhid import MagicTrackpad

PAGE = "docs/getting-started.md"
NEWCOMER = "newcomer"
# What the page tells its reader to do: press on until it opens, then press lightly and let go.
PRESSES = [[8, 40, 80, 120, 160, 90, 20], [8, 40, 80, 120, 60, 20]]


class Terminal:
    """A command that a user typed, and what is on the screen since."""

    def __init__(self, user, command):
        entry = pwd.getpwnam(user)
        self.leader, follower = pty.openpty()
        # The groups are those of a new login: where the page says to log in again, this does.
        self.process = subprocess.Popen(
            ["setpriv", f"--reuid={user}", f"--regid={entry.pw_gid}", "--init-groups",
             "bash", "-c", command],
            stdin=follower, stdout=follower, stderr=follower, cwd=entry.pw_dir,
            env={"HOME": entry.pw_dir, "USER": user, "LOGNAME": user, "LANG": "C.UTF-8",
                 "TERM": "dumb", "PATH": "/usr/local/bin:/usr/bin:/bin"},
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(follower)
        self.shown = b""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                data = os.read(self.leader, 65536)
            except OSError:  # nobody has the other end open any more
                return
            self.shown += data

    def lines(self):
        """What stands on the screen: a line that was written over has its last text."""
        text = self.shown.decode(errors="replace").replace("\r\n", "\n").rstrip("\n")
        return [line.rstrip("\r").split("\r")[-1].rstrip() for line in text.split("\n")] if text else []

    def interrupt(self):
        os.write(self.leader, b"\x03")

    def wait(self):
        try:
            status = self.process.wait(timeout=600)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise AssertionError(f"it does not end; on the screen: {self.lines()}") from None
        self.reader.join()
        os.close(self.leader)
        return status


def without_accidents(lines, is_live):
    """A transcript without what is another each time: times, versions, numbers of nodes; of live ones
    also the numbers of contacts, and how many lines of `changed` a press takes."""
    text = "\n".join(
        line for line in lines if not (is_live and re.search(r"  #\d+ +changed ", line)))
    text = re.sub(r"/dev/input/event\d+ *", "/dev/input/eventN ", text)
    text = re.sub(r"^ *\d+\.\d{3}(?=  #)", "TIME", text, flags=re.M)
    if is_live:
        contacts = list(dict.fromkeys(re.findall(r"^TIME  (#\d+)", text, re.M)))
        text = re.sub(r"^TIME  (#\d+) +",
                      lambda match: f"TIME contact {contacts.index(match[1])} ", text, flags=re.M)
    return re.sub(r"\b\d+\.\d+\.\d+(-\S+)?\b", "VERSION", text).splitlines()


def make_bare():
    """Takes from the machine whatever it has of forcetouchd."""
    if os.path.exists("/usr/bin/forcetouchctl"):
        run("dpkg", "--purge", "forcetouchd")
    for command, name, database in (("userdel", "forcetouchd", "passwd"), ("groupdel", "forcetouch", "group")):
        if run("getent", database, name, check=False):
            run(command, name)
    left = [path for folder in ("/usr/bin", "/usr/local/bin", "/etc", "/run", "/var/lib")
            for path in glob.glob(f"{folder}/forcetouch*")]
    assert not left and not daemon_pid(), left


class FirstPeekTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        make_bare()
        add_user(NEWCOMER, "sudo")
        cls.home = pathlib.Path(pwd.getpwnam(NEWCOMER).pw_dir)
        # Nobody is here to type a password.
        pathlib.Path("/etc/sudoers.d/newcomer").write_text(f"{NEWCOMER} ALL=(ALL) NOPASSWD: ALL\n")
        version = run("dpkg-deb", "--field", "/host/forcetouchd.deb", "Version").strip()
        shutil.copy("/host/forcetouchd.deb", cls.home / f"forcetouchd_{version}_amd64.deb")
        session = Session(NEWCOMER, 3)
        cls.addClassCleanup(session.end)
        session.activate()

    def test_the_page_is_what_a_newcomer_sees(self):
        pad = MagicTrackpad()
        self.addCleanup(pad.remove)
        wait_until(lambda: "ID_INPUT_TOUCHPAD=1" in run("udevadm", "info", "--export-db"),
                   "udev knows the pad", PATIENCE)
        run("udevadm", "settle")
        seen = []
        for block in blocks(PAGE, (ROOT / PAGE).read_text()):
            if (block.language, block.word) != ("console", "machine"):
                continue
            for command, expected in block.commands():
                with self.subTest(command=command):
                    received = self.type(pad, command, expected)
                    seen += received
                    self.assertTranscript(command, expected, received)
        for kind in ("peek", "pop", "peekEnded"):
            self.assertTrue([line for line in seen if re.search(rf"  #\d+ +{kind} ", line)],
                            f"there was no {kind} on the screen")

    def type(self, pad, command, expected):
        """What a command prints; what the page ends with ^C watches presses meanwhile."""
        terminal = Terminal(NEWCOMER, command)
        if expected[-1:] == ["^C"]:
            wait_until(lambda: daemon_pid() and all_open(), "the pad is open", PATIENCE)
            for count, press in enumerate(PRESSES, 1):
                pad.press(press)
                wait_until(
                    lambda: len([line for line in terminal.lines() if " ended " in line]) == count
                    or terminal.process.poll() is not None,
                    "the end of the press is on the screen", PATIENCE)
            terminal.interrupt()
        status = terminal.wait()
        if expected[-1:] != ["^C"]:
            self.assertEqual(status, 0, f"{command}: {terminal.lines()}")
        return terminal.lines()

    def assertTranscript(self, command, expected, received):
        is_live = expected[-1:] == ["^C"]
        told, shown = (without_accidents(lines, is_live) for lines in (expected, received))
        if not matches(told, shown):
            self.fail(f"{PAGE} is not what `{command}` prints:\n"
                      + "\n".join(difflib.unified_diff(told, shown, "the page", "the screen", lineterm=""))
                      + "\n\nall that was on the screen:\n" + "\n".join(received))


if __name__ == "__main__":
    unittest.main()

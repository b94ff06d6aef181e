"""People at the seats: users who log in as a display manager logs them in, and their streams."""

import itertools
import json
import os
import pwd
import queue
import subprocess
import sys
import threading

from machine import PATIENCE, SOCKET, run
from support import wait_until

LOGIN = "org.freedesktop.login1"
unit_numbers = itertools.count(1)


def add_user(name, *groups):
    """A user with a home; gives its uid."""
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        run("useradd", "--create-home", *(["--groups", ",".join(groups)] if groups else []), name)
        return pwd.getpwnam(name).pw_uid


class Session:
    """A logind session of a user on a virtual terminal of seat0."""

    def __init__(self, user, terminal, session_class="user"):
        self.terminal = terminal
        self.unit = f"test-session-{next(unit_numbers)}"
        before = self.all()
        tty = f"/dev/tty{terminal}"
        run("systemd-run", "--quiet", f"--unit={self.unit}", "-p", "PAMName=login",
            "-p", f"User={user}", "-p", f"TTYPath={tty}", "-p", "StandardInput=tty",
            "-p", "StandardOutput=tty", "-p", f"Environment=XDG_SESSION_CLASS={session_class}",
            "sleep", "infinity")
        self.name = wait_until(
            lambda: next(iter(self.all() - before), None), f"{user}'s session", PATIENCE)
        wait_until(
            lambda: self.show("VTNr") == str(terminal), f"{user} sits at {tty}", PATIENCE)
        assert self.show("Class") == session_class, self.show("Class")

    @staticmethod
    def all():
        lines = run("loginctl", "--no-legend", "list-sessions", check=False).splitlines()
        return {line.split()[0] for line in lines if line.split()}

    def show(self, name):
        return run("loginctl", "show-session", self.name, "--property", name, "--value",
                   check=False).strip()

    def activate(self):
        run("chvt", self.terminal)
        wait_until(lambda: self.show("Active") == "yes", f"{self.name} is active", PATIENCE)

    def lock(self, is_locked=True):
        """What a lock screen does."""
        path = run("busctl", "call", LOGIN, "/org/freedesktop/login1", f"{LOGIN}.Manager",
                   "GetSession", "s", self.name).split('"')[1]
        run("busctl", "call", LOGIN, path, f"{LOGIN}.Session", "SetLockedHint", "b",
            "true" if is_locked else "false")

    def end(self):
        run("systemctl", "stop", self.unit, check=False)


class UserStream:
    """A stream that a program of another user has open; its replies arrive as they come. Asked
    for a preview it always has one."""

    PROGRAM = """
import json, socket, sys
path, method, parameters = sys.argv[1:]
def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return connection
def send(connection, method, parameters, **flags):
    message = {"method": method, "parameters": parameters, **flags}
    connection.sendall(json.dumps(message).encode() + b"\\0")
stream, calls = connect(path), connect(path)
send(stream, method, json.loads(parameters), more=True)
pending, token = b"", None
while data := stream.recv(65536):
    pending += data
    *messages, pending = pending.split(b"\\0")
    for message in messages:
        print(message.decode(), flush=True)
        reply = json.loads(message)["parameters"]
        if isinstance(reply.get("snapshot"), dict):
            token = reply["snapshot"].get("token")
        if reply.get("event", {}).get("event") == "question":
            send(calls, "org.forcetouchd.Previewing.Answer", {
                "token": token, "interaction": reply["event"]["interaction"], "preview": True},
                oneway=True)
"""

    def __init__(self, user, method, **parameters):
        record = pwd.getpwnam(user)
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.PROGRAM, SOCKET, method, json.dumps(parameters)],
            stdout=subprocess.PIPE,
            user=record.pw_uid, group=record.pw_gid,
            extra_groups=os.getgrouplist(user, record.pw_gid), text=True)
        self.replies = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.replies.put(json.loads(line))

    def next(self, seconds=PATIENCE):
        """The next reply's parameters, and `error` if it is one; what comes with every frame is
        left out."""
        while True:
            reply = self.replies.get(timeout=seconds)
            parameters = reply.get("parameters", {})
            if "error" in reply:
                return {"error": reply["error"], **parameters}
            if parameters.get("event", {}).get("event") not in (
                    "changed", "peekProgress", "popProgress"):
                return parameters

    def until(self, *fields):
        """All replies up to one with such a field, or with such an event."""
        replies = []
        while True:
            replies.append(self.next())
            event = replies[-1].get("event", {}).get("event")
            if event in fields or any(field in replies[-1] for field in fields):
                return replies

    def received(self):
        """What has arrived by now, without what comes with every frame."""
        replies = []
        while True:
            try:
                replies.append(self.next(seconds=0.001))
            except queue.Empty:
                return replies

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

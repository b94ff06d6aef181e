"""What other users may do: connections and commands of theirs."""

import os
import pwd
import socket
import subprocess

from machine import PATIENCE, SOCKET
from support import Raw


def connect_as(name, timeout=PATIENCE):
    """A connection that a user made: the kernel keeps who connected, whoever goes on using it."""
    entry = pwd.getpwnam(name)
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            os.initgroups(name, entry.pw_gid)
            os.setgid(entry.pw_gid)
            os.setuid(entry.pw_uid)
            made = socket.socket(socket.AF_UNIX)
            made.connect(SOCKET)
            socket.send_fds(theirs, [b"1"], [made.fileno()])
        finally:
            os._exit(0)
    theirs.close()
    _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    ours.close()
    os.waitpid(child, 0)
    if not descriptors:
        raise AssertionError(f"{name} cannot connect to {SOCKET}")
    raw = Raw.__new__(Raw)
    raw.socket = socket.socket(fileno=descriptors[0])
    raw.socket.settimeout(timeout)
    raw.pending = b""
    return raw


def run_as(name, *command):
    """Runs a command as a user with the groups of a login; gives status and output."""
    done = subprocess.run(
        ["setpriv", f"--reuid={name}", f"--regid={pwd.getpwnam(name).pw_gid}", "--init-groups",
         *map(str, command)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=60)
    return done.returncode, done.stdout

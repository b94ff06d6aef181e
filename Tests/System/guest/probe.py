"""probe.py NODE PROCESS: tries what the daemon must and must not be able to do, as whoever runs it;
prints {what: "done" or the error's name}."""

import ctypes
import errno
import json
import mmap
import os
import socket
import sys

NODE, PROCESS = sys.argv[1:]
CLONE_NEWUSER = 0x10000000
libc = ctypes.CDLL(None, use_errno=True)


def opened(path, flags):
    os.close(os.open(path, flags))


def made(family):
    socket.socket(family, socket.SOCK_STREAM).close()


def hear_udev():
    peer = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)
    peer.bind((0, 2))  # the group of udev's messages
    peer.close()


def unshared():
    # In a child: outside the sandbox it would leave us without our user.
    child = os.fork()
    if child == 0:
        os._exit(0 if libc.unshare(CLONE_NEWUSER) == 0 else ctypes.get_errno())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, "unshare")


def state():
    path = os.environ.get("STATE_DIRECTORY", "/var/lib/forcetouchd") + "/probe"
    opened(path, os.O_WRONLY | os.O_CREAT)
    os.unlink(path)


ATTEMPTS = {
    "read a device": lambda: opened(NODE, os.O_RDONLY),
    "write a device": lambda: opened(NODE, os.O_RDWR),
    "make a device": lambda: opened("/dev/uinput", os.O_WRONLY),
    "Unix socket": lambda: made(socket.AF_UNIX),
    "hear udev": hear_udev,
    "IPv4": lambda: made(socket.AF_INET),
    "IPv6": lambda: made(socket.AF_INET6),
    "see /home": lambda: opened("/home/alice/secret", os.O_RDONLY),
    "see the common /tmp": lambda: opened("/tmp/forcetouchd-probe", os.O_RDONLY),
    "see the common /var/tmp": lambda: opened("/var/tmp/forcetouchd-probe", os.O_RDONLY),
    "see another process": lambda: opened(f"/proc/{PROCESS}/status", os.O_RDONLY),
    "read /etc": lambda: opened("/etc/passwd", os.O_RDONLY),
    "write /etc": lambda: opened("/etc/probe", os.O_WRONLY | os.O_CREAT),
    "write its state": state,
    "a user namespace": unshared,
    "memory to write and run": lambda: mmap.mmap(
        -1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close(),
}

results = {}
for what, attempt in ATTEMPTS.items():
    try:
        attempt()
        results[what] = "done"
    except OSError as error:
        results[what] = errno.errorcode.get(error.errno, str(error))
print(json.dumps(results))

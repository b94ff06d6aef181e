"""The installed forcetouchd in the machine: its service, its streams, what it has open."""

import ctypes
import os
import pathlib
import pwd
import struct
import subprocess
import unittest

from support import DEVICES, MONITOR, Raw, wait_until

SOCKET = "/run/forcetouchd/socket"
SERVICE = "forcetouchd.service"
RULES = pathlib.Path("/run/udev/rules.d/99-forcetouchd-test.rules")
SETTINGS = pathlib.Path("/etc/forcetouchd/conf.d/test.yaml")
TABLE = pathlib.Path("/etc/forcetouchd/devices.d/test.yaml")

# Under emulation, on a machine that others use, nothing is soon.
PATIENCE = 20

# What an administrator writes who wants devices made by uinput: named exactly, by a prefix.
ALLOW_VIRTUAL = (
    'ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="Test *", '
    'ENV{FORCETOUCHD_ALLOW_VIRTUAL}="1"\n')


def run(*command, check=True, **options):
    """Runs a command; gives its output, complaints included."""
    done = subprocess.run(
        list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", timeout=300, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}: {done.stdout}")
    return done.stdout


def systemctl(*arguments, check=True):
    return run("systemctl", *arguments, check=check)


def show(unit, name):
    """A property of a unit."""
    return systemctl("show", "--property", name, "--value", unit).strip()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def set_udev_rules(text):
    write(RULES, text)
    run("udevadm", "control", "--reload")


def change(node):
    """udev looks at a node again, as after `udevadm trigger`."""
    run("udevadm", "trigger", "--settle", "--action=change", f"--name-match={node}")


class Journal:
    """What the service's journal says from now on."""

    def __init__(self, unit=SERVICE):
        self.unit = unit
        last = run("journalctl", "--quiet", "--lines=0", "--show-cursor", check=False)
        self.cursor = last.split("-- cursor: ")[1].strip() if "cursor: " in last else None

    def text(self):
        run("journalctl", "--sync")
        after = [f"--after-cursor={self.cursor}"] if self.cursor else []
        return run("journalctl", "--quiet", "--output=cat", f"--unit={self.unit}", *after,
                   check=False)


class Stream:
    """A Watch stream: its snapshot, then its replies."""

    def __init__(self, method=f"{MONITOR}.Watch", timeout=PATIENCE, **parameters):
        self.raw = Raw(SOCKET, timeout)
        self.raw.call(method, parameters or None, more=True)
        reply = self.raw.reply()
        if not reply or "snapshot" not in reply.get("parameters", {}):
            raise AssertionError(f"{method} answered with no snapshot: {reply}")
        self.snapshot = reply["parameters"]["snapshot"]

    def reply(self):
        """The next reply whole; None at the end of the connection."""
        return self.raw.reply()

    def until(self, *kinds):
        """All replies up to one that is an event of these kinds, or has a field of this name."""
        replies = []
        while True:
            try:
                reply = self.raw.reply()
            except TimeoutError:
                raise AssertionError(f"no {kinds} came; received: {brief(replies)}") from None
            if reply is None:
                raise AssertionError(f"the stream ended before {kinds}: {brief(replies)}")
            parameters = reply.get("parameters", {})
            replies.append(parameters)
            event = parameters.get("event", {}).get("event")
            if event in kinds or any(kind in parameters for kind in kinds):
                return replies

    def until_added(self, maker):
        """The device that a maker made, which comes, and the replies before."""
        replies = []
        while True:
            replies += self.until("added")
            device = replies[-1]["added"]
            if all(device.get(key) == value for key, value in maker.identity.items()):
                return device, replies[:-1]

    def close(self):
        self.raw.close()


def brief(replies):
    """Replies as one writes them down: openings and closings only, (event, raw or reason)."""
    lines = []
    for reply in replies:
        event = reply.get("event")
        if event is None:
            lines += [key for key in reply if key != "coalesced"]
        elif event["event"] != "changed":
            lines.append((event["event"], event.get("reason") or event.get("raw")))
    return lines


def ask(method, parameters=None, timeout=PATIENCE):
    """The reply to one call on a connection of its own."""
    raw = Raw(SOCKET, timeout)
    try:
        return raw.ask(method, parameters)
    finally:
        raw.close()


def devices():
    return ask(f"{DEVICES}.List")["parameters"]["devices"]


def device_of(maker):
    """The one device that a maker made, as soon as it is listed."""
    def found():
        listed = [device for device in devices()
                  if all(device.get(key) == value for key, value in maker.identity.items())]
        return listed if len(listed) == 1 else None
    try:
        return wait_until(found, f"one device is {maker.identity}", PATIENCE)[0]
    except AssertionError as error:
        raise AssertionError(f"{error}; there are {devices()}") from None


def statistics():
    return ask(f"{MONITOR}.GetStatistics")["parameters"]


def all_open(device=None):
    """Whether the daemon reads this device, or all."""
    return all(d["open"] for d in statistics()["devices"] if device in (None, d["device"]))


def daemon_pid():
    """The daemon's process; 0 when it does not run. From its control group: no program to run."""
    try:
        processes = pathlib.Path(f"/sys/fs/cgroup/system.slice/{SERVICE}/cgroup.procs").read_text()
    except OSError:
        return 0
    return int((processes.split() or [0])[0])


def daemon_descriptors(pid=None):
    """What the daemon has open, sorted."""
    folder = pathlib.Path(f"/proc/{pid or daemon_pid()}/fd")
    links = []
    for name in folder.iterdir():
        try:
            links.append(os.readlink(name))
        except OSError:
            pass
    return sorted(links)


def openers(node):
    """The processes that have a node open: (pid, name)."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if any(os.readlink(link) == node for link in (process / "fd").iterdir()):
                found.append((int(process.name), (process / "comm").read_text().strip()))
        except OSError:
            pass
    return found


class OpenWatch:
    """Who opens a node, even for a moment (fanotify: inotify does not tell who)."""

    FAN_REPORT_FID, FAN_CLOEXEC, FAN_NONBLOCK = 0x200, 1, 2
    FAN_MARK_ADD, FAN_OPEN, AT_FDCWD = 1, 0x20, -100

    def __init__(self, node):
        libc = ctypes.CDLL(None, use_errno=True)
        flags = self.FAN_REPORT_FID | self.FAN_CLOEXEC | self.FAN_NONBLOCK
        self.descriptor = libc.fanotify_init(flags, os.O_RDONLY)
        if self.descriptor < 0 or libc.fanotify_mark(
                self.descriptor, self.FAN_MARK_ADD, ctypes.c_uint64(self.FAN_OPEN), self.AT_FDCWD,
                node.encode()) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), node)

    def processes(self):
        """Those that opened the node since this was asked last."""
        found = set()
        while True:
            try:
                data = os.read(self.descriptor, 65536)
            except BlockingIOError:
                return found
            while data:  # struct fanotify_event_metadata, and what follows it
                length, _, _, _, _, _, process = struct.unpack_from("<IBBHQii", data)
                found.add(process)
                data = data[length:]

    def close(self):
        os.close(self.descriptor)


def status_field(name, pid=None):
    """A number of /proc/PID/status, such as RssAnon (kB)."""
    for line in pathlib.Path(f"/proc/{pid or daemon_pid()}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise AssertionError(f"no {name} in /proc/PID/status")


def start_daemon():
    """A daemon that was just started, by systemd and with the files there are now."""
    systemctl("restart", SERVICE)


class MachineTestCase(unittest.TestCase):
    """Tests of the one daemon of the machine. Each begins without devices and leaves none; the
    daemon lives on unless the test says that it may not."""

    daemon_may_end = False

    def setUp(self):
        if not daemon_pid():
            systemctl("start", "forcetouchd.socket", SERVICE)
        wait_until(lambda: not devices(), "no devices at the beginning", PATIENCE)
        self.pid = daemon_pid()
        self.addCleanup(self.check_end)

    def check_end(self):
        if not self.daemon_may_end and daemon_pid() != self.pid:
            self.fail(f"the daemon ended: {run('journalctl', '--lines=50', f'--unit={SERVICE}')}")

    def watch(self, method=f"{MONITOR}.Watch", **parameters):
        """A stream whose devices are open: what is pressed before nobody hears."""
        stream = Stream(method, **parameters)
        self.addCleanup(stream.close)
        if method == f"{MONITOR}.Watch":
            wait_until(lambda: all_open(parameters.get("device")), "the devices are open", PATIENCE)
        return stream

    def plug(self, device):
        """A device maker whose device goes when the test ends."""
        self.addCleanup(device.remove)
        return device

    def assertReplies(self, replies, expected):
        """Openings and closings, in order."""
        self.assertEqual(brief(replies), expected, f"received: {replies}")


def uid_of(name):
    return pwd.getpwnam(name).pw_uid

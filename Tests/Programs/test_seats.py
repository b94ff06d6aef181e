"""Who sits at the seat, told by a login1 and by files that the tests make up.

Needs root, for the files that sd-login(3) reads are put in a place of their own, and the bus.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

from previewing import Context
from support import NOBODY, Daemon, as_nobody, wait_until

try:
    from gi.repository import Gio, GLib
except ImportError:
    Gio = None

WHY_NOT = (
    "needs root, to stand in for logind" if os.geteuid() != 0
    else "needs dbus-daemon" if shutil.which("dbus-daemon") is None
    else "needs python3-gi" if Gio is None
    else None)

FILES = "/run/systemd/seats"
LOGIN = "org.freedesktop.login1"
SESSION = f"{LOGIN}.Session"
PROPERTIES = "org.freedesktop.DBus.Properties"
PATH = "/org/freedesktop/login1/session/_31"
DESCRIPTION = f"""
<node><interface name='{SESSION}'>
  <property name='Class' type='s' access='read'/>
  <property name='LockedHint' type='b' access='read'/>
</interface></node>"""


def setUpModule():
    """From here on this process and its children see no other seats than the tests'."""
    if WHY_NOT:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x00020000) != 0:  # CLONE_NEWNS
        raise unittest.SkipTest("needs a mount namespace of its own")
    os.makedirs(FILES, exist_ok=True)
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "seats", FILES], check=True)


class Bus:
    """A system bus of the test's own."""

    def __init__(self, folder):
        self.address = f"unix:path={folder}/bus"
        self.process = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.address}"],
            stderr=subprocess.DEVNULL)
        wait_until(lambda: os.path.exists(f"{folder}/bus"), "the bus listens")

    def connect(self):
        return Gio.DBusConnection.new_for_address_sync(
            self.address,
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    @staticmethod
    def ask(connection, method, *arguments):
        """A question to the bus itself; what was sent before it has been passed on then."""
        parameters = GLib.Variant(
            f"({''.join('u' if isinstance(a, int) else 's' for a in arguments)})", arguments)
        return connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
            parameters, None, Gio.DBusCallFlags.NONE, 10_000, None).unpack()[0]

    def close(self):
        self.process.kill()
        self.process.wait()


class Login:
    """login1 with one session, and its signals."""

    def __init__(self, bus, knows_session=True):
        self.properties = {"Class": "user", "LockedHint": False}
        self.context = GLib.MainContext()
        self.loop = GLib.MainLoop.new(self.context, False)
        self.connection = bus.connect()
        threading.Thread(target=self.serve, daemon=True).start()
        if knows_session:
            self.add_session()
        Bus.ask(self.connection, "RequestName", LOGIN, 0)

    def serve(self):
        self.context.push_thread_default()
        self.loop.run()

    def add_session(self):
        is_added = threading.Event()

        def add(*_):
            interface = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0]
            self.connection.register_object(PATH, interface, None, self.value, None)
            is_added.set()
            return False

        source = GLib.idle_source_new()
        source.set_callback(add)
        source.attach(self.context)
        assert is_added.wait(10)

    def value(self, connection, sender, path, interface, name):
        value = self.properties[name]
        return GLib.Variant("b" if isinstance(value, bool) else "s", value)

    def lock(self, is_locked=True):
        self.properties["LockedHint"] = is_locked
        tell(self.connection, None, is_locked)

    def close(self):
        if not self.connection.is_closed():
            self.connection.close_sync(None)
        self.loop.quit()


def tell(connection, destination, is_locked):
    """Signals that the session is locked or no longer; as anybody can who is on the bus."""
    connection.emit_signal(destination, PATH, PROPERTIES, "PropertiesChanged", GLib.Variant(
        "(sa{sv}as)", (SESSION, {"LockedHint": GLib.Variant("b", is_locked)}, [])))
    Bus.ask(connection, "GetId")


@unittest.skipIf(WHY_NOT, WHY_NOT)
class SeatTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="forcetouch-seats-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.bus = Bus(self.folder)
        self.addCleanup(self.bus.close)
        self.sit(NOBODY)

    def serve(self, **login):
        """A login1, a daemon, and a program of nobody's."""
        self.login = Login(self.bus, **login)
        self.addCleanup(self.login.close)
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = self.bus.address
        self.addCleanup(os.environ.pop, "DBUS_SYSTEM_BUS_ADDRESS")
        self.daemon = Daemon("--state", f"{self.folder}/state")
        self.addCleanup(self.daemon.close)
        os.chmod(self.daemon.folder, 0o755)
        with as_nobody():
            self.program = Context(self.daemon.path)
        self.addCleanup(self.program.close)

    def serve_at_the_seat(self):
        self.serve()
        if not self.program.active:
            self.assertHears(True)

    def sit(self, user):
        """As logind writes it."""
        with open(f"{FILES}/.new", "w") as file:
            file.write(f"ACTIVE=1\nACTIVE_UID={user}\nSESSIONS=1\nUIDS={user}\n")
        os.rename(f"{FILES}/.new", f"{FILES}/seat0")

    def assertHears(self, *active):
        """The next that the program is told is that it is served, or not."""
        for is_active in active:
            self.assertEqual(self.program.reply()["parameters"], {"active": is_active})

    def test_a_program_is_served_while_its_user_sits_at_the_seat_unlocked(self):
        self.serve_at_the_seat()
        self.login.lock()
        self.assertHears(False)
        self.login.lock(False)
        self.assertHears(True)
        self.sit(NOBODY - 1)
        self.assertHears(False)
        self.sit(NOBODY)
        self.assertHears(True)
        self.login.close()
        self.assertHears(False)

    def test_what_others_say_in_the_name_of_login1_counts_for_nothing(self):
        self.serve_at_the_seat()
        stranger = self.bus.connect()
        daemon = next(
            name for name in Bus.ask(stranger, "ListNames") if name.startswith(":")
            and Bus.ask(stranger, "GetConnectionUnixProcessID", name) == self.daemon.process.pid)
        tell(stranger, daemon, True)
        stranger.emit_signal(
            daemon, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
            GLib.Variant("(sss)", (LOGIN, ":1.0", "")))
        Bus.ask(stranger, "GetId")
        self.login.lock()
        self.assertHears(False)
        # Nor is a screen unlocked by whoever says so.
        tell(stranger, daemon, False)
        self.login.lock()
        self.login.lock(False)
        self.assertHears(True)
        self.assertTrue(self.program.is_silent())
        stranger.close_sync(None)

    def test_a_session_of_which_login1_did_not_answer_is_asked_for_again(self):
        self.serve(knows_session=False)
        self.assertFalse(self.program.active)
        time.sleep(0.3)
        self.assertTrue(self.program.is_silent())
        self.login.add_session()
        self.assertHears(True)

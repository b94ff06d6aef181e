"""Who is served: users with and without the group, and users who sit at the seat, or do not."""

import pathlib

from machine import (
    DEVICES, MONITOR, PATIENCE, SERVICE, MachineTestCase, ask, device_of, run,
    start_daemon, statistics, systemctl, write)
from sessions import Session, UserStream, add_user
from support import CONTROL, PREVIEWING, wait_until
from uhid import MagicTrackpad



class GroupTest(MachineTestCase):
    """An ordinary user may list devices; a member of the group may watch contacts too."""

    def setUp(self):
        super().setUp()
        add_user("ordinary")
        add_user("watcher", "forcetouch")
        self.pad = self.plug(MagicTrackpad())
        device_of(self.pad)

    def stream(self, user, method):
        stream = UserStream(user, method)
        self.addCleanup(stream.close)
        return stream

    def test_an_ordinary_user_sees_devices_and_no_contacts(self):
        (device,) = self.stream("ordinary", f"{DEVICES}.Watch").next()["snapshot"]
        self.assertEqual(device["capability"], "available")
        self.assertEqual(self.stream("ordinary", f"{MONITOR}.Watch").next(), {
            "error": f"{MONITOR}.PermissionDenied",
            "needed": "root, or membership in the group forcetouch"})

    def test_a_member_of_the_group_sees_contacts(self):
        stream = self.stream("watcher", f"{MONITOR}.Watch")
        self.assertEqual(len(stream.next()["snapshot"]["devices"]), 1)
        wait_until(lambda: statistics()["devices"][0]["open"], "the pad is open", PATIENCE)
        self.pad.press([8, 60, 120, 20])
        self.assertReplies(stream.until("ended"), [
            ("began", 8), ("peek", 120), ("peekEnded", 20), ("ended", 20)])

    def test_control_is_for_root_alone(self):
        for user in ("ordinary", "watcher"):
            self.assertEqual(self.stream(user, f"{CONTROL}.Reload").next(), {
                "error": f"{CONTROL}.PermissionDenied", "needed": "root"})

    def test_root_may_calibrate_and_the_sandbox_lets_it_be_kept(self):
        (device,) = ask(f"{DEVICES}.List")["parameters"]["devices"]
        profile = {"floor": 0, "average": 30, "ceiling": 200}
        self.assertEqual(
            ask(f"{CONTROL}.SetProfile", {"device": device["device"], "profile": profile}),
            {"parameters": {}})
        start_daemon()
        self.pid = 0
        self.assertEqual(device_of(self.pad)["reason"], "calibrated")
        # The tools of every user judge by the same profile.
        output = run("forcetouchctl", "probe", device["node"])
        self.assertIn("available (calibrated)", output)
        self.assertEqual(
            ask(f"{CONTROL}.ResetProfile", {"device": device_of(self.pad)["device"]}),
            {"parameters": {}})
        self.assertEqual(device_of(self.pad)["reason"], "table")

    daemon_may_end = True

    def test_systemctl_reload_reads_the_settings(self):
        settings = pathlib.Path("/etc/forcetouchd/conf.d/test.yaml")
        self.addCleanup(lambda: (settings.unlink(), systemctl("reload", SERVICE)))
        write(settings, "recognition:\n  sensitivity: firm\n")
        systemctl("reload", SERVICE)
        wait_until(lambda: device_of(self.pad)["thresholds"]["peek"] == 120,
                   "the thresholds are those of a firm press", PATIENCE)
        self.assertIn(f"{settings}:2", run("forcetouchctl", "status"))


class SeatTest(MachineTestCase):
    """Two users on one seat: a previewing context is served only while its user sits there."""

    SETTINGS = pathlib.Path("/etc/forcetouchd/conf.d/patience.yaml")

    @classmethod
    def setUpClass(cls):
        # Programs here are slow to answer.
        write(cls.SETTINGS, "previewing:\n  question-timeout-ms: 9000\n  total-timeout-ms: 9000\n")
        start_daemon()

    @classmethod
    def tearDownClass(cls):
        cls.SETTINGS.unlink()
        start_daemon()

    def setUp(self):
        super().setUp()
        for user in ("alice", "bob"):
            add_user(user)
        self.pad = self.plug(MagicTrackpad())
        device_of(self.pad)

    def login(self, user, terminal, session_class="user"):
        session = Session(user, terminal, session_class)
        self.addCleanup(session.end)
        return session

    def context(self, user):
        stream = UserStream(user, f"{PREVIEWING}.Register", coverage="everything")
        self.addCleanup(stream.close)
        stream.was_active = stream.next()["snapshot"]["active"]
        return stream

    def two_users(self):
        alice, bob = self.login("alice", 1), self.login("bob", 2)
        alice.activate()
        self.wait_for_user("alice")
        streams = self.context("alice"), self.context("bob")
        self.assertEqual([stream.was_active for stream in streams], [True, False])
        self.wait_until_read(True)
        return alice, bob, *streams

    def wait_for_user(self, name):
        expected = [] if name is None else [{"seat": "seat0", "user": add_user(name)}]
        wait_until(lambda: statistics()["seats"] == expected, f"at the seat: {name}", PATIENCE)

    def wait_until_read(self, is_read):
        wait_until(lambda: statistics()["devices"][0]["open"] == is_read,
                   f"the pad is {'open' if is_read else 'closed'}", PATIENCE)

    def test_each_user_is_served_only_while_active(self):
        alice, bob, *streams = self.two_users()
        here, there = streams
        sessions = {here: bob, there: alice}
        for turn in range(4):
            # In the middle of a press the seat goes to the other.
            self.press_to_the_peek(here)
            sessions[here].activate()
            self.assertReplies(
                here.until("active"), [("peekCancelled", "sessionInactive"), "active"])
            self.assertEqual(there.next(), {"active": True})
            # The finger that is still down belonged to the first: the second never hears of it.
            self.pad.press([130, 140, 20, 130, 20])
            self.press_to_the_peek(there)
            self.pad.lift()
            self.assertReplies(there.until("peekEnded"), [("peekEnded", None)])
            self.assertEqual(here.received(), [], f"turn {turn}")
            here, there = there, here

    def press_to_the_peek(self, stream):
        """A press that gives this stream, and nobody else, a question and a peek."""
        self.pad.press([8, 60, 90], lift=False)
        self.assertReplies(stream.until("question"), [("question", None)])
        # The answer is on its way.
        self.pad.press([100, 120], lift=False)
        self.assertReplies(stream.until("peek"), [("peek", None)])

    def test_a_lock_closes_what_is_open_and_an_unlock_serves_again(self):
        alice, _, stream, _ = self.two_users()
        self.press_to_the_peek(stream)
        alice.lock()
        self.assertReplies(
            stream.until("active"), [("peekCancelled", "sessionInactive"), "active"])
        # Nobody is served: nobody needs the pad.
        self.wait_until_read(False)
        self.pad.lift()
        alice.lock(False)
        self.assertEqual(stream.next(), {"active": True})
        self.wait_until_read(True)
        self.press_to_the_peek(stream)

    def test_a_greeter_is_nobody(self):
        alice = self.login("alice", 1)
        alice.activate()
        self.wait_for_user("alice")
        stream = self.context("alice")
        greeter = self.login("bob", 2, "greeter")
        greeters = self.context("bob")
        greeter.activate()
        self.assertEqual(stream.until("active")[-1], {"active": False})
        self.wait_for_user(None)
        self.wait_until_read(False)
        self.assertEqual(greeters.received(), [])

    def test_a_press_that_began_under_a_greeter_is_not_the_next_users(self):
        greeter, alice = self.login("bob", 2, "greeter"), self.login("alice", 1)
        greeter.activate()
        self.wait_for_user(None)
        stream = self.context("alice")
        # A monitor keeps the pad open while nobody sits there.
        monitor = self.watch()
        self.pad.press([8, 60, 90], lift=False)
        monitor.until("began")
        alice.activate()
        self.assertEqual(stream.until("active")[-1], {"active": True})
        self.assertReplies(monitor.until("cancelled"), [("cancelled", "sessionInactive")])
        self.pad.press([100, 120, 130, 20])
        self.press_to_the_peek(stream)

    def test_without_login1_nobody_is_served(self):
        alice, _, stream, _ = self.two_users()
        self.press_to_the_peek(stream)
        # It is started by whoever asks for it; here nobody may.
        self.addCleanup(systemctl, "start", "systemd-logind")
        self.addCleanup(run, "systemctl", "unmask", "--runtime", "systemd-logind")
        run("systemctl", "mask", "--runtime", "--now", "systemd-logind")
        self.assertReplies(
            stream.until("active"), [("peekCancelled", "sessionInactive"), "active"])
        self.wait_for_user(None)
        self.pad.lift()
        run("systemctl", "unmask", "--runtime", "systemd-logind")
        systemctl("start", "systemd-logind")
        self.assertEqual(stream.next(), {"active": True})
        self.wait_until_read(True)
        self.press_to_the_peek(stream)

    def test_the_bus_may_go_and_come(self):
        _, _, stream, _ = self.two_users()
        systemctl("restart", "dbus.service", "dbus.socket", check=False)
        replies = stream.until("active")
        self.assertEqual(replies[-1], {"active": False})
        self.assertEqual(stream.until("active")[-1], {"active": True})

    def test_a_session_that_ends_is_served_no_longer(self):
        alice, _, stream, _ = self.two_users()
        alice.end()
        self.assertEqual(stream.until("active")[-1], {"active": False})

    def test_a_user_who_is_not_there_yet_is_served_on_arrival(self):
        stream = self.context("bob")
        self.login("bob", 2).activate()
        self.assertEqual(stream.next(), {"active": True})

    def test_root_is_always_served(self):
        stream = self.context("root")
        self.assertTrue(stream.was_active)
        self.wait_until_read(True)
        self.press_to_the_peek(stream)

"""Who may do what without previews: groups, the daemon's own user, streams when the seat changes
hands. (Previews: test_sessions.)"""

import unittest

from machine import (
    ALLOW_VIRTUAL, DEVICES, MONITOR, PATIENCE, daemon_pid, device_of, run, set_udev_rules,
    start_daemon, statistics, uid_of)
from sessions import Session, add_user
from support import wait_until
from test_faults import UNITS, FaultTestCase
from uinput import touchpad
from users import connect_as, run_as


class GroupTest(FaultTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        add_user("alice")
        add_user("carol", "input")  # may read devices: that gives her nothing here

    def connect(self, name):
        raw = connect_as(name)
        self.addCleanup(raw.close)
        return raw

    def test_anybody_may_list_devices(self):
        pad = self.plug(touchpad("Test pad", UNITS))
        device = device_of(pad)
        for name in ("alice", "nobody"):
            with self.subTest(user=name):
                raw = self.connect(name)
                self.assertEqual(raw.ask(f"{DEVICES}.List"), {"parameters": {"devices": [device]}})
                best = raw.ask(f"{DEVICES}.GetCapability", {})["parameters"]
                self.assertEqual(best["capability"], "available")
        status, output = run_as("alice", "forcetouchctl", "devices")
        self.assertEqual((status, "Test pad" in output), (0, True), output)

    def test_who_is_not_in_the_group_may_not_monitor(self):
        needed = {"error": f"{MONITOR}.PermissionDenied",
                  "parameters": {"needed": "root, or membership in the group forcetouch"}}
        for name in ("alice", "carol", "nobody"):
            with self.subTest(user=name):
                raw = self.connect(name)
                self.assertEqual(raw.ask(f"{MONITOR}.Watch", {}, more=True), needed)
                self.assertEqual(raw.ask(f"{MONITOR}.GetStatistics"), needed)
                # A refusal ends nothing.
                self.assertIn("parameters", raw.ask(f"{DEVICES}.List"))
        status, output = run_as("alice", "forcetouchctl", "monitor")
        self.assertEqual((status, output.count("\n")), (1, 1), output)
        self.assertIn("membership in the group forcetouch", output)

    def test_the_daemon_runs_as_its_own_user_with_input_alone(self):
        fields = dict(line.split(":", 1) for line in open(f"/proc/{daemon_pid()}/status"))
        user = str(uid_of("forcetouchd"))
        self.assertEqual(fields["Uid"].split(), [user] * 4)
        groups = run("getent", "group", "forcetouchd", "input").splitlines()
        self.assertEqual(sorted(fields["Groups"].split()),
                         sorted(line.split(":")[2] for line in groups))
        self.assertEqual((int(fields["CapEff"], 16), int(fields["CapBnd"], 16),
                          fields["NoNewPrivs"].strip()), (0, 0, "1"))


class SessionTest(FaultTestCase):
    """Two people who are logged in at one seat, and take turns."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in ("alice", "bob"):
            add_user(name)
        cls.alice, cls.bob = Session("alice", 3), Session("bob", 4)
        cls.addClassCleanup(cls.bob.end)
        cls.addClassCleanup(cls.alice.end)

    def setUp(self):
        super().setUp()
        self.alice.activate()
        self.assertSits("alice")

    def assertSits(self, name):
        """The daemon knows who sits at seat0: a name, or None for nobody."""
        expected = [] if name is None else [{"seat": "seat0", "user": uid_of(name)}]
        try:
            wait_until(lambda: statistics()["seats"] == expected, f"{name} sits at seat0", PATIENCE)
        except AssertionError as error:
            raise AssertionError(
                f"{error}; seats: {statistics()['seats']}; {run('loginctl', 'list-sessions')}")

    def test_a_switch_in_a_peek_closes_it_and_the_next_press_is_whole(self):
        pad, stream = self.pad()
        for session, name in ((self.bob, "bob"), (self.alice, "alice"), (self.bob, "bob")):
            with self.subTest(to=name):
                pad.press([100, 700], lift=False)
                self.assertReplies(stream.until("peek"), [("began", 100), ("peek", 700)])
                session.activate()
                self.assertReplies(stream.until("cancelled"), [
                    ("peekCancelled", "sessionInactive"), ("cancelled", "sessionInactive")])
                self.assertSits(name)
                # The finger is still there, and nothing more is said of it.
                pad.press([710, 860])
                pad.press([100, 700])
                self.assertReplies(stream.until("ended"), [
                    ("began", 100), ("peek", 700), ("peekEnded", 700), ("ended", 700)])

    def test_a_switch_concerns_its_own_seat_only(self):
        self.addCleanup(set_udev_rules, ALLOW_VIRTUAL)
        set_udev_rules(ALLOW_VIRTUAL + (
            'ACTION!="remove", SUBSYSTEM=="input", ATTRS{name}=="Test elsewhere", '
            'ENV{ID_SEAT}="seat1"\n'))
        pad, stream = self.pad("Test elsewhere")
        pad.press([100, 700], lift=False)
        stream.until("peek")
        self.bob.activate()
        self.assertSits("bob")
        pad.press([860])
        self.assertReplies(stream.until("ended"), [("pop", 860), ("ended", 860)])

    def test_a_daemon_that_starts_now_knows_who_sits(self):
        self.daemon_may_end = True
        start_daemon()
        self.assertSits("alice")


if __name__ == "__main__":
    unittest.main()

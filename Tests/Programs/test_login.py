"""Who sits at the seat, by a bus and a login1 that do not always do what they should."""

import queue
import socket
import tempfile
import unittest

from login import Bus, Seat, needs_seats
from support import DEMO, MONITOR, PATIENCE, Daemon, wait_until

ALICE, BOB = 1001, 1002


@needs_seats
class LoginTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        self.bus = Bus(folder.name)
        self.addCleanup(self.bus.close)
        self.seat = Seat(folder.name)
        self.seat.sit(ALICE)

    def start(self):
        self.daemon = Daemon("--replay", DEMO, wrapper=self.seat.wrap(),
                             DBUS_SYSTEM_BUS_ADDRESS=self.bus.address)
        self.addCleanup(self.daemon.close)

    def user(self):
        """Who sits at seat0; None: nobody."""
        seats = self.daemon.ask(f"{MONITOR}.GetStatistics")["parameters"]["seats"]
        return next((s["user"] for s in seats if s["seat"] == "seat0"), None)

    def wait_for(self, user):
        wait_until(lambda: self.user() == user, f"uid {user} sits at the seat")

    def settle(self):
        """Comes back when the daemon has taken all that the bus has sent: it takes that in order,
        and asks another login1 anew."""
        self.bus.questions = self.bus.questions or queue.Queue()
        self.bus.change_owner(":1.9")
        # An earlier question would be to another.
        self.assertEqual(self.bus.questions.get(timeout=PATIENCE).fields["destination"], ":1.9")

    def heard(self):
        """How often somebody else came to sit at the seat."""
        return self.daemon.output().count("at the seats")

    def test_the_user_of_an_unlocked_session_sits_there(self):
        self.start()
        self.wait_for(ALICE)
        self.bus.change_session(LockedHint=True)
        self.wait_for(None)
        self.bus.change_session(LockedHint=False)
        self.wait_for(ALICE)
        self.seat.sit(BOB, "c2")
        self.wait_for(BOB)

    def test_a_lock_counts_when_login1_says_so_and_nobody_else(self):
        self.bus.questions = queue.Queue()
        self.start()
        self.bus.tell_session(
            self.bus.questions.get(timeout=PATIENCE), {"Class": "user", "LockedHint": True})
        # Everybody may send a signal to somebody.
        self.bus.change_session(sender=":1.66", LockedHint=False)
        self.settle()
        self.assertEqual(self.heard(), 0)

    def test_the_bus_alone_says_whether_login1_is_there(self):
        self.start()
        self.wait_for(ALICE)
        before = self.heard()
        self.bus.questions = queue.Queue()
        self.bus.change_owner(None, sender=":1.66")
        self.bus.change_owner(":1.66", sender=":1.66")
        self.settle()
        # Alice was lost with the other login1 only.
        self.assertEqual(self.heard() - before, 1)

    def test_who_locks_what_is_not_theirs_locks_nothing(self):
        self.start()
        self.wait_for(ALICE)
        before = self.heard()
        self.bus.change_session(sender=":1.66", LockedHint=True)
        self.bus.change_session(sender=":1.66", LockedHint=False)
        self.settle()
        self.assertEqual(self.heard() - before, 1)

    def test_a_question_that_fails_is_asked_again(self):
        self.bus.questions = queue.Queue()
        self.start()
        for _ in range(3):
            self.bus.reply(self.bus.questions.get(timeout=PATIENCE), None)
        self.bus.tell_session(self.bus.questions.get(timeout=PATIENCE))
        self.wait_for(ALICE)

    def test_thousands_of_changes_are_taken_in_order(self):
        self.start()
        self.wait_for(ALICE)
        for number in range(5001):
            self.bus.change_session(LockedHint=number % 2 == 0)
        self.wait_for(None)
        self.settle()
        self.assertEqual(self.heard(), 5002)

    def test_an_answer_of_the_login1_that_was_counts_no_more(self):
        self.bus.questions = queue.Queue()
        self.start()
        old = self.bus.questions.get(timeout=PATIENCE)
        self.bus.change_owner(":1.2")
        new = self.bus.questions.get(timeout=PATIENCE)
        # What the old one said, and that it is gone: neither is about the new one's session.
        self.bus.tell_session(old)
        self.bus.reply(old, None)
        self.bus.tell_session(new, {"Class": "user", "LockedHint": True})
        self.bus.change_session(LockedHint=True)
        self.settle()
        self.assertEqual(self.heard(), 0)

    def test_an_error_for_the_login1_that_was_harms_the_new_one_nothing(self):
        self.bus.questions = queue.Queue()
        self.start()
        old = self.bus.questions.get(timeout=PATIENCE)
        self.bus.change_owner(":1.2")
        new = self.bus.questions.get(timeout=PATIENCE)
        self.bus.reply(old, None)
        self.bus.tell_session(new)
        self.wait_for(ALICE)

    def test_without_login1_nobody_sits_there_until_it_comes(self):
        self.start()
        self.wait_for(ALICE)
        self.bus.change_owner(None)
        self.wait_for(None)
        self.bus.change_owner(":1.2")
        self.wait_for(ALICE)

    def test_a_bus_that_goes_takes_login1_with_it_until_it_comes(self):
        self.start()
        self.wait_for(ALICE)
        self.bus.questions = queue.Queue()
        self.bus.disconnect()
        self.wait_for(None)
        self.bus.tell_session(self.bus.questions.get(timeout=PATIENCE))
        self.wait_for(ALICE)

    def test_a_bus_that_says_nothing_keeps_nobody_waiting(self):
        with socket.socket(socket.AF_UNIX) as mute:
            mute.bind(self.bus.path + "-mute")
            mute.listen()
            self.bus.address = f"unix:path={self.bus.path}-mute"
            self.start()
            client, _ = mute.accept()
            self.assertIsNone(self.user())
            self.assertEqual(self.daemon.stop(), 0)
            client.close()

    def test_what_makes_no_sense_is_nobody(self):
        self.bus.questions = queue.Queue()
        self.start()
        self.bus.tell_session(
            self.bus.questions.get(timeout=PATIENCE), {"Class": True, "LockedHint": "no", "Id": 7})
        self.settle()
        self.assertEqual(self.heard(), 0)


if __name__ == "__main__":
    unittest.main()

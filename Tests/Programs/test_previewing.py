"""The previewing conversation over the real socket, by several programs at once."""

import os
import pathlib
import shutil
import signal
import socket
import tempfile
import time
import unittest

from previewing import Context, ScreenRecording, kinds
from support import (
    DEMO, DEVICES, MONITOR, PATIENCE, PATIENT, PREVIEWING, Daemon, DaemonTestCase, wait_until)

# Contacts of the demo: a tap, a press to the pop, a press to the peek. Of the second, after a yes:
ANSWERED = ["peek", "pop"]


def after_answer(events):
    """What a program heard after it said yes. On a busy machine the peek, or even the pop, was pressed
    by then, and there is no progress to it any more."""
    return [name for name in kinds(events) if not name.endswith("Progress")]


class PreviewingTestCase(DaemonTestCase):
    def context(self, **parameters):
        context = Context(self.daemon.path, **parameters)
        self.addCleanup(context.close)
        return context



class TrackpadTest(PreviewingTestCase):
    arguments = (*PATIENT, "--replay", DEMO)

    def test_a_press_is_asked_about_peeks_and_pops(self):
        context = self.context()
        self.assertTrue(context.active)
        self.assertRegex(context.token, "^[0-9a-f]{32}$")
        context.call("SetActive", active=True)
        (question,) = context.until("question")
        self.assertEqual(question["timeout"], 1_000_000)
        self.assertAlmostEqual(question["maximumPossibleForce"], 20 / 3, 3)
        # On a trackpad nobody but the program knows where the pointer is.
        self.assertNotIn("location", question)
        self.assertEqual(context.answer(question), {})
        events = context.until("pop")
        self.assertEqual(after_answer(events), ANSWERED)
        for name in ("peekProgress", "popProgress"):
            progress = [e["progress"] for e in events if e["event"] == name]
            self.assertTrue(all(0 <= p <= 1 for p in progress), progress)
        self.assertEqual({e["interaction"] for e in events}, {1})
        # The third contact is another interaction, and ends by lifting.
        (question,) = context.until("question")
        self.assertEqual(question["interaction"], 2)
        context.answer(question)
        self.assertEqual(
            after_answer(context.until("peekEnded")), ["peek", "peekEnded"])
        self.assertEqual(context.reply(), {"parameters": {}})

    def test_an_inactive_view_is_asked_nothing(self):
        inactive, active = self.context(), self.context(active=True)
        active.answer(active.until("question")[0])
        active.until("pop")
        self.assertTrue(inactive.is_silent())

    def test_who_declines_hears_no_more_and_the_next_is_asked(self):
        older, newer = self.context(), self.context()
        newer.call("SetActive", active=True)
        older.call("SetActive", active=True)
        # The newest is who became active last.
        (question,) = older.until("question")
        self.assertEqual(older.answer(question, preview=False), {})
        (question,) = newer.until("question")
        newer.answer(question)
        newer.until("pop")
        self.assertTrue(older.is_silent())

    def test_who_crashes_in_a_peek_leaves_it_to_nobody(self):
        first, second = self.context(), self.context()
        first.call("SetActive", active=True)
        second.call("SetActive", active=True)
        second.answer(second.until("question")[0])
        second.until("peek")
        second.close()
        # The first is not asked about this contact, only about the next, which ends in a peek.
        first.answer(first.until("question")[0])
        self.assertEqual(kinds(first.until("peekEnded"))[-1], "peekEnded")

    def test_wrong_answers_are_refused_and_disturb_nothing(self):
        context, other = self.context(size={"width": 100, "height": 50}), self.context()
        context.call("SetActive", active=True)
        (question,) = context.until("question")
        for rect in [{"x": 101, "y": 0, "width": 5, "height": 5},
                     {"x": -9, "y": 0, "width": 5, "height": 5},
                     {"x": 0, "y": 0, "width": -1, "height": 5}]:
            self.assertEqual(context.answer(question, sourceRect=rect), "InvalidSourceRect", rect)
        # A number that no real number is, in a call that is JSON.
        context.calls.send((
            f'{{"method":"{PREVIEWING}.Answer","parameters":{{"token":"{context.token}",'
            '"interaction":1,"preview":true,"sourceRect":{"x":1e999,"y":0,"width":1,"height":1}'
            '}}').encode() + b"\0")
        self.assertIn(context.calls.reply()["error"].rsplit(".", 1)[1],
                      ("InvalidParameter", "InvalidSourceRect"))
        self.assertEqual(
            context.call("Answer", interaction=7, preview=True), "NoSuchInteraction")
        self.assertEqual(
            context.call("Answer", interaction=0, preview=True), "NoSuchInteraction")
        self.assertEqual(context.call("Answer", interaction=-1, preview=True), "InvalidParameter")
        self.assertEqual(other.answer(question), "NoSuchInteraction")
        for token in ("", "0" * 32, context.token[:-1], context.token.upper() + "x"):
            reply = other.calls.ask(
                f"{PREVIEWING}.Answer", {"token": token, "interaction": 1, "preview": True})
            self.assertEqual(reply["error"], f"{PREVIEWING}.NoSuchContext")
        self.assertEqual(context.answer(question, sourceRect={
            "x": 90, "y": 40, "width": 100, "height": 100}), {})
        self.assertEqual(context.answer(question), "InteractionOver")
        self.assertEqual(after_answer(context.until("pop")), ANSWERED)
        self.assertEqual(context.answer(question), "InteractionOver")

    def test_without_a_pop_the_peek_stays_until_the_finger_lifts(self):
        context = self.context(active=True)
        context.answer(context.until("question")[0], allowsPop=False)
        self.assertEqual(
            after_answer(context.until("peekEnded")), ["peek", "peekEnded"])

    def test_the_pointer_that_leaves_changes_the_next_question_only(self):
        context = self.context(active=True)
        context.answer(context.until("question")[0])
        context.until("peek")
        context.call("SetActive", active=False)
        self.assertEqual(kinds(context.until("pop"))[-1], "pop")
        self.assertEqual(context.reply(), {"parameters": {}})

    def test_unregistering_closes_what_is_open_and_the_stream(self):
        context = self.context(active=True)
        context.answer(context.until("question")[0])
        context.until("peek")
        self.assertEqual(context.call("Unregister"), {})
        self.assertEqual(
            kinds(context.until("peekCancelled"))[-1], "peekCancelled(unregistered)")
        self.assertEqual(context.reply(), {"parameters": {}})
        self.assertEqual(context.call("SetActive", active=True), "NoSuchContext")
        # Its connection is free again.
        context.stream.call(f"{PREVIEWING}.Register", {"coverage": "view"}, more=True)
        self.assertIn("snapshot", context.reply()["parameters"])

    def test_what_waits_behind_a_stream_is_answered_when_the_stream_ends(self):
        context = self.context()
        context.stream.call(f"{DEVICES}.List")
        context.stream.call(f"{PREVIEWING}.Register", {"coverage": "view"}, more=True)
        context.stream.socket.shutdown(socket.SHUT_WR)
        # Both calls have been read: the daemon waits for nothing more of this connection.
        context.call("SetActive", active=False)
        self.assertEqual(context.call("Unregister"), {})
        self.assertEqual(context.reply(), {"parameters": {}})
        self.assertEqual(len(context.reply()["parameters"]["devices"]), 1)
        context.token = context.reply()["parameters"]["snapshot"]["token"]
        self.assertEqual(context.call("Unregister"), {})
        self.assertEqual(context.reply(), {"parameters": {}})
        self.assertIsNone(context.reply())

    def test_what_a_program_said_before_it_went_away_is_heard(self):
        context = self.context()
        # More than is read at once, and nobody waits for a reply.
        for _ in range(400):
            context.calls.call(
                f"{PREVIEWING}.SetActive", {"token": context.token, "active": False}, oneway=True)
        context.calls.call(f"{PREVIEWING}.Unregister", {"token": context.token}, oneway=True)
        context.calls.close()
        self.assertEqual(context.reply(), {"parameters": {}})

    def test_the_end_of_the_daemon_closes_what_is_open(self):
        context = self.context(active=True)
        context.answer(context.until("question")[0])
        context.until("peek")
        self.daemon.process.send_signal(signal.SIGTERM)
        self.assertEqual(kinds(context.until("peekCancelled"))[-1], "peekCancelled(stopping)")
        self.assertEqual(context.reply(), {"parameters": {}})
        self.assertIsNone(context.reply())
        self.assertEqual(self.daemon.process.wait(timeout=PATIENCE), 0)

    def test_a_context_for_everything_gets_what_nobody_else_wants(self):
        everything = self.context(coverage="everything")
        view = self.context(active=True)
        view.answer(view.until("question")[0], preview=False)
        (question,) = everything.until("question")
        everything.answer(question)
        self.assertEqual(after_answer(everything.until("pop")), ANSWERED)

    def test_what_makes_no_sense_is_refused(self):
        raw = self.daemon.connect()
        for parameters, fault in [
                ({}, "coverage"), ({"coverage": "all"}, "coverage"),
                ({"coverage": "region"}, "size"),
                ({"coverage": "region", "size": {"width": 1, "height": 1}}, "region"),
                ({"coverage": "region", "size": {"width": 1, "height": 1},
                  "region": {"x": 0, "y": 0, "width": 0, "height": 1}}, "region"),
                ({"coverage": "view", "size": {"width": 0, "height": 1}}, "size"),
                ({"coverage": "view", "size": {"width": "1", "height": 1}}, "size"),
                ({"coverage": "view", "touchscreens": True}, "touchscreens"),
                ({"coverage": "everything",
                  "region": {"x": 0, "y": 0, "width": 1, "height": 1}}, "region"),
                ({"coverage": "view", "actve": True}, "actve")]:
            reply = raw.ask(f"{PREVIEWING}.Register", parameters, more=True)
            self.assertEqual(reply["error"], "org.varlink.service.InvalidParameter", parameters)
            self.assertEqual(reply["parameters"]["parameter"].split(".")[0], fault)
        reply = raw.ask(
            f"{PREVIEWING}.Register", {"coverage": "view", "device": "d9"}, more=True)
        self.assertEqual(reply["error"], f"{PREVIEWING}.NoSuchDevice")
        reply = raw.ask(f"{PREVIEWING}.Register", {"coverage": "view"})
        self.assertEqual(reply["error"], "org.varlink.service.ExpectedMore")

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_another_users_token_is_worth_nothing(self):
        context = self.context(active=True)
        (question,) = context.until("question")
        reply = self.daemon.ask_as_nobody(f"{PREVIEWING}.Answer", {
            "token": context.token, "interaction": question["interaction"], "preview": False})
        self.assertEqual(reply["error"], f"{PREVIEWING}.NoSuchContext")
        self.assertEqual(context.answer(question), {})

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_who_does_not_sit_at_the_seat_registers_and_waits(self):
        reply = self.daemon.ask_as_nobody(
            f"{PREVIEWING}.Register", {"coverage": "view"}, more=True)
        self.assertFalse(reply["parameters"]["snapshot"]["active"])
        for coverage in ({"coverage": "everything", "touchscreens": True},
                         {"coverage": "region", "size": {"width": 1, "height": 1},
                          "region": {"x": 0, "y": 0, "width": 1, "height": 1}}):
            reply = self.daemon.ask_as_nobody(f"{PREVIEWING}.Register", coverage, more=True)
            self.assertEqual(reply["error"], f"{PREVIEWING}.PermissionDenied")
            self.assertIn("membership in the group forcetouch", reply["parameters"]["needed"])


class SilenceTest(PreviewingTestCase):
    def setUp(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.addCleanup(shutil.rmtree, folder)
        config = pathlib.Path(folder, "config.yaml")
        config.write_text("previewing:\n  question-timeout-ms: 1000\n  total-timeout-ms: 10000\n")
        # Pressed to the hint, longer than anybody may be silent, and then on.
        recording = ScreenRecording()
        recording.down(0, 2000, 1200)
        recording.press(8, 100)
        recording.press(3000, 140)
        recording.press(3008, 300)
        recording.up(3016)
        self.daemon = Daemon(
            "--config", config, "--replay", recording.write(f"{folder}/silence.evemu"))
        self.addCleanup(self.daemon.close)

    def test_who_is_silent_is_passed_over_and_answers_too_late(self):
        first, second = (self.context(
            coverage="region", size={"width": 1, "height": 1},
            region={"x": 0, "y": 0, "width": 1, "height": 1}) for _ in range(2))
        # Of equal regions the newer is asked first.
        (question,) = second.until("question")
        self.assertEqual(question["timeout"], 1_000_000)
        (passed_on,) = first.until("question")
        self.assertEqual(second.answer(question), "InteractionOver")
        self.assertEqual(first.answer(passed_on), {})
        self.assertEqual(after_answer(first.until("pop")), ANSWERED)
        self.assertTrue(second.is_silent())


class SlowProgramTest(PreviewingTestCase):
    """A program that does not read for a while loses progress, counted, and nothing else."""

    def make(self, path):
        recording = ScreenRecording()
        time = 1000
        recording.down(time, 2000, 1200)
        # 20 s at 1 kHz, played as fast as it was.
        for step in range(6000):
            recording.press(time + step, 90 + step % 40)
        recording.press(time + 6000, 140)
        recording.up(time + 6010)
        # Time for questions to the daemon: it leaves at the end.
        recording.down(time + 60_000, 2000, 1200)
        return recording.write(path)

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.daemon = Daemon("--replay", self.make(f"{folder}/slow.evemu"))
        self.addCleanup(self.daemon.close)

    def test_progress_is_left_out_and_counted(self):
        context = self.context(
            coverage="region", size={"width": 1, "height": 1},
            region={"x": 0, "y": 0, "width": 1, "height": 1})
        context.stream.socket.setsockopt(1, 8, 4096)  # SO_RCVBUF
        context.answer(context.until("question")[0])
        wait_until(lambda: self.daemon.ask(f"{MONITOR}.GetStatistics")[
            "parameters"]["coalesced"] > 500, "progress is left out")
        replies = []
        while not replies or replies[-1]["parameters"].get("event", {}).get("event") != "peekEnded":
            replies.append(context.reply())
        events = [r["parameters"]["event"] for r in replies if "event" in r["parameters"]]
        told = sum(r["parameters"].get("coalesced", 0) for r in replies)
        self.assertEqual(kinds(events), ["peekProgress", "peek", "popProgress", "peekEnded"]
                         if "popProgress" in kinds(events) else
                         ["peekProgress", "peek", "peekEnded"])
        sent = sum(e["event"] == "peekProgress" for e in events)
        self.assertGreater(told, 500)
        # Every frame of the press is either sent or counted (those of equal progress are not told).
        self.assertGreater(sent + told, 4000)


class TouchscreenTest(PreviewingTestCase):
    """Claims and regions."""

    def setUp(self):
        recording = ScreenRecording()
        # A tap; then two fingers one after the other, each pressed to the pop.
        recording.down(100, 2000, 1200)
        recording.up(150)
        for start, x, y in ((1500, 1000, 600), (1900, 3000, 600)):
            recording.down(start, x, y)
            for step, pressure in enumerate((40, 70, 90, 110, 120, 140, 180, 220, 255)):
                recording.press(start + 40 + step * 20, pressure)
            recording.up(start + 300)
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.daemon = Daemon(*PATIENT, "--replay", recording.write(f"{folder}/screen.evemu"))
        self.addCleanup(self.daemon.close)

    def test_a_claimed_touch_is_asked_about(self):
        monitor = self.daemon.connect()
        monitor.call(f"{MONITOR}.Watch", more=True)
        context, other = self.context(), self.context()
        self.assertEqual(context.call("Claim", touchTime=1499), "NoSuchContact")
        while (monitor.reply()["parameters"].get("event") or {}).get("time") != 1500_000:
            pass
        self.assertEqual(context.call("Claim", touchTime=1500), {})
        self.assertEqual(other.call("Claim", touchTime=1500), "ContactOwnedByAnother")
        (question,) = context.until("question")
        self.assertEqual(question["claimed"], 1500)
        # It learns force, never positions that it did not have.
        self.assertNotIn("location", question)
        context.answer(question)
        self.assertEqual(after_answer(context.until("pop")), ANSWERED)
        self.assertEqual(context.call("Claim", touchTime=1500), "ClaimTooLate")
        self.assertTrue(other.is_silent())
        monitor.close()

    def test_a_claim_does_not_overtake_its_touch(self):
        # A compositor may be faster than we are: both wait when the daemon looks.
        monitor = self.daemon.connect()
        monitor.call(f"{MONITOR}.Watch", more=True)
        context = self.context()
        while (monitor.reply()["parameters"].get("event") or {}).get("event") != "ended":
            pass
        os.kill(self.daemon.process.pid, signal.SIGSTOP)
        context.calls.call(
            f"{PREVIEWING}.Claim", {"token": context.token, "touchTime": 1500})
        # Until the touch is due: 1350 ms after the tap's end, pressed 110 ms later.
        time.sleep(1.4)
        os.kill(self.daemon.process.pid, signal.SIGCONT)
        self.assertEqual(context.calls.reply(), {"parameters": {}})
        self.assertEqual(context.until("question")[-1]["claimed"], 1500)
        monitor.close()

    def test_guessing_is_slowed_down(self):
        context = self.context()
        answers = [context.call("Claim", touchTime=number) for number in range(40)]
        self.assertEqual(answers[:10], ["NoSuchContact"] * 10)
        self.assertIn("TooManyWrongClaims", answers)
        self.assertLess(answers.count("NoSuchContact"), 25)

    def test_each_region_is_asked_about_its_own_touches(self):
        half = {"y": 0, "width": 0.5, "height": 1}
        left = self.context(coverage="region", size={"width": 200, "height": 100},
                            region={"x": 0, **half})
        right = self.context(coverage="region", size={"width": 200, "height": 100},
                             region={"x": 0.5, **half})
        for context in (left, right):
            (question,) = context.until("question")
            # 1000 of 4000 and 3000 of 4000, each in the middle of its half; 600 of 2400.
            self.assertEqual(question["location"], {"x": 100, "y": 25})
            context.answer(question)
            self.assertEqual(after_answer(context.until("pop")), ANSWERED)
        self.assertEqual(left.reply(), {"parameters": {}})


class PunctualityTest(PreviewingTestCase):
    """With an answer in time the peek comes in the frame that crosses the threshold."""

    presses = 1000 if os.environ.get("FORCETOUCH_LONG_TESTS") else 80
    interval = 160

    def setUp(self):
        recording = ScreenRecording()
        for number in range(self.presses):
            start = 1000 + number * self.interval
            recording.down(start, 2000, 1200)
            # Over the hint, then time for an answer, then over the peek.
            for step, pressure in ((4, 90), (76, 120), (80, 140), (84, 150)):
                recording.press(start + step, pressure)
            recording.up(start + 120)
        folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        self.daemon = Daemon(*PATIENT, "--replay", recording.write(f"{folder}/presses.evemu"))
        self.addCleanup(self.daemon.close)

    def test_a_peek_is_no_frame_late(self):
        context = self.context(
            coverage="region", size={"width": 1, "height": 1},
            region={"x": 0, "y": 0, "width": 1, "height": 1})
        monitor = self.daemon.connect()
        monitor.call(f"{MONITOR}.Watch", more=True)
        answered, late, asked = 0, [], []
        for number in range(self.presses):
            question = asked.pop() if asked else context.until("question")[-1]
            crossing = (1000 + number * self.interval + 80) * 1000
            # On a machine that is busy an answer may come after the lift: that is not in time.
            if context.answer(question) != {}:
                continue
            answered += 1
            # A frame is told to contexts before it is told to monitors: what a monitor has heard
            # of, the context must have heard of, without waiting for anything.
            event = {}
            while (event.get("event"), event.get("time")) != ("peek", crossing):
                event = monitor.reply()["parameters"].get("event", {})
            heard = context.arrived()
            # On a machine that is busy this comes so late that the next press is asked about.
            asked = [e for e in heard if e["event"] == "question"]
            if [e["time"] for e in heard if e["event"] == "peek"] != [crossing]:
                late.append((number, kinds(heard)))
        self.assertEqual(late, [])
        self.assertGreater(answered, self.presses / 2)

    def test_a_late_answer_gives_a_peek_with_the_time_of_the_press(self):
        context = self.context(
            coverage="region", size={"width": 1, "height": 1},
            region={"x": 0, "y": 0, "width": 1, "height": 1})
        (question,) = context.until("question")
        # Beyond the crossing (76 ms from here), and before the lift (116 ms), unless it is busy here.
        time.sleep(0.09)
        if context.answer(question) == {}:
            events = context.until("peek", "peekCancelled", "peekEnded")
            self.assertEqual(events[-1]["event"], "peek")
            self.assertEqual(events[-1]["time"], 1080_000)


if __name__ == "__main__":
    unittest.main()

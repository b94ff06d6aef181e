"""forcetouchctl calibrate without anybody who presses: recordings, refusals, wrong usage."""

import contextlib
import json
import os
import pathlib
import re
import tempfile
import unittest

from support import DEMO, DEVICES, NOBODY, ROOT, Daemon, DaemonTestCase, StandIn, run

ALL = ROOT / "Examples/recordings/calibration.evemu"
EFFORTS = ("light", "normal", "firm", "flat")


def parts(path):
    """A recording's description, and the lines of each of its touches."""
    description, touches, lines, is_lifted = [], [], [], False
    for line in path.read_text().splitlines(keepends=True):
        if not line.startswith("E:"):
            description.append(line)
            continue
        lines.append(line)
        is_lifted = is_lifted or " 0039 -1" in line
        if is_lifted and " 0000 0000 " in line:
            touches.append("".join(lines))
            lines, is_lifted = [], False
    return "".join(description), touches


class RecordingsTestCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.description, self.touches = parts(ALL)
        self.assertEqual(len(self.touches), 12)

    def write(self, name, touches, description=None):
        path = self.folder / name
        path.write_text((self.description if description is None else description) + "".join(touches))
        return path

    def split(self):
        """The recording's touches in a file for each effort."""
        return [self.write(f"{effort}.evemu", self.touches[3 * n:3 * n + 3])
                for n, effort in enumerate(EFFORTS)]


class CalibrateFromTest(RecordingsTestCase):
    def calibrate(self, *arguments):
        status, output, complaints = run("calibrate", "--from", *arguments)
        self.assertEqual((status, complaints), (0, ""))
        return output

    def failure(self, *arguments, status=1):
        got, output, complaints = run("calibrate", *arguments)
        self.assertEqual(got, status, output + complaints)
        return complaints

    def test_the_output_is_a_device_table(self):
        """As the daemon reads it."""
        state = self.folder / "state"
        state.mkdir()
        text = self.calibrate(ALL)
        (state / "profiles.yaml").write_text(text)
        daemon = Daemon("--state", state, "--replay", DEMO)
        self.addCleanup(daemon.close)
        (device,) = daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        self.assertEqual(device["reason"], "calibrated", daemon.output())
        result = json.loads(run("calibrate", "--from", ALL, "--json")[1])
        self.assertEqual(device["profile"], result["profile"])
        self.assertEqual(device["thresholds"], result["thresholds"])
        # The report stands above it, for people.
        for line in text.splitlines()[:10]:
            self.assertTrue(line.startswith("# "), text)
        self.assertRegex(text, r"#   normal +29, 26, 31 +29 ")

    def test_what_it_finds_is_what_was_pressed(self):
        result = json.loads(self.calibrate(ALL, "--json"))
        self.assertEqual((result["feelsForce"], result["stored"]), (True, False))
        self.assertNotIn("device", result)
        profile = result["profile"]
        self.assertEqual((profile["average"], profile["ceiling"]), (29, 172))
        self.assertTrue(50 <= profile["click"] <= 62, profile)
        self.assertTrue(0 <= profile["floor"] <= 5, profile)
        self.assertEqual([t["levels"] for t in result["touches"]],
                         [[12, 14, 10], [29, 26, 31], [172, 183, 166], [13, 17, 15]])
        self.assertEqual((result["pressure"]["minimum"], result["pressure"]["maximum"]), (0, 253))

    def test_a_file_for_each_effort_gives_the_same(self):
        self.assertEqual(self.calibrate(*self.split()), self.calibrate(ALL))

    def test_without_flat_touches_sizes_must_speak(self):
        three = self.split()[:3]
        result = json.loads(self.calibrate(*three, "--json"))
        self.assertTrue(0 < result["sizeShare"] < 0.95)
        # Without sizes nobody can tell; a table may be written by who knows more.
        for path in three:
            path.write_text("".join(
                line for line in path.read_text().splitlines(keepends=True)
                if not line.startswith("E:") or line.split()[3] not in ("0030", "0031")))
        status, output, complaint = run("calibrate", "--from", *three)
        self.assertEqual(status, 0)
        self.assertIn("profile: {floor:", output)
        self.assertIn("nothing in the touches shows that pressure is not the size", complaint)
        daemon = Daemon("--state", self.folder / "state", "--replay", DEMO)
        self.addCleanup(daemon.close)
        complaint = self.failure("d1", "--from", *three, "--yes", "--socket", daemon.path)
        self.assertIn("shows that pressure is not the size", complaint)
        self.assertIn("; nothing was written", complaint)
        self.assertFalse((self.folder / "state").exists())
        # A program is told as well.
        status, output, _ = run(
            "calibrate", "d1", "--from", *three, "--yes", "--json", "--socket", daemon.path)
        result = json.loads(output)
        self.assertEqual((status, result["feelsForce"], result["stored"]), (1, True, False))
        self.assertIn("shows that pressure is not the size", result["problem"])

    def test_what_is_no_force_is_told_why(self):
        light, normal, firm, flat = self.split()
        # The flat of the finger as hard as the firm touches.
        sizeless = [
            self.write(f"s-{path.name}", [
                line for line in path.read_text().splitlines(keepends=True)
                if line.startswith("E:") and line.split()[3] not in ("0030", "0031")])
            for path in (light, normal, firm, firm)]
        for files, why in [
                ((firm, normal, light), "touches read lower than light ones"),
                ((light, light, firm), "it does not tell light touches from normal ones"),
                ((light, normal, normal, flat), "it does not tell normal touches from firm ones"),
                (sizeless, "with the flat of the finger reads as a hard one")]:
            with self.subTest(why):
                status, output, complaint = run("calibrate", "--from", *files)
                self.assertEqual(status, 1)
                self.assertIn(why, complaint)
                self.assertEqual(complaint.count("\n"), 1)
                self.assertNotIn("profile", output)
                result = json.loads(run("calibrate", "--json", "--from", *files)[1])
                self.assertFalse(result["feelsForce"])
                self.assertIn(why, result["problem"])

    def test_touches_that_do_not_count_are_told_by_file_and_number(self):
        light, *rest = self.split()
        # A quarter of the time.
        short = re.sub(
            r"^E: (\S+)", lambda match: f"E: {float(match[1]) / 4:.6f}", self.touches[0], flags=re.M)
        light.write_text(self.description + short + "".join(self.touches[:3]))
        status, output, complaint = run("calibrate", "--from", light, *rest)
        self.assertEqual(status, 0)
        self.assertEqual(
            complaint,
            f"forcetouchctl: {light}: touch 1 does not count: too short; hold still for a second\n")
        self.assertEqual(output, self.calibrate(ALL))

    def test_a_description_of_its_own(self):
        description = self.write("pad.desc", [])
        events = self.write("all.events", self.touches, description="# EVEMU 1.3\n")
        self.assertEqual(
            self.failure("--from", events),
            f"forcetouchctl: {events}: does not describe its device; give --description FILE\n")
        self.assertEqual(self.calibrate(events, "--description", description), self.calibrate(ALL))

    def test_files_that_do_not_fit(self):
        light, normal, firm, flat = self.split()
        other = self.write("other.evemu", self.touches[3:6], self.description.replace("0265", "0324"))
        pen = self.folder / "pen.evemu"
        pen.write_text((ROOT / "Tests/Fixtures/magic-trackpad-2/magic.desc").read_text())
        gone = self.folder / "gone.evemu"
        eleven = self.write("eleven.evemu", self.touches[:11])
        two = self.write("two.evemu", self.touches[3:5])
        for files, message in [
                ((light, other, firm), f"{other}: Apple Inc. Magic Trackpad 2 is another device than that "
                                       f"of {light}, Apple Inc. Magic Trackpad 2"),
                ((light, gone, firm), f"{gone}: "),
                ((eleven,), f"{eleven}: touches that count: 11; one recording must have 3 light, 3 normal"),
                ((light, two, firm), "there must be at least 3 normal touches")]:
            with self.subTest(message):
                complaint = self.failure("--from", *files)
                self.assertIn(message, complaint)
                self.assertEqual(complaint.count("\n"), 1)
        complaint = self.failure("--from", light, normal, status=2)
        self.assertIn("--from takes one recording, or one each of light, normal, firm", complaint)

    def test_a_device_that_cannot_be_calibrated_is_refused(self):
        resized = self.description.replace("A: 3a 0 253", "A: 3a 0 20")
        coarse = self.write("coarse.evemu", self.touches, resized)
        self.assertEqual(
            self.failure("--from", coarse),
            f"forcetouchctl: {coarse}: cannot be calibrated: its pressure axis has too few steps\n")

    def test_recordings_calibrate_the_device_that_was_recorded(self):
        daemon = Daemon("--state", self.folder / "state", "--replay", DEMO)
        self.addCleanup(daemon.close)
        status, output, complaints = run(
            "calibrate", "Apple Inc. Magic Trackpad 2", "--from", *self.split(), "--yes", "--socket",
            daemon.path)
        self.assertEqual((status, complaints), (0, ""))
        self.assertTrue(output.endswith("d1 is available: calibrated on this machine\n"), output)
        (device,) = daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        self.assertEqual((device["reason"], device["profile"]["ceiling"]), ("calibrated", 172))
        status, output, _ = run("calibrate", "d1", "--reset", "--json", "--socket", daemon.path)
        self.assertEqual((status, json.loads(output)["reason"]), (0, "table"))
        other = self.write("other.evemu", self.touches, self.description.replace("0265", "0324"))
        complaint = self.failure("d1", "--from", other, "--yes", "--socket", daemon.path)
        self.assertIn("d1 is Apple Inc. Magic Trackpad 2: another device; nothing was written", complaint)

    def test_what_the_daemon_refuses_is_told(self):
        (self.folder / "state").write_text("not a folder")
        daemon = Daemon("--state", self.folder / "state", "--replay", DEMO)
        self.addCleanup(daemon.close)
        complaint = self.failure("d1", "--from", ALL, "--yes", "--socket", daemon.path)
        self.assertRegex(complaint, r"^forcetouchctl: (cannot .*state.*); nothing was written\n$")
        status, output, complaint = run(
            "calibrate", "d1", "--from", ALL, "--yes", "--json", "--socket", daemon.path)
        result = json.loads(output)
        self.assertEqual((status, result["feelsForce"], result["stored"]), (1, True, False))
        self.assertEqual(complaint, f"forcetouchctl: {result['problem']}; nothing was written\n")

    def cut(self, *arguments, **options):
        """Calibrates through a relay that cuts the connection around SetProfile."""
        daemon = Daemon("--state", self.folder / "state", "--replay", DEMO)
        self.addCleanup(daemon.close)
        relay = Relay(os.path.join(daemon.folder, "relay"), daemon, **options)
        self.addCleanup(relay.close)
        done = run("calibrate", "d1", "--from", ALL, "--yes", *arguments, "--socket", relay.path)
        (device,) = daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        return done, device["reason"]

    def test_without_an_answer_nobody_knows_whether_it_was_written(self):
        lost = r"the connection was lost: the service closed it; is forcetouchd running\? \(.+\)"
        for arguments in ((), ("--json",)):
            (status, output, complaint), reason = self.cut(*arguments, relays_answer=False)
            # It was, this time.
            self.assertEqual((status, reason), (1, "calibrated"))
            self.assertRegex(
                complaint,
                f"^forcetouchctl: {lost}; whether it was written is not known; see forcetouchctl "
                "devices\n$")
        result = json.loads(output)
        self.assertTrue(result["feelsForce"])
        self.assertRegex(result["problem"], f"^{lost}$")
        self.assertNotIn("stored", result)

    def test_what_is_stored_stays_so_when_the_daemon_says_no_more(self):
        (status, _, complaint), reason = self.cut(relays_answer=True)
        self.assertEqual((status, reason), (1, "calibrated"))
        self.assertRegex(
            complaint, r"^forcetouchctl: the profile is stored; the connection was lost: .+\n$")


class Relay(StandIn):
    """Passes calls on to a daemon, up to SetProfile; then it hangs up, with or without its answer."""

    def __init__(self, path, daemon, relays_answer):
        self.daemon = daemon
        self.relays_answer = relays_answer
        super().__init__(path, self.relay)

    def relay(self, client):
        inner = self.daemon.connect()
        with client, contextlib.closing(inner), client.makefile("rb") as calls:
            buffer = b""
            while data := calls.read1():
                buffer += data
                while b"\0" in buffer:
                    message, buffer = buffer.split(b"\0", 1)
                    inner.send(message + b"\0")
                    answer = json.dumps(inner.reply()).encode() + b"\0"
                    is_last = b".SetProfile" in message
                    if not is_last or self.relays_answer:
                        client.sendall(answer)
                    if is_last:
                        return


class CalibrateRefusalTest(DaemonTestCase):
    """Before anybody has to press."""

    def failure(self, *arguments, status=1, **options):
        got, output, complaint = run(
            "calibrate", *arguments, "--socket", self.daemon.path, **options)
        self.assertEqual((got, output), (status, ""), complaint)
        return complaint

    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_who_may_not_write_the_result_is_told_at_once(self):
        os.chmod(self.daemon.folder, 0o755)
        for arguments in (["d1", "--yes"], ["d1", "--reset"], ["d1", "--yes", "--from", ALL]):
            complaint = self.failure(*arguments, user=NOBODY, group=NOBODY, extra_groups=[])
            self.assertEqual(complaint, "forcetouchctl: this needs root: use sudo\n")
        # The recording was not begun: nobody listened.
        (device,) = self.daemon.ask("org.forcetouchd.Monitor.GetStatistics")["parameters"]["devices"]
        self.assertEqual((device["open"], device["frames"]), (False, 0))

    def test_nobody_to_ask(self):
        complaint = self.failure("d1", status=2)
        self.assertIn("there is nobody to ask for confirmation; say --yes", complaint)

    def test_a_device_that_is_not_there(self):
        self.assertIn("there is no device d9", self.failure("d9", "--yes"))

    def test_a_recording_that_ends_is_a_device_that_is_gone(self):
        status, output, complaint = run("calibrate", "d1", "--yes", "--socket", self.daemon.path)
        self.assertEqual(status, 1)
        self.assertIn("1 of 3: light", output)
        self.assertIn("again: too short", output)
        self.assertEqual(complaint, "forcetouchctl: the device is gone; nothing was written\n")

    def test_no_daemon(self):
        status, _, complaint = run("calibrate", "d1", "--yes", "--socket", "/nonexistent/socket")
        self.assertEqual(status, 1)
        self.assertIn("is forcetouchd running?", complaint)

    def test_wrong_usage(self):
        for arguments, why in [
                ((), "which device?"), (("a", "b"), "too much"), (("--from",), "--from needs a value"),
                (("d1", "--reset", "--from", ALL), "--reset takes no recordings"),
                (("d1", "--description", ALL), "--description is for recordings"),
                (("d1", "--rest"), "has no option --rest")]:
            with self.subTest(why):
                status, output, complaint = run("calibrate", *arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(why, complaint)
                self.assertEqual(complaint.count("\n"), 1)


class SwitchedOffTest(DaemonTestCase):
    def setUp(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as config:
            config.write("devices:\n- {bus: bluetooth, enabled: false}\n")
        self.addCleanup(os.unlink, config.name)
        self.arguments = ("--config", config.name, "--replay", DEMO)
        super().setUp()

    def test_what_no_calibration_helps_is_refused_at_once(self):
        status, output, complaint = run("calibrate", "d1", "--yes", "--socket", self.daemon.path)
        self.assertEqual((status, output), (1, ""))
        self.assertEqual(
            complaint,
            "forcetouchctl: d1, Apple Inc. Magic Trackpad 2, cannot be calibrated: switched off in the "
            "settings\n")


if __name__ == "__main__":
    unittest.main()

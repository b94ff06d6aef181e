"""forcetouchctl on files: what real recordings and broken ones give."""

import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from previewing import ScreenRecording
from support import BIN, DEMO, MAGIC, ROOT, events_of, run, without_changes

CORPUS = pathlib.Path(os.environ.get("FORCETOUCH_TEST_CORPUS", ROOT.parent / "shared/corpus"))
FIXTURES = ROOT / "Tests/Fixtures"

# How the files of the corpus that describe their device are judged, by a part of their names.
JUDGED = {
    "Sony_PLAYSTATION": "unavailable notTouch",
    "ThinkPad_Compact_USB_Keyboard": "unavailable notTouch",
    "Surface_Mouse": "unavailable notTouch",
    "Logitech_G933": "unavailable notTouch",
    "Nano_Transceiver": "unavailable notTouch",
    "Surface_Type_Cover": "unavailable notTouch",
    "UC-LOGIC_Tablet": "unavailable notTouch",
    # Its udev section says mouse.
    "libinput-man-HEAD": "unavailable notTouch",
    "libinput-man-2018": "unavailable contactSize",
    "SynPS2-Synaptics-TouchPad-T440.desc": "unavailable contactSize",
    "SynPS2-Synaptics-TouchPad.desc": "unavailable contactSize",
    "SynPS2_Synaptics_TouchPad-fdo23890.desc": "unavailable contactSize",
    "SynPS2_Synaptics_TouchPad.desc": "unavailable contactSize",
    # Contacts without pressure; that of the oldest one does not count.
    "SynPS2_Synaptics_TouchPad-with-scrollbuttons": "unavailable noPressureAxis",
    "AlpsPS2_ALPS_GlidePoint": "unavailable noPressureAxis",
    "AlpsPS2-ALPS-DualPoint-TouchPad-non-MT": "unknown undescribed",
    "CyPS2_Cypress_Trackpad": "unknown semiMT",
    "Atmel_maXTouch_Touchscreen": "unavailable noPressureAxis",
    "evt_ref_evtest": "unavailable noPressureAxis",
    "tablets_n4.desc": "unknown undescribed",
}

# How the recordings among the fixtures are judged; a description of a device says it itself.
RECORDED = {
    "magic-trackpad-2/magic.desc": "available table",
    "magic-trackpad-2/bluetooth.libinput-record.yml": "available table",
    "magic-trackpad-2/usb.libinput-record.yml": "available table",
    "precision-touchpad/i2c.libinput-record.yml": "unknown undescribed",
}


def judgement(path, *options):
    """What `probe` says of a file, as the fixtures write it; and all of it."""
    status, output, complaints = run("probe", path, "--json", *options)
    if status != 0:
        raise AssertionError(f"{path}: {complaints}")
    device = json.loads(output)
    return f"{device['capability']} {device['reason']}", device


class MagicTrackpadTest(unittest.TestCase):
    """The virtual Magic Trackpad 2, recorded through the kernel's own driver."""

    def replay(self, *options):
        status, output, complaints = run(
            "replay", MAGIC / "magic.events", "--description", MAGIC / "magic.desc", "--json",
            *options)
        self.assertEqual((status, complaints), (0, ""))
        return events_of(output)

    def test_it_is_available_by_the_table(self):
        status, output, _ = run("probe", MAGIC / "magic.desc", "--json")
        device = json.loads(output)
        self.assertEqual(
            (status, device["capability"], device["reason"]), (0, "available", "table"))
        self.assertEqual(device["thresholds"], {"hint": 85, "peek": 106, "pop": 155})

    def test_each_press_peeks_and_pops_in_the_frame_that_crosses(self):
        events = self.replay()
        contacts = collections.defaultdict(list)
        for event in events:
            contacts[event["contact"]].append(event)
        self.assertTrue(contacts)
        for contact in contacts.values():
            kinds = [e["event"] for e in contact if e["event"] != "changed"]
            self.assertEqual(kinds, ["began", "peek", "pop", "ended"])
            for kind, threshold in (("peek", 106), ("pop", 155)):
                (event,) = [e for e in contact if e["event"] == kind]
                first = next(e for e in contact if e["raw"] >= threshold)
                self.assertEqual(event["time"], first["time"])
                self.assertEqual(event["raw"], first["raw"])

    def test_at_its_own_speed_it_gives_the_same(self):
        start = time.monotonic()
        slow = self.replay("--speed", "original")
        self.assertGreater(time.monotonic() - start, 0.1)
        self.assertEqual(slow, self.replay())

    def test_without_a_description_nothing_is_recognized(self):
        status, output, _ = run("replay", MAGIC / "magic.events", "--json")
        self.assertEqual(status, 0)
        kinds = {e["event"] for e in events_of(output)}
        self.assertEqual(kinds, {"began", "changed", "ended"})

    def test_a_rule_can_be_switched_off(self):
        """Fingers that come down hard press without a crossing."""
        hard = re.sub(
            rb"(?m)^(E: \S+ 0003 00(?:3a|18)) (\d+)$",
            lambda match: match[1] + b" %04d" % max(120, int(match[2])), DEMO.read_bytes())
        with tempfile.NamedTemporaryFile(suffix=".evemu") as file:
            file.write(hard)
            file.flush()
            def peeks(*options):
                events = events_of(run("replay", file.name, "--json", *options)[1])
                return sum(event["event"] == "peek" for event in events)
            self.assertEqual(peeks(), 0)
            self.assertEqual(peeks("--without", "palm", "--without", "unarmed"), 3)
            self.assertEqual(peeks("--without", "palm"), 0)

    def test_an_estimate_is_marked_in_every_event(self):
        status, output, _ = run(
            "replay", MAGIC / "magic.events", "--estimated", "--without", "baseline", "--json")
        self.assertEqual(status, 0)
        events = events_of(output)
        self.assertIn("peek", {e["event"] for e in events})
        self.assertTrue(all(e["estimated"] for e in events))


class FixtureTest(unittest.TestCase):
    """Each description of hardware is judged as it says, and for that reason."""

    def expected(self):
        for path in sorted((FIXTURES / "devices").glob("*")):
            head = path.read_text().partition("version:")[0]
            self.assertIn("# Source: ", head, path)
            (line,) = [line for line in head.splitlines() if line.startswith("# Expected: ")]
            yield path, line.removeprefix("# Expected: ")
        for name, judged in RECORDED.items():
            yield FIXTURES / name, judged

    def test_each_is_judged_as_it_says(self):
        seen = collections.Counter()
        for path, judged in self.expected():
            with self.subTest(path.name):
                found, device = judgement(path)
                self.assertEqual(found, judged)
                # Only what feels force has thresholds.
                self.assertEqual("thresholds" in device, judged.startswith("available"))
                seen[judged] += 1
        # What a description alone can prove is all there.
        self.assertEqual(set(seen), {
            "available table", "available units", "unavailable notTouch",
            "unavailable noPressureAxis", "unavailable degenerateAxis", "unavailable contactSize",
            "unavailable amplitude", "unavailable resistive", "unknown semiMT",
            "unknown pressurePad", "unknown unusableProfile", "unknown undescribed"})

    def test_no_recording_is_left_out(self):
        recordings = {
            str(path.relative_to(FIXTURES)) for path in FIXTURES.glob("*/*")
            if path.parent.name != "devices"
            and path.suffix not in (".events", ".ioctl", ".umockdev")}
        self.assertEqual(recordings, set(RECORDED))

    def test_a_magic_trackpad_on_a_bus_that_is_not_its_own_is_unknown(self):
        text = (FIXTURES / "devices/magic-trackpad-2-bluetooth.yml").read_text()
        self.assertIn("id: [5, 76, 613, 0]", text)
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            file.write(text.replace("id: [5, 76, 613, 0]", "id: [3, 76, 613, 0]"))
            file.flush()
            self.assertEqual(judgement(file.name)[0], "unknown undescribed")


class CorpusTest(unittest.TestCase):
    @unittest.skipUnless(CORPUS.is_dir(), f"there is no optional test corpus at {CORPUS}")
    def test_every_recording_is_judged_and_played(self):
        rows = []
        judged = collections.Counter()
        for path in sorted(CORPUS.glob("*/*")):
            name = path.name.split("__")[-1]
            with self.subTest(name):
                found, device = judgement(path)
                status, output, complaints = run("replay", path, "--json")
                self.assertEqual(status, 0, complaints)
                contacts = collections.defaultdict(list)
                for event in events_of(output):
                    contacts[event["contact"]].append(event)
                rows.append((name[:58], device["capability"], device["reason"], len(contacts)))
                expected = [(part, words) for part, words in JUDGED.items() if part in path.name]
                self.assertLessEqual(len(expected), 1, expected)
                judged.update(part for part, _ in expected)
                # Most say nothing of their device, and so prove nothing.
                self.assertEqual(found, expected[0][1] if expected else "unknown noDescription")
                if device["reason"] == "notTouch":
                    self.assertFalse(contacts)
                for events in contacts.values():
                    kinds = [e["event"] for e in events]
                    self.assertEqual(kinds[0], "began")
                    self.assertIn(kinds[-1], ("ended", "cancelled"))
                    self.assertEqual(kinds.count("began"), 1)
                    self.assertEqual(sum(k in ("ended", "cancelled") for k in kinds), 1)
                    self.assertNotIn("peek", kinds)
                    if kinds[-1] == "cancelled":
                        self.assertEqual(events[-1]["reason"], "endOfRecording")
        self.assertGreater(len(rows), 40)
        self.assertEqual(set(judged), set(JUDGED), "the corpus has lost files")
        print("\nfile → verdict, reason → contacts")
        for name, capability, reason, contacts in rows:
            print(f"  {name:58} {capability:11} {reason:15} {contacts:4}")

    @unittest.skipUnless(CORPUS.is_dir(), f"there is no optional test corpus at {CORPUS}")
    def test_a_recording_that_begins_with_a_finger_down_says_so(self):
        (path,) = CORPUS.glob("evemu/*one-finger-up.events")
        began = events_of(run("replay", path, "--json")[1])[0]
        self.assertEqual((began["event"], began["alreadyDown"]), ("began", True))

    @unittest.skipUnless(CORPUS.is_dir(), f"there is no optional test corpus at {CORPUS}")
    def test_a_description_may_come_in_a_second_file(self):
        (events,) = CORPUS.glob("evemu/*tablets_n4.events")
        (description,) = CORPUS.glob("evemu/*tablets_n4.desc")
        device = json.loads(run("probe", events, "--description", description, "--json")[1])
        self.assertEqual((device["name"], device["reason"]), ("touch_dev", "undescribed"))


class WhyNotTest(unittest.TestCase):
    """What a person hears of presses that were no peek."""

    def last_line(self, first, then):
        recording = ScreenRecording()
        recording.down(0, 1000, 1800, pressure=first)
        recording.press(100, then)
        recording.up(200)
        with tempfile.TemporaryDirectory(prefix="forcetouch-test-") as folder:
            status, output, _ = run("replay", recording.write(f"{folder}/press.evemu"))
        self.assertEqual(status, 0)
        return output.splitlines()[-1]

    def test_how_far_it_was_from_a_peek(self):
        self.assertRegex(
            self.last_line(10, 40),
            r"^1 contact, 0 peeks, 0 pops; the hardest was raw 40, peek is at [0-9.]+$")

    def test_that_a_rule_said_no(self):
        self.assertRegex(
            self.last_line(250, 260), "; raw 260 went past peek at [0-9.]+: replay --without RULE")

    def test_nothing_is_said_where_there_is_a_peek(self):
        self.assertEqual(self.last_line(10, 150), "1 contact, 1 peek, 0 pops")

    def lines(self, recording):
        with tempfile.TemporaryDirectory(prefix="forcetouch-test-") as folder:
            status, output, _ = run("replay", recording.write(f"{folder}/press.evemu"))
        self.assertEqual(status, 0)
        return output.splitlines()

    def test_the_end_of_a_press_says_what_was_missing(self):
        recording = ScreenRecording()
        for number, hardest in enumerate((20, 100, 250)):
            time = number * 1000
            recording.down(time, 1000, 1800, pressure=230 if hardest == 250 else 10)
            recording.press(time + 100, hardest)
            recording.up(time + 200)
        tap, light, alreadyHard = (line for line in self.lines(recording) if " ended " in line)
        self.assertNotIn("peek", tap)
        self.assertRegex(light, r"the hardest was raw 100, peek is at [0-9.]+$")
        self.assertRegex(alreadyHard, r"raw 250 went past peek at [0-9.]+: replay --without RULE")

    def test_why_a_contact_can_give_no_peek_any_more(self):
        recording = ScreenRecording()
        recording.down(0, 1000, 1800)
        recording.frame(50, (3, 0x35, 1900))
        recording.up(200)
        self.assertIn("no peek any more: it moved away from where it came down (moved)",
                      "\n".join(self.lines(recording)))

    def test_what_is_in_doubt_is_told_with_the_next_step(self):
        devices = FIXTURES / "devices"
        undescribed = run("probe", devices / "hideep.yml")[1]
        self.assertIn("  next        forcetouchctl calibrate --from FILE finds out", undescribed)
        self.assertNotIn("  next", run("probe", devices / "magic-trackpad-2-usb.yml")[1])
        self.assertIn("  table       Goodix 01E9: nobody has established yet what its pressure measures\n",
                      run("probe", devices / "goodix-01e9.yml")[1])


class BrokenFileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, content, name="file"):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def assertRefused(self, path, *words):
        for command in ("probe", "replay"):
            status, output, complaints = run(command, path)
            self.assertEqual((status, output), (1, ""), complaints)
            self.assertEqual(complaints.count("\n"), 1, complaints)
            for word in (str(path), *words):
                self.assertIn(word, complaints)

    def test_files_that_are_no_recordings_are_refused_in_one_line(self):
        self.assertRefused(self.file(b""), "the file is empty")
        self.assertRefused(self.file(os.urandom(4096)), "no recording")
        self.assertRefused(self.file(b"\0" * 100_000), "no recording")
        self.assertRefused(self.file(b"To be, or not to be\n" * 1000), "no recording")
        self.assertRefused(self.folder, "Is a directory")
        self.assertRefused(self.folder / "missing", "No such file")

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_a_file_without_permission_is_refused(self):
        path = self.file(DEMO.read_bytes())
        path.chmod(0)
        self.folder.chmod(0o755)
        done = subprocess.run(
            [BIN / "forcetouchctl", "probe", path], capture_output=True, text=True, user=65534,
            group=65534, extra_groups=[])
        self.assertEqual(done.returncode, 1)
        self.assertIn("Permission denied", done.stderr)

    def test_a_recording_cut_off_anywhere_gives_what_there_is(self):
        data = DEMO.read_bytes()
        whole = events_of(run("replay", DEMO, "--json")[1])
        for length in (1200, 2000, 5003, 10_011, 20_017, 33_331, len(data) - 1):
            status, output, _ = run("replay", self.file(data[:length]), "--json")
            self.assertEqual(status, 0)
            events = events_of(output)
            closed = [e for e in events if e.get("reason") == "endOfRecording"]
            rest = [e for e in events if e.get("reason") != "endOfRecording"]
            self.assertEqual(rest, whole[:len(rest)])
            self.assertLessEqual(len(closed), 2)

    def test_names_that_are_no_utf8_are_read_as_latin_1(self):
        data = DEMO.read_bytes().replace(b"Apple Inc. Magic Trackpad 2", b"Touch\xe9\x1b[31m pad")
        status, output, _ = run("probe", self.file(data), "--json")
        self.assertEqual((status, json.loads(output)["name"]), (0, "Touché [31m pad"))

    def test_absurd_numbers_are_survived(self):
        lines = b"".join(
            b"E: %s 0003 0039 1\nE: %s 0003 0035 %s\nE: %s 0003 003a %s\nE: %s 0000 0000 0\n"
            % (time, time, value, time, value, time)
            for time in (b"0.0", b"99999999999999999999999.5", b"-5.1", b"1e999.0")
            for value in (b"9223372036854775808", b"-1", b"1e999", b"00000000000000000000007"))
        head = DEMO.read_bytes().split(b"E: ")[0]
        status, output, _ = run("replay", self.file(head + lines), "--json")
        self.assertEqual(status, 0)
        self.assertTrue(events_of(output))

    def test_garbage_between_the_lines_is_skipped_and_counted(self):
        lines = DEMO.read_bytes().split(b"\n")
        spoiled = b"\n".join(
            line for pair in zip(lines, [b"\xff\xfe garbage"] * len(lines)) for line in pair)
        status, output, complaints = run("replay", self.file(spoiled), "--json")
        self.assertEqual(status, 0)
        self.assertEqual(events_of(output), events_of(run("replay", DEMO, "--json")[1]))
        self.assertRegex(complaints, "lines? of the recording could not be read")

    def test_a_huge_recording_takes_no_more_memory_than_a_small_one(self):
        megabytes = 100 if os.environ.get("FORCETOUCH_LONG_TESTS") == "1" else 6
        head, _, body = DEMO.read_bytes().partition(b"E: ")
        body = b"E: " + body
        small = self.memory(self.file(head + body, "small"))
        path = self.folder / "huge"
        with open(path, "wb") as huge:
            huge.write(head)
            for _ in range(megabytes * (1 << 20) // len(body)):
                huge.write(body)
        self.assertLess(self.memory(path) - small, 4 << 20)

    def test_a_huge_line_takes_no_more_memory_than_a_short_one(self):
        small = self.memory(DEMO)
        # In pieces: a child starts with its parent's peak.
        path = self.file(DEMO.read_bytes() + b"E: ")
        with open(path, "ab") as huge:
            for _ in range(64):
                huge.write(b"9" * (1 << 20))
        self.assertLess(self.memory(path) - small, 4 << 20)

    def memory(self, path):
        """The most memory that a replay takes, in bytes."""
        process = subprocess.Popen(
            [BIN / "forcetouchctl", "replay", path], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss * 1024

    def test_a_recording_may_come_through_a_pipe(self):
        done = subprocess.run(
            [BIN / "forcetouchctl", "replay", "-", "--json"], input=DEMO.read_bytes(),
            capture_output=True)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(
            events_of(done.stdout.decode()), events_of(run("replay", DEMO, "--json")[1]))


class CommandLineTest(unittest.TestCase):
    def test_wrong_usage_has_status_2_and_one_line(self):
        for arguments in (
            [], ["dance"], ["replay"], ["replay", "a", "b"], ["replay", DEMO, "--speed", "warp"],
            ["replay", DEMO, "--nonsense"], ["probe", DEMO, "--json=1"], ["monitor", "--frames"],
            ["devices", "--socket"],
        ):
            status, output, complaints = run(*arguments)
            self.assertEqual((status, output, complaints.count("\n")), (2, "", 1), arguments)

    def test_every_command_has_help(self):
        status, output, _ = run("--help")
        self.assertEqual(status, 0)
        for name in ("devices", "capability", "monitor", "probe", "record", "replay"):
            self.assertIn(name, output)
            status, text, _ = run(name, "--help")
            self.assertEqual(status, 0)
            self.assertTrue(text.startswith(f"usage: forcetouchctl {name}"))

    def test_without_a_daemon_it_says_what_to_do(self):
        for command in ("devices", "capability", "monitor"):
            status, output, complaints = run(command, "--socket", "/nowhere/socket")
            self.assertEqual((status, output), (1, ""))
            self.assertIn("cannot connect to /nowhere/socket", complaints)
            self.assertIn("is forcetouchd running?", complaints)

    def test_a_node_that_is_none_is_named(self):
        for node in ("/dev/input/event999", "/dev/null"):
            for command in ("probe", "record"):
                status, _, complaints = run(command, node)
                self.assertEqual((status, complaints.count("\n")), (1, 1))
                self.assertIn(node, complaints)


if __name__ == "__main__":
    unittest.main()

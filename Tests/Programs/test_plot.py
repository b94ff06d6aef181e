"""forcetouchctl plot: pictures that are what they say, of everything that can be read, or one line why not."""

import json
import os
import pathlib
import re
import stat
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from PIL import Image
from previewing import SCREEN, ScreenRecording
from support import BIN, DEMO, MAGIC, ROOT, events_of, mounting, needs_mounts, run
from test_evidence import REASON, LyingRecording
from test_recordings import CORPUS

THRESHOLD = (0x3D, 0x46, 0x50)
WIDTH = 760
# Pixels for a point.
SCALE = 2


class PlotTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def plot(self, *arguments, name="plot.png", complaints=""):
        """The picture of what must succeed."""
        path = self.folder / name
        done = run("plot", *arguments, "--output", path)
        self.assertEqual(done, (0, "", complaints))
        self.assertEqual(self.left_over(), [])
        return path

    def left_over(self):
        return [path.name for path in self.folder.rglob("*.part")]

    def assertRefused(self, *arguments, status=1, words=(), **options):
        """One line, and nothing is written."""
        before = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        done = run("plot", *arguments, **options)
        self.assertEqual((done[0], done[1], done[2].count("\n")), (status, "", 1), done)
        for word in words:
            self.assertIn(word, done[2])
        after = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        self.assertEqual(before, after)

    def write(self, content, name="recording"):
        path = self.folder / name
        path.write_bytes(content)
        return path


class Pixels:
    """A picture's points."""

    def __init__(self, path):
        with Image.open(path) as image:
            self.format = image.format
            self.image = image.convert("RGB")

    def rows(self, color, left, right):
        """The rows in which nothing but this color is between two columns."""
        width, height = self.image.size
        return [y for y in range(height)
                if all(self.image.getpixel((x, y)) == color for x in range(left, right))]


def words(path):
    """(text, left, top, right, bottom) of each word of a PDF."""
    shown = subprocess.run(
        ["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True).stdout
    found = re.findall(
        r'<word xMin="([0-9.]+)" yMin="([0-9.]+)" xMax="([0-9.]+)" yMax="([0-9.]+)">(.*?)</word>', shown)
    return [(text, *map(float, box)) for *box, text in found]


class FormatTest(PlotTestCase):
    def test_a_png_has_its_size_and_is_not_blank(self):
        pixels = Pixels(self.plot(DEMO))
        self.assertEqual(pixels.format, "PNG")
        width, height = pixels.image.size
        self.assertEqual(width, WIDTH * SCALE)
        self.assertTrue(500 < height < 1000, height)
        self.assertGreater(len(pixels.image.getcolors(1 << 24)), 50)
        self.assertEqual(pixels.image.getpixel((0, 0)), (255, 255, 255))

    def test_an_svg_has_its_size_and_its_peeks(self):
        path = self.plot(DEMO, name="plot.svg")
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertEqual(root.get("width"), f"{WIDTH}px")
        # Colors are parts of 100 in it, or of 255 in another version of cairo; only peeks are transparent
        # in theirs, and there is one in the legend.
        shades = re.findall(r"fill-opacity[:=]\"?0\.26", path.read_text())
        self.assertEqual(len(shades), 2 + 1)

    def test_a_pdf_has_its_texts_beside_each_other(self):
        found = words(self.plot(DEMO, name="plot.pdf"))
        texts = " ".join(text for text, *_ in found)
        for expected in ("peek-and-pop.evemu", "Apple Inc. Magic Trackpad 2", "hint 85", "peek 106",
                         "pop 155", "#1", "#2", "#3", "force", "raw", "0 s", "162 × 115 mm"):
            self.assertIn(expected, texts)
        for index, (text, left, top, right, bottom) in enumerate(found):
            for other, *box in found[:index]:
                apart = box[2] <= left or right <= box[0] or box[3] <= top + 3 or bottom <= box[1] + 3
                self.assertTrue(apart, (text, other))

    def test_the_name_decides_whatever_its_case(self):
        for name, start in (("A.PNG", b"\x89PNG"), ("a b.Pdf", b"%PDF"), ("x.y.SVG", b"<?xml")):
            self.assertTrue(self.plot(DEMO, name=name).read_bytes().startswith(start), name)

    def test_the_same_recordings_give_the_same_bytes(self):
        for name in ("plot.svg", "plot.png", "plot.pdf"):
            first = self.plot(DEMO, name=name).read_bytes()
            self.assertEqual(self.plot(DEMO, name=name).read_bytes(), first)
        # Whatever the time is.
        self.assertNotIn(b"CreationDate", first)

    def test_dark_is_dark(self):
        light, dark = (Pixels(self.plot(DEMO, *options)).image for options in ((), ("--dark",)))
        self.assertLess(sum(dark.getpixel((0, 0))), 100)
        self.assertEqual(dark.size, light.size)

    def test_without_any_font_there_is_a_plot(self):
        """As on a machine that has none; cairo has letters of its own."""
        config = self.write(b"<fontconfig><cachedir>/nowhere</cachedir></fontconfig>", "fonts.conf")
        done = run("plot", DEMO, "-o", self.folder / "plot.svg",
                   env={**os.environ, "FONTCONFIG_FILE": str(config)})
        self.assertEqual((done[0], done[1]), (0, ""))
        xml.etree.ElementTree.parse(self.folder / "plot.svg")


class ContentTest(PlotTestCase):
    def test_thresholds_lie_where_the_probe_says(self):
        device = json.loads(run("probe", DEMO, "--json")[1])
        thresholds = device["thresholds"]
        path = self.plot(DEMO)
        pixels = Pixels(path)
        # The pop's line goes through all the plot; its first part is crossed by nothing.
        (pop, *_), = [pixels.rows(THRESHOLD, 120, 220)]
        found = words(self.plot(DEMO, name="plot.pdf"))

        def center(text, beside=None):
            (box,) = [(top + bottom) / 2 for word, left, top, right, bottom in found
                      if word == text and (beside is None or left > beside)]
            return box

        zero, fifty = center("0", beside=400), center("50")
        for name, value in thresholds.items():
            expected = zero - (zero - fifty) * value / 50
            # A pixel's breadth, and that of what is rounded in the text's box.
            self.assertAlmostEqual(center(f"{value:g}"), expected, delta=0.6, msg=name)
        self.assertAlmostEqual(center("155"), pop / SCALE, delta=2)

    def test_each_peek_and_pop_is_shown(self):
        for recording in ([DEMO], [ROOT / "Examples/recordings/slow-press.evemu"],
                          [MAGIC / "magic.events", "--description", MAGIC / "magic.desc"],
                          [DEMO, "--sensitivity", "firm"], [DEMO, "--sensitivity", "light"]):
            events = events_of(run("replay", *recording, "--json")[1])
            peeks = sum(event["event"] == "peek" for event in events)
            pops = sum(event["event"] == "pop" for event in events)
            text = self.plot(*recording, name="plot.svg").read_text()
            legend = 1 if peeks else 0
            with self.subTest(recording=recording):
                self.assertEqual(len(re.findall(r"fill-opacity[:=]\"?0\.26", text)), peeks + legend)
                self.assertTrue(peeks)
                # In the plot, on the pad and in the legend.
                marks = len(re.findall(r"<path[^>]*fill:rgb\(83\.[0-9]+%,36\.[0-9]+%,0%\)", text))
                self.assertEqual(marks, 2 * pops + (1 if pops else 0))

    def test_an_option_shows(self):
        normal = self.plot(DEMO, name="plot.svg").read_text()
        for options in (["--sensitivity", "firm"], ["--without", "moving"], ["--from", "2"],
                        ["--to", "1"], ["--dark"]):
            self.assertNotEqual(self.plot(DEMO, *options, name="plot.svg").read_text(), normal)

    def test_only_what_was_asked_for_is_shown(self):
        texts = [text for text, *_ in words(self.plot(DEMO, "--from=1.5", "--to", "2.0", name="a.pdf"))]
        self.assertIn("#2", texts)
        self.assertNotIn("#1", texts)
        self.assertNotIn("#3", texts)

    def test_a_device_without_force_says_so_and_shows_raw_values(self):
        for options, force in (([], False), (["--estimated"], True)):
            found = " ".join(text for text, *_ in words(
                self.plot(MAGIC / "magic.events", *options, name="plot.pdf")))
            self.assertIn("force unknown: the recording does not describe its device", found)
            self.assertEqual("peek" in found, force)
            self.assertEqual("a guess" in found, force)
            self.assertIn("raw", found)

    def test_grams_are_shown_where_they_are_known(self):
        recording = ScreenRecording()
        recording.down(0, 1000, 1800)
        recording.press(100, 300)
        recording.up(200)
        path = recording.write(self.folder / "press.evemu")
        found = " ".join(text for text, *_ in words(self.plot(path, name="plot.pdf")))
        self.assertIn("pop 249.8 = 249.8 g", found)

    def test_several_recordings_have_their_names(self):
        copy = self.folder / DEMO.name
        copy.write_bytes(DEMO.read_bytes())
        other = ROOT / "Examples/recordings/slow-press.evemu"
        found = [text for text, *_ in words(self.plot(DEMO, other, copy, name="plot.pdf"))]
        self.assertIn("slow-press.evemu", found)
        # Of two of one name the paths are shown; without their middle, where they are too long.
        self.assertNotIn(DEMO.name, found)
        self.assertEqual(sum(text.endswith(DEMO.name) for text in found), 2)

    def test_what_pressure_was_proven_not_to_be_is_said(self):
        path = LyingRecording().use().write(self.folder / "liar.evemu")
        found = " ".join(text for text, *_ in words(self.plot(path, name="plot.pdf")))
        self.assertIn(f"force unavailable: {REASON}", found)
        # What held until then is shown.
        self.assertIn("peek 133.2", found)


class BadInputTest(PlotTestCase):
    def test_what_cannot_be_plotted_is_said_in_one_line(self):
        picture = self.write(b"what was there", "plot.svg")
        head = DEMO.read_bytes().split(b"E: ")[0]
        press = ScreenRecording()
        press.down(0, 1, 1)
        press.up(100)
        no_pressure = (SCREEN + "\n".join(press.lines) + "\n").replace("A: 3a 0 2000 0 0 1\n", "").replace(
            "B: 03 03 00 00 00 00 00 60 06", "B: 03 03 00 00 00 00 00 60 02")
        for content, reason in (
            (b"", "the file is empty"),
            (os.urandom(4096), "no recording"),
            (head, "nothing touches the device"),
            (no_pressure.encode(), "its device reports no pressure"),
        ):
            path = self.write(content)
            self.assertRefused(path, "-o", picture, words=(str(path), reason))
            # Nor is there anything of the others.
            self.assertRefused(DEMO, path, "-o", picture, words=(str(path), reason))
        self.assertRefused(self.folder / "missing", "-o", picture, words=("No such file",))
        self.assertRefused(DEMO, "--from", "100", "-o", picture, words=("at that time",))
        keyboard = ROOT / "Tests/Fixtures/devices/keyboard-with-pressure.yml"
        self.assertRefused(keyboard, "-o", picture, words=("not a trackpad or touchscreen",))

    def test_wrong_usage_has_status_2(self):
        for arguments in (
            [DEMO], ["-o", "x.svg"], [DEMO, "-o"], [DEMO, "-o", "x.jpg"], [DEMO, "-o", "svg"],
            [DEMO, "-o", "-"], [DEMO, "-o", "a.svg/b"], [DEMO, "-o", "x.svg", "--from", "now"],
            [DEMO, "-o", "x.svg", "--from", "nan"], [DEMO, "-o", "x.svg", "--to", "inf"],
            [DEMO, "-o", "x.svg", "--from", "2", "--to", "1"], [DEMO, "-o", "x.svg", "--without", "me"],
            [DEMO, "-o", "x.svg", "--sensitivity", "hard"], [DEMO] * 17 + ["-o", "x.svg"],
            [DEMO, "-o", "x.svg", "--dark=no"], [DEMO, "-O", "x.svg"],
        ):
            with self.subTest(arguments=arguments):
                self.assertRefused(*arguments, status=2, cwd=self.folder)
        self.assertRefused(
            DEMO, "-o", "x.jpg", status=2, words=(".svg", ".png", ".pdf"), cwd=self.folder)

    def test_a_recording_cut_off_anywhere_gives_a_plot_or_a_reason(self):
        data = DEMO.read_bytes()
        for length in range(900, len(data), 997):
            path = self.write(data[:length])
            status, output, complaints = run("plot", path, "-o", self.folder / "plot.svg")
            self.assertIn(status, (0, 1))
            self.assertEqual(output, "")
            # The line that is cut off, and the frame.
            self.assertLessEqual(complaints.count("\n"), 2 if status == 0 else 1)
            self.assertEqual((self.folder / "plot.svg").exists(), status == 0)
            (self.folder / "plot.svg").unlink(missing_ok=True)

    def test_absurd_numbers_and_times_are_survived(self):
        lines = b"".join(
            b"E: %s 0003 0039 %d\nE: %s 0003 0035 %s\nE: %s 0003 0036 %s\nE: %s 0003 003a %s\nE: %s 0000 0000 0\n"
            % (time, number % 3 - 1, time, value, time, value, time, value, time)
            for number, time in enumerate(
                (b"0.0", b"99999999999999999999999.5", b"-5.1", b"3.0", b"-99999999999999999.0", b"3.1"))
            for value in (b"9223372036854775808", b"-1", b"-9223372036854775808", b"7"))
        head = DEMO.read_bytes().split(b"E: ")[0]
        for content in (head + lines, lines):
            for name in ("plot.svg", "plot.png", "plot.pdf"):
                self.plot(self.write(content), "--estimated", "--without", "baseline", name=name)

    def test_one_frame_is_a_plot(self):
        recording = ScreenRecording()
        recording.down(0, 1, 1)
        self.plot(recording.write(self.folder / "press.evemu"))

    def test_names_of_any_kind_are_drawn(self):
        data = DEMO.read_bytes().replace(
            b"Apple Inc. Magic Trackpad 2", b"\xff\xfe\x1b[31m \xef\xbf\xbe \xe2\x80\xae<&>\"\xe9" * 50)
        for name in ("\x1b[31m\n\x07", "\ufffe\ufdd0\U0010ffff", "<&>\"'.evemu", "a" * 250, "ม\u202e世界"):
            path = self.write(data, name)
            for picture in ("plot.svg", "plot.pdf"):
                self.plot(path, name=picture)
            xml.etree.ElementTree.parse(self.folder / "plot.svg")

    def test_a_recording_may_come_through_a_pipe(self):
        with open(DEMO, "rb") as recording:
            done = subprocess.run(
                [BIN / "forcetouchctl", "plot", "-", "-o", self.folder / "plot.pdf"], stdin=recording,
                capture_output=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertIn("input", [text for text, *_ in words(self.folder / "plot.pdf")])


class CorpusTest(PlotTestCase):
    @unittest.skipUnless(CORPUS.is_dir(), f"there is no optional test corpus at {CORPUS}")
    def test_every_recording_gives_a_plot_or_a_reason(self):
        drawn = 0
        for path in sorted(CORPUS.glob("*/*")):
            with self.subTest(path.name):
                picture = self.folder / "plot.svg"
                status, output, complaints = run("plot", path, "-o", picture)
                self.assertEqual(output, "")
                if status == 0:
                    drawn += 1
                    xml.etree.ElementTree.parse(picture)
                    picture.unlink()
                    continue
                self.assertEqual((status, complaints.count("\n")), (1, 1))
                self.assertIn(": there is nothing to plot: ", complaints)
                self.assertFalse(picture.exists())
        self.assertGreater(drawn, 15)


class SizeTest(PlotTestCase):
    def memory(self, path):
        process = subprocess.Popen(
            [BIN / "forcetouchctl", "plot", path, "-o", self.folder / "plot.svg"],
            stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss * 1024

    def recording(self, presses):
        recording = ScreenRecording()
        for number in range(presses):
            time = 200 * number
            recording.down(time, 1000, 1800)
            for step in range(8):
                recording.press(time + 10 * step + 10, 10 + 20 * (step % 3))
            recording.up(time + 100)
        return recording.write(self.folder / "recording")

    def test_a_huge_recording_gives_a_picture_in_memory_that_does_not_grow(self):
        first = self.memory(self.recording(1100))
        path = self.recording(3300)
        self.assertLess(self.memory(path) - first, 8 << 20)
        self.assertLess((self.folder / "plot.svg").stat().st_size, 8 << 20)
        self.assertRegex(
            run("plot", path, "-o", self.folder / "plot.svg", timeout=600)[2],
            r"^forcetouchctl: .*: only the first 1000 of 3300 contacts are shown; .*\n$")


class WritingTest(PlotTestCase):
    def test_where_nothing_can_be_written_one_line_says_so(self):
        self.assertRefused(DEMO, "-o", self.folder / "missing/plot.svg", words=("No such file",))
        (self.folder / "folder.svg").mkdir()
        self.assertRefused(DEMO, "-o", self.folder / "folder.svg", words=("cannot write",))

    def test_a_picture_is_replaced_as_a_whole(self):
        path = self.write(b"old", "plot.svg")
        with open(path, "rb") as old:
            self.plot(DEMO, name="plot.svg")
            self.assertEqual(old.read(), b"old")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o600, 0o600)

    def test_it_keeps_its_mode(self):
        path = self.write(b"old", "plot.svg")
        path.chmod(0o600)
        self.plot(DEMO, name="plot.svg")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)

    def test_what_lies_where_it_is_made_is_left_alone(self):
        victim = self.write(b"precious", "victim")
        part = self.folder / "plot.svg.part"
        for make in (lambda: part.write_bytes(b"precious"), lambda: part.symlink_to(victim),
                     lambda: os.mkfifo(part)):
            make()
            self.assertRefused(DEMO, "-o", self.folder / "plot.svg", words=("move it away",))
            if not stat.S_ISFIFO(part.lstat().st_mode):
                self.assertEqual(part.read_bytes(), b"precious")
            part.unlink()

    def test_a_recording_is_not_replaced_by_its_picture(self):
        recording = self.write(DEMO.read_bytes(), "press.svg")
        (self.folder / "link.svg").symlink_to(recording)
        for name in ("press.svg", "link.svg"):
            self.assertRefused(
                recording, "-o", self.folder / name, status=2, words=("is what is to be plotted",))
        self.assertEqual(recording.read_bytes(), DEMO.read_bytes())

    def test_a_link_leads_to_the_picture_still(self):
        target = self.write(b"old", "target.svg")
        (self.folder / "plot.svg").symlink_to(target)
        self.plot(DEMO, name="plot.svg")
        self.assertTrue((self.folder / "plot.svg").is_symlink())
        xml.etree.ElementTree.parse(target)

    def test_a_write_that_is_cut_off_leaves_the_old_picture(self):
        path = self.write(b"old", "plot.svg")
        done = subprocess.run(
            ["prlimit", "--fsize=1000", BIN / "forcetouchctl", "plot", DEMO, "-o", path],
            capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, f"forcetouchctl: cannot write {path}: File too large\n")
        self.assertEqual((path.read_bytes(), self.left_over()), (b"old", []))

    @needs_mounts
    def test_a_full_disk_leaves_the_old_picture(self):
        for name in ("plot.svg", "plot.png", "plot.pdf"):
            script = f"""
                printf old >{name}
                forcetouchctl plot {DEMO} -o {name} && exit 1
                test "$(cat {name})" = old && test "$(ls)" = {name} && rm {name}
                """
            done = subprocess.run(
                [*mounting(f"mount -t tmpfs -o size=8k none {self.folder}"), "sh", "-ec",
                 f"cd {self.folder}; {script}"], capture_output=True, text=True,
                env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"})
            self.assertEqual(
                (done.returncode, done.stdout, done.stderr),
                (0, "", f"forcetouchctl: cannot write {name}: No space left on device\n"))


if __name__ == "__main__":
    unittest.main()

"""forcetouchctl doctor: what it says of a machine on which something is wrong, or nothing."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import unittest

from login import Bus
from support import (
    BIN, DEMO, MAGIC, NOBODY, Daemon, StandIn, mounting, needs_mounts, run)

SYSTEMD = "org.freedesktop.systemd1"
LOADED = {"LoadState": "loaded", "ActiveState": "active", "SubState": "running",
          "UnitFileState": "enabled", "Result": "success", "NRestarts": 3}


class Systemd(Bus):
    """A bus with systemd on it."""

    def __init__(self, folder):
        super().__init__(folder)
        self.units = {"forcetouchd.socket": LOADED | {"SubState": "listening"},
                      "forcetouchd.service": LOADED}
        # Whether it answers.
        self.is_silent = False
        # The units it was asked of.
        self.asked = []

    def answer(self, call):
        if call.fields["destination"] != SYSTEMD:
            return super().answer(call)
        # `forcetouchd_2eservice`: what is no letter is its number.
        name = re.sub("_(..)", lambda match: chr(int(match[1], 16)),
                      call.fields["path"].rsplit("/")[-1])
        self.asked.append(name)
        if not self.is_silent:
            self.reply(call, [("a{sv}", self.units[name])], sender=":1.2")


class DoctorTestCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.chmod(self.folder, 0o755)
        self.socket = os.path.join(self.folder, "socket")
        # Nothing of the machine that this runs on.
        self.variables = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.folder}/no-bus",
                          "LIBINPUT_QUIRKS_DIR": f"{self.folder}/no-quirks"}

    def doctor(self, *arguments, wrapper=(), **options):
        """Its status and output; it never complains."""
        environment = {key: value for key, value in os.environ.items() if key != "SUDO_UID"}
        done = subprocess.run(
            [*wrapper, BIN / "forcetouchctl", "doctor", "--socket", self.socket, *arguments],
            capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
            env={**environment, **self.variables}, **options)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def serve(self, *arguments, **options):
        daemon = Daemon(*(arguments or ("--replay", DEMO)), **options)
        self.addCleanup(daemon.close)
        os.chmod(daemon.folder, 0o755)
        self.socket = daemon.path
        return daemon

    def bus(self):
        bus = Systemd(self.folder)
        self.addCleanup(bus.close)
        self.variables["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        return bus

    def listen(self, answer=lambda client: client.close()):
        listener = StandIn(self.socket, answer)
        self.addCleanup(listener.close)
        return listener


class ServiceTest(DoctorTestCase):
    def test_without_anything_each_part_says_why_it_is_empty(self):
        status, output = self.doctor()
        self.assertEqual(status, 1)
        for line in (r"  daemon  does not answer", rf"  socket  {self.socket}, which is not there",
                     r"  units   nothing is known of them: systemd does not (run here|answer: .*)",
                     r"  problem: the daemon does not run: there is no socket .*",
                     r"  files  none; libinput is not installed"):
            self.assertRegex(output, rf"(?m)^{line}$")
        self.assertRegex(output, r"(?m)^1 problem, \d hints?$")

    def test_a_daemon_that_answers_is_no_problem(self):
        self.serve()
        status, output = self.doctor()
        self.assertEqual(status, 0, output)
        self.assertIn("  daemon  answers, version ", output)
        self.assertRegex(output, r"(?m)^0 problems, \d hints?$")
        # A recording is a device too, and has neither node nor permissions.
        self.assertIn("Apple Inc. Magic Trackpad 2\n  node        a recording\n"
                      "  force       available (table): known to measure force, says the daemon\n",
                      output)
        self.assertIn("  thresholds  hint 85, peek 106, pop 155; by the defaults\n", output)

    def test_a_daemon_of_another_version_is_told_to_restart(self):
        def answer(client):
            while client.recv(4096):
                client.sendall(b'{"parameters":{"product":"forcetouchd","version":"9.9.9"}}\0')

        self.listen(answer)
        status, output = self.doctor()
        self.assertEqual(status, 1)
        version = run("--version")[1].split()[1]
        self.assertIn(f"  problem: the daemon is of version 9.9.9, this program of {version}\n"
                      "    -> sudo systemctl restart forcetouchd.service\n", output)

    def test_what_listens_and_is_no_daemon(self):
        self.listen()
        status, output = self.doctor()
        self.assertEqual(status, 1)
        self.assertIn(f"what listens on {self.socket} does not answer as forcetouchd does", output)

    def test_a_daemon_that_hangs_keeps_nobody(self):
        listener = self.listen(lambda client: None)
        status, output = self.doctor()
        self.assertEqual(status, 1)
        # It waits for one answer, and asks nothing more.
        (asked,) = listener.heard()
        self.assertEqual(asked.count(b"\0"), 1, asked)
        self.assertIn("  problem: the daemon does not answer in time\n", output)

    def test_a_socket_that_nobody_listens_on(self):
        stale = socket.socket(socket.AF_UNIX)
        stale.bind(self.socket)
        stale.close()
        self.assertIn(f"nobody listens on {self.socket}", self.doctor()[1])

    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_a_socket_that_is_not_for_this_user(self):
        self.serve()
        os.chmod(self.socket, 0o600)
        status, output = self.doctor(user=NOBODY, group=NOBODY, extra_groups=[])
        self.assertEqual(status, 1)
        self.assertIn(f"  socket  {self.socket}, mode 0600\n", output)
        self.assertIn(f"this user may not connect to {self.socket}\n    -> see its mode", output)

    def test_units_are_shown(self):
        self.bus()
        self.serve()
        _, output = self.doctor()
        self.assertRegex(output, r"(?m)^  forcetouchd.socket   active \(listening\), enabled$")
        self.assertRegex(output, r"(?m)^  forcetouchd.service  active \(running\), enabled$")

    def test_a_socket_unit_that_is_off_is_switched_on(self):
        bus = self.bus()
        bus.units["forcetouchd.socket"] = LOADED | {
            "ActiveState": "inactive", "SubState": "dead", "UnitFileState": "disabled"}
        _, output = self.doctor()
        self.assertIn("-> sudo systemctl enable --now forcetouchd.socket\n", output)

    def test_a_service_that_failed_leads_to_the_journal(self):
        bus = self.bus()
        bus.units["forcetouchd.service"] = LOADED | {"ActiveState": "failed", "Result": "exit-code"}
        self.listen()
        _, output = self.doctor()
        self.assertIn("  problem: the service does not run (failed, exit-code)\n"
                      "    -> journalctl -u forcetouchd -b says why", output)

    def test_units_that_are_not_there_are_installed(self):
        bus = self.bus()
        bus.units = dict.fromkeys(bus.units, {"LoadState": "not-found", "ActiveState": "inactive"})
        _, output = self.doctor()
        self.assertRegex(output, r"(?m)^  forcetouchd.socket   not-found$")
        self.assertRegex(output, "-> (install forcetouchd, or start|start) it")

    def test_a_bus_that_does_not_answer_keeps_nobody(self):
        bus = self.bus()
        bus.is_silent = True
        self.serve()
        status, output = self.doctor()
        self.assertEqual(status, 0, output)
        self.assertIn("  units   nothing is known of them: ", output)
        self.assertEqual(bus.asked, ["forcetouchd.socket"])

    def test_a_bus_that_only_listens_keeps_nobody(self):
        bus = StandIn(f"{self.folder}/no-bus", lambda client: None)
        self.addCleanup(bus.close)
        self.serve()
        self.assertEqual(self.doctor()[0], 0)
        (greeting,) = bus.heard()
        self.assertIn(b"AUTH", greeting)


class OutputTest(DoctorTestCase):
    def test_json_has_an_object_a_line(self):
        self.serve()
        status, output = self.doctor("--json")
        self.assertEqual(status, 0)
        objects = [json.loads(line) for line in output.splitlines()]
        self.assertTrue(all(len(o) == 1 for o in objects))
        kinds = [next(iter(o)) for o in objects]
        self.assertEqual(kinds[:6],
                         ["machine", "service", "access", "settings", "libinput", "device"])
        self.assertEqual(set(kinds[6:]) - {"finding"}, set())
        self.assertEqual(objects[1]["service"]["socket"], self.socket)
        self.assertEqual(objects[5]["device"]["device"]["reason"], "table")
        self.assertEqual(objects[5]["device"]["judgedBy"], "daemon")
        # The page tells as many.
        problems = [o["finding"]["severity"] for o in objects if "finding" in o].count("problem")
        self.assertIn(f"\n{problems} problems, ", self.doctor()[1])

    def test_json_of_a_problem_has_the_same_status(self):
        status, output = self.doctor("--json")
        self.assertEqual(status, 1)
        findings = [o["finding"] for o in map(json.loads, output.splitlines()) if "finding" in o]
        self.assertEqual(findings[0]["severity"], "problem")
        self.assertTrue(findings[0]["remedy"])

    def test_no_name_tells_a_terminal_what_to_do(self):
        recording = pathlib.Path(self.folder, "pad.yml")
        text = (MAGIC / "usb.libinput-record.yml").read_text()
        name = re.search(r'(?m)^ *name: (".*")$', text)[1]
        recording.write_text(text.replace(name, r'"Pad \e[31m\x9b2J \u202egnp"'))
        self.serve("--replay", recording)
        _, output = self.doctor()
        self.assertIn("\nPad  [31m 2J  gnp\n", output)
        self.assertNotRegex(output, "[\x1b\x9b\u202e]")

    def test_wrong_usage(self):
        for arguments in (["now"], ["--config", "x"]):
            self.assertEqual(run("doctor", *arguments)[0], 2)


@needs_mounts
class InstalledFilesTest(DoctorTestCase):
    def setUp(self):
        super().setUp()
        self.etc = pathlib.Path(self.folder, "etc")
        (self.etc / "forcetouchd/conf.d").mkdir(parents=True)
        for name in ("passwd", "group", "nsswitch.conf"):
            if os.path.exists(f"/etc/{name}"):
                shutil.copy(f"/etc/{name}", self.etc)
        lines = (self.etc / "group").read_text().splitlines(keepends=True)
        (self.etc / "group").write_text("".join(
            line for line in lines if not line.startswith("forcetouch:")))
        self.wrapper = mounting(f"mount --bind {self.etc} /etc")
        self.serve("--replay", DEMO, wrapper=self.wrapper)

    def write(self, text):
        path = self.etc / "forcetouchd/conf.d/mine.yaml"
        path.write_text(text)

    def group(self, *members):
        with open(self.etc / "group", "a") as file:
            file.write(f"forcetouch:x:9000:{','.join(members)}\n")

    def look(self, *arguments, user=None, groups=""):
        wrapper = self.wrapper
        if user is not None:
            groups = ("--groups", groups) if groups else ("--clear-groups",)
            wrapper += ("setpriv", f"--reuid={user}", f"--regid={user}", *groups)
        return self.doctor(*arguments, wrapper=wrapper)

    def test_a_setting_is_shown_with_its_line(self):
        self.write("# mine\nrecognition:\n  sensitivity: firm\n")
        status, output = self.look()
        self.assertEqual(status, 0, output)
        place = "/etc/forcetouchd/conf.d/mine.yaml:3"
        self.assertRegex(output, rf"(?m)^  recognition.sensitivity  firm  {place}$")

    def test_a_rule_for_a_device_is_shown_with_its_line(self):
        self.write("devices:\n  - {name: 'A \"pad\"', vendor: 76, enabled: no, estimated: yes}\n")
        _, output = self.look()
        place = "/etc/forcetouchd/conf.d/mine.yaml:2"
        rule = r'{name: "A \"pad\"", vendor: 0x4c, enabled: false, estimated: true}'
        self.assertIn(f"  devices  {rule}  {place}\n  others   defaults\n", output)

    def test_a_wrong_line_is_a_problem_with_its_place(self):
        self.write("recognition:\n  peek: lots\n")
        status, output = self.look()
        self.assertEqual(status, 1)
        self.assertIn("  problem: /etc/forcetouchd/conf.d/mine.yaml:2:9: expected a number; ignored\n"
                      "    -> mend it, then sudo systemctl reload forcetouchd\n", output)

    def test_a_missing_group(self):
        _, output = self.look()
        self.assertIn("  group forcetouch  is missing\n", output)
        self.assertIn("-> sudo systemd-sysusers\n", output)
        # Where the service is installed, it should be there.
        self.assertIn("  hint: the group forcetouch is missing", output)
        self.bus()
        status, output = self.look()
        self.assertEqual(status, 1)
        self.assertIn("  problem: the group forcetouch is missing", output)

    def test_who_is_not_in_the_group_is_told_how_to_join(self):
        self.group()
        self.assertIn("  group forcetouch  allows it\n", self.look()[1])
        status, output = self.look(user=NOBODY)
        self.assertEqual(status, 0, output)
        self.assertIn("  group forcetouch  is there, this user not in it\n", output)
        self.assertIn("-> sudo usermod -aG forcetouch $USER, and log in again\n", output)

    def test_who_joined_must_log_in_again(self):
        self.group("nobody")
        _, output = self.look(user=NOBODY)
        self.assertIn("  hint: this user is in the group forcetouch, this session not yet\n"
                      "    -> log in again\n", output)
        _, output = self.look(user=NOBODY, groups="9000")
        self.assertIn("  group forcetouch  allows it\n", output)
        self.assertNotIn("log in again", output)

    def test_sudo_asks_for_its_caller(self):
        self.group()
        self.variables["SUDO_UID"] = str(NOBODY)
        self.assertIn("-> sudo usermod -aG forcetouch $USER", self.look()[1])

    def test_libinputs_overrides_are_read(self):
        folder = self.etc / "libinput"
        folder.mkdir()
        (folder / "local-overrides.quirks").write_text("[A]\nMatchBus=usb \nModelX=1\n")
        quirks = pathlib.Path(self.folder, "share/libinput")
        quirks.mkdir(parents=True)
        (quirks / "a.quirks").write_text("[A]\nMatchBus=usb\nModelX=1\n")
        problem = ("hint: libinput goes by no quirks at all because of one line: "
                   "/etc/libinput/local-overrides.quirks:2: no space may stand at either end")
        # As for libinput, the variable stands for all there is.
        self.variables["LIBINPUT_QUIRKS_DIR"] = str(quirks)
        self.assertNotIn(problem, self.look()[1])
        del self.variables["LIBINPUT_QUIRKS_DIR"]
        *unshare, script, name = self.wrapper
        self.wrapper = (*unshare, f"mount --bind {quirks.parent} /usr/share && {script}", name)
        status, output = self.look()
        self.assertEqual(status, 0, output)
        self.assertIn(problem, output)


if __name__ == "__main__":
    unittest.main()

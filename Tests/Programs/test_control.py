"""What root may set over the socket, what becomes of it, and reading files again."""

import os
import pathlib
import shutil
import signal
import tempfile
import unittest

from previewing import Context
from support import (
    CONTROL, DEMO, DEVICES, MONITOR, NOBODY, Daemon, DaemonTestCase, as_nobody, mounting,
    needs_mounts, run)


class ControlTest(DaemonTestCase):
    def setUp(self):
        self.state = tempfile.mkdtemp(prefix="forcetouch-state-")
        self.config = pathlib.Path(self.state, "config.yaml")
        self.config.write_text("")
        self.daemon = self.start()

    def start(self):
        daemon = Daemon(
            "--state", f"{self.state}/kept", "--config", self.config, "--replay", DEMO)
        self.addCleanup(daemon.close)
        return daemon

    def call(self, method, **parameters):
        return self.daemon.ask(f"{CONTROL}.{method}", parameters)

    def device(self):
        (device,) = self.daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        return device

    def setting(self, name):
        settings = self.call("GetSettings")["parameters"]["settings"]
        (setting,) = [s for s in settings if s["name"] == name]
        return setting

    def kept(self):
        folder = pathlib.Path(self.state, "kept")
        return {f.name: f.read_text() for f in folder.iterdir()} if folder.exists() else {}

    def test_a_profile_counts_at_once_and_after_a_restart_until_it_is_reset(self):
        watcher = self.daemon.connect()
        watcher.ask(f"{DEVICES}.Watch", more=True)
        profile = {"floor": 10, "average": 40, "ceiling": 200, "click": 20}
        self.assertEqual(
            self.call("SetProfile", device="d1", profile=profile), {"parameters": {}})
        changed = watcher.reply()["parameters"]["changed"]
        self.assertEqual(changed["reason"], "calibrated")
        self.assertEqual(
            {name: changed["profile"][name] for name in profile}, profile)
        watcher.close()
        self.daemon.stop()
        self.daemon = self.start()
        self.assertEqual(self.device()["profile"]["ceiling"], 200)
        self.assertEqual(self.call("ResetProfile", device="d1"), {"parameters": {}})
        self.assertEqual(self.device()["reason"], "table")
        self.daemon.stop()
        self.daemon = self.start()
        self.assertEqual(self.device()["reason"], "table")

    def test_a_profile_that_cannot_be_is_refused_and_nothing_is_written(self):
        for profile, why in [
                ({"floor": 10, "ceiling": 10}, "ascend"),
                ({"floor": 10, "ceiling": 900}, "axis"),
                ({"floor": -1, "ceiling": 90}, "axis"),
                ({"floor": 0, "average": 90, "ceiling": 100}, "between 2 and 20"),
                ({"floor": 0, "ceiling": 100, "click": 100}, "click")]:
            reply = self.call("SetProfile", device="d1", profile=profile)
            self.assertEqual(reply["error"], f"{CONTROL}.InvalidProfile", profile)
            self.assertIn(why, reply["parameters"]["reason"])
        reply = self.call("SetProfile", device="d7", profile={"floor": 0, "ceiling": 100})
        self.assertEqual(reply, {
            "error": f"{CONTROL}.NoSuchDevice", "parameters": {"device": "d7"}})
        reply = self.call("SetProfile", device="d1", profile={"floor": "0", "ceiling": 100})
        self.assertEqual(reply["error"], "org.varlink.service.InvalidParameter")
        self.assertEqual(self.kept(), {})
        self.assertEqual(self.device()["reason"], "table")

    def test_a_setting_counts_at_once_and_says_where_it_was_set(self):
        self.assertEqual(self.device()["thresholds"]["peek"], 106)
        self.assertNotIn("file", self.setting("recognition.sensitivity"))
        self.assertEqual(
            self.call("SetSetting", name="recognition.sensitivity", value="firm"),
            {"parameters": {}})
        self.assertEqual(self.device()["thresholds"]["peek"], 50 + 0.4 * 1.25 * 140)
        setting = self.setting("recognition.sensitivity")
        self.assertEqual(setting["value"], "firm")
        self.assertEqual(setting["file"], f"{self.state}/kept/settings.yaml")
        self.assertEqual((setting["line"], setting["column"]), (3, 16))
        self.call("ResetSetting", name="recognition.sensitivity")
        self.assertEqual(self.device()["thresholds"]["peek"], 106)

    def test_a_setting_that_cannot_be_is_refused_and_nothing_is_written(self):
        # Alone it could be; beside what the administrator wrote it cannot.
        self.config.write_text("recognition:\n  peek: 0.6\n")
        self.assertEqual(self.call("Reload"), {"parameters": {"problems": []}})
        for name, value in [("recognition.peek", "lots"), ("recognition.peek", "0.9"),
                            ("recognition.pop", "0.5"), ("service.idle-exit-s", "-1"),
                            ("recognition.hint", "0.1\n  pop: 1")]:
            reply = self.call("SetSetting", name=name, value=value)
            self.assertEqual(reply["error"], f"{CONTROL}.InvalidSetting", (name, value))
            self.assertEqual(reply["parameters"]["name"], name)
        reply = self.call("SetSetting", name="recognition.peak", value="0.5")
        self.assertEqual(reply, {
            "error": f"{CONTROL}.NoSuchSetting", "parameters": {"name": "recognition.peak"}})
        self.assertEqual(self.kept(), {})
        self.assertEqual(self.setting("recognition.peek")["value"], "0.6")

    def test_a_setting_is_not_refused_for_what_was_wrong_before(self):
        self.call("SetSetting", name="recognition.peek", value="0.6")
        self.config.write_text("recognition: {pop: 0.5, pop-leave: 0.45}\n")
        (problem,) = self.call("Reload")["parameters"]["problems"]
        self.assertIn("settings.yaml:3:9: hint < peek < pop", problem)
        # It moves the line of which that is said.
        self.assertEqual(
            self.call("SetSetting", name="previewing.silences", value="5"), {"parameters": {}})
        self.assertEqual(self.setting("previewing.silences")["value"], "5")
        self.assertEqual(
            self.call("ResetSetting", name="recognition.peek"), {"parameters": {}})
        self.assertEqual(self.setting("recognition.pop")["value"], "0.5")

    def test_what_cannot_be_written_is_told_and_changes_nothing(self):
        pathlib.Path(self.state, "kept").write_text("not a folder")
        reply = self.call("SetProfile", device="d1", profile={"floor": 0, "ceiling": 100})
        self.assertEqual(reply["error"], f"{CONTROL}.NotStored")
        self.assertIn("kept", reply["parameters"]["reason"])
        reply = self.call("SetSetting", name="recognition.sensitivity", value="firm")
        self.assertEqual(reply["error"], f"{CONTROL}.NotStored")
        self.assertEqual(self.device()["reason"], "table")
        self.assertEqual(self.setting("recognition.sensitivity")["value"], "medium")

    def test_a_file_that_nobody_understands_is_not_written_over(self):
        os.mkdir(f"{self.state}/kept")
        for name in ("profiles.yaml", "settings.yaml"):
            pathlib.Path(self.state, "kept", name).write_text("[")
        before = self.kept()
        reply = self.call("SetProfile", device="d1", profile={"floor": 0, "ceiling": 100})
        self.assertEqual(reply["error"], f"{CONTROL}.NotStored")
        reply = self.call("SetSetting", name="recognition.sensitivity", value="firm")
        self.assertEqual(reply["error"], f"{CONTROL}.NotStored")
        self.assertEqual(self.kept(), before)

    def test_what_stands_where_a_file_is_made_is_replaced_and_not_written_into(self):
        folder = pathlib.Path(self.state, "kept")
        folder.mkdir()
        precious, new = folder / "precious", folder / "settings.yaml.new"
        precious.write_text("precious")
        for make in (new.touch, lambda: new.symlink_to(precious), lambda: new.hardlink_to(precious),
                     lambda: os.mkfifo(new)):
            make()
            self.assertEqual(
                self.call("SetSetting", name="recognition.sensitivity", value="firm"),
                {"parameters": {}})
            self.assertEqual(precious.read_text(), "precious")
            self.assertEqual(set(self.kept()), {"precious", "settings.yaml"})

    def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(self):
        self.config.unlink()
        os.mkfifo(self.config)
        (problem,) = self.call("Reload")["parameters"]["problems"]
        self.assertIn("it is a pipe", problem)

    def test_others_may_read_what_is_kept(self):
        before = os.umask(0o077)
        try:
            self.daemon.stop()
            self.daemon = self.start()
        finally:
            os.umask(before)
        self.call("SetProfile", device="d1", profile={"floor": 0, "ceiling": 100})
        mode = os.stat(f"{self.state}/kept/profiles.yaml").st_mode
        self.assertEqual(mode & 0o777, 0o644)
        self.assertEqual(list(self.kept()), ["profiles.yaml"])

    def test_sighup_reads_the_files_again_in_the_middle_of_a_press(self):
        stream = self.daemon.connect()
        stream.call(f"{MONITOR}.Watch", more=True)
        seen = []
        while not seen or seen[-1][0] != "peek":
            event = stream.reply()["parameters"].get("event")
            if event and event["event"] != "changed":
                seen.append((event["event"], event["contact"]))
        self.config.write_text("recognition:\n  sensitivity: firm\n  peek: lots\n")
        self.daemon.process.send_signal(signal.SIGHUP)
        replies = []
        while not replies or "changed" not in replies[-1]:
            reply = stream.reply()["parameters"]
            if reply.get("event", {}).get("event") != "changed":
                replies.append(reply)
        self.assertEqual(
            [(r["event"]["event"], r["event"]["reason"]) for r in replies[:-1]],
            [("peekCancelled", "reconfigured"), ("cancelled", "reconfigured")])
        self.assertEqual(replies[-1]["changed"]["thresholds"]["peek"], 120)
        # At once: the daemon leaves with its recording.
        self.assertIn("config.yaml:3:9: expected a number; ignored", self.daemon.output())
        self.assertEqual(len(self.call("GetSettings")["parameters"]["problems"]), 1)
        # The finger that was down is not heard of again; the next contact is a new one.
        contact = seen[-1][1]
        while True:
            event = stream.reply()["parameters"].get("event")
            if event:
                self.assertNotEqual(event["contact"], contact)
                break
        stream.close()

    @unittest.skipIf(os.geteuid() != 0, "needs root, to be somebody else")
    def test_a_region_ends_when_it_is_not_allowed_any_more(self):
        setting = "previewing.regions-for-active-users"
        screen = {"x": 0, "y": 0, "width": 1, "height": 1}
        os.chmod(self.daemon.folder, 0o755)
        self.call("SetSetting", name=setting, value="true")
        with as_nobody():
            region = Context(
                self.daemon.path, coverage="region", region=screen,
                size={"width": 1, "height": 1})
            view = Context(self.daemon.path)
        self.call("ResetSetting", name=setting)
        self.assertEqual(region.reply(), {"parameters": {}})
        self.assertEqual(region.call("SetActive", active=True), "NoSuchContext")
        self.assertTrue(view.is_silent())
        region.close()
        view.close()

    def test_a_settings_file_that_is_gone_leaves_what_was_read(self):
        self.config.write_text("recognition:\n  sensitivity: firm\n")
        self.call("Reload")
        self.config.unlink()
        (problem,) = self.call("Reload")["parameters"]["problems"]
        self.assertIn("No such file", problem)
        output = self.daemon.output()
        self.assertIn("what was read before counts", output)
        # Once, for what was read, and not for what was not.
        self.assertEqual(output.count("are read again"), 1)
        self.assertEqual(self.setting("recognition.sensitivity")["value"], "firm")

    def test_no_log_line_pretends_to_be_two_or_tells_a_terminal_what_to_do(self):
        self.config.write_text(r'"a\nb\u2028c\e[31md\x9b32me\rf\x7f": 1' + "\n")
        self.call("Reload")
        self.assertIn(r"a\u000ab\u2028c\u001b[31md\u009b32me\u000df\u007f is not known here; ignored", self.daemon.output())

    def test_of_a_thousand_problems_a_hundred_are_told(self):
        self.config.write_text("".join(f"wrong{number}: 1\n" for number in range(1000)))
        problems = self.call("Reload")["parameters"]["problems"]
        self.assertEqual((len(problems), problems[-1]), (101, "900 more"))
        self.assertEqual(self.daemon.output().count("; ignored"), 101)

    def test_a_device_may_be_switched_off_and_on(self):
        self.config.write_text("devices:\n- {bus: bluetooth, enabled: false}\n")
        self.call("Reload")
        self.assertEqual(self.device()["reason"], "disabled")
        self.config.write_text("")
        self.call("Reload")
        self.assertEqual(self.device()["reason"], "table")

    def test_status_shows_all_of_it(self):
        self.config.write_text("recognition:\n  peek: 0.5\n  pop: x\n")
        self.call("Reload")
        status, output, complaint = run("status", "--socket", self.daemon.path)
        self.assertEqual((status, complaint), (0, ""))
        lines = output.splitlines()
        self.assertRegex(lines[0], r"^forcetouchd \d+\.\d+\.\d+$")
        self.assertTrue(any(
            line.split() == ["recognition.peek", "0.5", f"{self.config}:2"] for line in lines))
        self.assertTrue(any(
            line.split() == ["recognition.hint", "0.25", "default"] for line in lines))
        self.assertIn(f"  ignored: {self.config}:3:8: expected a number", lines)
        self.assertTrue(any("Magic Trackpad 2  a recording  available (table)  closed" in l for l in lines))


@needs_mounts
class InstalledFilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="forcetouch-test-")
        self.addCleanup(folder.cleanup)
        self.etc = pathlib.Path(folder.name, "etc")
        self.etc.mkdir()
        for name in ("passwd", "group", "nsswitch.conf"):
            if os.path.exists(f"/etc/{name}"):
                shutil.copy(f"/etc/{name}", self.etc)
        self.daemon = Daemon(
            "--state", f"{folder.name}/kept", "--replay", DEMO,
            wrapper=mounting(f"mount --bind {self.etc} /etc"))
        self.addCleanup(self.daemon.close)

    def reason(self):
        self.assertEqual(
            self.daemon.ask(f"{CONTROL}.Reload"), {"parameters": {"problems": []}})
        (device,) = self.daemon.ask(f"{DEVICES}.List")["parameters"]["devices"]
        return device["reason"]

    def test_drop_ins_that_come_and_go_count_with_the_next_reload(self):
        tables, settings = (self.etc / "forcetouchd" / name for name in ("devices.d", "conf.d"))
        for folder, text, reason in [
                (tables, "- {name: Mine, match: {bus: bluetooth}, kind: contactSize, source: test}",
                 "contactSize"),
                (settings, "devices:\n- {bus: bluetooth, enabled: false}", "disabled")]:
            folder.mkdir(parents=True)
            (folder / "mine.yaml").write_text(text + "\n")
            self.assertEqual(self.reason(), reason)
            (folder / "mine.yaml").unlink()
            self.assertEqual(self.reason(), "table")


@unittest.skipIf(os.geteuid() != 0, "only root can become another user")
class OrdinaryUserTest(DaemonTestCase):
    """What a user gets who is neither root nor in the group."""

    def test_control_says_what_it_needs(self):
        for method, needed in [
                (f"{CONTROL}.Reload", "root"), (f"{CONTROL}.GetSettings", "root"),
                (f"{MONITOR}.GetStatistics", "root, or membership in the group forcetouch")]:
            self.assertEqual(self.daemon.ask_as_nobody(method), {
                "error": method.rsplit(".", 1)[0] + ".PermissionDenied",
                "parameters": {"needed": needed}})

    def test_status_shows_what_it_may_and_says_what_the_rest_needs(self):
        os.chmod(self.daemon.folder, 0o755)
        status, output, complaint = run(
            "status", "--socket", self.daemon.path, user=NOBODY, group=NOBODY, extra_groups=[])
        self.assertEqual((status, complaint), (0, ""))
        self.assertIn("this needs root, or membership in the group forcetouch: use sudo", output)
        self.assertIn("settings\n  this needs root: use sudo", output)
        self.assertIn(
            "devices\n  d1  Apple Inc. Magic Trackpad 2  a recording  available (table)\n", output)




if __name__ == "__main__":
    unittest.main()

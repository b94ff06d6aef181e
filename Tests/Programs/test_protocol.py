"""The socket, driven by a Varlink client that nobody here wrote (PyPI's varlink)."""

import unittest

import varlink

from support import (
    CONTROL, DEMO, DEVICES, MONITOR, PATIENCE, PREVIEWING, ROOT, Daemon, DaemonTestCase)


class ProtocolTest(DaemonTestCase):
    def client(self):
        return varlink.Client("unix:" + self.daemon.path)

    def test_introspection_returns_the_interface_files_as_they_are(self):
        info = self.client().open("org.varlink.service").GetInfo()
        self.assertEqual(info["product"], "forcetouchd")
        self.assertEqual(
            info["interfaces"],
            ["org.varlink.service", DEVICES, MONITOR, PREVIEWING, CONTROL])
        service = self.client().open("org.varlink.service")
        for name in (DEVICES, MONITOR, PREVIEWING, CONTROL):
            text = service.GetInterfaceDescription(name)["description"]
            file = ROOT / f"Sources/ForceTouchProtocol/Interfaces/{name}.varlink"
            self.assertEqual(text, file.read_text())
            # Its parser is stricter than most.
            self.assertEqual(varlink.Interface(text).name, name)
        own = service.GetInterfaceDescription("org.varlink.service")["description"]
        self.assertEqual(varlink.Interface(own).name, "org.varlink.service")

    def test_a_call_is_answered(self):
        with self.client().open(DEVICES) as devices:
            (device,) = devices.List()["devices"]
            self.assertEqual(device["capability"], "available")
            self.assertEqual(device["reason"], "table")
            self.assertEqual(device["kind"], "trackpad")
            self.assertEqual(device["thresholds"], {"hint": 85, "peek": 106, "pop": 155})
            self.assertEqual(devices.GetCapability()["capability"], "available")
            self.assertEqual(devices.GetCapability(device["device"])["reason"], "table")

    def test_errors_have_their_names_and_parameters(self):
        with self.client().open(DEVICES) as devices:
            with self.assertRaises(varlink.VarlinkError) as caught:
                devices.GetCapability("d99")
            self.assertEqual(caught.exception.error(), f"{DEVICES}.NoSuchDevice")
            self.assertEqual(caught.exception.parameters(), {"device": "d99"})
        with self.assertRaises(varlink.InterfaceNotFound):
            self.client().open("org.example.nothing")

    def test_a_stream_begins_with_a_snapshot_and_gives_every_event(self):
        seen = []
        with self.client().open(MONITOR) as monitor:
            replies = list(monitor.Watch(_more=True))
        self.assertEqual([d["device"] for d in replies[0]["snapshot"]["devices"]], ["d1"])
        self.assertEqual(replies[0]["snapshot"]["events"], [])
        for reply in replies[1:]:
            if "event" in reply and reply["event"]["event"] != "changed":
                seen.append((reply["event"]["contact"], reply["event"]["event"]))
        self.assertEqual(seen, [
            (1, "began"), (1, "ended"),
            (2, "began"), (2, "peek"), (2, "pop"), (2, "ended"),
            (3, "began"), (3, "peek"), (3, "peekEnded"), (3, "ended")])
        self.assertEqual(replies[-2], {"removed": "d1"})
        self.assertEqual(replies[-1], {})
        self.assertEqual(self.daemon.process.wait(timeout=PATIENCE), 0)

    def test_a_device_stream_tells_what_comes_and_goes(self):
        watcher = self.client().open(DEVICES)
        stream = watcher.Watch(_more=True)
        self.assertEqual(next(stream)["snapshot"][0]["device"], "d1")
        with self.client().open(MONITOR) as monitor:
            list(monitor.Watch(_more=True))
        self.assertEqual(next(stream), {"removed": "d1"})
        self.assertEqual(next(stream), {})

    def test_oneway_gets_no_reply(self):
        raw = self.daemon.connect()
        raw.call(f"{DEVICES}.List", oneway=True)
        raw.call("org.example.nothing.Call", oneway=True)
        raw.call(f"{DEVICES}.GetCapability", {"device": "d99"}, oneway=True)
        raw.call(f"{DEVICES}.GetCapability")
        # The first reply is the last call's.
        self.assertEqual(raw.reply()["parameters"]["capability"], "available")
        raw.close()

    def test_a_late_listener_is_told_of_open_contacts(self):
        first = self.daemon.connect()
        first.call(f"{MONITOR}.Watch", more=True)
        while (first.reply()["parameters"].get("event") or {}).get("event") != "peek":
            pass
        second = self.daemon.connect()
        snapshot = second.ask(f"{MONITOR}.Watch", more=True)["parameters"]["snapshot"]
        self.assertEqual([e["event"] for e in snapshot["events"]], ["began", "peek"])
        first.close()
        second.close()

    def test_raw_frames_are_there_for_the_asking(self):
        raw = self.daemon.connect()
        raw.call(f"{MONITOR}.Watch", {"frames": True}, more=True)
        raw.reply()
        frame = raw.reply()["parameters"]["frame"]
        self.assertEqual(frame["device"], "d1")
        self.assertIn({"type": 3, "code": 0x3A, "value": 8}, frame["events"])
        raw.close()


class TwoRecordingsTest(DaemonTestCase):
    arguments = ("--replay", DEMO, DEMO)

    def test_a_stream_can_be_limited_to_a_device(self):
        with varlink.Client("unix:" + self.daemon.path).open(MONITOR) as monitor:
            stream = monitor.Watch("d2", _more=True)
            self.assertEqual(
                [d["device"] for d in next(stream)["snapshot"]["devices"]], ["d2"])
            for _ in range(20):
                self.assertEqual(next(stream)["event"]["device"], "d2")

    def assertAlive(self):
        pass


if __name__ == "__main__":
    unittest.main()

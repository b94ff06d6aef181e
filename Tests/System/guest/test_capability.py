"""Every line of the capability contract, by devices of uinput: what is said of each, that it gives
what follows from it, and that what is no touch device is never opened."""

import unittest

from evdev import ecodes as e
from machine import (
    ALLOW_VIRTUAL, PATIENCE, RULES, SETTINGS, TABLE, MachineTestCase, OpenWatch, Stream, change,
    daemon_pid, device_of, devices, openers, run, set_udev_rules, start_daemon, write)
from support import wait_until
from uinput import (
    BUTTONPAD, DIRECT, POINTER, PRESSUREPAD, SEMI_MT, UinputDevice, touchpad, touchscreen)


class CapabilityTest(MachineTestCase):
    @classmethod
    def setUpClass(cls):
        set_udev_rules(ALLOW_VIRTUAL + (
            'ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="Test ignored", '
            'ENV{FORCETOUCHD_IGNORE}="1"\n'))
        write(TABLE, "- name: Test contact size\n"
              "  match: {vendor: 0x1234, product: 0x0001}\n  kind: contactSize\n"
              "  source: the test\n"
              "- name: Test amplitude\n"
              "  match: {vendor: 0x1234, product: 0x0002}\n  kind: amplitude\n  source: the test\n"
              "- name: Test beyond its axis\n"
              "  match: {vendor: 0x1234, product: 0x0003}\n  kind: force\n"
              "  profile: {floor: 0, ceiling: 300}\n  source: the test\n"
              "- name: Test force and more\n"
              "  match: {vendor: 0x1234, product: 0x0004}\n  kind: force\n"
              "  profile: {floor: 0, ceiling: 200}\n  source: the test\n")
        write(SETTINGS, 'devices:\n  - {name: "Test disabled", enabled: false}\n')
        start_daemon()

    @classmethod
    def tearDownClass(cls):
        for path in (RULES, TABLE, SETTINGS):
            path.unlink()
        run("udevadm", "control", "--reload")
        start_daemon()

    def judge(self, maker):
        """Capability and reason of a device."""
        self.maker = self.plug(maker)
        self.device = device_of(maker)
        return self.device["capability"], self.device["reason"]

    def press(self, *pressures):
        """Openings and closings of a press, and all replies."""
        stream = self.watch(device=self.device["device"])
        self.maker.press(pressures)
        return stream.until("ended")

    # --- unavailable ------------------------------------------------------------------------------

    def test_not_allowed_it_is_virtual_and_gives_no_peek(self):
        self.assertEqual(self.judge(touchpad("Stranger", (0, 1000, 2))), ("unavailable", "virtual"))
        self.assertReplies(self.press(10, 500, 1000), [("began", 10), ("ended", 1000)])

    def test_disabled_in_the_settings_it_is_listed_and_not_read(self):
        self.assertEqual(self.judge(touchpad("Test disabled", (0, 1000, 2))),
                         ("unavailable", "disabled"))
        other = self.plug(touchpad())
        device_of(other)
        stream = Stream()
        self.addCleanup(stream.close)
        wait_until(lambda: openers(other.node), "the other one is open", PATIENCE)
        self.assertEqual(openers(self.maker.node), [])

    def test_without_pressure(self):
        self.assertEqual(self.judge(touchpad(pressure=None)), ("unavailable", "noPressureAxis"))
        self.assertNotIn("pressure", self.device)

    def test_a_pressure_axis_that_only_single_touch_has_does_not_count_beside_multitouch(self):
        pad = touchpad(pressure=None, extra={e.ABS_PRESSURE: (0, 1000, 2)})
        self.assertEqual(self.judge(pad), ("unavailable", "noPressureAxis"))

    def test_degenerate_ranges(self):
        for minimum, maximum in ((0, 1), (0, 31), (100, 131), (-16, 15)):
            with self.subTest(range=(minimum, maximum)):
                self.assertEqual(self.judge(touchpad(pressure=(minimum, maximum, 2))),
                                 ("unavailable", "degenerateAxis"))
                self.maker.remove()
        self.assertEqual(self.judge(touchpad(pressure=(0, 32, 0))), ("unknown", "undescribed"))

    def test_by_the_table_pressure_is_size_or_amplitude(self):
        for product, reason in ((1, "contactSize"), (2, "amplitude")):
            with self.subTest(reason=reason):
                # Units, which say the contrary, come later.
                pad = touchpad(pressure=(0, 1000, 2), product=product)
                self.assertEqual(self.judge(pad), ("unavailable", reason))
                self.assertReplies(self.press(10, 900), [("began", 10), ("ended", 900)])
                self.maker.remove()

    # --- unknown ----------------------------------------------------------------------------------

    def test_semi_multitouch_before_units(self):
        pad = touchpad(pressure=(0, 1000, 2), properties=(POINTER, BUTTONPAD, SEMI_MT))
        self.assertEqual(self.judge(pad), ("unknown", "semiMT"))
        self.assertReplies(self.press(10, 900), [("began", 10), ("ended", 900)])

    def test_a_pressure_pad_without_units(self):
        pad = touchpad(pressure=(0, 1000, 0), properties=(POINTER, BUTTONPAD, PRESSUREPAD))
        self.assertEqual(self.judge(pad), ("unknown", "pressurePad"))
        self.assertReplies(self.press(10, 900), [("began", 10), ("ended", 900)])

    def test_a_range_alone_is_undescribed(self):
        for maker in (touchpad, touchscreen):
            with self.subTest(maker=maker.__name__):
                self.assertEqual(self.judge(maker(pressure=(0, 65535, 0))),
                                 ("unknown", "undescribed"))
                self.assertNotIn("thresholds", self.device)
                self.maker.remove()

    def test_units_that_end_too_early_are_no_usable_range(self):
        # To 90 g: not twice an average touch of 50 g.
        self.assertEqual(self.judge(touchscreen(pressure=(0, 180, 2))),
                         ("unknown", "unusableProfile"))

    def test_a_profile_of_the_table_beyond_the_axis(self):
        self.assertEqual(self.judge(touchpad(pressure=(0, 255, 0), product=3)),
                         ("unknown", "unusableProfile"))

    # --- available --------------------------------------------------------------------------------

    def test_the_table_goes_before_semi_multitouch_and_units(self):
        pad = touchpad(pressure=(0, 255, 2), properties=(POINTER, SEMI_MT), product=4)
        self.assertEqual(self.judge(pad), ("available", "table"))
        self.assertReplies(self.press(10, 79, 80, 149, 150), [
            ("began", 10), ("peek", 80), ("pop", 150), ("ended", 150)])

    def test_units_of_a_pad_that_clicks(self):
        pad = touchpad(pressure=(0, 3000, 2), properties=(POINTER, BUTTONPAD))
        self.assertEqual(self.judge(pad), ("available", "units"))
        self.assertEqual(self.device["profile"], {
            "floor": 0, "average": 100, "ceiling": 1000, "click": 400, "maximumPossibleForce": 10})
        self.assertEqual(self.device["thresholds"], {"hint": 550, "peek": 640, "pop": 850})
        replies = self.press(50, 400, 639, 640, 849, 850, 60)
        self.assertReplies(replies, [("began", 50), ("peek", 640), ("pop", 850), ("ended", 60)])
        events = {r["event"]["raw"]: r["event"] for r in replies}
        # 2 units per gram: the kernel may have rounded from 1.5 to 2.5.
        self.assertEqual(
            {raw: (events[raw]["grams"], events[raw]["gramsUncertainty"], events[raw]["force"])
             for raw in (50, 400, 850)},
            {50: (25, 8.3333, 0.5), 400: (200, 66.6667, 4), 850: (425, 141.6667, 8.5)})

    def test_units_of_a_pressure_pad(self):
        pad = touchpad(pressure=(0, 3000, 2), properties=(POINTER, PRESSUREPAD))
        self.assertEqual(self.judge(pad), ("available", "units"))
        self.assertEqual(self.device["profile"]["click"], 400)

    def test_units_of_a_touchscreen(self):
        self.assertEqual(self.judge(touchscreen(pressure=(0, 5000, 10))), ("available", "units"))
        self.assertEqual(
            {key: self.device["profile"].get(key)
             for key in ("floor", "average", "ceiling", "click")},
            {"floor": 0, "average": 500, "ceiling": 3330, "click": None})
        self.assertEqual(self.device["kind"], "touchscreen")
        replies = self.press(100, 1331, 1332, 2497, 2498)  # 0.4 and 0.75 of 3330: 1332, 2497.5
        self.assertReplies(replies, [
            ("began", 100), ("peek", 1332), ("pop", 2498), ("ended", 2498)])
        self.assertEqual([r["event"]["grams"] for r in replies[:2]], [10, 133.1])

    def test_units_never_reach_beyond_the_axis(self):
        self.assertEqual(self.judge(touchscreen(pressure=(0, 2500, 10))), ("available", "units"))
        self.assertEqual(self.device["profile"]["ceiling"], 2500)

    # --- not touch --------------------------------------------------------------------------------

    def test_what_is_no_touch_device_or_ignored_is_never_opened(self):
        # The group input could read every keyboard.
        position = {e.ABS_X: (0, 1000, 10), e.ABS_Y: (0, 1000, 10)}
        pressure = {e.ABS_PRESSURE: (0, 1000, 2)}
        others = [self.plug(maker) for maker in (
            UinputDevice("Test keyboard", {e.ABS_MT_PRESSURE: (0, 1000, 2), **pressure},
                         [*range(e.KEY_ESC, e.KEY_F12), e.KEY_LEFTMETA]),
            UinputDevice("Test pen", {**position, **pressure},
                         [e.BTN_TOOL_PEN, e.BTN_TOUCH, e.BTN_STYLUS], (DIRECT,)),
            UinputDevice("Test joystick", {**position, **pressure}, [e.BTN_TRIGGER, e.BTN_THUMB]),
            touchpad("Test ignored", (0, 1000, 2)))]
        run("udevadm", "settle")
        pad = self.plug(touchpad())
        self.assertEqual(device_of(pad)["reason"], "undescribed")
        watches = [OpenWatch(maker.node) for maker in (*others, pad)]
        for watch in watches:
            self.addCleanup(watch.close)

        # All ways to look at a device: at start, with a stream, when it changes, on a press.
        self.daemon_may_end = True
        daemons = [daemon_pid()]
        start_daemon()
        daemons.append(daemon_pid())
        stream = self.watch(device=device_of(pad)["device"])
        for maker in others:
            change(maker.node)
        pad.press([10, 20])
        stream.until("ended")

        opened = {maker.identity["name"]: watch.processes().intersection(daemons)
                  for maker, watch in zip((*others, pad), watches)}
        self.assertEqual(opened.pop(pad.identity["name"]), {daemons[1]}, "the watch sees nothing")
        self.assertEqual(opened, {maker.identity["name"]: set() for maker in others})
        self.assertEqual({d["node"]: d["reason"] for d in devices()},
                         {others[-1].node: "disabled", pad.node: "undescribed"})


if __name__ == "__main__":
    unittest.main()

"""Devices made by /dev/uinput, with any axes, properties and keys; by ioctl, because python3-evdev
waits for each device, and some tests make hundreds."""

import fcntl
import glob
import os
import struct

from evdev import ecodes as e

from uhid import Pad

UI_DEV_CREATE, UI_DEV_DESTROY = 0x5501, 0x5502
UI_DEV_SETUP, UI_ABS_SETUP = 0x405C5503, 0x401C5504
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_PROPBIT = 0x40045564, 0x40045565, 0x4004556E
UI_GET_SYSNAME = 0x8040552C

POINTER, DIRECT, BUTTONPAD, SEMI_MT, PRESSUREPAD = 0x00, 0x01, 0x02, 0x03, 0x07


class UinputDevice(Pad):
    """A touch device, or whatever its keys and axes make of it.

    `axes` maps a code to (minimum, maximum, resolution).
    """

    def __init__(self, name, axes, keys, properties=(), vendor=0x1234, product=0x9999,
                 bus=e.BUS_I2C):
        self.identifier = 0
        self.axes = axes
        self.descriptor = os.open("/dev/uinput", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self.is_there = True
        call = lambda request, value: fcntl.ioctl(self.descriptor, request, value)
        call(UI_SET_EVBIT, e.EV_KEY)
        call(UI_SET_EVBIT, e.EV_ABS)
        for key in keys:
            call(UI_SET_KEYBIT, key)
        for code in properties:
            call(UI_SET_PROPBIT, code)
        for code, (minimum, maximum, resolution) in axes.items():
            call(UI_ABS_SETUP,
                 struct.pack("<HxxiiiIIi", code, 0, minimum, maximum, 0, 0, resolution))
        call(UI_DEV_SETUP, struct.pack("<HHHH80sI", bus, vendor, product, 1, name.encode(), 0))
        call(UI_DEV_CREATE, 0)
        answer = fcntl.ioctl(self.descriptor, UI_GET_SYSNAME, bytes(64))
        self.path = "/sys/devices/virtual/input/" + answer.rstrip(b"\0").decode()
        (event,) = glob.glob(self.path + "/event*")
        self.node = "/dev/input/" + os.path.basename(event)
        self.identity = {"node": self.node, "name": name}

    def write(self, *events):
        """One frame: (code, value) pairs, keys where the code is one."""
        data = b"".join(struct.pack("<qqHHi", 0, 0, kind, code, value)
                        for kind, code, value in (*events, (e.EV_SYN, 0, 0)))
        os.write(self.descriptor, data)

    def touch(self, pressure, x=500, y=500, slot=0, begin=None):
        """A finger presses; it comes down first where none is."""
        begin = not self.identifier if begin is None else begin
        events = [(e.EV_ABS, e.ABS_MT_SLOT, slot)] if e.ABS_MT_SLOT in self.axes else []
        if begin:
            self.identifier += 1
            events += [(e.EV_ABS, e.ABS_MT_TRACKING_ID, self.identifier),
                       (e.EV_KEY, e.BTN_TOUCH, 1), (e.EV_KEY, e.BTN_TOOL_FINGER, 1)]
        events += [(e.EV_ABS, e.ABS_MT_POSITION_X, x), (e.EV_ABS, e.ABS_MT_POSITION_Y, y)]
        if e.ABS_MT_PRESSURE in self.axes:
            events.append((e.EV_ABS, e.ABS_MT_PRESSURE, pressure))
        if e.ABS_PRESSURE in self.axes:
            events.append((e.EV_ABS, e.ABS_PRESSURE, pressure))
        self.write(*events)

    def lift(self):
        self.write((e.EV_ABS, e.ABS_MT_TRACKING_ID, -1), (e.EV_KEY, e.BTN_TOUCH, 0),
                   (e.EV_KEY, e.BTN_TOOL_FINGER, 0))
        self.identifier = 0

    def remove(self):
        """Pulls it out. Doing it twice does nothing."""
        if self.is_there:
            self.is_there = False
            fcntl.ioctl(self.descriptor, UI_DEV_DESTROY)
            os.close(self.descriptor)


def touchpad(name="Test touchpad", pressure=(0, 255, 0), properties=(POINTER, BUTTONPAD), extra={},
             **options):
    """A touchpad of 100 × 60 mm with a pressure axis, or without (None)."""
    x, y = (0, 4000, 40), (0, 2400, 40)
    axes = {e.ABS_X: x, e.ABS_Y: y, e.ABS_MT_SLOT: (0, 4, 0), e.ABS_MT_TRACKING_ID: (0, 65535, 0),
            e.ABS_MT_POSITION_X: x, e.ABS_MT_POSITION_Y: y, **extra}
    if pressure:
        axes[e.ABS_PRESSURE] = axes[e.ABS_MT_PRESSURE] = pressure
    keys = (e.BTN_LEFT, e.BTN_TOUCH, e.BTN_TOOL_FINGER, e.BTN_TOOL_DOUBLETAP)
    return UinputDevice(name, axes, keys, properties, **options)


def touchscreen(name="Test touchscreen", pressure=(0, 255, 0), **options):
    """A touchscreen of 300 × 200 mm."""
    x, y = (0, 3000, 10), (0, 2000, 10)
    axes = {e.ABS_X: x, e.ABS_Y: y, e.ABS_MT_SLOT: (0, 9, 0), e.ABS_MT_TRACKING_ID: (0, 65535, 0),
            e.ABS_MT_POSITION_X: x, e.ABS_MT_POSITION_Y: y}
    if pressure:
        axes[e.ABS_MT_PRESSURE] = pressure
    return UinputDevice(name, axes, (e.BTN_TOUCH,), (DIRECT,), **options)

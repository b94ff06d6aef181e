"""HID devices made by /dev/uhid: the kernel's own drivers make events out of raw reports."""

import os
import pathlib
import select
import struct
import threading
import time

from support import wait_until

BLUETOOTH, USB, I2C = 0x05, 0x03, 0x18


class UhidDevice:
    """A HID device; a thread answers the driver's questions, else its probe fails after 5 s."""

    def __init__(self, name, bus, vendor, product, descriptor, features={}):
        self.features = features
        self.descriptor = os.open("/dev/uhid", os.O_RDWR | os.O_CLOEXEC)
        self.is_there = True
        # UHID_CREATE2
        request = struct.pack("<L128s64s64sHHLLLL", 11, name.encode(), b"test", b"",
                              len(descriptor), bus, vendor, product, 0, 0) + descriptor
        os.write(self.descriptor, request.ljust(4 + 280 + 4096, b"\0"))
        self.answering = threading.Thread(target=self.answer, daemon=True)
        self.answering.start()

    def answer(self):
        while self.is_there:
            try:
                if not select.select([self.descriptor], [], [], 0.1)[0]:
                    continue
                event = os.read(self.descriptor, 4380)
            except (OSError, ValueError):
                return
            (kind,) = struct.unpack_from("<L", event)
            if kind == 9:  # UHID_GET_REPORT
                question, number = struct.unpack_from("<LB", event, 4)
                data = self.features.get(number, b"")
                self.write(struct.pack("<LLHH", 10, question, 0 if data else 5, len(data)) + data)
            elif kind == 13:  # UHID_SET_REPORT
                (question,) = struct.unpack_from("<L", event, 4)
                self.write(struct.pack("<LLH", 14, question, 0))

    def write(self, data):
        os.write(self.descriptor, data)

    def report(self, data):
        self.write(struct.pack("<LH", 12, len(data)) + data)  # UHID_INPUT2

    def remove(self):
        """Pulls it out. Doing it twice does nothing."""
        if self.is_there:
            self.is_there = False
            self.write(struct.pack("<L", 1))  # UHID_DESTROY
            self.answering.join()
            os.close(self.descriptor)


class Pad:
    """What trackpads have in common: one finger at rest that presses as a list of raw pressures
    says, a frame for each."""

    interval = 0.008

    def press(self, pressures, lift=True):
        for pressure in pressures:
            self.touch(pressure)
            time.sleep(self.interval)
        if lift:
            self.lift()


class MagicReports(Pad):
    """The fingers of a Magic Trackpad 2 as it reports them."""

    HID_DESCRIPTOR = bytes.fromhex(
        # A mouse: two buttons, X and Y (report 2).
        "0501 0902 a101 8502 0509 1901 2902 1500 2501 9502 7501 8102 9501 7506 8103"
        "0501 0901 a100 1581 257f 0930 0931 7508 9502 8106 c0 c0"
        # A vendor's report that makes usbhid's buffer big enough for fingers.
        "0600ff 0901 a101 853f 0901 1500 26ff00 7508 9596 8102 c0")

    @staticmethod
    def finger(pressure, down, identifier=1, x=100, y=200):
        x, y = x & 0x1FFF, -y & 0x1FFF
        return bytes([
            x & 0xFF, x >> 8 | y << 5 & 0xE0, y >> 3 & 0xFF, y >> 11 & 3 | (0x80 if down else 0),
            40, 30, 20, pressure, 0x80 | identifier])

    def touch(self, pressure, **finger):
        self.fingers(self.finger(pressure, True, **finger))

    def lift(self, **finger):
        self.fingers(self.finger(0, False, **finger))


class MagicTrackpad(UhidDevice, MagicReports):
    """An Apple Magic Trackpad 2 on Bluetooth, by hid-magicmouse."""

    identity = {"bus": "bluetooth", "vendor": 0x004C, "product": 0x0265,
                "name": "Apple Inc. Magic Trackpad 2"}

    def __init__(self):
        super().__init__("Test", BLUETOOTH, 0x004C, 0x0265, self.HID_DESCRIPTOR)

    def fingers(self, *fingers):
        self.report(bytes([0x31, 0, 0, 0]) + b"".join(fingers))


class UsbMagicTrackpad(MagicReports):
    """The same on a virtual USB bus: dummy_hcd and the HID gadget, driven as over a cable."""

    identity = {"bus": "usb", "vendor": 0x05AC, "product": 0x0265}
    gadget = pathlib.Path("/sys/kernel/config/usb_gadget/pad")

    def __init__(self):
        for module in ("dummy_hcd", "libcomposite", "usb_f_hid"):
            os.system(f"modprobe {module}")
        if not self.gadget.parent.is_dir():
            os.system("mount -t configfs none /sys/kernel/config")
        if not self.gadget.is_dir():
            self.build()
        self.put("UDC", "dummy_udc.0")
        self.is_there = True
        wait_until(lambda: os.path.exists("/dev/hidg0"), "the gadget's node is there", 20)
        self.descriptor = os.open("/dev/hidg0", os.O_RDWR)

    def put(self, path, value):
        (self.gadget / path).write_bytes(value if isinstance(value, bytes) else value.encode())

    def build(self):
        for folder in ("strings/0x409", "configs/c.1", "functions/hid.0"):
            (self.gadget / folder).mkdir(parents=True)
        for path, value in {
                "idVendor": "0x05ac", "idProduct": "0x0265",
                "strings/0x409/manufacturer": "Apple Inc.",
                "strings/0x409/product": "Magic Trackpad 2",
                "strings/0x409/serialnumber": "CC2123456789",
                # A mouse's protocol: hid-magicmouse takes no other interface. Without an OUT
                # endpoint SET_REPORT goes over the control pipe.
                "functions/hid.0/protocol": "2", "functions/hid.0/subclass": "1",
                "functions/hid.0/report_length": "256", "functions/hid.0/no_out_endpoint": "1",
                "functions/hid.0/report_desc": self.HID_DESCRIPTOR}.items():
            self.put(path, value)
        os.symlink(self.gadget / "functions/hid.0", self.gadget / "configs/c.1/hid.0")

    def fingers(self, *fingers):
        os.write(self.descriptor, bytes([2, 0]) + bytes(10) + b"".join(fingers))

    def remove(self):
        if self.is_there:
            self.is_there = False
            self.put("UDC", "\n")
            os.close(self.descriptor)


class PrecisionTouchpad(UhidDevice, Pad):
    """A touchpad as Windows wants it, with Tip Pressure, by hid-multitouch: 100 × 62.5 mm."""

    # Confidence and tip, contact identifier, padding, Tip Pressure 0..255, X, Y.
    FINGER = (
        "0922 a102 1500 2501 0947 0942 9502 7501 8102 9501 7502 2503 0951 8102 7501 9504 8103"
        "050d 0930 1500 26ff00 7508 9501 8102"
        "0501 1500 26a00f 7510 550e 6511 0930 3500 46e803 9501 8102 26c409 467102 0931 8102 c0")

    HID_DESCRIPTOR = bytes.fromhex(
        # Report 1: two fingers, scan time, contact count, a button.
        f"050d 0905 a101 8501 {FINGER} 050d {FINGER}"
        "050d 550c 660110 47ffff0000 27ffff0000 7510 9501 0956 8102 0954 257f 7508 8102"
        "0509 0901 2501 7501 8102 9507 8103"
        # Features: contacts and button type (2), the certificate (3).
        "050d 8502 0955 0959 7504 9502 250f b102 0600ff 8503 09c5 1500 26ff00 7508 960001 b102 c0"
        # The input mode (4), and which reports are on (5).
        "050d 090e a101 8504 0922 a102 0952 1500 250a 7508 9501 b102 c0"
        "0922 a100 8505 0957 0958 7501 9502 2501 b102 9506 b103 c0 c0")

    def __init__(self, product=0x5678):
        features = {2: b"\2\5", 3: b"\3" + bytes(256), 4: b"\4\0", 5: b"\5\3"}
        super().__init__("Test", I2C, 0x1234, product, self.HID_DESCRIPTOR, features)
        self.identity = {"bus": "i2c", "vendor": 0x1234, "product": product}
        self.scan_time = 0

    def contact(self, pressure, tip):
        self.scan_time += 80  # in 100 µs
        first = struct.pack("<BBHH", 1 | tip << 1 | 1 << 2, pressure, 1000, 1000)
        self.report(b"\1" + first + bytes(6) + struct.pack("<HBB", self.scan_time & 0xFFFF, 1, 0))

    def touch(self, pressure):
        self.contact(pressure, 1)

    def lift(self):
        self.contact(0, 0)

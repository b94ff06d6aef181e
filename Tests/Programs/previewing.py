"""A program that shows previews, as a test plays it, and pads to press on."""


from support import PREVIEWING, Raw

# What the kernel calls a touchscreen with pressure in units per gram (100 × 60 mm, 2000 g at most):
# peek at 133.2 g, pop at 249.75 g.
SCREEN = """\
# EVEMU 1.3
N: Test touchscreen
I: 0018 1234 0001 0100
P: 02 00 00 00 00 00 00 00
B: 00 0b 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 04 00 00 00 00 00 00
B: 03 03 00 00 00 00 00 60 06
A: 00 0 4000 0 0 40
A: 01 0 2400 0 0 40
A: 2f 0 9 0 0 0
A: 35 0 4000 0 0 40
A: 36 0 2400 0 0 40
A: 39 0 65535 0 0 0
A: 3a 0 2000 0 0 1
"""


class ScreenRecording:
    """A recording of that touchscreen, frame by frame; times in milliseconds."""

    def __init__(self):
        self.lines = []
        self.identifier = 0

    def frame(self, time, *events):
        for kind, code, value in (*events, (0, 0, 0)):
            self.lines.append(
                f"E: {time // 1000}.{time % 1000 * 1000:06d} {kind:04x} {code:04x} {value:04d}")

    def down(self, time, x, y, pressure=10, slot=0):
        self.identifier += 1
        self.frame(time, (3, 0x2F, slot), (3, 0x39, self.identifier), (3, 0x35, x), (3, 0x36, y),
                   (3, 0x3A, pressure), (1, 0x14A, 1))

    def press(self, time, pressure, slot=0):
        self.frame(time, (3, 0x2F, slot), (3, 0x3A, pressure))

    def up(self, time, slot=0):
        self.frame(time, (3, 0x2F, slot), (3, 0x39, -1), (1, 0x14A, 0))

    def write(self, path):
        with open(path, "w") as file:
            file.write(SCREEN + "\n".join(self.lines) + "\n")
        return path


class Context:
    """A previewing context: its stream, and a connection for the other calls."""

    def __init__(self, path, **parameters):
        self.stream = Raw(path)
        self.calls = Raw(path)
        self.stream.call(f"{PREVIEWING}.Register", {"coverage": "view", **parameters}, more=True)
        snapshot = self.stream.reply()["parameters"]["snapshot"]
        self.token, self.active = snapshot["token"], snapshot["active"]

    def call(self, method, **parameters):
        """The parameters of the reply, or the name of the error without its interface."""
        reply = self.calls.ask(f"{PREVIEWING}.{method}", {"token": self.token, **parameters})
        return reply["error"].rsplit(".", 1)[1] if "error" in reply else reply["parameters"]

    def answer(self, question, preview=True, **parameters):
        return self.call(
            "Answer", interaction=question["interaction"], preview=preview, **parameters)

    def reply(self):
        """The next reply whole, None at the end of the connection."""
        return self.stream.reply()

    def event(self):
        """The next event."""
        while True:
            reply = self.reply()
            if reply is None:
                raise AssertionError("the stream ended")
            if "event" in reply["parameters"]:
                return reply["parameters"]["event"]

    def until(self, *kinds):
        """The events up to one of these kinds."""
        events = []
        while not events or events[-1]["event"] not in kinds:
            events.append(self.event())
        return events

    def arrived(self):
        """The events that have come by now and were not read, without waiting for any."""
        self.stream.socket.setblocking(False)
        events = []
        try:
            while reply := self.reply():
                events.append(reply["parameters"].get("event", {"event": "none"}))
        except BlockingIOError:
            pass
        finally:
            self.stream.socket.settimeout(10)
        return events

    def is_silent(self):
        return self.arrived() == []

    def close(self):
        self.stream.close()
        self.calls.close()


def kinds(events):
    """What happened, with progress once however often it came."""
    names = []
    for event in events:
        name = event["event"] + (f"({event['reason']})" if "reason" in event else "")
        if not (names and names[-1] == name and name.endswith("Progress")):
            names.append(name)
    return names



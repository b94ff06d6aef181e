"""Holds streams to their grammars, and hears them in threads of their own."""

import threading

from support import PREVIEWING

# Where a contact is, and where each event leads; None: it is closed.
CONTACT = {
    "touching": {"changed": "touching", "peek": "peeking", "ended": None, "cancelled": None},
    "peeking": {"changed": "peeking", "pop": "popped", "peekEnded": "lifted",
                "peekCancelled": "over"},
    "lifted": {"ended": None},
    "popped": {"changed": "popped", "ended": None, "cancelled": None},
    "over": {"changed": "over", "ended": None, "cancelled": None},
}
# The same for an interaction, from its question on.
INTERACTION = {
    "asked": {"peekProgress": "answered", "peek": "peeking", "peekCancelled": None},
    "answered": {"peekProgress": "answered", "peek": "peeking", "peekCancelled": None},
    "peeking": {"popProgress": "peeking", "pop": None, "peekEnded": None, "peekCancelled": None},
}


class Grammar:
    """Follows the contacts of a Monitor stream, or the interactions of a context."""

    def __init__(self, table, first, begin):
        self.table, self.first, self.begin = table, first, begin
        self.open, self.closed = {}, set()
        self.events = self.coalesced = 0
        self.problems = []

    def take(self, parameters):
        """The parameters of one reply."""
        self.coalesced += parameters.get("coalesced", 0)
        for event in (parameters.get("snapshot") or {}).get("events", []):
            self.follow(event)
        if "event" in parameters:
            self.follow(parameters["event"])

    def follow(self, event):
        self.events += 1
        kind = event["event"]
        key = (event["device"], event["contact"]) if "contact" in event else event["interaction"]
        if kind == self.begin:
            if key in self.open or key in self.closed:
                self.problems.append(f"{kind} of {key} again")
            self.open[key] = self.first
        elif key not in self.open or kind not in self.table[self.open[key]]:
            self.problems.append(f"{kind} of {key}, which is {self.open.get(key, 'not open')}")
        else:
            self.open[key] = self.table[self.open[key]][kind]
            if self.open[key] is None:
                del self.open[key]
                self.closed.add(key)


def contacts():
    return Grammar(CONTACT, "touching", "began")


def interactions():
    return Grammar(INTERACTION, "asked", "question")


class Listener(threading.Thread):
    """Reads a stream to its end."""

    def __init__(self, raw, grammar):
        super().__init__(daemon=True)
        self.raw, self.grammar = raw, grammar
        # Whether the daemon said that the stream is over.
        self.was_ended = False
        self.is_leaving = False
        self.start()

    def run(self):
        try:
            while reply := self.raw.reply():
                self.grammar.take(reply["parameters"])
                self.heard(reply["parameters"])
                if not reply.get("continues"):
                    self.was_ended = True
                    return
        except (OSError, ValueError) as error:
            if not self.is_leaving:
                self.grammar.problems.append(f"the stream broke: {error!r}")

    def heard(self, parameters):
        """For those who answer."""

    def leave(self):
        """Goes away as a program does that crashes."""
        self.is_leaving = True
        try:
            self.raw.socket.shutdown(2)
        except OSError:
            pass
        self.join(10)
        self.raw.close()


class Answerer(Listener):
    """A previewing context that answers its questions as it is told to."""

    def __init__(self, context, answer):
        self.context, self.answer = context, answer
        # Interactions that it accepted in time.
        self.accepted = set()
        super().__init__(context.stream, interactions())

    def heard(self, parameters):
        event = parameters.get("event")
        if event and event["event"] == "question":
            try:
                self.answer(self, event)
            except OSError:
                pass  # the daemon stops, or we do

    def accept(self, event, **parameters):
        reply = self.context.calls.ask(f"{PREVIEWING}.Answer", {
            "token": self.context.token, "interaction": event["interaction"], "preview": True,
            **parameters})
        if reply and "error" not in reply:
            self.accepted.add(event["interaction"])

    def decline(self, event):
        self.context.calls.ask(f"{PREVIEWING}.Answer", {
            "token": self.context.token, "interaction": event["interaction"], "preview": False})

    def unclosed(self):
        """Accepted interactions that have no end."""
        return [number for number in self.accepted if number in self.grammar.open]

    def leave(self):
        super().leave()
        self.context.calls.close()

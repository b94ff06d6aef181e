"""A system bus with a login1 on it, as a test plays them, and logind's files."""

import os
import pathlib
import queue
import socket
import struct
import threading
import unittest

from support import can_mount, mounting

LOGIN = "org.freedesktop.login1"
BUS = "org.freedesktop.DBus"
SESSION = f"{LOGIN}.Session"
CALL, REPLY, ERROR, SIGNAL = 1, 2, 3, 4
# The header's fields by number, with their types.
FIELDS = {"path": (1, "o"), "interface": (2, "s"), "member": (3, "s"), "error": (4, "s"),
          "reply_to": (5, "u"), "destination": (6, "s"), "sender": (7, "s"), "signature": (8, "g")}


needs_seats = unittest.skipUnless(
    can_mount() and os.path.isdir("/run/systemd"),
    "only root can put other files in the place of logind's")


class Writer:
    """Values as they are on the bus (little-endian), by their signature."""

    def __init__(self):
        self.data = bytearray()

    def align(self, size):
        self.data += bytes(-len(self.data) % size)

    def write(self, kind, value):
        match kind:
            case "s" | "o":
                self.write("u", len(value.encode()))
                self.data += value.encode() + b"\0"
            case "g":
                self.data += bytes([len(value)]) + value.encode() + b"\0"
            case "u" | "b":
                self.align(4)
                self.data += struct.pack("<I", value)
            case "v":
                kind = "b" if isinstance(value, bool) else "s" if isinstance(value, str) else "u"
                self.write("g", kind)
                self.write(kind, value)
            case "as":
                self.array(4, [("s", item) for item in value])
            case "a{sv}":
                self.array(8, [("sv", item) for item in value.items()])
            case "sv":
                self.align(8)
                self.write("s", value[0])
                self.write("v", value[1])

    def array(self, alignment, items):
        self.write("u", 0)
        place = len(self.data) - 4
        self.align(alignment)
        start = len(self.data)
        for kind, item in items:
            self.write(kind, item)
        self.data[place:place + 4] = struct.pack("<I", len(self.data) - start)


def message(kind, serial, body=(), **fields):
    """A message; `body` are pairs of signature and value."""
    content = Writer()
    for signature, value in body:
        content.write(signature, value)
    if body:
        fields["signature"] = "".join(signature for signature, _ in body)
    header = Writer()
    header.data += bytes([ord("l"), kind, 1, 1])
    header.write("u", len(content.data))
    header.write("u", serial)
    header.write("u", 0)
    for name, value in fields.items():
        number, signature = FIELDS[name]
        header.align(8)
        header.data += bytes([number])
        header.write("g", signature)
        header.write(signature, value)
    header.data[12:16] = struct.pack("<I", len(header.data) - 16)
    header.align(8)
    return bytes(header.data + content.data)


class Call:
    """A method call that came over the bus."""

    def __init__(self, data):
        self.serial, length = struct.unpack_from("<II", data, 8)
        names = {number: name for name, (number, _) in FIELDS.items()}
        place, end = 16, 16 + length
        self.fields = {}
        while place < end:
            place += -place % 8
            number, kind = data[place], chr(data[place + 2])
            place += 4
            if kind == "g":
                size, value = data[place] + 2, data[place + 1:place + 1 + data[place]].decode()
            else:
                place += -place % 4
                (number_or_length,) = struct.unpack_from("<I", data, place)
                size, value = 4, number_or_length
                if kind != "u":
                    size, value = 5 + value, data[place + 4:place + 4 + value].decode()
            place += size
            self.fields[names.get(number, number)] = value

    @staticmethod
    def length(data):
        """How long the message that begins here is; None when not even that has come."""
        if len(data) < 16:
            return None
        body, _, fields = struct.unpack_from("<III", data, 4)
        return 16 + fields + -fields % 8 + body


class Bus:
    """The bus. It knows one client, the daemon, and answers in the name of login1."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "bus")
        self.address = f"unix:path={self.path}"
        # Who is login1; None: nobody.
        self.owner = ":1.1"
        self.properties = {"Class": "user", "LockedHint": False}
        # What is asked about sessions is kept here, unanswered, if it is a queue.
        self.questions = None
        self.client = None
        self.serial = 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        pending = b""
        try:
            while not pending.endswith(b"BEGIN\r\n"):
                data = client.recv(4096)
                if not data:
                    return
                pending += data
                for line in data.strip(b"\0").split(b"\r\n"):
                    match line.split(b" "):
                        case [b"AUTH", b"EXTERNAL", _] | [b"DATA"]:
                            client.sendall(b"OK " + b"0123456789abcdef" * 2 + b"\r\n")
                        case [b"AUTH", *_]:
                            client.sendall(b"DATA\r\n")
                        case [b"NEGOTIATE_UNIX_FD"]:
                            client.sendall(b"AGREE_UNIX_FD\r\n")
            self.client, previous = client, self.client
            if previous:
                previous.close()
            pending = b""
            while data := client.recv(65536):
                pending += data
                while (length := Call.length(pending)) and len(pending) >= length:
                    self.answer(Call(pending[:length]))
                    pending = pending[length:]
        except OSError:
            pass

    def answer(self, call):
        match call.fields["member"]:
            case "Hello":
                self.reply(call, [("s", ":1.7")])
            case "GetNameOwner":
                self.reply(call, [("s", self.owner)] if self.owner else None)
            case "GetAll":
                if self.questions is not None:
                    self.questions.put(call)
                else:
                    self.tell_session(call)
            case _:
                self.reply(call, [])

    def reply(self, call, body, sender=BUS):
        """None as a body: an error."""
        if body is None:
            self.send(ERROR, sender=sender, reply_to=call.serial, destination=":1.7",
                      error=f"{BUS}.Error.Failed")
        else:
            self.send(REPLY, body, sender=sender, reply_to=call.serial, destination=":1.7")

    def tell_session(self, call, properties=None):
        """Answers what was asked about a session."""
        self.reply(call, [("a{sv}", properties or self.properties)], sender=self.owner or ":1.1")

    def send(self, kind, body=(), **fields):
        self.serial += 1
        self.client.sendall(message(kind, self.serial, body, **fields))

    def change_owner(self, new, sender=BUS):
        """login1 is another's name; `sender`: who says so."""
        self.send(SIGNAL, [("s", LOGIN), ("s", self.owner or ""), ("s", new or "")], sender=sender,
                  path="/org/freedesktop/DBus", interface=BUS, member="NameOwnerChanged")
        if sender == BUS:
            self.owner = new

    def change_session(self, sender=None, name="c1", **properties):
        """A session says what is different."""
        self.send(
            SIGNAL, [("s", SESSION), ("a{sv}", properties), ("as", [])], sender=sender or self.owner,
            path=f"/org/freedesktop/login1/session/{name}",
            interface=f"{BUS}.Properties", member="PropertiesChanged")

    def disconnect(self):
        self.client.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listener.close()
        if self.client:
            self.client.close()


class Seat:
    """What logind's files say of seat0."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder, "systemd")
        for name in ("seats", "sessions", "users", "machines"):
            (self.folder / name).mkdir(parents=True)
        self.sit(None)

    def sit(self, user, session="c1"):
        """Gives the seat to a user's session, or to nobody."""
        text = "IS_SEAT0=1\n"
        if user is not None:
            text += f"ACTIVE={session}\nACTIVE_UID={user}\nSESSIONS={session}\nUIDS={user}\n"
        new = self.folder / "seats" / ".#seat0"
        new.write_text(text)
        new.rename(self.folder / "seats" / "seat0")

    def wrap(self):
        """The beginning of a command line for a program that is to see these files."""
        return mounting(f"mount --bind {self.folder} /run/systemd")

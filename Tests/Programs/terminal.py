"""A person's terminal with forcetouchctl in it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

from support import BIN, PATIENCE


class Terminal:
    """forcetouchctl on a pseudo-terminal, with what it shows."""

    def __init__(self, *arguments, columns=None, options=None, **variables):
        """`options` are those of Popen, for what is not to be on the terminal."""
        self.terminal, theirs = pty.openpty()
        if columns:
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [BIN / "forcetouchctl", *map(str, arguments)],
            **{"stdin": theirs, "stdout": theirs, "stderr": theirs, **(options or {})},
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **variables},
            # The terminal is its own, so that Ctrl-C and a closed window come as signals.
            preexec_fn=lambda: (os.setsid(), fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)))
        os.close(theirs)
        self.shown = ""
        self.seen = 0

    def expect(self, pattern, seconds=PATIENCE):
        """Waits until it is shown, after what was waited for before; gives the match."""
        end = time.monotonic() + seconds
        while True:
            match = re.compile(pattern).search(self.shown, self.seen)
            if match:
                self.seen = match.end()
                return match
            if time.monotonic() > end or not self.read(0.1):
                raise AssertionError(f"not shown: {pattern}\n{self.shown}")

    def read(self, seconds):
        """Reads what is shown; False when nothing will be any more."""
        if select.select([self.terminal], [], [], seconds)[0]:
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return False
            self.shown += data.decode(errors="replace")
        return True

    def type(self, text):
        os.write(self.terminal, text.encode())

    def end(self):
        """Its exit status, with everything it still shows."""
        while self.read(0.1) and self.process.poll() is None:
            pass
        while self.read(0):
            if not select.select([self.terminal], [], [], 0)[0]:
                break
        return self.process.wait(timeout=PATIENCE)

    def last_line(self):
        """As it is read: without what was drawn over."""
        line = self.shown.strip().split("\n")[-1].split("\r")[-1]
        return re.sub(r"\x1b\[[0-9;]*[mK]", "", line)

    def drawn(self):
        """All that was ever drawn on a live line."""
        return re.findall(r"\r([^\r\n\x1b]+)\x1b\[K", self.shown)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        try:
            os.close(self.terminal)
        except OSError:
            pass

"""A terminal to run programs in, and to look at: a tmux of its own."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from support import BIN, PATIENCE, wait_until

COLORS = re.compile(r"\x1b\[(?:\d+;)*(?:3|4|9|10)[0-8](?:;[\d;]*)?m")


class Terminal:
    """A shell in a terminal."""

    count = 0

    def __init__(self, columns=80, rows=24):
        Terminal.count += 1
        self.name = f"forcetouch-{os.getpid()}-{Terminal.count}"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="forcetouch-terminal-"))
        shell = f"cd {self.folder} && ulimit -c 0 && PS1='$ ' exec bash --norc --noprofile -i"
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "SHELL": "/bin/bash", "HISTFILE": ""}
        for name in ("NO_COLOR", "TMUX"):
            environment.pop(name, None)
        self.tmux("-u", "-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows, shell,
                  env=environment)
        self.wait_for("$", "the shell is there")

    def tmux(self, *arguments, env=None):
        done = subprocess.run(
            ["tmux", "-L", self.name, *map(str, arguments)], capture_output=True, text=True,
            env=env, timeout=PATIENCE)
        if done.returncode:
            raise AssertionError(f"tmux {arguments}: {done.stderr}")
        return done.stdout

    def close(self):
        subprocess.run(["tmux", "-L", self.name, "kill-server"], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def type(self, text):
        """Types a line for the shell."""
        self.tmux("send-keys", "-l", text)
        self.press("Enter")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", columns, "-y", rows)

    def text(self):
        return self.tmux("capture-pane", "-p")

    def lines(self):
        return self.text().split("\n")

    def colored(self):
        """The same with its colors."""
        return self.tmux("capture-pane", "-p", "-e")

    def wait_for(self, what, why=None):
        """Waits until a text, or a pattern, stands on the screen; gives the screen."""
        pattern = what if isinstance(what, re.Pattern) else re.compile(re.escape(what))

        def look():
            text = self.text()
            return text if pattern.search(text) else None

        try:
            return wait_until(look, why or f"{pattern.pattern!r} on the screen")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.text()}") from None

    def modes(self):
        """What a program might leave changed: of the terminal itself, and of what it shows."""
        path = self.folder / "modes"
        path.unlink(missing_ok=True)
        self.type("stty -a >modes.new; mv modes.new modes")
        wait_until(path.exists, "stty answers")
        state = self.tmux(
            "display-message", "-p",
            "#{alternate_on} #{cursor_flag} #{keypad_cursor_flag} #{keypad_flag} #{insert_flag} "
            "#{mouse_any_flag}")
        return path.read_text(), state

    def start(self, *arguments, before="", **variables):
        """Starts forcetouchctl; what it ends with is printed after it."""
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        command = shlex.join([str(BIN / "forcetouchctl"), *map(str, arguments)])
        self.type(f"clear; {before} env {settings} sh -c 'echo $$ >pid; exec {command}'; "
                  "echo status $?")

    def pid(self):
        path = self.folder / "pid"
        return int(wait_until(lambda: path.exists() and path.read_text(), "the program starts"))

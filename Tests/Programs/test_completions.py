"""What bash, zsh and fish offer for a command line: the shells themselves, each as a person meets it."""

import os
import pty
import shlex
import shutil
import signal
import tempfile
import threading
import unittest

from manual import commands, help_options, output, rules
from support import BIN, DEMO, ROOT, Daemon, wait_until

COMPLETIONS = ROOT / "completions"


class Terminal:
    """A shell at a terminal that reads its settings, and tells what it offers in a file."""

    def __init__(self, command, folder, environment):
        self.folder = folder
        child, self.descriptor = pty.fork()
        if child == 0:
            try:
                os.chdir(self.path("files"))
                os.execvpe(command[0], command, {**environment, "TERM": "xterm"})
            finally:
                os._exit(127)
        self.child = child
        self.reader = threading.Thread(target=self.drain, daemon=True)
        self.reader.start()
        wait_until(lambda: os.path.exists(self.path("ready")), f"{command[0]} has a prompt")

    def path(self, name):
        return os.path.join(self.folder, name)

    def drain(self):
        try:
            while os.read(self.descriptor, 65536):
                pass
        except OSError:
            pass  # it ended

    def ask(self, keys):
        """What the shell writes into `told` when `keys` are typed."""
        for name in ("told", "done"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        os.write(self.descriptor, keys.encode())
        wait_until(lambda: os.path.exists(self.path("done")), f"an answer to {keys!r}")
        with open(self.path("told")) as file:
            return file.read()

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        self.reader.join()
        os.close(self.descriptor)


class Bash:
    """Readline inserts all that there is (`insert-completions`), and the line is looked at."""

    SETTINGS = r"""
        PS1='' HISTFILE=
        bind 'set enable-bracketed-paste off' 'set mark-directories off'
        tell() { printf '%s' "$READLINE_LINE" >"$HOME/told"; READLINE_LINE= READLINE_POINT=0; : >"$HOME/done"; }
        bind -x '"\C-t": tell'
        for program in forcetouchctl forcetouchd; do source "$COMPLETIONS/$program.bash"; done
        PROMPT_COMMAND=': >"$HOME/ready"'
        """

    def __init__(self, folder, environment):
        settings = os.path.join(folder, "settings")
        with open(settings, "w") as file:
            file.write(self.SETTINGS)
        self.terminal = Terminal(["bash", "--rcfile", settings, "-i"], folder, environment)

    def offers(self, before, current):
        line = shlex.join(before) + " " + current
        told = shlex.split(self.terminal.ask(line + "\x1b*\x14"))[len(before):]
        if told:
            told[0] = told[0].split("=", 1)[-1] if current.startswith("--") else told[0]
        value = current.split("=", 1)[-1] if current.startswith("--") else current
        return set(told) - {value}

    def close(self):
        self.terminal.close()


class Zsh:
    """The words that completion functions give to the shell (`compadd`) are written down."""

    SETTINGS = r"""
        PS1='' HISTFILE=
        fpath=("$COMPLETIONS" $fpath)
        autoload -U compinit && compinit -u -D
        compadd() {
          local -a found
          if (( ! ${@[(I)-[OAD]]} )); then
            builtin compadd -O found "$@"
            (( ! $#found )) || print -rl -- "${(@)found}" >>$HOME/told
          fi
          builtin compadd "$@"
        }
        tell() { : >>$HOME/told; zle complete-word; BUFFER=; : >$HOME/done }
        zle -N tell
        bindkey '^T' tell
        zle-line-init() { : >$HOME/ready }
        zle -N zle-line-init
        """

    def __init__(self, folder, environment):
        with open(os.path.join(folder, ".zshrc"), "w") as file:
            file.write(self.SETTINGS)
        self.terminal = Terminal(
            ["zsh", "-d", "-i"], folder, {**environment, "ZDOTDIR": folder})

    def offers(self, before, current):
        told = self.terminal.ask(shlex.join(before) + f" {current}\x14")
        return {" ".join(shlex.split(word)) for word in told.split("\n") if word}

    def close(self):
        self.terminal.close()


class Fish:
    """Its own `complete -C`."""

    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment

    def offers(self, before, current):
        line = shlex.join(before) + " " + current
        sources = "; ".join(
            f'source "{COMPLETIONS}/{program}.fish"' for program in ("forcetouchctl", "forcetouchd"))
        shown = output("fish", "--no-config", "-c", f"{sources}; complete -C {shlex.quote(line)}",
                       cwd=os.path.join(self.folder, "files"), env=self.environment)
        words = {line.split("\t")[0] for line in shown.splitlines()}
        return {word.split("=", 1)[-1] for word in words} if "=" in current else words

    def close(self):
        pass


class Cases:
    """The same for every shell."""

    shell = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="forcetouch-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.daemon = Daemon("--replay", DEMO)
        cls.addClassCleanup(cls.daemon.close)
        os.makedirs(os.path.join(cls.folder, "files/folder"))
        for name in ("files/one.yml", "files/two words.yml"):
            open(os.path.join(cls.folder, name), "w").close()
        cls.asked = cls.shell(cls.folder, {
            **os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "HOME": cls.folder,
            "COMPLETIONS": str(COMPLETIONS), "FORCETOUCHD_SOCKET": cls.daemon.path})
        cls.addClassCleanup(cls.asked.close)
        cls.told = commands()

    def offers(self, *words, program="forcetouchctl"):
        """What is offered for the last of the words."""
        return self.asked.offers([program, *words[:-1]], words[-1])

    def assertFiles(self, *words, program="forcetouchctl"):
        option, _, _ = words[-1].rpartition("=")
        before = f"{option}=" if option else ""
        for start, found in (("o", "one.yml"), ("f", "folder")):
            offered = self.offers(*words[:-1], before + start, program=program)
            self.assertEqual({word.rstrip("/") for word in offered}, {found}, words)

    def test_commands(self):
        self.assertEqual(self.offers(""), set(self.told))
        self.assertEqual(self.offers("mon"), {"monitor"})
        self.assertEqual(self.offers("--"), {"--help", "--version"})
        self.assertEqual(self.offers("help", "cali"), {"calibrate"})
        self.assertEqual(self.offers("nonsense", ""), set())

    def test_options(self):
        for name, text in self.told.items():
            with self.subTest(command=name):
                self.assertEqual(
                    self.offers(name, "--"), set(help_options(text)) | {"--help"})

    def test_values_of_options(self):
        choices = {
            "speed": {"original", "max"}, "rule": rules(), "format": {"libinput", "evemu"},
            "level": {"light", "medium", "firm"}, "seconds": set()}
        for name, text in self.told.items():
            for option, kind in help_options(text).items():
                with self.subTest(command=name, option=option):
                    if kind in choices:
                        self.assertEqual(self.offers(name, option, ""), choices[kind])
                    elif kind and kind.split()[0] in ("file", "path"):
                        self.assertFiles(name, option, "")
                    elif kind:
                        offered = self.offers(name, option, "")
                        self.assertFalse({word for word in offered if word.startswith("-")})

    def test_values_behind_a_sign(self):
        self.assertEqual(self.offers("replay", "--speed=o"), {"original"})
        self.assertFiles("replay", "--config=")
        # As many programs call --output.
        self.assertFiles("record", "-o", "")
        self.assertEqual(self.offers("replay", "a", "-o", "o"), set())
        self.assertEqual(self.offers("replay", "--without", "palm", "--without", "not"), {"notFinger"})

    def test_operands(self):
        self.assertFiles("replay", "")
        self.assertFiles("probe", "")
        self.assertFiles("replay", "--all", "")
        self.assertFiles("plot", "a", "")
        self.assertEqual(self.offers("replay", "two"), {"two words.yml"})
        # There is one operand only.
        self.assertEqual(self.offers("replay", "--all", "a", "o"), set())
        self.assertEqual(self.offers("status", "o"), set())
        # All words behind --from are files.
        self.assertFiles("calibrate", "--from", "a", "")
        self.assertEqual(self.offers("calibrate", "--from", "a", "--re"), {"--reset"})

    def test_devices(self):
        for name in ("capability", "monitor", "calibrate"):
            self.assertEqual(self.offers(name, "d"), {"d1"})
        self.assertEqual(self.offers("monitor", "--socket", self.daemon.path, "d"), {"d1"})
        self.assertEqual(self.offers("monitor", f"--socket={self.daemon.path}", "d"), {"d1"})
        self.assertEqual(self.offers("monitor", "--socket", "/nowhere", "d"), set())

    def test_forcetouchd(self):
        told = set(help_options(output(BIN / "forcetouchd", "--help")))
        self.assertEqual(self.offers("--", program="forcetouchd"), told)
        self.assertEqual(self.offers("--verb", program="forcetouchd"), {"--verbose"})
        for words in (["--replay", ""], ["--replay", "a", ""], ["--config", ""], ["--config="],
                      ["--socket", ""]):
            self.assertFiles(*words, program="forcetouchd")
        offered = self.offers("--state", "", program="forcetouchd")
        self.assertEqual({word.rstrip("/") for word in offered}, {"folder"})


def shell_test(shell):
    name = shell.__name__.lower()

    @unittest.skipUnless(shutil.which(name), f"{name} is not installed")
    class ShellTest(Cases, unittest.TestCase):
        pass

    ShellTest.shell = shell
    ShellTest.__name__ = ShellTest.__qualname__ = f"{shell.__name__}Test"
    return ShellTest


BashTest, ZshTest, FishTest = map(shell_test, (Bash, Zsh, Fish))


if __name__ == "__main__":
    unittest.main()

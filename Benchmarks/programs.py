"""The programs that are measured, daemon and relay, and the load that plays frames to them."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Programs"))
BUILT = pathlib.Path(os.environ.get("BENCH_BUILT", HERE.parent / "build/bench"))

import support  # noqa: E402

CPUS = sorted(os.sched_getaffinity(0))
# The program has a processor of its own where there are two.
PROGRAM, LOAD = CPUS[-1:], CPUS[:-1] or CPUS


def placed(cpus):
    """For what a child does first: to run there, and, if it may, before all that is not measured."""
    def place():
        os.sched_setaffinity(0, cpus)
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return place


class Daemon(support.Daemon):
    """A forcetouchd that reads a machine's pads."""

    clients_do = "watch"

    def __init__(self, machine, node=None, folder=None, messages=None, wrapper=(), **variables):
        super().__init__(
            folder=folder, patience=120, wrapper=wrapper, preexec_fn=placed(PROGRAM),
            **machine.variables, **variables)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Relay:
    """The yardstick; see relay.c."""

    clients_do = "plain"

    def __init__(self, machine, node, folder, messages):
        self.log = os.path.join(folder, "log")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [BUILT / "relay", node, os.path.join(folder, "socket"), messages],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=placed(PROGRAM))

    def output(self):
        return pathlib.Path(self.log).read_text()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class KernelMachine:
    """Event nodes of the kernel's own: needs uinput, and root."""

    node = "uinput"
    variables = {}


class Load:
    """See load.c. It is started first, because it makes the node."""

    def __init__(self, what, machine, socket, clients_do, *numbers, messages):
        self.process = subprocess.Popen(
            [BUILT / "load", what, machine.node, socket, clients_do, *map(str, numbers),
             *([messages] if what == "record" else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=placed(LOAD))
        self.node = machine.node
        if machine.node == "uinput":
            self.node = self.process.stdout.readline().strip()

    def measure(self, process):
        """Plays all frames; gives what it prints of the process."""
        print(process, file=self.process.stdin, flush=True)
        output = self.process.stdout.readline()
        if not output:
            raise RuntimeError(self.process.stderr.read().strip())
        return [float(number) for number in output.split()]


def play(what, program, machine, clients, contacts, hertz, frames, messages, **options):
    """Starts a program, plays frames to it, and ends it; gives what the load prints."""
    with contextlib.ExitStack() as stack:
        folder = tempfile.mkdtemp(prefix="forcetouch-bench-")
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        load = Load(what, machine, os.path.join(folder, "socket"), program.clients_do,
                    clients, contacts, hertz, frames, messages=messages)
        stack.callback(load.process.kill)
        running = stack.enter_context(
            program(machine, load.node, folder, messages, **options))
        try:
            return load.measure(running.process.pid)
        except RuntimeError as error:
            raise RuntimeError(f"{program.__name__}: {error}\n{running.output()}") from None

"""Daemon and relay in turn, with the same pad and the same clients: what the one costs more."""

import dataclasses
import statistics
import tempfile

from programs import Daemon, Relay, play


@dataclasses.dataclass
class Spread:
    """The median of ratios, and the quartiles around it."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values):
        values = list(values)
        if len(values) == 1:
            return cls(*values * 3)
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, low, high)

    def __str__(self):
        return f"{self.median:.2f} ({self.low:.2f}–{self.high:.2f})"


@dataclasses.dataclass
class Cell:
    """What the daemon needs of the relay's CPU time, of its median latency, and of its latency
    at the 99th percentile."""

    cpu: Spread
    latency: Spread
    tail: Spread


def compare(machine, clients, contacts, hertz, pairs, frames):
    """So many pairs of runs, the one first, then the other; each run is a process of its own."""
    ratios = []
    with tempfile.NamedTemporaryFile(prefix="forcetouch-messages-") as messages:
        load = machine, clients, contacts, hertz, frames, messages.name
        play("record", Daemon, machine, 1, contacts, 500, frames, messages.name)
        for number in range(pairs):
            numbers = {}
            for program in (Daemon, Relay) if number % 2 else (Relay, Daemon):
                numbers[program] = play("measure", program, *load)
            ratios.append([a / b for a, b in zip(numbers[Daemon], numbers[Relay])])
    return Cell(*(Spread.of(column) for column in zip(*ratios)))

"""bench.py [--short | --no-machine] [--write]

Measures the daemon against the budgets of docs/performance.md, and prints tables and, last, one line
that says which budgets are met. Exit status 1: one is missed, or could not be measured.

  --short       few pairs, not judged, and nothing that needs the virtual machine: whether it all
                works, and what is counted rather than timed
  --no-machine  leave out what needs the virtual machine
  --write       put the tables into docs/performance.md too
"""

import argparse
import os
import re
import subprocess
import sys

import client
import startup
import steps
from fifo import FifoMachine
from pairs import compare
from programs import HERE
from tables import Budgets, Report

HERTZ = (125, 1000)
CLIENTS = (1, 8, 64)
CONTACTS = (1, 5, 10)
PAIRS = 20
# Half a second of them, after as long of warming up.
FRAMES = {125: 75, 1000: 500}


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def measure_pairs(report, budgets, short):
    cells = ([(1, 1, 1000), (64, 10, 1000)] if short else
             [(clients, contacts, hertz) for clients in CLIENTS for contacts in CONTACTS
              for hertz in HERTZ])
    pairs = 2 if short else PAIRS
    rows, found = [], {}
    for clients, contacts, hertz in cells:
        say(f"{clients} clients, {contacts} contacts, {hertz} Hz: {pairs} pairs")
        cell = compare(FifoMachine(), clients, contacts, hertz, pairs, FRAMES[hertz])
        found[clients, contacts, hertz] = cell
        rows.append((clients, contacts, hertz, cell.cpu, cell.latency, cell.tail))
    report.table(
        "pairs", ("clients", "contacts", "Hz", "CPU", "latency, median", "latency, 99 %"), rows)
    if not short:
        # The frame of the budgets has one contact; of both rates the worse counts.
        worst = lambda clients, what: max(
            getattr(found[clients, 1, hertz], what).median for hertz in HERTZ)
        budgets.judge("CPU, 1 client", worst(1, "cpu"), 1.5, "×")
        budgets.judge("CPU, 64 clients", worst(64, "cpu"), 1.2, "×")
        budgets.judge("median latency", max(worst(1, "latency"), worst(64, "latency")), 1.2, "×")


def count_steps(report, budgets, short):
    loads = [(1, 1)] if short else [(1, 1), (1, 10), (64, 1)]
    counts = {}
    for clients, contacts in loads:
        say(f"instructions with {clients} clients and {contacts} contacts")
        counts[clients, contacts] = steps.count(clients, contacts)
    what = {name: text for name, _, text in steps.STEPS}
    report.table(
        "steps", ("step", "what",
                  *(f"{c} client{'s' * (c > 1)}, {n} contact{'s' * (n > 1)}" for c, n in loads)),
        [(name, what.get(name, ""), *(f"{counts[load][name]:,.0f}" for load in loads))
         for name in counts[loads[0]]])
    budgets.judge("instructions", counts[1, 1]["all"], 12000, "")


def count_allocations(budgets):
    say("allocations")
    done = subprocess.run(
        [sys.executable, "-W", "ignore::ResourceWarning", "-m", "unittest", "test_allocations"],
        cwd=HERE.parent / "Tests/Programs", capture_output=True, text=True)
    skipped = re.search(r"skipped=\d", done.stderr)
    budgets.judge("allocations", 0 if done.returncode == 0 and not skipped else None, 0, "")


def count_client(report):
    say("the client library")
    instructions, allocations = client.count()
    report.table("client", ("of one event, in a program", ""),
                 [("instructions", f"{instructions:,.0f}"), ("allocations", f"{allocations:.1f}")])


def measure_start(budgets):
    say("start")
    budgets.judge("start to READY=1", startup.measure(20), 20, " ms")


def measure_in_machine(report, budgets):
    """What needs a kernel to do with as one likes."""
    say("in the virtual machine")
    done = subprocess.run(
        [HERE.parent / "Tests/System/run", "test_numbers", "bench_machine"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "FORCETOUCHD_TESTBED_LIMIT": "5400"})
    numbers = dict(re.findall(r"^  ([^:\n]+): (.*)$", done.stdout.split("Numbers from inside")[-1], re.M))
    if done.returncode != 0:
        say(f"the machine's tests failed:\n{done.stdout[-4000:]}")
    report.table("machine", ("in the virtual machine", ""), sorted(
        (name, value) for name, value in numbers.items()
        if name.startswith(("evdev", "libinput"))))
    report.table("memory", ("devices", "clients", "RssAnon", "RSS"), [
        (*re.findall(r"\d+", name), *re.findall(r"\d+ kB", value))
        for name, value in numbers.items() if name.startswith("memory, ")])
    memory = re.findall(r"\d+", numbers.get("memory with 4 devices and 8 clients", ""))
    anonymous, resident = map(int, memory) if len(memory) == 2 else (None, None)
    megabytes = lambda kilobytes: None if kilobytes is None else kilobytes / 1024
    budgets.judge("RssAnon", megabytes(anonymous), 3, " MB")
    budgets.judge("RSS", megabytes(resident), 14, " MB")
    wakes = numbers.get("wake-ups in 10 s without listeners, while a finger presses")
    budgets.judge("idle wake-ups", None if wakes is None else int(wakes), 0, "")


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--short", action="store_true")
    arguments.add_argument("--no-machine", action="store_true")
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    report, budgets = Report(), Budgets()
    count_steps(report, budgets, options.short)
    count_allocations(budgets)
    count_client(report)
    measure_pairs(report, budgets, options.short)
    if not options.short:
        measure_start(budgets)
        if not options.no_machine:
            measure_in_machine(report, budgets)
    report.table("budgets", ("budget", "measured", "at most", ""), budgets.rows())
    print(report.text())
    if options.write:
        report.write(HERE.parent / "docs/performance.md")
    print(budgets.line())
    sys.exit(not budgets.are_met)


if __name__ == "__main__":
    main()

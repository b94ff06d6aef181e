#!/usr/bin/env python3
"""Evaluate the recognition, and fail where it got worse.

Presses of a model of people (presses) and recordings of ordinary use are played through
`forcetouchctl replay`. What comes is compared with the figures that were accepted: exit status 1
says that something is worse, or is what it must never be. See docs/evaluation.md.
"""

import argparse
import concurrent.futures
import os
import pathlib
import sys

from tqdm import tqdm

from harness import ablation, deliberate, figures, ordinary, page
from harness.plan import LONG, SHORT
from harness.program import Program, ProgramError

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def deliberate_figures(outcome, condition):
    return {
        "meant": condition.meant, "trials": outcome.count, "peeks": outcome.peeked, "pops": outcome.popped,
        "tries": outcome.tries, "waited": outcome.waited,
        "in time": outcome.latency[0], "late": sum(outcome.latency.values()) - outcome.latency[0],
        "deeds": {deed: counts for deed, counts in sorted(outcome.deeds.items())},
    }


def run(program, plan):
    """All figures."""
    rules = program.rules()
    variants = [(), *((rule,) for rule in rules)]
    found = {"deliberate": {}, "ordinary": {}, "thresholds": {}}
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        # The longest first.
        without = {pool.submit(deliberate.evaluate, program, condition, variants): condition
                   for condition in plan.ablation}
        use = pool.submit(ordinary.evaluate, program, ROOT, variants)
        presses = {pool.submit(deliberate.evaluate, program, condition): condition for condition in plan.conditions}
        waiting = [*without, use, *presses]
        try:
            done = concurrent.futures.as_completed(waiting)
            # On a terminal only, and gone at the end.
            for future in tqdm(done, total=len(waiting), unit="part", disable=None, leave=False, delay=0.5):
                future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    for future, condition in presses.items():
        found["deliberate"][condition.name] = deliberate_figures(future.result()[()], condition)
    tables, played, left_out = use.result()
    names = {key: f"{key[0]}, as recorded" if key[1] is None else f"{key[0]}, force {key[1]:g}" for key in tables}
    has_corpus = any(not is_ours for _, is_ours, *_ in played)
    if not has_corpus:
        print(f"there is no optional test corpus at {ordinary.corpus_folder(ROOT)}: "
              "ordinary use and the rules are not compared", file=sys.stderr)
    else:
        for key, table in tables.items():
            found["ordinary"][names[key]] = {
                kind: {"contacts": counts.contacts, "peeks": counts.peeks, "pops": counts.pops}
                for kind, counts in sorted(table[()].items())}
    found["recordings"] = [list(entry) for entry in played]
    found["left out"] = left_out
    found["ablation"] = ablation.compare(
        rules, {condition.name: future.result() for future, condition in without.items()},
        {names[key]: table for key, table in tables.items()} if has_corpus else {}, ROOT)
    for name in {condition.pad for condition in plan.conditions}:
        found["thresholds"][name] = {
            sensitivity: deliberate.thresholds(program, deliberate.presses.pads()[name], sensitivity)
            for sensitivity in ("light", "medium", "firm")}
    return found


def main():
    parser = argparse.ArgumentParser(prog="make evaluate", description=__doc__.partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="fewer presses, with figures of their own")
    parser.add_argument("--accept", action="store_true", help="make these the figures to compare with, and the page")
    parser.add_argument("--program", default=ROOT / ".build/release/forcetouchctl", help="another forcetouchctl")
    parser.add_argument("--page", action="store_true", help="write the page of what was accepted, and that is all")
    arguments = parser.parse_args()
    if arguments.page:
        page.write(figures.read(HERE / "figures.json"), ROOT)
        return
    plan = SHORT if arguments.short else LONG
    file = HERE / ("figures-short.json" if arguments.short else "figures.json")

    try:
        found = run(Program(arguments.program), plan)
    except ProgramError as error:
        sys.exit(f"make evaluate: {error}")
    broken = figures.broken(found)
    for sentence in broken:
        print(f"must not be: {sentence}")
    if broken:
        sys.exit("make evaluate: some things must never be, and nobody can accept them")
    accepted = figures.read(file)
    worse, better = figures.compare(found, accepted) if accepted else (["nothing was accepted yet"], [])
    for kind, sentences in (("worse", worse), ("better", better)):
        for sentence in sentences:
            print(f"{kind}: {sentence}")
    if arguments.accept:
        if not found["ordinary"]:
            sys.exit("make evaluate: without the optional test corpus there is nothing to accept")
        figures.write(file, found)
        if plan is LONG:
            # As whoever reads the figures later makes it: keys are sorted there.
            page.write(figures.read(file), ROOT)
        print(f"accepted: {file.relative_to(ROOT)}")
        return
    if worse:
        sys.exit("make evaluate: worse than what was accepted; if that is meant, `make evaluate ARGS=--accept`"
                 + (" and `make evaluate-short ARGS=--accept`" if plan is SHORT else ""))
    if better:
        print("better than what was accepted: `ARGS=--accept` keeps it so")
    presses = sum(counts["trials"] for counts in found["deliberate"].values())
    contacts = sum(entry[2] for entry in found["recordings"])
    print(f"{presses} presses of people that were made up, {contacts} contacts of recordings: nothing worse")


if __name__ == "__main__":
    main()

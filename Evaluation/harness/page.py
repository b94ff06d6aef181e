"""docs/evaluation.md, out of the figures and nothing else."""

import pathlib

import presses

from . import plots
from .ordinary import ESTIMATED, KINDS
from .plan import PADS, RATES, ROLLS, SENSITIVITIES, SPREAD, SPREADS
from .rates import Rate, percent

# What was asked for: of presses with a spread of 10 % at medium sensitivity.
LEAST, MOST = 0.995, 0.005
# Standard deviations within which all but 0.5 % on each side lie.
DEVIATIONS = 2.576


def write(found, root):
    images = pathlib.Path(root) / "docs/images"
    plots.course(images / "evaluation-press.svg")
    plots.example(found, images / "evaluation-pads.svg")
    plots.curve(found, images / "evaluation-spread.svg")
    plots.ordinary(found, images / "evaluation-ordinary.svg")
    (pathlib.Path(root) / "docs/evaluation.md").write_text(text(found))


def text(found):
    return "\n\n".join(part.strip() for part in (
        INTRODUCTION, MODEL, results(found), reachable(found), details(found), ordinary(found), rules(found),
        KEEPING)) + "\n"


INTRODUCTION = """\
# How well presses are recognized

Made by `make evaluate`; do not edit. Presses of a model of people, and recordings of ordinary use, are
played through `forcetouchctl replay`, and what comes is counted. Every rate has its exact bounds
(Clopper and Pearson, 95 %). **Nobody's real presses on a real force pad are in here**: no recording of
any was found in public. What stands here of deliberate presses is as good as the model, and what
stands of ordinary use as good as the claim that contact size rises and falls as force does."""

MODEL = """\
## The model

![A press](images/evaluation-press.svg)

`Evaluation/presses` is a package of its own that knows nothing of the recognizer. Force rises with the
least jerk, overshoots, is held with tremor of 8 to 12 Hz, wander and drift, and is let go; the pad adds
noise and reports whole units at its rate; the finger rolls as it presses, and on a trackpad half of the
presses come after the pointer was moved, without lifting. Every number is in
[`parameters.toml`](../Evaluation/presses/parameters.toml) with its source, or *assumed* with the reason;
they were committed before anything was run, and are not tuned.

- *What is meant is the truth*: a touch (tap, rest, pointing, sliding, scrolling with two fingers, click,
  drag), a peek, a pop.
- Who means a peek aims at the middle, in force, between the two thresholds: they know from the preview
  where it comes and goes. Who means a pop aims at the hardest comfortable press; half of them look at
  the peek first.
- The force that is reached is spread around the aim; the *spread* is its coefficient of variation.
- People see what they do. The model's do not, and correct nothing, except where *watching* is said:
  they press on by 15 % when nothing has come after a reaction time, four times at most. Nothing takes
  back what was too hard.

![A touch, a peek and a pop on each pad](images/evaluation-pads.svg)"""

KEEPING = """\
## Keeping it

`make evaluate` compares every count with [`figures.json`](../Evaluation/figures.json). Everything is
seeded, so the same program gives the same counts, and one press less that is recognized, or one more that
nobody meant, fails. `make evaluate ARGS=--accept` makes the new figures the ones to compare with, and
this page. `make evaluate-short` does so with fewer presses and figures of its own; it belongs to what
must hold before a change lands. Whatever was accepted, these fail: an event later than the frame that
crosses, of a finger that rests; a pop in ordinary use; a peek of a tap, a scroll or a drag at force 1; a
rule that neither changes a figure nor has a scenario."""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def title(pad):
    return presses.pads()[pad].title


def rate(found, what, pad, meant, sensitivity="medium", spread=SPREAD, more=""):
    counts = found["deliberate"][f"{pad}, {sensitivity}, spread {spread:g}, {meant}{more}"]
    return Rate(counts[what], counts["trials"])


def verdict(rate, is_least):
    """Whether a target is met by the bounds, by the rate alone, or missed."""
    low, high = rate.bounds
    if (low >= LEAST) if is_least else (high <= MOST):
        return "met"
    if (rate.value >= LEAST) if is_least else (rate.value <= MOST):
        return "met, not beyond chance"
    if (high < LEAST) if is_least else (low > MOST):
        return "**missed**"
    return "missed, within chance"


def results(found):
    rows = []
    for pad in PADS:
        for name, what, meant, is_least in (("peeks that were meant", "peeks", "peek", True),
                                            ("pops that were meant", "pops", "pop", True),
                                            ("pops where a peek was meant", "pops", "peek", False)):
            one = rate(found, what, pad, meant)
            rows.append((title(pad), name, "≥ 99.5 %" if is_least else "≤ 0.5 %", one, verdict(one, is_least)))
    parts = [
        "## Deliberate presses",
        f"At medium sensitivity, spread {percent(SPREAD)} %, uncorrected; in percent.",
        table(("pad", "", "target", "reached", ""), rows),
    ]
    rows = []
    for pad in PADS:
        for sensitivity in SENSITIVITIES:
            rows.append((title(pad), sensitivity, *(rate(found, what, pad, meant, sensitivity) for what, meant in (
                ("peeks", "peek"), ("pops", "peek"), ("pops", "pop"), ("peeks", "touch"), ("pops", "touch")))))
    parts += [
        "Every sensitivity, in percent:",
        table(("pad", "sensitivity", "peek meant: peeks", "peek meant: pops", "pop meant: pops",
               "touch meant: peeks", "touch meant: pops"), rows),
        "![Recognized over the spread](images/evaluation-spread.svg)",
        "The same over the spread, at medium, in percent (dashed: the targets):",
    ]
    rows = []
    for pad in PADS:
        for what, meant in (("peeks", "peek"), ("pops", "peek"), ("pops", "pop")):
            rows.append((title(pad), f"{meant} meant: {what}", *(
                percent(rate(found, what, pad, meant, spread=spread).value) for spread in SPREADS)))
    parts.append(table(("pad", "", *(f"{percent(spread)} %" for spread in SPREADS)), rows))
    latency = {key: sum(counts[key] for counts in found["deliberate"].values()) for key in ("in time", "late", "waited")}
    parts.append(
        f"**Latency**: {latency['in time']} of {latency['in time'] + latency['late']} events of fingers that rested "
        f"came in the very frame that crosses, 0 frames after it; {latency['late']} came later. {latency['waited']} "
        "events were of fingers that moved as they crossed, and came once those rested.")
    return "\n\n".join(parts)


def reachable(found):
    pads = presses.pads()
    rows = []
    for name in PADS:
        for sensitivity in SENSITIVITIES:
            raw, pad = found["thresholds"][name][sensitivity], pads[name]
            peek, pop, ceiling = (value - pad.floor for value in (raw["peek"], raw["pop"], pad.ceiling))
            middle = (pop - peek) / (pop + peek)
            rows.append((title(name), sensitivity, f"{raw['peek']:.4g}", f"{raw['pop']:.4g}",
                         percent(middle / DEVIATIONS), percent(max(ceiling - pop, 0) / ceiling / DEVIATIONS)))
    best = []
    for pad in PADS:
        met = [spread for spread in SPREADS if rate(found, "peeks", pad, "peek", spread=spread).value >= LEAST
               and rate(found, "pops", pad, "peek", spread=spread).value <= MOST]
        best.append(f"{title(pad)}: {'none of those above' if not met else f'up to {percent(max(met))} %'}")
    rolls = []
    for pad in PADS:
        for meant, what in (("peek", "peeks"), ("pop", "pops")):
            rolls.append((title(pad), f"{meant} meant: {what}", *(
                rate(found, what, pad, meant, more=f", place.roll {roll:g}") for roll in ROLLS)))
    moved = []
    for pad in PADS[:2]:
        for deed in ("peek", "point-peek", "pop", "point-pop"):
            counts = found["deliberate"][f"{pad}, medium, spread {SPREAD:g}, {deed.removeprefix('point-')}"]["deeds"][deed]
            moved.append((title(pad), deed, counts[0], Rate(counts[1], counts[0]), Rate(counts[2], counts[0])))
    watching = [(title(pad), *(rate(found, what, pad, meant, more=", watching") for what, meant in (
        ("peeks", "peek"), ("pops", "peek"), ("pops", "pop")))) for pad in PADS]
    return "\n\n".join((
        "## What is reachable, and why not more",
        "**The range.** Thresholds leave a range for the peek; who aims at its middle stays in it 99 times of 100 "
        "only with a spread below (pop − peek) / (pop + peek) / 2.58 of forces above the floor, however good the "
        "recognizer, and pops 99.5 times of 100 only below (ceiling − pop) / ceiling / 2.58. Before overshoot, tremor and wander, in percent:",
        table(("pad", "sensitivity", "peek at", "pop at", "spread that fits a peek", "spread that fits a pop"), rows),
        "A pad that clicks counts its thresholds from the click, so that its peek lies high and the range is narrow in "
        "proportion. By the curve, peeks meet both of their targets: " + "; ".join(best) + ".",
        "**Seeing helps who pressed too softly**, not who pressed too hard. With watching, spread "
        f"{percent(SPREAD)} %, medium, in percent:",
        table(("pad", "peek meant: peeks", "peek meant: pops", "pop meant: pops"), watching),
        "**The rolling finger.** How far the middle of a fingertip moves as it presses is assumed (0.5 mm, standard "
        "deviation along each axis up to the ceiling), and trackpads depend on it: past the click the button is held, "
        "and the rules against moving and dragging fingers cannot tell a roll from a movement. A finger that moved the "
        "pointer lies anywhere within the slop of its anchor, not on it, and has less to spare:",
        table(("pad", "done", "presses", "peeks", "pops"), moved),
        "The same presses with other assumptions, in percent:",
        table(("pad", "", *(f"{roll:g} mm" for roll in ROLLS)), rolls),
    ))


def details(found):
    rows = []
    for hertz in RATES:
        rows.append((f"{hertz} Hz", *(rate(found, what, "touchscreen", meant, more=f", {hertz} Hz")
                                      for what, meant in (("peeks", "peek"), ("pops", "peek"), ("pops", "pop")))))
    touches = []
    for pad in PADS:
        for deed, counts in found["deliberate"][f"{pad}, medium, spread {SPREAD:g}, touch"]["deeds"].items():
            touches.append((title(pad), deed, counts[0], Rate(counts[1], counts[0]), Rate(counts[2], counts[0])))
    return "\n\n".join((
        "**Report rates**, of a touchscreen, medium, in percent:",
        table(("rate", "peek meant: peeks", "peek meant: pops", "pop meant: pops"), rows),
        "**Touches** that were not meant as a press, medium, in percent:",
        table(("pad", "done", "touches", "peeks", "pops"), touches),
    ))


def ordinary(found):
    rows = []
    for name in sorted(found["ordinary"], key=lambda name: (name.startswith(ESTIMATED), not name.startswith("units"), name)):
        counted = found["ordinary"][name]
        total = Rate(0, 0)
        cells = []
        for kind in KINDS:
            counts = counted.get(kind)
            if not counts:
                cells.append("–")
                continue
            one = Rate(counts["peeks"], counts["contacts"])
            total += one
            cells.append(f"{one.count}/{one.total}, ≤ {percent(one.bounds[1])} %")
        pops = sum(counts["pops"] for counts in counted.values())
        rows.append((name, *cells, f"{total.count}/{total.total}, ≤ {percent(total.bounds[1])} %",
                     f"{pops}, ≤ {percent(Rate(pops, total.total).bounds[1])} %"))
    recordings = len(found["recordings"])
    ours = [entry for entry in found["recordings"] if entry[1]]
    largest = max(found["recordings"], key=lambda entry: entry[2])
    return "\n\n".join((
        "## Ordinary use",
        f"{recordings} recordings, {len(ours)} of them our own, hold {sum(entry[2] for entry in found['recordings'])} "
        f"contacts with pressure; {largest[2]} of those are of one game on a phone, so that contacts are not as independent as "
        "the bounds take them to be. Their pressure is mostly the size of the contact. "
        "For each recording it is scaled so that the middle contact's peak is force 1, 1.5 and 2 of a pad that feels "
        "force: one that says its units and does not click (peek from force 2.7), and a Magic Trackpad 2 (from 3.7; "
        "trackpads only), and of one that is not known to feel it, where recognition is *estimated*; there also as it was "
        f"recorded, where the range is known. {len(found['left out'])} files of the corpus have no pressure of a finger. Presses that "
        f"were made up ({sum(entry[3] for entry in ours)} contacts of our own recordings) are left out. Nobody meant a peek in "
        "what is left: false peeks out of contacts, with the upper bound.",
        table(("", *KINDS, "all", "pops"), rows),
        "![False peeks](images/evaluation-ordinary.svg)",
        "The first that fits: *noise* has fewer than 3 frames; *scroll* has another contact beside it and goes more than "
        "5 mm, *multi-finger* does not; *drag* goes more than 5 mm; *click* has the button pressed; *tap* ends within "
        "0.3 s; *rest* is what is left. Where a device says no resolution, its longer side is taken for 100 mm "
        "(trackpad) or 130 mm (touchscreen).",
        "No file has a palm, a pen on a touch device or lost events, two contacts move with a button held, and two "
        "click: of those the table says little.",
    ))


def rules(found):
    rows, unproved, costly = [], [], []
    for rule, said in found["ablation"].items():
        cells = []
        false = missed = 0
        for name, what, with_rule, without in said["changes"]:
            short = name.replace(", medium, spread 0.1", "")
            cells.append(f"{short}: {what} {with_rule} → {without}")
            is_meant = name.endswith(f" {what.removesuffix('s')}")
            if is_meant or name.endswith(" pop"):
                missed += without - with_rule
            else:
                false += without - with_rule
        rows.append((f"`{rule}`", f"{false:+d}" if cells else "–", f"{missed:+d}" if cells else "–",
                     "<br>".join(cells) or "nothing", f"`{said['scenario']}`" if said["scenario"] else "**none**"))
        if not cells:
            unproved.append(rule)
        elif missed > false:
            costly.append(f"`{rule}` (without it {missed} more that were meant, and {false} that were not)")
    parts = [
        "## Without each rule",
        "The same with each of the rules of [recognition.md](recognition.md) switched off (`replay --without`): "
        "how many more events nobody meant there are without it, and how many more that somebody meant; with the "
        "scenario in `Tests/Scenarios` that says what the rule is for.",
        table(("rule", "more that nobody meant", "more that were meant", "what changes", "scenario"), rows),
    ]
    if unproved:
        parts.append(
            "**Unproved by these figures**: " + ", ".join(f"`{rule}`" for rule in unproved) + ". Neither the model nor "
            "the recordings hold what they are for (palms, pens, phantoms, lost events, …); only their scenarios "
            "justify them.")
    if costly:
        parts.append(
            "**Costs more than it saves, in these figures**: " + ", ".join(costly) + ".")
    return "\n\n".join(parts)

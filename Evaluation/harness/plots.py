"""The pictures of the page: SVG that is the same for the same figures."""

import matplotlib
import numpy
import presses
from presses.force import Course, Unsteadiness

from .ordinary import KINDS
from .plan import PADS, SPREAD, SPREADS
from .rates import Rate

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "forcetouchd", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.3,
    "figure.facecolor": "white", "savefig.facecolor": "white",
})
from matplotlib import pyplot  # noqa: E402  after the backend was chosen

COLORS = dict(zip(PADS, ("#1f5fa8", "#c2571a", "#2c7d4f")))


def save(figure, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    pyplot.close(figure)
    # matplotlib leaves blanks at the ends of lines.
    path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")


def curve(found, path):
    """What is recognized over the spread of the force."""
    pads = presses.pads()
    figure, axes = pyplot.subplots(1, 3, figsize=(9.5, 3.1))
    panels = (("peek", "peeks", "peek meant: peeks, %"), ("pop", "pops", "pop meant: pops, %"),
              ("peek", "pops", "peek meant: pops all the same, %"))
    for axis, (meant, what, title) in zip(axes, panels):
        for pad in PADS:
            rates = []
            for spread in SPREADS:
                counts = found["deliberate"][f"{pad}, medium, spread {spread:g}, {meant}"]
                rates.append(Rate(counts[what], counts["trials"]))
            values = 100 * numpy.array([rate.value for rate in rates])
            bounds = 100 * numpy.array([rate.bounds for rate in rates])
            axis.plot([100 * spread for spread in SPREADS], values, "o-", markersize=3, color=COLORS[pad],
                      label=pads[pad].title)
            axis.fill_between([100 * spread for spread in SPREADS], bounds[:, 0], bounds[:, 1], color=COLORS[pad],
                              alpha=0.15, linewidth=0)
        axis.axvline(100 * SPREAD, color="gray", linewidth=0.8, linestyle=":")
        axis.axhline(99.5 if (meant, what) != ("peek", "pops") else 0.5, color="gray", linewidth=0.8, linestyle="--")
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("spread of the force, %")
    axes[0].legend(fontsize=8, frameon=False, loc="lower left")
    figure.tight_layout()
    save(figure, path)


def example(found, path):
    """One press of each kind on each pad, with what the pad reports."""
    pads = presses.pads()
    figure, axes = pyplot.subplots(1, 3, figsize=(9.5, 2.8))
    for axis, name in zip(axes, PADS):
        pad, raw = pads[name], found["thresholds"][name]["medium"]
        goals = presses.Goals(raw["peek"], raw["pop"])
        for meant, color in (("touch", "#888888"), ("peek", "#1f5fa8"), ("pop", "#b3261e")):
            one = presses.trial(meant, pad, goals, presses.Parameters(), [20260301, 8])
            for finger in one.fingers:
                frames = numpy.arange(finger.first, finger.end)
                axis.step(frames / pad.rate, finger.raw, where="post", color=color, linewidth=0.9, label=one.deed)
        for threshold in ("peek", "pop"):
            axis.axhline(raw[threshold], color="black", linewidth=0.7, linestyle="--")
            axis.text(0, raw[threshold], f" {threshold}", fontsize=7, va="bottom")
        axis.set_title(pad.title, fontsize=9)
        axis.set_xlabel("s")
        axis.legend(fontsize=7, frameon=False)
    axes[0].set_ylabel("raw pressure")
    figure.tight_layout()
    save(figure, path)


def ordinary(found, path):
    """False peeks of ordinary use, with their bounds."""
    tables = sorted(name for name in found["ordinary"] if name.startswith("units"))
    figure, axis = pyplot.subplots(figsize=(7.5, 2.8))
    for offset, (name, color) in zip((-0.22, 0, 0.22), zip(tables, ("#9dbfe3", "#4f86c0", "#123f74"))):
        for place, kind in enumerate(KINDS):
            counts = found["ordinary"][name].get(kind)
            if not counts:
                continue
            rate = Rate(counts["peeks"], counts["contacts"])
            low, high = (100 * bound for bound in rate.bounds)
            axis.plot([place + offset] * 2, [low, high], color=color, linewidth=5, solid_capstyle="butt",
                      label=name.partition(", no click, ")[2] if place == 0 else None)
            axis.plot(place + offset, 100 * rate.value, "k_", markersize=7)
    axis.set_xticks(range(len(KINDS)), KINDS)
    axis.set_ylabel("false peeks, % of contacts")
    axis.set_ylim(0, None)
    axis.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    save(figure, path)


def course(path):
    """What a press is made of."""
    parameters = presses.Parameters()
    figure, axis = pyplot.subplots(figsize=(7.5, 2.3))
    press = Course(parameters)
    press.go(100, parameters["rise.median"], parameters["rise.overshoot"])
    press.hold(parameters["hold.peek_median"])
    press.go(0, parameters["lift.median"])
    time = numpy.arange(0, press.end, 0.002)
    force = press.force(time)
    generator = numpy.random.Generator(numpy.random.PCG64(3))
    axis.plot(time, Unsteadiness(parameters, 150, generator).apply(force, time), color="#1f5fa8", linewidth=1,
              label="with tremor, wander and drift")
    axis.plot(time, force, color="black", linewidth=0.7, linestyle="--", label="rise, overshoot, hold, lift")
    axis.set_xlabel("s")
    axis.set_ylabel("% of the aim")
    axis.legend(fontsize=8, frameon=False, loc="lower center")
    figure.tight_layout()
    save(figure, path)

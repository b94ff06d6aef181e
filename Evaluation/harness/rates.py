"""Counts out of a number of independent tries, with exact bounds."""

import dataclasses

from scipy.stats import binomtest


@dataclasses.dataclass(frozen=True)
class Rate:
    count: int
    total: int

    @property
    def bounds(self):
        """Clopper and Pearson's, 95 %, both sides."""
        if self.total == 0:
            return 0.0, 1.0
        bounds = binomtest(self.count, self.total).proportion_ci(0.95, method="exact")
        return float(bounds.low), float(bounds.high)

    @property
    def value(self):
        return self.count / self.total if self.total else float("nan")

    def __add__(self, other):
        return Rate(self.count + other.count, self.total + other.total)

    def __str__(self):
        if self.total == 0:
            return "–"
        low, high = self.bounds
        return f"{percent(self.value)} ({percent(low)}–{percent(high)})"


def percent(value):
    """Two digits that say something, and never 0 or 100 for what is neither."""
    text = f"{100 * value:.2f}" if value < 0.1 or value > 0.9 else f"{100 * value:.1f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

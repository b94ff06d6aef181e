"""What is evaluated: the long form for the page, the short one for every change."""

from .deliberate import Condition

PADS = ("magic-trackpad-2", "haptic-trackpad", "touchscreen")
SENSITIVITIES = ("light", "medium", "firm")
MEANT = ("touch", "peek", "pop")
# Spreads of the force that is reached.
SPREADS = (0.05, 0.075, 0.10, 0.125, 0.15, 0.20, 0.25)
SPREAD = 0.10
# Report rates, in Hz, of one pad.
RATES = (60, 240, 1000)
# How far a finger rolls, in mm: nobody measured it, and trackpads depend on it.
ROLLS = (0.0, 0.25, 0.5, 1.0)


class Plan:
    """How many trials of each condition."""

    def __init__(self, name, medium, others, curve, watching, rates, rolls, ablation):
        self.name = name
        self.ablation = [Condition(pad, meant, ablation) for pad in PADS for meant in MEANT]
        self.sensitivities = [
            Condition(pad, meant, medium if sensitivity == "medium" else others, sensitivity)
            for pad in PADS for sensitivity in SENSITIVITIES for meant in MEANT]
        self.curve = [Condition(pad, meant, curve, spread=spread)
                      for pad in PADS for spread in SPREADS if spread != SPREAD for meant in ("peek", "pop")
                      if curve]
        self.watching = [Condition(pad, meant, watching, watching=True)
                         for pad in PADS for meant in ("peek", "pop") if watching]
        self.rates = [Condition("touchscreen", meant, rates, rate=rate)
                      for rate in RATES for meant in ("peek", "pop") if rates]
        self.rolls = [Condition(pad, meant, rolls, changed=(("place__roll", roll),))
                      for pad in PADS for roll in ROLLS for meant in ("peek", "pop") if rolls]

    @property
    def conditions(self):
        return self.sensitivities + self.curve + self.watching + self.rates + self.rolls


LONG = Plan("long", medium=2000, others=500, curve=500, watching=500, rates=200, rolls=250, ablation=250)
SHORT = Plan("short", medium=200, others=100, curve=0, watching=50, rates=50, rolls=0, ablation=50)

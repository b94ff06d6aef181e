"""A model of human presses on pads that feel force. It imports nothing of forcetouchd.

`parameters.toml` says how people press, `pads.toml` what they press on. `trial()` gives what the
pad reports while somebody does one thing, and what was meant: the truth that a recognizer is
judged by.
"""

from .pads import Axis, Pad, pads
from .parameters import Parameters
from .trials import Finger, Goals, Trial, trial

__all__ = ["Axis", "Finger", "Goals", "Pad", "Parameters", "Trial", "pads", "trial"]

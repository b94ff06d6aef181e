"""The pads that are pressed on."""

import dataclasses
import pathlib
import tomllib


@dataclasses.dataclass(frozen=True)
class Axis:
    minimum: int
    maximum: int
    units_per_mm: int

    def raw(self, millimeters):
        """Whole units at so many millimeters from the middle."""
        middle = (self.minimum + self.maximum) / 2
        return (middle + millimeters * self.units_per_mm).round().clip(self.minimum, self.maximum).astype(int)

    @property
    def length(self):
        """mm"""
        return (self.maximum - self.minimum) / self.units_per_mm


@dataclasses.dataclass(frozen=True)
class Pad:
    name: str
    title: str
    kind: str
    rate: float
    minimum: int
    maximum: int
    units_per_gram: int
    floor: float
    average: float
    ceiling: float
    noise: float
    x: Axis
    y: Axis
    click: float | None = None
    release: float | None = None

    def raw(self, force, generator):
        """What the pad reports of a force, in units above the floor: noise, whole units, its range."""
        noisy = self.floor + force + generator.normal(0, self.noise, len(force))
        return noisy.round().clip(self.minimum, self.maximum).astype(int)

    def button(self, raw):
        """(number of the frame, 1 or 0) of each time the pad's button goes down or up.

        raw: what is pressed on the pad at each frame.
        """
        changes, down = [], False
        for frame, value in enumerate(raw if self.click is not None else []):
            if down != (value >= (self.release if down else self.click)):
                down = not down
                changes.append((frame, int(down)))
        return changes

    def at(self, rate):
        """The same pad with another report rate, in Hz."""
        return dataclasses.replace(self, rate=rate, name=f"{self.name}-{rate:g}")


def pads():
    """{name: Pad} of pads.toml."""
    with open(pathlib.Path(__file__).parent / "pads.toml", "rb") as file:
        tables = tomllib.load(file)
    found = {}
    for name, table in tables.items():
        pressure = table["pressure"]
        found[name] = Pad(
            name=name, title=table["title"], kind=table["kind"], rate=table["rate"],
            minimum=pressure["minimum"], maximum=pressure["maximum"],
            units_per_gram=pressure["units-per-gram"],
            floor=table["floor"], average=table["average"], ceiling=table["ceiling"],
            click=table.get("click"), release=table.get("release"), noise=table["noise"],
            **{axis: Axis(table[axis]["minimum"], table[axis]["maximum"], table[axis]["units-per-mm"])
               for axis in ("x", "y")})
    return found

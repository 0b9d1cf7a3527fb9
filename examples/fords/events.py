"""What happens in the Fords: facts in the past tense, each with its sentence."""

from __future__ import annotations

from typing import Any

from examples.fords.model import TURNS, Area
from leuthen.engine.events import Event


class Placed(Event, frozen=True, tag="placed"):
    """A block was set up; how strong it is, its side alone knows."""

    RULE = "F3.1"
    HIDDEN = ("strength",)
    area: Area
    strength: int | None

    def tell(self, names: Any) -> str:
        strength = "" if self.strength is None else f" of {self.strength}"
        return f"{names.side(self.side)} sets up a block{strength} at {names.area(self.area)}"


class Moved(Event, frozen=True, tag="moved"):
    """A block moved."""

    RULE = "F4.1"
    start: Area
    area: Area

    def tell(self, names: Any) -> str:
        return f"{names.side(self.side)} moves from {names.area(self.start)} to {names.area(self.area)}"


class Met(Event, frozen=True, tag="met"):
    """A battle begins, and the blocks in it are shown."""

    RULE = "F5.1"
    area: Area
    strengths: tuple[tuple[int, ...], tuple[int, ...]]

    def tell(self, names: Any) -> str:
        north, south = (", ".join(map(str, strengths)) for strengths in self.strengths)
        return f"Battle of {names.area(self.area)}: North has {north}; South has {south}"


class Fired(Event, frozen=True, tag="fired"):
    """A block threw its die."""

    RULE = "F5.3"
    area: Area
    die: int
    need: int

    def tell(self, names: Any) -> str:
        result = "a hit" if self.die <= self.need else "no hit"
        return (
            f"{names.side(self.side)} at {names.area(self.area)} throws {self.die}, needs {self.need} or less: {result}"
        )


class Lost(Event, frozen=True, tag="lost"):
    """A block is gone."""

    RULE = "F5.5"
    area: Area

    def tell(self, names: Any) -> str:
        return f"{names.side(self.side)} loses a block at {names.area(self.area)}"


class FellBack(Event, frozen=True, tag="fell-back"):
    """The attacker left the battle."""

    RULE = "F5.7"
    area: Area

    def tell(self, names: Any) -> str:
        return f"{names.side(self.side)} falls back from {names.area(self.area)}"


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """A turn begins."""

    RULE = "F1.2"
    BEGINS_TURN = True
    turn: int

    def tell(self, names: Any) -> str:
        return f"Turn {self.turn} of {TURNS}"

"""Events of the Fords, each with its sentence in the log."""

from __future__ import annotations

from typing import Any

from fords.model import TURNS, Area
from leuthen.engine.events import Event


class Placed(Event, rule="F3.1", hidden=("strength",)):
    """A block was set up; only its side knows its strength."""

    area: Area
    strength: int | None

    def describe(self, names: Any) -> str:
        strength = "" if self.strength is None else f" of {self.strength}"
        return f"{names.side(self.side)} sets up a block{strength} at {names.area(self.area)}"


class Moved(Event, rule="F4.1"):
    """A block moved."""

    start: Area
    area: Area

    def describe(self, names: Any) -> str:
        return f"{names.side(self.side)} moves from {names.area(self.start)} to {names.area(self.area)}"


class Met(Event, rule="F5.1"):
    """A battle begins, and its blocks are revealed."""

    area: Area
    strengths: tuple[tuple[int, ...], tuple[int, ...]]

    def describe(self, names: Any) -> str:
        north, south = (", ".join(map(str, strengths)) for strengths in self.strengths)
        return f"Battle of {names.area(self.area)}: North has {north}; South has {south}"


class Fired(Event, rule="F5.3"):
    """A block rolled its die."""

    area: Area
    die: int
    need: int

    def describe(self, names: Any) -> str:
        result = "a hit" if self.die <= self.need else "no hit"
        return (
            f"{names.side(self.side)} at {names.area(self.area)} throws {self.die}, needs {self.need} or less: {result}"
        )


class Lost(Event, rule="F5.5"):
    """A block was eliminated."""

    area: Area

    def describe(self, names: Any) -> str:
        return f"{names.side(self.side)} loses a block at {names.area(self.area)}"


class FellBack(Event, rule="F5.7"):
    """The attacker left the battle."""

    area: Area

    def describe(self, names: Any) -> str:
        return f"{names.side(self.side)} falls back from {names.area(self.area)}"


class TurnBegun(Event, rule="F1.2", begins_turn=True):
    """A turn begins."""

    turn: int

    def describe(self, names: Any) -> str:
        return f"Turn {self.turn} of {TURNS}"

"""Who stands where: leaders and wagons by hex, TP in the field and inside by side (R1.4, R1.5).

A position keeps its census as it changes: what has changed in a hex is noted, and counted when somebody asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.data import SIDE_OF
from leuthen.wargame.board import Hex, Hexes
from leuthen.wargame.strength import Bag, LeaderId, largest, total

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.state import Position

BySide: TypeAlias = tuple[dict[Hex, int], dict[Hex, int]]
"""TP by hex, of each side; no entry where there are none."""
_NONE: Final[tuple[LeaderId, ...]] = ()


class Census:
    """Units by hex in ascending order, TP in the field and inside by side and hex, and where these are as sets."""

    __slots__ = ("field", "fields", "inside", "insides", "numbers", "stale")

    def __init__(self, places: Mapping[LeaderId, Hex], garrisons: Mapping[Hex, Bag]) -> None:
        """Nothing is counted yet; `places`: where each unit stands."""
        self.numbers: dict[Hex, tuple[LeaderId, ...]] = {}
        self.field: BySide = {}, {}
        self.inside: BySide = {}, {}
        self.fields: list[Hexes] = [0, 0]
        self.insides: list[Hexes] = [0, 0]
        self.stale: set[Hex] = {*garrisons, *places.values()}
        for number, here in places.items():
            self.enter(number, here)

    def copy(self) -> Census:
        """The census of the next position, which changes on its own."""
        twin = Census.__new__(Census)
        twin.numbers = self.numbers.copy()
        twin.field = self.field[0].copy(), self.field[1].copy()
        twin.inside = self.inside[0].copy(), self.inside[1].copy()
        twin.fields, twin.insides = self.fields.copy(), self.insides.copy()
        twin.stale = self.stale.copy()
        return twin

    def enter(self, number: LeaderId, here: Hex) -> None:
        """A unit has come to a hex."""
        self.numbers[here] = tuple(sorted((*self.numbers.get(here, _NONE), number)))

    def leave(self, number: LeaderId, here: Hex) -> None:
        """A unit has gone from a hex."""
        left = tuple([other for other in self.numbers[here] if other != number])
        if left:
            self.numbers[here] = left
        else:
            del self.numbers[here]

    def count(self, pos: Position) -> None:
        """Counts the TP of the hexes that have changed."""
        for here in self.stale:
            self._count(pos, here)
        self.stale = set()

    def _count(self, pos: Position, here: Hex) -> None:
        """Leaders with their TP, and the garrison; in the field or inside (R1.4, R1.5)."""
        field, inside, units, sides = [0, 0], [0, 0], pos.units, pos.data.sides
        for number in self.numbers.get(here, _NONE):
            unit = units[number]
            if unit.tp:
                (inside if unit.inside else field)[sides[number]] += total(unit.tp)
        if garrison := pos.garrisons.get(here):
            inside[side_of(garrison)] += total(garrison)
        _note(self.field, self.fields, here, field)
        _note(self.inside, self.insides, here, inside)


def side_of(tp: Bag) -> Side:
    """The side of some TP."""
    return SIDE_OF[largest(tp)]


def _note(table: BySide, marks: list[Hexes], here: Hex, points: list[int]) -> None:
    """The TP of both sides in a hex are these."""
    for side in (0, 1):
        if points[side]:
            table[side][here] = points[side]
            marks[side] |= 1 << here
        elif here in table[side]:
            del table[side][here]
            marks[side] &= ~(1 << here)

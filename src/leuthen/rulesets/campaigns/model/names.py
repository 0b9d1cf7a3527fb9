"""Names of hexes, units and nations, for the sentences in which events are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.campaigns.model.data import ADJECTIVES, GameData
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.strength import Bag, LeaderId, of, powers

SIDE_NAMES: Final = ("Prussian side", "Coalition", "nobody")


class Names:
    """The words for hexes, units, nations and sides."""

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.book = data.book

    def hex(self, here: Hex) -> str:
        """A hex with its town: «1623 Dresden»."""
        return self.book.place(here)

    def path(self, hexes: Iterable[Hex]) -> str:
        """Hexes as the record writes a path."""
        return "-".join(hex_name(here) for here in hexes)

    def unit(self, number: LeaderId) -> str:
        """A leader's name, or «wagon P1»; «nobody» for -1."""
        if number < 0:
            return "nobody"
        name = self.data.leaders[number].name
        return f"wagon {name}" if self.data.is_wagon(number) else name

    def units(self, numbers: Iterable[LeaderId]) -> str:
        """Several units."""
        return ", ".join(map(self.unit, numbers))

    def party(self, lead: LeaderId, units: Iterable[LeaderId] | None, tp: int | None = None) -> str:
        """Return who goes with a leader, as far as it is known: "Browne with Charles, 36 TP"."""
        others = [number for number in units or () if number != lead]
        along = f" with {self.units(others)}" if others else ""
        return f"{self.unit(lead)}{along}{f', {tp} TP,' if tp else ''}"

    def nation(self, number: int) -> str:
        """A nation's name."""
        return self.data.nations[number].name if number >= 0 else "nobody"

    def adjective(self, number: int) -> str:
        """What is a nation's: «Prussian»."""
        return ADJECTIVES[number]

    def side(self, side: OwnerId) -> str:
        """A side's name."""
        return SIDE_NAMES[side]

    def tp(self, tp: Bag | None) -> str:
        """TP by nation: «12 Prussian, 3 Hanoverian TP»."""
        if tp is None:
            return "? TP"
        return ", ".join(f"{of(tp, n)} {self.adjective(n)}" for n in powers(tp)) + " TP" if tp else "0 TP"

    def shares(self, units: Sequence[LeaderId], points: Sequence[int]) -> str:
        """TP by unit: «Frederick 3, Keith 1»."""
        return ", ".join(f"{self.unit(unit)} {number}" for unit, number in zip(units, points, strict=True))

    def sum(self, event: object) -> str:
        """A roll with its modifiers: «die 4 +2 combat -1 demoralized = 5», of two dice «dice 7»."""
        word = "dice" if hasattr(event, "dice") else "die"
        rolled, modifiers = attrgetter(word, "modifiers")(event)
        parts = "".join(f" {value:+d} {name}" for name, value in modifiers)
        return (
            f"{word} {rolled}{parts} = {rolled + sum(value for _, value in modifiers)}" if parts else f"{word} {rolled}"
        )

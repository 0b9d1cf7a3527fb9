"""Names of hexes, leaders and powers for the sentences of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.data import NATIONS, GameData
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.calendar import half_month
from leuthen.wargame.strength import Bag, LeaderId, PowerId, of, powers

SIDE_NAMES = ("Prussian side", "Austrian side", "nobody")


class Names:
    def __init__(self, data: GameData) -> None:
        self._data = data
        self._book = data.book

    def hex(self, here: Hex) -> str:
        """Return a hex with its town: "1623 Dresden"."""
        return self._book.place(here)

    def path(self, hexes: Iterable[Hex]) -> str:
        """Return hexes as the record writes a path."""
        return "-".join(hex_name(here) for here in hexes)

    def leader(self, number: LeaderId) -> str:
        """Return a leader's name; "no leader" for -1."""
        return self._data.leaders[number].name if number >= 0 else "no leader"

    def leaders(self, numbers: Iterable[LeaderId]) -> str:
        return ", ".join(self.leader(number) for number in numbers)

    def power(self, number: int) -> str:
        return self._data.powers[number].name if number >= 0 else "nobody"

    def side(self, side: OwnerId) -> str:
        return SIDE_NAMES[side]

    def bag(self, sp: Bag | None) -> str:
        """Return SP by power: "12 Prussian, 3 Hanoverian SP"; "? SP" if they are hidden."""
        if sp is None:
            return "? SP"
        return ", ".join(f"{of(sp, power)} {NATIONS[power]}" for power in powers(sp)) + " SP" if sp else "0 SP"

    def troops(self, sp: Bag | None, power: PowerId) -> str:
        """Return SP by power; of hidden SP only the power: "? Austrian SP"."""
        return self.bag(sp) if sp is not None else f"? {NATIONS[power]} SP"

    def party(
        self, commander: LeaderId, leaders: Sequence[LeaderId] | None, sp: Bag | None, power: PowerId, *, alone: bool
    ) -> str:
        """Return "Frederick with Keith, 12 Prussian SP", without what is hidden (O3.1, O3.5)."""
        others = [number for number in leaders or () if number != commander]
        along = f"{'' if commander < 0 else ' '}with {self.leaders(others)}" if others else ""
        name = f"{self.leader(commander) if commander >= 0 else ''}{along}"
        if alone:
            return f"{name}, without troops"
        return f"{name}, {self.troops(sp, power)}" if name else self.troops(sp, power)

    def number(self, value: int | None) -> str:
        return "?" if value is None else str(value)

    def date(self, turn: int) -> str:
        return half_month(turn)

    def who(self, event: object) -> str:
        """Return the troops of an event, without what is hidden."""
        commander, leaders, sp, power, alone = attrgetter("commander", "leaders", "sp", "power", "alone")(event)
        return self.party(commander, leaders, sp, power, alone=alone)

    def struck(self, event: object) -> str:
        """Return the prisoners who are struck off: "; struck off as prisoners: 3 Saxon SP, Rutowski"."""
        sp, leaders = attrgetter("sp", "leaders")(event)
        parts = [*([self.bag(sp)] if sp else []), *map(self.leader, leaders)]
        return f"; struck off as prisoners: {', '.join(parts)}" if parts else ""

    def sum(self, event: object) -> str:
        """Return a die with every modifier: "die 2, +2 (Prussia invaded Saxony) = 4"."""
        die, modifiers, row = attrgetter("die", "modifiers", "row")(event)
        parts = "".join(f", {points:+d} ({reason})" for reason, points in modifiers)
        return f"die {die}{parts} = {row}" if parts else f"die {die}"

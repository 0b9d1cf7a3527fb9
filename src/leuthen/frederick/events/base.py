"""Names of hexes, leaders and powers, for the sentences in which events are told."""

from __future__ import annotations

from collections.abc import Iterable

from leuthen.core.board import Hex, hex_name
from leuthen.core.event import Event as Event
from leuthen.core.strength import Bag, of, powers
from leuthen.frederick.gamedata import GameData

SIDE_NAMES = ("Prussian side", "Austrian side", "nobody")


class Names:
    """The names of hexes, leaders and powers for sentences."""

    def __init__(self, data: GameData) -> None:
        self._data = data
        self._towns: dict[Hex, str] = {}
        for name, here in data.places.items():
            self._towns.setdefault(here, name)
        self._towns.update({here: fort.name for here, fort in data.fortresses.items()})

    def hex(self, here: Hex) -> str:
        """A hex with its town: «1623 Dresden»."""
        town = self._towns.get(here)
        return f"{hex_name(here)} {town}" if town else hex_name(here)

    def path(self, hexes: Iterable[Hex]) -> str:
        """Hexes as the record writes a path."""
        return "-".join(hex_name(here) for here in hexes)

    def leader(self, number: int) -> str:
        """A leader's name; «no leader» for -1."""
        return self._data.leaders[number].name if number >= 0 else "no leader"

    def leaders(self, numbers: Iterable[int]) -> str:
        """Several leaders' names."""
        return ", ".join(self.leader(number) for number in numbers)

    def power(self, number: int) -> str:
        """A power's name."""
        return self._data.powers[number].name if number >= 0 else "nobody"

    def side(self, side: int) -> str:
        """A side's name."""
        return SIDE_NAMES[side]

    def bag(self, sp: Bag | None) -> str:
        """Strength points by power: «12 Prussia, 3 Hanover SP»; «? SP» where it is not known."""
        if sp is None:
            return "? SP"
        return ", ".join(f"{of(sp, power)} {self.power(power)}" for power in powers(sp)) + " SP" if sp else "0 SP"

    def number(self, value: int | None) -> str:
        """A number, or «?»."""
        return "?" if value is None else str(value)

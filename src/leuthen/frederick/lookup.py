"""The names of this rule set's leaders, powers, fortresses and towns."""

from __future__ import annotations

from leuthen.core.lookup import NameBook as NameBook
from leuthen.core.lookup import simplify as simplify
from leuthen.frederick.gamedata import GameData


def name_book(data: GameData) -> NameBook:
    """The names of a game, made once."""
    found: NameBook | None = data.__dict__.get("name_book")
    if found is None:
        found = data.__dict__["name_book"] = NameBook(
            data.board,
            ((leader.name, number) for number, leader in enumerate(data.leaders)),
            ((power.name, number) for number, power in enumerate(data.powers)),
            ((fort.name, fort.hex) for fort in data.fortresses.values()),
            data.places.items(),
        )
    return found

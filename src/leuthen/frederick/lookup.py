"""The names of this rule set's leaders, powers, fortresses and towns."""

from __future__ import annotations

from leuthen.core.lookup import NameBook as NameBook
from leuthen.core.lookup import book_of
from leuthen.core.lookup import simplify as simplify
from leuthen.frederick.gamedata import GameData


def name_book(data: GameData) -> NameBook:
    """The names of a game, made once."""
    return book_of(data, data.powers, data.fortresses.values())

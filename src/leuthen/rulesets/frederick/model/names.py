"""The names of this rule set's leaders, powers, fortresses and towns."""

from __future__ import annotations

from leuthen.rulesets.frederick.model.data import GameData
from leuthen.wargame.names import NameBook as NameBook
from leuthen.wargame.names import book_of
from leuthen.wargame.names import simplify as simplify


def name_book(data: GameData) -> NameBook:
    """The names of a game, made once."""
    return book_of(data, data.powers, data.fortresses.values())

"""How the rows and columns of the game's tables are headed, and which cell a roll reads."""

from __future__ import annotations

from collections.abc import Sequence

from leuthen.rulesets.campaigns.model.data import KINDS, GameData
from leuthen.screen import Spot
from leuthen.wargame.board import Hex


def headings(table: Sequence[int], first: int) -> list[str]:
    """The headings of a table by modified dice, the first of which is `first` or less: «1 or less», …, «7 or more»."""
    last = first + len(table) - 1
    return [f"{first} or less", *map(str, range(first + 1, last)), f"{last} or more"]


def percent_at(table: Sequence[int], result: int, first: int) -> int:
    """What a table by modified dice says."""
    return table[max(0, min(len(table) - 1, result - first))]


def percent_spot(ident: str, table: Sequence[int], result: int, first: int) -> Spot:
    """The line that a roll reads (R12.3, R12.4, V3.5)."""
    return Spot(ident, headings(table, first)[max(0, min(len(table) - 1, result - first))])


def breach_spot(data: GameData, here: Hex, turn: int) -> Spot:
    """The cell of the breach table (R11.3)."""
    kind = data.strongholds[here].kind
    return Spot("breach", KINDS[kind], turn_heading(min(turn, len(data.breach[kind])), len(data.breach[kind])))


def turn_heading(turn: int, last: int) -> str:
    """The heading of a siege turn: «3», «6 or later»."""
    return str(turn) if turn < last else f"{turn} or later"


def surrender_spot(data: GameData, here: Hex, number: int) -> Spot:
    """The line of the surrender table (R11.4); of a number that stands twice the last cell."""
    kind = data.strongholds[here].kind
    row = data.surrender[kind]
    breaches = max((n for n, value in enumerate(row, 1) if value == number), default=1)
    return Spot("surrender", KINDS[kind], str(breaches))

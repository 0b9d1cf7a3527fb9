"""How the rows and columns of the game's tables are headed, and which cell a roll reads."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from leuthen.rulesets.frederick.model.data import GameData
from leuthen.screen.figures import signed
from leuthen.screen.values import Spot

DIE: Final = range(1, 7)
SIEGE_WORDS: Final = {
    "repulse": "repulse: the besieger loses 1 SP",
    "nothing": "nothing",
    "honours": "honours of war: the garrison marches off (O13.3)",
    "surrender": "surrender (O13.4)",
}
OVERWHELMING: Final = 400
"""From this ratio on no table is asked (O9.10)."""


def column_heading(data: GameData, column: int) -> str:
    """The ratios of a column of the combat table: «66–99»."""
    above = [other for other in data.columns if other > column]
    return f"{column}–{min(above, default=OVERWHELMING) - 1}"


def siege_rows(data: GameData) -> list[tuple[str, str]]:
    """The lines of the siege table: heading and result (O13.2)."""
    lowest = [low for low, _ in data.siege]
    headings = [f"{low}–{high - 1}" if high - 1 > low else str(low) for low, high in pairwise(lowest)]
    headings = [f"{lowest[1] - 1} or less", *headings[1:], f"{lowest[-1]} or more"]
    return list(zip(headings, (result for _, result in data.siege), strict=True))


def attrition_rows(data: GameData) -> list[tuple[str, int]]:
    """The lines of the attrition table: heading and per cent (O10.8)."""
    headings = [*map(str, range(1, len(data.attrition))), f"{len(data.attrition)} or more"]
    return list(zip(headings, data.attrition, strict=True))


def combat_spot(data: GameData, result: int, ratio: int) -> Spot:
    """The cell that a battle reads (O9.3, O9.9)."""
    column = max(lowest for lowest in data.columns if lowest <= ratio)
    return Spot("combat", signed(result), column_heading(data, column))


def siege_spot(data: GameData, total: int) -> Spot:
    """The line that a siege roll reads (O13.2)."""
    line = sum(total >= low for low, _ in data.siege) - 1
    return Spot("siege", siege_rows(data)[max(0, line)][0])


def attrition_spot(data: GameData, roll: int) -> Spot:
    """The line that a roll for attrition reads (O10.8)."""
    return Spot("attrition", attrition_rows(data)[min(roll, len(data.attrition)) - 1][0])


def initiative_spot(table: str, die: int, initiative: int) -> Spot:
    """The cell of a table by die and initiative: march, force-march, retreat, morale."""
    return Spot(table, str(die), f"initiative {initiative}")

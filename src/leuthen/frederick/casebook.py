"""The words of this rule set's cases (`core.casework.CaseBook`)."""

from __future__ import annotations

from leuthen.core.casework import dice_and_leaders
from leuthen.frederick.casefacts import check
from leuthen.frederick.caseposition import build_position
from leuthen.frederick.gamedata import GameData
from leuthen.frederick.lookup import name_book

__all__ = ["answers", "build_position", "check"]


def answers(data: GameData, text: str) -> list[str]:
    """Dice, and leaders who are drawn. Raises Invalid."""
    return dice_and_leaders(name_book(data), text)

"""The words of this rule set's cases (`wargame.case_words.CaseBook`)."""

from __future__ import annotations

from leuthen.rulesets.frederick.cases.facts import check
from leuthen.rulesets.frederick.cases.position import build_position
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.wargame.case_words import dice_and_leaders

__all__ = ["answers", "build_position", "check"]


def answers(data: GameData, text: str) -> list[str]:
    """Dice, and leaders who are drawn. Raises Invalid."""
    return dice_and_leaders(data.book, text)

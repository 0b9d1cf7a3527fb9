"""Generals who go by a plan (docs/bots.md)."""

from __future__ import annotations

from leuthen.engine.ruleset import Side
from leuthen.rulesets.frederick.bot.generals.commander import Captain
from leuthen.rulesets.frederick.bot.generals.staff import StaffCaptain
from leuthen.rulesets.frederick.model.data import GameData

__all__ = ["Captain", "StaffCaptain", "captain"]


def captain(data: GameData, side: Side, seed: int) -> StaffCaptain:
    """A general with a plan, who does not search."""
    return StaffCaptain(data, side, seed)

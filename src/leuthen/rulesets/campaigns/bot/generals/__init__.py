"""Generals who plan: missions for their armies, kept until they are done or refuted, carried out by legal actions."""

from __future__ import annotations

from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.bot.generals.officer import StaffCaptain
from leuthen.rulesets.campaigns.model.data import GameData

__all__ = ["StaffCaptain", "captain"]


def captain(data: GameData, side: Side, seed: int) -> StaffCaptain:
    """A general with a plan, who does not search."""
    return StaffCaptain(data, side, seed)

"""Generals who plan: missions for their armies, kept until they are done or refuted, carried out by legal actions."""

from __future__ import annotations

from leuthen.rulesets.campaigns.bot.generals.commander import Captain
from leuthen.rulesets.campaigns.model.data import GameData

__all__ = ["Captain", "captain"]


def captain(data: GameData, side: int, seed: int) -> Captain:
    """A general with a plan, who does not search."""
    return Captain(data, side, seed)

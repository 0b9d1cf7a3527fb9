"""A rule-based general for the campaigns: small habits, each of which can be switched off (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Set

from leuthen.rulesets.campaigns.bot.general import HABITS, Campaigner
from leuthen.rulesets.campaigns.model.data import GameData

__all__ = ["HABITS", "Campaigner", "planner"]


def planner(data: GameData, without: Set[str] = frozenset()) -> Campaigner:
    """The planner for the rule set `campaigns`, with some habits switched off. Raises Invalid for an unknown habit."""
    return Campaigner(data, without)

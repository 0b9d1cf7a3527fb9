"""A rule-based general for the Campaign Game: small habits, each of which can be switched off (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Set

from leuthen.rulesets.frederick.bot.general import HABITS, Planner
from leuthen.rulesets.frederick.model.data import GameData

__all__ = ["HABITS", "Planner", "planner"]


def planner(data: GameData, without: Set[str] = frozenset()) -> Planner:
    """The planner for the rule set `frederick`, with some habits switched off. Raises Invalid for an unknown habit."""
    return Planner(data, without)

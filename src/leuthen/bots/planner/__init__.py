"""A rule-based general for the Campaign Game: small habits, each of which can be switched off (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Set

from leuthen.bots.planner.general import HABITS, Planner

__all__ = ["HABITS", "Planner", "planner"]


def planner(without: Set[str] = frozenset()) -> Planner:
    """The planner for the rule set `frederick`, with some habits switched off. Raises Invalid for an unknown habit."""
    from leuthen.frederick.game import Frederick
    from leuthen.load import load

    ruleset = load("frederick")
    assert isinstance(ruleset, Frederick)
    return Planner(ruleset.data, without)

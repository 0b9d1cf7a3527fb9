"""A rule-based general for the campaigns: small habits, each of which can be switched off (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Set

from leuthen.bots.campaigner.general import HABITS, Campaigner

__all__ = ["HABITS", "Campaigner", "planner"]


def planner(without: Set[str] = frozenset()) -> Campaigner:
    """The planner for the rule set `campaigns`, with some habits switched off. Raises Invalid for an unknown habit."""
    from leuthen.campaigns.game import Campaigns
    from leuthen.load import load

    ruleset = load("campaigns")
    assert isinstance(ruleset, Campaigns)
    return Campaigner(ruleset.data, without)

"""Generals who plan: missions for their armies, kept until they are done or refuted, carried out by legal actions."""

from __future__ import annotations

from collections.abc import Callable

from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.bot.generals.officer import StaffCaptain
from leuthen.rulesets.campaigns.ruleset import Campaigns
from leuthen.wargame.bot.value import Value

__all__ = ["StaffCaptain", "captain"]


def captain(ruleset: Campaigns, value: Callable[[], Value], side: Side, seed: int) -> StaffCaptain:
    """A general with a plan, who does not search, and needs no value."""
    return StaffCaptain(ruleset.data, side, seed)

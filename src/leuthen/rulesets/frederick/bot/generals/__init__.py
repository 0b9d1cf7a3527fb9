"""Generals who go by a plan (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Callable

from leuthen.engine.ruleset import Side
from leuthen.rulesets.frederick.bot.generals.commander import Captain
from leuthen.rulesets.frederick.bot.generals.searcher import Searcher
from leuthen.rulesets.frederick.bot.generals.staff import StaffCaptain
from leuthen.rulesets.frederick.bot.temper import PLANNER
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.bot.value import Value

__all__ = ["Captain", "StaffCaptain", "cadet", "captain", "colonel"]


def cadet(ruleset: Frederick, value: Callable[[], Value], side: Side, seed: int) -> StaffCaptain:
    """A general with a plan who weighs by the planner's numbers."""
    return StaffCaptain(ruleset.data, side, seed, PLANNER)


def captain(ruleset: Frederick, value: Callable[[], Value], side: Side, seed: int) -> StaffCaptain:
    """A general with a plan, who does not search, and needs no value."""
    return StaffCaptain(ruleset.data, side, seed)


def colonel(ruleset: Frederick, value: Callable[[], Value], side: Side, seed: int) -> Searcher:
    """A captain who tries what else an army could do before it marches or stays.

    Raises Invalid if the learned value is of no use.
    """
    return Searcher(ruleset, value(), side, seed)

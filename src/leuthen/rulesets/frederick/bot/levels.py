"""The machine players by level."""

from __future__ import annotations

from collections.abc import Callable

from leuthen.engine.ruleset import Side
from leuthen.rulesets.frederick.bot.search import Searcher
from leuthen.rulesets.frederick.bot.staff import StaffCaptain
from leuthen.rulesets.frederick.bot.weights import CADET
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.bot.value import Value


def cadet(ruleset: Frederick, value: Callable[[], Value], side: Side, seed: int) -> StaffCaptain:
    """Return a captain who judges men, places and dangers less well."""
    return StaffCaptain(ruleset.data, side, seed, CADET)


def captain(ruleset: Frederick, value: Callable[[], Value], side: Side, seed: int) -> StaffCaptain:
    """Return a bot that plans and does not search; it needs no learned value."""
    return StaffCaptain(ruleset.data, side, seed)


def colonel(ruleset: Frederick, value: Callable[[], Value], side: Side, seed: int) -> Searcher:
    """Return a captain who tries what else an army could do before it marches or stays.

    Raises Invalid if the learned value is of no use.
    """
    return Searcher(ruleset, value(), side, seed)

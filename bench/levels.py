"""Players whose strength is measured, `leuthen ladder bench.levels:searcher captain`, before they are a level."""

from __future__ import annotations

from leuthen.engine.ruleset import Ruleset, as_side
from leuthen.engine.seat import Seat
from leuthen.load import value_of
from leuthen.rulesets.frederick.bot.generals.searcher import Searcher
from leuthen.rulesets.frederick.ruleset import Frederick

DEEP = 288
"""Playouts a turn: about 5 s of a core."""


def deep(rules: Ruleset, side: int, seed: int) -> Seat:
    """The searcher with eight times as many playouts."""
    seat = searcher(rules, side, seed)
    seat.rollouts = DEEP
    return seat


def searcher(rules: Ruleset, side: int, seed: int) -> Searcher:
    """The searcher of *Frederick*."""
    assert isinstance(rules, Frederick), "only Frederick has a searcher"
    return Searcher(rules, value_of(rules.name), as_side(side), seed)

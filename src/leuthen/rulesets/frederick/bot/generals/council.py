"""The winter council: what is spent, who is sent where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot import redeployment
from leuthen.rulesets.frederick.bot.generals import leaderless
from leuthen.rulesets.frederick.bot.generals.governors import appointments, is_governor
from leuthen.rulesets.frederick.bot.points import promise, splits
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Done, Envoys, Place, Raise
from leuthen.rulesets.frederick.model.data import ALL_POWERS
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import POINTS
from leuthen.rulesets.frederick.rules.c06_increments import new_sp
from leuthen.rulesets.frederick.rules.c08_redeployment.landings import destinations
from leuthen.wargame.board import StackKey, key_hex, key_inside
from leuthen.wargame.ranking import any_of_the_best

NEARLY: Final = 2.0
"""SP that envoys may bring less than at best."""


def envoy_actions(s: Situation) -> Iterator[Action]:
    """One of the splits that bring nearly most, so that the enemy does not know it beforehand."""
    yield Envoys(any_of_the_best(splits(POINTS[s.side]), lambda split: promise(s, split), NEARLY, s.chooser("envoys")))


def raise_actions(s: Situation) -> Iterator[Action]:
    """As many points as there are counters for (C6.5), the rest later: recruits of an early year fight longest."""
    have = s.pos.rp[s.side]
    most = new_sp(s.pos, s.side, have)
    yield Raise(next(points for points in range(have + 1) if new_sp(s.pos, s.side, points) == most))


def redeployment_actions(s: Situation) -> Iterator[Action]:
    """Governors first; then men and leaders to where the year begins, governors left out (C8.6)."""
    for power in ALL_POWERS:
        if s.pos.side_of(power) == s.side:
            yield from appointments(s, power, destinations(s.pos, s.side, power))
    for action in redeployment.redeployment_actions(s):
        if isinstance(action, Done):
            yield from leaderless.winter_postings(s)
        yield from _without_governors(s, action)


def _without_governors(s: Situation, action: Action) -> Iterator[Action]:
    """A move that leaves governors where they are; nothing if nobody else would go."""
    if not isinstance(action, Place) or not key_inside(StackKey(action.start)):
        yield action
        return
    here = key_hex(StackKey(action.start))
    leaders = tuple(n for n in action.leaders if not is_governor(s, n, here))
    if leaders or action.sp:
        yield msgspec.structs.replace(action, leaders=leaders)

"""The winter council: what is spent, who is sent where."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import msgspec

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot import redeployment
from leuthen.rulesets.frederick.bot.generals.governors import appointments, is_governor
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Place, Raise
from leuthen.rulesets.frederick.model.data import ALL_POWERS
from leuthen.rulesets.frederick.rules.c08_redeployment.landings import destinations
from leuthen.wargame.board import StackKey, key_hex, key_inside


def raise_actions(s: Situation) -> Iterator[Action]:
    """All points at once, as far as there are counters (C6.5): recruits of an early year fight longest."""
    for points in range(ceil(s.temper.spending * s.pos.rp[s.side]), -1, -1):
        yield Raise(points)


def redeployment_actions(s: Situation) -> Iterator[Action]:
    """Governors first; then men and leaders to where the year begins, governors left out (C8.6)."""
    for power in ALL_POWERS:
        if s.pos.side_of(power) == s.side:
            yield from appointments(s, power, destinations(s.pos, s.side, power))
    for action in redeployment.redeployment_actions(s):
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

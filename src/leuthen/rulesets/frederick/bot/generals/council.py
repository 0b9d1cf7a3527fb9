"""The winter council: what is spent, who is sent where."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot import redeployment
from leuthen.rulesets.frederick.bot.generals.governors import appointments, is_governor
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Place, Raise
from leuthen.rulesets.frederick.model.data import POWERS
from leuthen.rulesets.frederick.rules.c08_redeployment.landings import destinations
from leuthen.wargame.stack_keys import StackKey, key_hex, key_inside

HASTE: Final = (0.45, 0.2)
"""By side: points left a year over points spent this year. Recruits of an early year fight longest, but no power has
more than its counters (C6.5), and Prussia reaches them soon."""


def raise_actions(s: Situation) -> Iterator[Action]:
    """Most of the points in the first years, and all in the last."""
    have = s.pos.rp[s.side]
    years = max(1, s.pos.options.last_year - s.pos.year)
    yield Raise(have if years == 1 else min(have, ceil(have / max(1.0, years * HASTE[s.side]))))
    yield Raise(0)


def redeployment_actions(s: Situation) -> Iterator[Action]:
    """Governors first; then men and leaders to where the year begins, governors left out (C8.6)."""
    for power in range(len(POWERS)):
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

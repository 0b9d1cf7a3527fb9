"""Governors: a leader of little use in the field, inside a fortress, makes its siege harder (O13.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.captives import merit
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Place
from leuthen.rulesets.frederick.model.state import ON_MAP
from leuthen.rulesets.frederick.rules.c08_redeployment.landings import Landings
from leuthen.rulesets.frederick.rules.c08_redeployment.new_leaders import leaders_in
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import movable
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, LeaderId, PowerId


def governors(s: Situation, leaders: Sequence[LeaderId]) -> list[LeaderId]:
    """Those of some leaders who do best inside a fortress, the best defender first."""
    spare = sorted(leaders, key=lambda n: (merit(s, n), n))[: max(0, len(leaders) - s.temper.field_leaders)]
    able = [n for n in spare if s.data.leaders[n].defence > 0]
    return sorted(able, key=lambda n: (-min(2, s.data.leaders[n].defence), merit(s, n), n))


def seats(s: Situation, places: Sequence[Hex]) -> list[Hex]:
    """Those of some fortresses that want a governor, the most precious first."""
    wanted = [here for here in places if _is_exposed(s, here)]
    return sorted(wanted, key=lambda here: (-s.worth(here), here))


def _is_exposed(s: Situation, here: Hex) -> bool:
    return any(s.distance(here, stack.hex) <= s.temper.governed for stack in s.foes) or any(
        s.distance(here, there) <= s.temper.governed - 2 for there in s.targets
    )


def appointments(s: Situation, power: PowerId, places: Landings) -> Iterator[Action]:
    """Leaders to spare go into fortresses that have no governor (C8.6)."""
    named = {n for here in places if (stack := s.pos.inside(here, s.side)) is not None for n in stack.leaders}
    free = [n for n in governors(s, leaders_in(s.pos, power, ON_MAP)) if n not in named]
    open_ones = [here for here, ways in places.items() if 1 in ways and not _has_governor(s, here)]
    for leader, here in zip(free, seats(s, open_ones), strict=False):
        for stack in s.mine:
            if leader in movable(s.pos, stack, power)[0]:
                yield Place(power, here, True, (leader,), EMPTY, stack.key)


def _has_governor(s: Situation, here: Hex) -> bool:
    stack = s.pos.inside(here, s.side)
    return stack is None or not stack.sp or any(s.data.leaders[n].defence for n in stack.leaders)


def is_governor(s: Situation, leader: LeaderId, here: Hex) -> bool:
    """Whether a leader inside a fortress that is in danger serves best there."""
    power = s.data.leaders[leader].power
    return leader in governors(s, leaders_in(s.pos, power, ON_MAP)) and _is_exposed(s, here)

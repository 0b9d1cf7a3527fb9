"""Between the campaigns: garrisons filled up, the armies together where the next year calls for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from leuthen.bots.planner.garrisons import wanted
from leuthen.bots.planner.situation import Situation
from leuthen.core.board import Hex
from leuthen.core.choice import Action
from leuthen.core.strength import bag, of
from leuthen.frederick.actions import Done, Place
from leuthen.frederick.gamedata import POWERS
from leuthen.frederick.rules.redeployment import Landings, arrivals, destinations, movable, newcomers
from leuthen.frederick.state import Stack

CARE: Final = 0.5
"""What holding counts against taking."""


def redeployment_actions(s: Situation) -> Iterator[Action]:
    """One move after the other, then done."""
    if s.has("redeployment"):
        for power in range(len(POWERS)):
            if s.pos.side_of(power) == s.side:
                yield from moves(s, power, destinations(s.pos, s.side, power))
    yield Done()


def moves(s: Situation, power: int, places: Landings) -> Iterator[Action]:
    """Who has men to spare sends them where some are lacking, then to the base of the power's army."""
    base = base_of(s, power, places)
    if base < 0:
        return
    for stack in s.mine:
        leaders, points = movable(s.pos, stack, power)
        spare = min(points, to_spare(s, stack, power))
        for here, lack in lacking(s, power, places):
            if spare and here != stack.hex:
                yield Place(power, here, True, (), bag(power, min(lack, spare)), stack.key)
        if stack.hex == base and not stack.inside:
            continue
        if (spare or leaders) and not stays(s, stack):
            yield Place(power, base, 0 not in places[base], leaders, bag(power, spare), stack.key)


def to_spare(s: Situation, stack: Stack, power: int) -> int:
    """The SP of a power in a stack that are not needed where they are."""
    have = of(stack.sp, power)
    if stack.inside:
        return max(0, have - max(1, wanted(s, stack.hex)))
    inside = s.garrison(stack.hex, s.side)
    if s.pos.owners.get(stack.hex) == s.side and not inside:
        return max(0, have - wanted(s, stack.hex))
    return have


def stays(s: Situation, stack: Stack) -> bool:
    """Whoever besieges a fortress goes on with it."""
    return not stack.inside and bool(s.garrison(stack.hex, s.foe)) and stack.strength >= 10


def lacking(s: Situation, power: int, places: Mapping[Hex, tuple[int, ...]]) -> list[tuple[Hex, int]]:
    """The fortresses with too small a garrison, and by how much."""
    found = []
    for here, ways in places.items():
        lack = wanted(s, here) - s.garrison(here, s.side)
        if lack > 0 and 1 in ways:
            found.append((here, lack))
    return found


def base_of(s: Situation, power: int, places: Landings) -> Hex:
    """Where the army of a power should begin the year; -1 if it can go nowhere."""
    free = [here for here, ways in places.items() if 0 in ways]
    return max(free or places, key=lambda here: (promise(s, here), -here), default=-1)


def promise(s: Situation, here: Hex) -> float:
    """How much there is to take and to hold around a fortress."""
    takes = [s.worth(there) / (2.0 + s.distance(here, there)) for there in s.targets()]
    holds = [
        s.worth(there) / (2.0 + s.distance(here, there)) for there in s.own_forts() if s.foes_near(there, 6) > 8
    ]
    best = sum(sorted(takes, reverse=True)[:3])
    return best + CARE * sum(sorted(holds, reverse=True)[:3])


def reinforcement_actions(s: Situation) -> Iterator[Action]:
    """New men where garrisons are lacking, the others and the leaders to the army."""
    for power in range(len(POWERS)):
        if s.pos.side_of(power) != s.side:
            continue
        leaders, points = newcomers(s.pos, power)
        places = arrivals(s.pos, s.side, power)
        if not places or not (leaders or points):
            continue
        for here, lack in lacking(s, power, places):
            if points:
                yield Place(power, here, True, (), bag(power, min(lack, points)))
        base = base_of(s, power, places)
        yield Place(power, base, 0 not in places[base], leaders, bag(power, points))
        yield Place(power, base, True, leaders, bag(power, points))
    yield Done()

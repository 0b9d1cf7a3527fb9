"""Between the campaigns: garrisons filled up, the armies together where the next year calls for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.captives import merit
from leuthen.rulesets.frederick.bot.garrisons import wanted
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Done, Place
from leuthen.rulesets.frederick.model.data import ALL_POWERS
from leuthen.rulesets.frederick.model.state import ON_MAP, Stack
from leuthen.rulesets.frederick.rules.c08_redeployment.landings import Landings, arrivals, destinations
from leuthen.rulesets.frederick.rules.c08_redeployment.new_leaders import leaders_in
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import movable, newcomers
from leuthen.wargame.board import NOWHERE, Hex, StackKey, key_hex, key_inside
from leuthen.wargame.strength import NO_LEADER, LeaderId, PowerId, bag, of

LEAST: Final = 4
"""Fewer SP than these are not sent from one army to the other."""
APART: Final = 4
"""Hexes between two bases."""


def redeployment_actions(s: Situation) -> Iterator[Action]:
    """One move after the other, then done."""
    if s.has("redeployment"):
        for power in ALL_POWERS:
            if s.pos.side_of(power) == s.side:
                yield from moves(s, power, destinations(s.pos, s.side, power))
    yield Done()


def moves(s: Situation, power: PowerId, places: Landings) -> Iterator[Action]:
    """Who has men to spare sends them where some are lacking, then to the bases of the power's armies."""
    bases = bases_of(s, power, places)
    for stack in s.mine:
        leaders, points = movable(s.pos, stack, power)
        spare = min(points, to_spare(s, stack, power))
        for here, lack in lacking(s, power, places):
            if spare and here != stack.hex:
                yield Place(power, here, True, (), bag(power, min(lack, spare)), stack.key)
        if bases and (spare or leaders) and not stays(s, stack):
            yield from _to_bases(s, power, places, bases, Leaving(stack.key, leaders, spare))


class Leaving(NamedTuple):
    """What may leave a stack: its key, the leaders, the SP of the power."""

    key: StackKey
    leaders: tuple[LeaderId, ...]
    spare: int


def _to_bases(s: Situation, power: PowerId, places: Landings, bases: list[Hex], who: Leaving) -> Iterator[Action]:
    """To the second base its share and its leader, all else to the first; who stands at a base is there."""
    at, inside = key_hex(who.key), key_inside(who.key)
    if len(bases) > 1 and at != bases[1]:
        yield from _second_army(s, power, places, bases[1], who)
    if at in bases and not inside:
        return
    second = second_leader(s, power) if len(bases) > 1 else -1
    leaders = tuple(leader for leader in who.leaders if leader != second)
    yield Place(power, bases[0], 0 not in places[bases[0]], leaders, bag(power, who.spare), who.key)


def _second_army(s: Situation, power: PowerId, places: Landings, base: Hex, who: Leaving) -> Iterator[Action]:
    there = s.pos.field(base, s.side)
    have = of(there.sp, power) if there is not None else 0
    lack = round(s.temper.second * disposable(s, power)) - have
    second = second_leader(s, power)
    leaders = (second,) if second in who.leaders else ()
    if leaders or lack >= LEAST:
        points = max(0, min(lack, who.spare))
        yield Place(power, base, 0 not in places[base], leaders, bag(power, points), who.key)


def disposable(s: Situation, power: PowerId) -> int:
    """All SP of a power on the map that are not bound to a place."""
    return sum(to_spare(s, stack, power) for stack in s.mine if not stays(s, stack))


def second_leader(s: Situation, power: PowerId) -> LeaderId:
    """Who commands the second army: the best after the power's senior leader; -1 if there is none."""
    leaders = sorted(leaders_in(s.pos, power, ON_MAP), key=lambda n: (s.data.leaders[n].rank, s.pos.arrival[n]))
    return max(leaders[1:], key=lambda n: (merit(s, n), -n), default=NO_LEADER)


def bases_of(s: Situation, power: PowerId, places: Landings) -> list[Hex]:
    """Where the power's army should begin the year, and, if it is large enough for two, the other."""
    free = [here for here, ways in places.items() if 0 in ways] or list(places)
    first = max(free, key=lambda here: (promise(s, here), -here), default=NOWHERE)
    if first < 0:
        return []
    apart = [here for here in free if s.distance(first, here) >= APART]
    if (
        not s.has("detachments")
        or not apart
        or disposable(s, power) < s.temper.two_armies
        or second_leader(s, power) < 0
    ):
        return [first]
    return [first, max(apart, key=lambda here: (promise(s, here), -here))]


def to_spare(s: Situation, stack: Stack, power: PowerId) -> int:
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


def lacking(s: Situation, power: PowerId, places: Mapping[Hex, tuple[int, ...]]) -> list[tuple[Hex, int]]:
    """The fortresses with too small a garrison, and by how much."""
    found = []
    for here, ways in places.items():
        lack = wanted(s, here) - s.garrison(here, s.side)
        if lack > 0 and 1 in ways:
            found.append((here, lack))
    return found


def promise(s: Situation, here: Hex) -> float:
    """How much there is to take and to hold around a fortress."""
    takes = [s.worth(there) / (s.temper.nearness + s.distance(here, there)) for there in s.targets]
    holds = [
        s.worth(there) / (s.temper.nearness + s.distance(here, there)) for there in s.forts if s.foes_near(there, 6) > 8
    ]
    best = sum(sorted(takes, reverse=True)[:3])
    return best + s.temper.care * sum(sorted(holds, reverse=True)[:3])


def led(s: Situation, power: PowerId, places: Landings) -> Landings:
    """Those of some places where a general of a power stands in the field."""
    return {here: ways for here, ways in places.items() if 0 in ways and _is_led(s, power, here)}


def _is_led(s: Situation, power: PowerId, here: Hex) -> bool:
    stack = s.pos.field(here, s.side)
    return stack is not None and any(s.data.leaders[leader].power == power for leader in stack.leaders)


def reinforcement_actions(s: Situation, *, led_first: bool = False) -> Iterator[Action]:
    """New men where garrisons are lacking, the others and the leaders to the army; `led_first`: where a general is."""
    for power in ALL_POWERS:
        if s.pos.side_of(power) != s.side:
            continue
        leaders, points = newcomers(s.pos, power)
        places = arrivals(s.pos, s.side, power)
        if not places or not (leaders or points):
            continue
        for here, lack in lacking(s, power, places):
            if points:
                yield Place(power, here, True, (), bag(power, min(lack, points)))
        base = bases_of(s, power, (led_first and led(s, power, places)) or places)[0]
        yield Place(power, base, 0 not in places[base], leaders, bag(power, points))
        yield Place(power, base, True, leaders, bag(power, points))
    yield Done()

"""The set-up and the time between the campaigns: envoys, points, captives, re-deployment, governors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.bot.fortresses import wanted
from leuthen.rulesets.frederick.bot.marching import LEAST_LED, leaderless, volunteers
from leuthen.rulesets.frederick.bot.situation import Situation, merit
from leuthen.rulesets.frederick.model.actions import Envoys, Free, Lose, Offer, Place, PlaceDepot, Raise, Sack, Seal
from leuthen.rulesets.frederick.model.data import ALL_POWERS, AUSTRIA, FRANCE, MINORS, RUSSIA
from leuthen.rulesets.frederick.model.pieces import ON_MAP, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.stacks import make_stack, on_map
from leuthen.rulesets.frederick.rules.c02_setup import (
    MAJORS,
    Deployment,
    deployment_hexes,
    depot_grounds,
    fortresses_of,
    plan_of,
)
from leuthen.rulesets.frederick.rules.c05_diplomacy import POINTS, diplomacy_modifiers, is_rolled
from leuthen.rulesets.frederick.rules.c05_table import diplomacy_result
from leuthen.rulesets.frederick.rules.c06_resources import new_sp
from leuthen.rulesets.frederick.rules.c07_commitment import Losses
from leuthen.rulesets.frederick.rules.c08_redeployment import (
    Landings,
    Sacking,
    arrivals,
    destinations,
    leaders_in,
    movable,
    newcomers,
)
from leuthen.rulesets.frederick.rules.c11_prisoners import (
    Freeing,
    LeaderOffers,
    LeaderReturn,
    countable,
    havens,
    offerable,
)
from leuthen.rulesets.frederick.rules.o06_force_march import ForceLoss
from leuthen.wargame.board import NOWHERE, Hex, StackKey, key_hex, key_inside
from leuthen.wargame.ranking import any_of_the_best
from leuthen.wargame.strength import EMPTY, NO_LEADER, LeaderId, PowerId, bag, of
from leuthen.wargame.ways import FAR

LEAST: Final = 4
"""Fewer SP than these are not sent from one army to the other."""
APART: Final = 4
"""Hexes between two bases."""
TWO_ARMIES: Final = 44
"""SP from which a power begins a year with two armies."""
HOLDING: Final = 0.5
"""Where an army begins a year: how much holding counts beside taking."""
NEARNESS: Final = 2.0
"""Where an army begins a year: how near to it there must be something to take and to hold."""
GOVERNED_HEXES: Final = 8
"""Hexes within which an enemy army or fortress makes a fortress worth a governor."""
EXPECTED: Final = ({FRANCE: 1, RUSSIA: 1}, {FRANCE: 2, RUSSIA: 2})
"""Where the other side is taken to send its envoys, by side."""
NEARLY: Final = 2.0
"""SP that envoys may bring less than at best."""
BORDER: Final = 5
"""Hexes to the nearest enemy fortress within which a fortress lies on the border."""
NEARLY_BEST: Final = 0.08
"""The part by which a place may promise less than the best."""
EXTRA: Final = (0, 1)
"""By side: SP more in an exposed great fortress."""


def deployment_actions(s: Situation, frame: Deployment) -> Iterator[Action]:
    """Depot, garrisons with governors, the army, seal."""
    base = army_base(s)
    left, leaders, has_depot = frame.left(s.pos, s.side)
    if has_depot:
        yield PlaceDepot(depot_site(s, base))
    power = MAJORS[s.side]
    placed = {lot.hex for lot in plan_of(s.pos, s.side).placements if lot.inside}
    chosen = _chosen(s, frame)
    for here in fortresses_of(s.pos, power):
        if here not in placed:
            who = tuple(n for n in (chosen.get(here, NO_LEADER),) if n in leaders)
            yield Place(power, here, True, who, bag(power, min(left, _men(s, here))))
    if left or leaders:
        yield Place(power, base, False, leaders, bag(power, left))
    yield Seal()


def army_base(s: Situation) -> Hex:
    """Near to what can be taken, and to what must be held: one of those that promise nearly most."""
    places = sorted(deployment_hexes(s.pos, s.side))
    most = max(_base_value(s, here) for here in places)
    return any_of_the_best(places, lambda here: _base_value(s, here), NEARLY_BEST * most, s.chooser("set-up"))


def _base_value(s: Situation, here: Hex) -> float:
    if here not in s.data.fortresses:
        return 0.0
    attack = sum(s.worth(there) / (1.0 + s.distance(here, there)) ** 2 for there in s.targets)
    own = fortresses_of(s.pos, MAJORS[s.side])
    return attack + 0.5 * sum(s.worth(there) / (3.0 + s.distance(here, there)) for there in own)


def _men(s: Situation, here: Hex) -> int:
    men = first_garrison(s, here)
    return men + (EXTRA[s.side] if s.data.fortresses[here].great and men > 1 else 0)


def _chosen(s: Situation, frame: Deployment) -> dict[Hex, LeaderId]:
    """The governors by fortress. Only Austria has leaders to spare for walls in 1756."""
    if MAJORS[s.side] != AUSTRIA:
        return {}
    return dict(
        zip(seats(s, fortresses_of(s.pos, AUSTRIA)), governors(s, sorted(frame.force(s.side).leaders)), strict=False)
    )


def enemy_homes(s: Situation) -> tuple[Hex, ...]:
    """The home fortresses of the enemy's major."""
    return fortresses_of(s.pos, MAJORS[s.foe])


def first_garrison(s: Situation, here: Hex) -> int:
    """One SP; on the border two, in a great fortress one more."""
    near = min(s.distance(here, there) for there in enemy_homes(s)) <= BORDER
    return 1 + near + (near and s.data.fortresses[here].great)


def depot_site(s: Situation, base: Hex) -> Hex:
    """On the way from the base to the nearest great fortress of others, as far as supply goes."""
    goals = [here for here, fort in s.data.fortresses.items() if fort.great and fort.power != MAJORS[s.side]]
    goal = min(goals, key=lambda there: (s.distance(base, there), there), default=base)
    return min(depot_grounds(s.pos.data), key=lambda here: (_site_cost(s, here, goal), here))


def _site_cost(s: Situation, here: Hex, goal: Hex) -> int:
    own = fortresses_of(s.pos, MAJORS[s.side])
    supplied = min(s.distance(here, fort) for fort in own) <= s.data.powers[MAJORS[s.side]].supply
    return min(FAR, s.distance(here, goal)) + (0 if supplied else FAR)


def envoy_actions(s: Situation) -> Iterator[Action]:
    """One of the splits that bring nearly most, so that the enemy does not know it beforehand."""
    yield Envoys(any_of_the_best(splits(POINTS[s.side]), lambda split: promise(s, split), NEARLY, s.chooser("envoys")))


def splits(points: int) -> Iterator[tuple[int, ...]]:
    """All ways to allocate so many points."""
    return (split for split in product(range(points + 1), repeat=len(MINORS)) if sum(split) == points)


def promise(s: Situation, split: tuple[int, ...]) -> float:
    """The mean balance of SP that a split brings."""
    return sum(_balance(s, power, points) for power, points in zip(MINORS, split, strict=True))


def _balance(s: Situation, power: PowerId, points: int) -> float:
    if not is_rolled(s.pos, power):
        return -0.1 * points
    theirs = EXPECTED[s.foe].get(power, 0)
    prussian, austrian = (points, theirs) if s.side == PRUSSIAN else (theirs, points)
    modifier = sum(part for _, part in diplomacy_modifiers(s.pos, power, prussian, austrian))
    sides = [diplomacy_result(s.data, power, die, modifier)[1] for die in range(1, 7)]
    return on_map(s.pos, power) * (sides.count(s.side) - sides.count(s.foe)) / 6


def raise_actions(s: Situation) -> Iterator[Action]:
    """As many points as there are counters for (C6.5), the rest later: recruits of an early year fight longest."""
    have = s.pos.rp[s.side]
    most = new_sp(s.pos, s.side, have)
    yield Raise(next(points for points in range(have + 1) if new_sp(s.pos, s.side, points) == most))


def redeployment_actions(s: Situation) -> Iterator[Action]:
    """Governors first; then men and leaders to where the year begins, governors left out (C8.6)."""
    own = [power for power in ALL_POWERS if s.pos.side_of(power) == s.side]
    for power in own:
        yield from appointments(s, power, destinations(s.pos, s.side, power))
    for power in own:
        for move in moves(s, power, destinations(s.pos, s.side, power)):
            yield from _without_governors(s, move)
    yield from winter_postings(s)
    yield Done()


def _without_governors(s: Situation, action: Place) -> Iterator[Action]:
    """A move that leaves governors where they are; nothing if nobody else would go."""
    if not key_inside(StackKey(action.start)):
        yield action
        return
    here = key_hex(StackKey(action.start))
    leaders = tuple(n for n in action.leaders if not is_governor(s, n, here))
    if leaders or action.sp:
        yield msgspec.structs.replace(action, leaders=leaders)


def moves(s: Situation, power: PowerId, places: Landings) -> Iterator[Place]:
    """Who has men to spare sends them where some are lacking, then to the bases of the power's armies."""
    bases = bases_of(s, power, places)
    for stack in s.mine:
        leaders, points = movable(s.pos, stack, power)
        spare = min(points, to_spare(s, stack, power))
        for here, lack in lacking(s, power, places):
            if spare and here != stack.hex:
                yield Place(power, here, True, (), bag(power, min(lack, spare)), stack.key)
        if bases and (spare or leaders) and not is_besieging(s, stack):
            yield from _to_bases(s, power, places, bases, Leaving(stack.key, leaders, spare))


class Leaving(NamedTuple):
    """What may leave a stack: its key, the leaders, the SP of the power."""

    key: StackKey
    leaders: tuple[LeaderId, ...]
    spare: int


def _to_bases(s: Situation, power: PowerId, places: Landings, bases: list[Hex], who: Leaving) -> Iterator[Place]:
    """To the second base its share and its leader, all else to the first; who stands at a base is there."""
    at, inside = key_hex(who.key), key_inside(who.key)
    if len(bases) > 1 and at != bases[1]:
        yield from _second_army(s, power, places, bases[1], who)
    if at in bases and not inside:
        return
    second = second_leader(s, power) if len(bases) > 1 else -1
    leaders = tuple(leader for leader in who.leaders if leader != second)
    yield Place(power, bases[0], 0 not in places[bases[0]], leaders, bag(power, who.spare), who.key)


def _second_army(s: Situation, power: PowerId, places: Landings, base: Hex, who: Leaving) -> Iterator[Place]:
    there = s.pos.field(base, s.side)
    have = of(there.sp, power) if there is not None else 0
    lack = round(s.weights.second_army_share * disposable(s, power)) - have
    second = second_leader(s, power)
    leaders = (second,) if second in who.leaders else ()
    if leaders or lack >= LEAST:
        points = max(0, min(lack, who.spare))
        yield Place(power, base, 0 not in places[base], leaders, bag(power, points), who.key)


def disposable(s: Situation, power: PowerId) -> int:
    """All SP of a power on the map that are not bound to a place."""
    return sum(to_spare(s, stack, power) for stack in s.mine if not is_besieging(s, stack))


def second_leader(s: Situation, power: PowerId) -> LeaderId:
    """Who commands the second army: the best after the power's senior leader; -1 if there is none."""
    leaders = sorted(leaders_in(s.pos, power, ON_MAP), key=lambda n: (s.data.leaders[n].rank, s.pos.arrival[n]))
    return max(leaders[1:], key=lambda n: (merit(s, n), -n), default=NO_LEADER)


def bases_of(s: Situation, power: PowerId, places: Landings) -> list[Hex]:
    """Where the power's army should begin the year, and, if it is large enough for two, the other."""
    free = [here for here, ways in places.items() if 0 in ways] or list(places)
    first = max(free, key=lambda here: (prospect(s, here), -here), default=NOWHERE)
    if first < 0:
        return []
    apart = [here for here in free if s.distance(first, here) >= APART]
    if not apart or disposable(s, power) < TWO_ARMIES or second_leader(s, power) < 0:
        return [first]
    return [first, max(apart, key=lambda here: (prospect(s, here), -here))]


def to_spare(s: Situation, stack: Stack, power: PowerId) -> int:
    """The SP of a power in a stack that are not needed where they are."""
    have = of(stack.sp, power)
    if stack.inside:
        return max(0, have - max(1, wanted(s, stack.hex)))
    inside = s.garrison(stack.hex, s.side)
    if s.pos.owners.get(stack.hex) == s.side and not inside:
        return max(0, have - wanted(s, stack.hex))
    return have


def is_besieging(s: Situation, stack: Stack) -> bool:
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


def prospect(s: Situation, here: Hex) -> float:
    """How much there is to take and to hold around a fortress."""
    takes = [s.worth(there) / (NEARNESS + s.distance(here, there)) for there in s.targets]
    holds = [s.worth(there) / (NEARNESS + s.distance(here, there)) for there in s.forts if s.foes_near(there, 6) > 8]
    best = sum(sorted(takes, reverse=True)[:3])
    return best + HOLDING * sum(sorted(holds, reverse=True)[:3])


def led(s: Situation, power: PowerId, places: Landings) -> Landings:
    """Those of some places where a general of a power stands in the field."""
    return {here: ways for here, ways in places.items() if 0 in ways and _is_led(s, power, here)}


def _is_led(s: Situation, power: PowerId, here: Hex) -> bool:
    stack = s.pos.field(here, s.side)
    return stack is not None and any(s.data.leaders[leader].power == power for leader in stack.leaders)


def reinforcement_actions(s: Situation) -> Iterator[Action]:
    """New men where garrisons are lacking, the others and the leaders to an army that has a general."""
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
        base = bases_of(s, power, led(s, power, places) or places)[0]
        yield Place(power, base, 0 not in places[base], leaders, bag(power, points))
        yield Place(power, base, True, leaders, bag(power, points))
    yield Done()


def winter_postings(s: Situation) -> Iterator[Action]:
    """Between the campaigns the ablest goes to lead them, or those who will come (C8.6, C8.7)."""
    for men in (*leaderless(s), *_recruits(s)):
        for leader, start, _ in sorted(volunteers(s, men), key=lambda one: (-merit(s, one.leader), one.leader)):
            power = s.data.leaders[leader].power
            if leader in movable(s.pos, start, power)[0]:
                yield Place(power, men.hex, False, (leader,), EMPTY, start.key)


def _recruits(s: Situation) -> Iterator[Stack]:
    """The new men of each power who will stand where none of its generals is."""
    for power in ALL_POWERS:
        if s.pos.side_of(power) != s.side or newcomers(s.pos, power)[1] < LEAST_LED:
            continue
        places = arrivals(s.pos, s.side, power)
        if places and not led(s, power, places):
            base = bases_of(s, power, places)[0]
            yield make_stack(s.pos, base, s.side, False, bag(power, newcomers(s.pos, power)[1]), ())


def governors(s: Situation, leaders: Sequence[LeaderId]) -> list[LeaderId]:
    """Those of some leaders who do best inside a fortress, the best defender first."""
    spare = sorted(leaders, key=lambda n: (merit(s, n), n))[: max(0, len(leaders) - s.weights.field_leaders)]
    able = [n for n in spare if s.data.leaders[n].defence > 0]
    return sorted(able, key=lambda n: (-min(2, s.data.leaders[n].defence), merit(s, n), n))


def seats(s: Situation, places: Sequence[Hex]) -> list[Hex]:
    """Those of some fortresses that want a governor, the most precious first."""
    exposed = [here for here in places if _is_exposed(s, here)]
    return sorted(exposed, key=lambda here: (-s.worth(here), here))


def _is_exposed(s: Situation, here: Hex) -> bool:
    return any(s.distance(here, stack.hex) <= GOVERNED_HEXES for stack in s.foes) or any(
        s.distance(here, there) <= GOVERNED_HEXES - 2 for there in s.targets
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


def sack_actions(s: Situation, frame: Sacking) -> Iterator[Action]:
    """The one of least merit goes."""
    for leader in sorted(leaders_in(s.pos, frame.power, ON_MAP), key=lambda n: (merit(s, n), n)):
        yield Sack(leader)


def offer_actions(s: Situation, frame: LeaderOffers) -> Iterator[Action]:
    """The enemy gets the worst back."""
    for leader in sorted(offerable(s.pos, s.side), key=lambda n: (merit(s, n), n)):
        if leader not in frame.offered[s.side]:
            yield Offer(leader)


def return_actions(s: Situation, frame: LeaderReturn) -> Iterator[Action]:
    """The best first, to where the men are."""
    for leader in sorted(frame.leaders, key=lambda n: (-merit(s, n), n)):
        power = s.data.leaders[leader].power
        for here in sorted(havens(s.pos, s.side, power), key=lambda here: (-s.friends_near(here, 2, NOWHERE), here)):
            yield Free(power, 0, here, leader)


def free_actions(s: Situation, frame: Freeing) -> Iterator[Action]:
    """The major's own men first, as many as may, to the fortress nearest to the fighting."""
    counts = countable(s.pos, s.side)
    for power in sorted(counts, key=lambda power: (power != MAJORS[s.side], -counts[power], power)):
        places = havens(s.pos, s.side, power)
        for here in sorted(places, key=lambda here: (-s.foes_near(here, 6), s.garrison(here, s.side), here)):
            yield Free(power, min(frame.left, counts[power]), here)


def loss_actions(s: Situation, frame: Losses) -> Iterator[Action]:
    """The largest stack can spare some best."""
    stacks = sorted(s.mine, key=lambda stack: (-of(stack.sp, frame.power), stack.key))
    for stack in stacks:
        most = of(stack.sp, frame.power)
        for points in range(max(1, most - 1), 0, -1):
            yield Lose(stack.key, frame.power, points)


def exhaustion_actions(s: Situation, frame: ForceLoss) -> Iterator[Action]:
    """An ally's man rather than an own one."""
    force = s.pos.moving
    assert force is not None
    for power in (*MINORS, *MAJORS):
        if of(force.sp, power):
            yield Lose(force.key, power, 1)

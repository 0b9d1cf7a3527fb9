"""Set-up and the time between campaigns: diplomacy, recruits, prisoners, re-deployment, governors."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.bot.marching import LEAST_LED, leaderless, volunteers, wanted
from leuthen.rulesets.frederick.bot.situation import Situation, merit
from leuthen.rulesets.frederick.model.actions import Envoys, Free, Lose, Offer, Place, PlaceDepot, Raise, Sack, Seal
from leuthen.rulesets.frederick.model.data import ALL_POWERS, AUSTRIA, FRANCE, MINORS, RUSSIA
from leuthen.rulesets.frederick.model.pieces import ON_MAP, PRUSSIAN, Stack
from leuthen.rulesets.frederick.rules import c02_setup as setup
from leuthen.rulesets.frederick.rules import c08_redeployment as redeployment
from leuthen.rulesets.frederick.rules.c05_council import POINTS, Losses, diplomacy_modifiers, is_rolled, new_sp
from leuthen.rulesets.frederick.rules.c11_allegiance import diplomacy_result
from leuthen.rulesets.frederick.rules.o05_march import ForceLoss
from leuthen.wargame.board import FAR, NOWHERE, Hex, StackKey, key_hex, key_inside
from leuthen.wargame.search import pick_near_best
from leuthen.wargame.strength import EMPTY, NO_LEADER, LeaderId, PowerId, bag, of

LEAST: Final = 4  # fewer SP are not moved between armies
APART: Final = 4  # hexes between two bases
TWO_ARMIES: Final = 44  # SP from which a power begins a year with two armies
HOLDING: Final = 0.5  # weight of holding, relative to taking, in the choice of a base
NEARNESS: Final = 2.0  # hexes added to distances from a base
GOVERNED_HEXES: Final = 8  # hexes to an enemy army or fortress within which a fortress needs a governor
EXPECTED: Final = ({FRANCE: 1, RUSSIA: 1}, {FRANCE: 2, RUSSIA: 2})  # expected envoys of the other side, by side
NEARLY: Final = 2.0  # SP by which envoys may fall short of the best choice
BORDER: Final = 5  # hexes to the nearest enemy fortress
NEARLY_BEST: Final = 0.08  # share by which a place may fall short of the best
EXTRA: Final = (0, 1)  # additional SP in an exposed great fortress, by side


def deployment_actions(s: Situation, frame: setup.Deployment) -> Iterator[Action]:
    base, power = army_base(s), setup.MAJORS[s.side]
    own = setup.fortresses_of(s.pos, power)
    left, leaders, has_depot = frame.left(s.pos, s.side)
    if has_depot:
        yield PlaceDepot(depot_site(s, base))
    placed = {lot.hex for lot in setup.plan_of(s.pos, s.side).placements if lot.inside}
    chosen: dict[Hex, LeaderId] = {}
    if power == AUSTRIA:  # she alone has leaders to spare for walls in 1756
        chosen = dict(zip(seats(s, own), governors(s, sorted(frame.force(s.side).leaders)), strict=False))
    hostile = setup.fortresses_of(s.pos, setup.MAJORS[s.foe])
    for here in own:
        if here not in placed:
            who = tuple(n for n in (chosen.get(here, NO_LEADER),) if n in leaders)
            points = 2 + (1 + EXTRA[s.side] if s.data.fortresses[here].great else 0)
            if min(s.distance(here, there) for there in hostile) > BORDER:
                points = 1
            yield Place(power, here, True, who, bag(power, min(left, points)))
    if left or leaders:
        yield Place(power, base, False, leaders, bag(power, left))
    yield Seal()


def army_base(s: Situation) -> Hex:
    own = setup.fortresses_of(s.pos, setup.MAJORS[s.side])

    def value(here: Hex) -> float:
        if here not in s.data.fortresses:
            return 0.0
        attack = sum(s.worth(there) / (1.0 + s.distance(here, there)) ** 2 for there in s.targets)
        return attack + 0.5 * sum(s.worth(there) / (3.0 + s.distance(here, there)) for there in own)

    places = sorted(setup.deployment_hexes(s.pos, s.side))
    return pick_near_best(places, value, NEARLY_BEST * max(map(value, places)), s.chooser("set-up"))


def depot_site(s: Situation, base: Hex) -> Hex:
    """Return a hex in supply on the way from the base to the nearest foreign great fortress."""
    power = setup.MAJORS[s.side]
    goals = [here for here, fort in s.data.fortresses.items() if fort.great and fort.power != power]
    goal = min(goals, key=lambda there: (s.distance(base, there), there), default=base)
    own, reach = setup.fortresses_of(s.pos, power), s.data.powers[power].supply

    def cost(here: Hex) -> int:
        beyond = min(s.distance(here, fort) for fort in own) > reach
        return min(FAR, s.distance(here, goal)) + FAR * beyond

    return min(setup.depot_grounds(s.pos.data), key=lambda here: (cost(here), here))


def envoy_actions(s: Situation) -> Iterator[Action]:
    """Choose at random among the best splits, so that the enemy cannot predict it."""
    points = POINTS[s.side]
    splits = (split for split in product(range(points + 1), repeat=len(MINORS)) if sum(split) == points)

    def gain(split: tuple[int, ...]) -> float:
        return sum(_balance(s, power, points) for power, points in zip(MINORS, split, strict=True))

    yield Envoys(pick_near_best(splits, gain, NEARLY, s.chooser("envoys")))


def _balance(s: Situation, power: PowerId, points: int) -> float:
    if not is_rolled(s.pos, power):
        return -0.1 * points
    theirs = EXPECTED[s.foe].get(power, 0)
    prussian, austrian = (points, theirs) if s.side == PRUSSIAN else (theirs, points)
    modifier = sum(part for _, part in diplomacy_modifiers(s.pos, power, prussian, austrian))
    sides = [diplomacy_result(s.data, power, die, modifier)[1] for die in range(1, 7)]
    return s.pos.on_map(power) * (sides.count(s.side) - sides.count(s.foe)) / 6


def raise_actions(s: Situation) -> Iterator[Action]:
    """Spend as many points as there are counters for (C6.5): early recruits fight longest."""
    have = s.pos.rp[s.side]
    most = new_sp(s.pos, s.side, have)
    yield Raise(next(points for points in range(have + 1) if new_sp(s.pos, s.side, points) == most))


def redeployment_actions(s: Situation) -> Iterator[Action]:
    """Appoint governors first, then send men and other leaders to the bases, and leaders to men without one (C8.6)."""
    own = [power for power in ALL_POWERS if s.pos.side_of(power) == s.side]
    for power in own:
        yield from appointments(s, power, redeployment.destinations(s.pos, s.side, power))
    for power in own:
        on_map = redeployment.leaders_in(s.pos, power, ON_MAP)
        for move in moves(s, power, redeployment.destinations(s.pos, s.side, power)):
            start = StackKey(move.start)
            if key_inside(start):
                named = governors(s, on_map) if _is_exposed(s, key_hex(start)) else ()
                leaders = tuple(n for n in move.leaders if n not in named)
                if leaders or move.sp:
                    yield msgspec.structs.replace(move, leaders=leaders)
            else:
                yield move
    for men in (*leaderless(s), *_recruits(s)):  # the ablest leaders go to men without one, also to recruits (C8.7)
        for leader, post in sorted(volunteers(s, men), key=lambda one: (-merit(s, one[0]), one[0])):
            if leader in redeployment.movable(s.pos, post, s.data.leaders[leader].power)[0]:
                yield Place(s.data.leaders[leader].power, men.hex, False, (leader,), EMPTY, post.key)
    yield Done()


def moves(s: Situation, power: PowerId, places: redeployment.Landings) -> Iterator[Place]:
    """Yield moves of spare men to weak garrisons, then to the bases of the power's armies.

    The second base gets its share and leader, the first all else; stacks at a base stay.
    """
    bases = bases_of(s, power, places)
    second = second_leader(s, power) if len(bases) > 1 else NO_LEADER
    for stack in s.mine:
        leaders, points = redeployment.movable(s.pos, stack, power)
        spare = min(points, to_spare(s, stack, power))
        for here, lack in lacking(s, places):
            if spare and here != stack.hex:
                yield Place(power, here, True, (), bag(power, min(lack, spare)), stack.key)
        if not bases or not (spare or leaders) or is_besieging(s, stack):
            continue
        if len(bases) > 1 and stack.hex != bases[1]:
            there = s.pos.field(bases[1], s.side)
            have = of(there.sp, power) if there is not None else 0
            lack = round(s.weights.second_army_share * disposable(s, power)) - have
            if second in leaders or lack >= LEAST:
                sent = bag(power, max(0, min(lack, spare)))
                who = (second,) if second in leaders else ()
                yield Place(power, bases[1], 0 not in places[bases[1]], who, sent, stack.key)
        if stack.inside or stack.hex not in bases:
            others = tuple(leader for leader in leaders if leader != second)
            yield Place(power, bases[0], 0 not in places[bases[0]], others, bag(power, spare), stack.key)


def disposable(s: Situation, power: PowerId) -> int:
    return sum(to_spare(s, stack, power) for stack in s.mine if not is_besieging(s, stack))


def second_leader(s: Situation, power: PowerId) -> LeaderId:
    """Return the best leader after the power's senior leader; -1 if there is none."""
    on_map = redeployment.leaders_in(s.pos, power, ON_MAP)
    leaders = sorted(on_map, key=lambda n: (s.data.leaders[n].rank, s.pos.arrival[n]))
    return max(leaders[1:], key=lambda n: (merit(s, n), -n), default=NO_LEADER)


def bases_of(s: Situation, power: PowerId, places: redeployment.Landings) -> list[Hex]:
    free = [here for here, ways in places.items() if 0 in ways] or list(places)
    first = max(free, key=lambda here: (prospect(s, here), -here), default=NOWHERE)
    if first < 0:
        return []
    apart = [here for here in free if s.distance(first, here) >= APART]
    if not apart or disposable(s, power) < TWO_ARMIES or second_leader(s, power) < 0:
        return [first]
    return [first, max(apart, key=lambda here: (prospect(s, here), -here))]


def to_spare(s: Situation, stack: Stack, power: PowerId) -> int:
    have = of(stack.sp, power)
    if stack.inside:
        return max(0, have - max(1, wanted(s, stack.hex)))
    if s.pos.owners.get(stack.hex) == s.side and not s.garrison(stack.hex, s.side):
        return max(0, have - wanted(s, stack.hex))
    return have


def is_besieging(s: Situation, stack: Stack) -> bool:
    return not stack.inside and bool(s.garrison(stack.hex, s.foe)) and stack.strength >= 10


def lacking(s: Situation, places: redeployment.Landings) -> list[tuple[Hex, int]]:
    found = [(here, wanted(s, here) - s.garrison(here, s.side)) for here, ways in places.items() if 1 in ways]
    return [(here, lack) for here, lack in found if lack > 0]


def prospect(s: Situation, here: Hex) -> float:
    """Return the value of targets and threatened fortresses around a hex."""
    takes = [s.worth(there) / (NEARNESS + s.distance(here, there)) for there in s.targets]
    holds = [s.worth(there) / (NEARNESS + s.distance(here, there)) for there in s.forts if s.enemies.near(there, 6) > 8]
    return sum(sorted(takes, reverse=True)[:3]) + HOLDING * sum(sorted(holds, reverse=True)[:3])


def led(s: Situation, power: PowerId, places: redeployment.Landings) -> redeployment.Landings:
    found = {}
    for here, ways in places.items():
        stack = s.pos.field(here, s.side) if 0 in ways else None
        if stack is not None and any(s.data.leaders[leader].power == power for leader in stack.leaders):
            found[here] = ways
    return found


def reinforcement_actions(s: Situation) -> Iterator[Action]:
    """Send recruits to weak garrisons, the rest and new leaders to an army that has a leader."""
    for power in ALL_POWERS:
        if s.pos.side_of(power) != s.side:
            continue
        leaders, points = redeployment.newcomers(s.pos, power)
        places = redeployment.arrivals(s.pos, s.side, power)
        if not places or not (leaders or points):
            continue
        for here, lack in lacking(s, places):
            if points:
                yield Place(power, here, True, (), bag(power, min(lack, points)))
        base = bases_of(s, power, led(s, power, places) or places)[0]
        yield Place(power, base, 0 not in places[base], leaders, bag(power, points))
        yield Place(power, base, True, leaders, bag(power, points))
    yield Done()


def _recruits(s: Situation) -> Iterator[Stack]:
    for power in ALL_POWERS:
        if s.pos.side_of(power) != s.side or redeployment.newcomers(s.pos, power)[1] < LEAST_LED:
            continue
        places = redeployment.arrivals(s.pos, s.side, power)
        if places and not led(s, power, places):
            base = bases_of(s, power, places)[0]
            yield s.pos.make_stack(base, s.side, False, bag(power, redeployment.newcomers(s.pos, power)[1]), ())


def governors(s: Situation, leaders: Sequence[LeaderId]) -> list[LeaderId]:
    spare = sorted(leaders, key=lambda n: (merit(s, n), n))[: max(0, len(leaders) - s.weights.field_leaders)]
    able = [n for n in spare if s.data.leaders[n].defence > 0]
    return sorted(able, key=lambda n: (-min(2, s.data.leaders[n].defence), merit(s, n), n))


def seats(s: Situation, places: Sequence[Hex]) -> list[Hex]:
    return sorted([here for here in places if _is_exposed(s, here)], key=lambda here: (-s.worth(here), here))


def _is_exposed(s: Situation, here: Hex) -> bool:
    return any(s.distance(here, stack.hex) <= GOVERNED_HEXES for stack in s.enemies.stacks) or any(
        s.distance(here, there) <= GOVERNED_HEXES - 2 for there in s.targets
    )


def appointments(s: Situation, power: PowerId, places: redeployment.Landings) -> Iterator[Action]:
    """Yield leaders to spare for fortresses without a governor (C8.6)."""
    inside = {here: s.pos.inside(here, s.side) for here in places}
    named = {n for stack in inside.values() if stack is not None for n in stack.leaders}
    free = [n for n in governors(s, redeployment.leaders_in(s.pos, power, ON_MAP)) if n not in named]
    vacant = [
        here for here, ways in places.items()
        if 1 in ways and (stack := inside[here]) is not None and stack.sp
        and not any(s.data.leaders[n].defence for n in stack.leaders)
    ]  # fmt: skip
    for leader, here in zip(free, seats(s, vacant), strict=False):
        for stack in s.mine:
            if leader in redeployment.movable(s.pos, stack, power)[0]:
                yield Place(power, here, True, (leader,), EMPTY, stack.key)


def sack_actions(s: Situation, frame: redeployment.Sacking) -> Iterator[Action]:
    return map(Sack, sorted(redeployment.leaders_in(s.pos, frame.power, ON_MAP), key=lambda n: (merit(s, n), n)))


def offer_actions(s: Situation, frame: redeployment.LeaderOffers) -> Iterator[Action]:
    for leader in sorted(redeployment.offerable(s.pos, s.side), key=lambda n: (merit(s, n), n)):
        if leader not in frame.offered[s.side]:
            yield Offer(leader)


def return_actions(s: Situation, frame: redeployment.LeaderReturn) -> Iterator[Action]:
    for leader in sorted(frame.leaders, key=lambda n: (-merit(s, n), n)):
        power = s.data.leaders[leader].power
        places = redeployment.havens(s.pos, s.side, power)
        for here in sorted(places, key=lambda here: (-s.friends_near(here, 2, NOWHERE), here)):
            yield Free(power, 0, here, leader)


def free_actions(s: Situation, frame: redeployment.Freeing) -> Iterator[Action]:
    """Return the major power's own men first, to the fortress nearest to the fighting."""
    counts = redeployment.countable(s.pos, s.side)
    for power in sorted(counts, key=lambda power: (power != setup.MAJORS[s.side], -counts[power], power)):
        places = redeployment.havens(s.pos, s.side, power)
        for here in sorted(places, key=lambda here: (-s.enemies.near(here, 6), s.garrison(here, s.side), here)):
            yield Free(power, min(frame.left, counts[power]), here)


def loss_actions(s: Situation, frame: Losses) -> Iterator[Action]:
    for stack in sorted(s.mine, key=lambda stack: (-of(stack.sp, frame.power), stack.key)):
        for points in range(max(1, of(stack.sp, frame.power) - 1), 0, -1):
            yield Lose(stack.key, frame.power, points)


def exhaustion_actions(s: Situation, frame: ForceLoss) -> Iterator[Action]:
    force = s.pos.force
    for power in (*MINORS, *setup.MAJORS):
        if of(force.sp, power):
            yield Lose(force.key, power, 1)

"""The March Phase: who marches, with whom, where and by which way, and who goes apart; and a march in progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.fortresses import shift_action, some, wanted
from leuthen.rulesets.frederick.bot.goals import HANDFUL, goal_of
from leuthen.rulesets.frederick.bot.intent import detachment, force_march_price, is_ordered, stays
from leuthen.rulesets.frederick.bot.prospects import Prospects
from leuthen.rulesets.frederick.bot.situation import Goal, Situation, merit
from leuthen.rulesets.frederick.model.actions import Drop, Go, Halt, March, Shift
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.rules.o05_forces import MOST, allowance, barred_to, interrupts, tether
from leuthen.rulesets.frederick.rules.o05_march import Marching
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged, is_supplied
from leuthen.wargame.board import NOWHERE, Hex, Hexes
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, bag, largest, of, powers

LEAST_LED: Final = 6
"""Fewer SP than these are not worth a general."""
LONGEST_WAY: Final = 4.0
"""Turns of a way to them beyond which nobody is sent."""


class MarchPlan(NamedTuple):
    """A force, where it should end this phase, and how much better that is than to stay."""

    force: Stack
    there: Hex
    better: float
    goal: Goal
    reach: Reach


def march_actions(s: Situation, die: int) -> Iterator[Action]:
    """What to do next in the March Phase, best first."""
    yield from lead_actions(s, die)
    yield from shift_action(s)
    for stack in movers(s, forced=False):
        yield from marches_of(s, stack, die)


def movers(s: Situation, *, forced: bool) -> list[Stack]:
    """The stacks that could still march, the strongest first."""
    limit = 1 if forced else MOST
    found = []
    for stack in s.mine:
        fresh = [leader for leader in stack.leaders if s.pos.spent.get(leader, 0) < limit]
        shut = stack.inside and is_besieged(s.pos, stack.hex, s.side)
        if stays(s, stack):
            continue
        if fresh and not stack.quartered and not shut and (stack.sp - stack.marched or not stack.sp):
            found.append(stack)
    return sorted(found, key=lambda stack: (-stack.strength, stack.key))


def force_of(s: Situation, stack: Stack, *, forced: bool = False) -> Stack | None:
    """Who of a stack would march: all leaders that may, all SP that they may lead, but for those who must stay."""
    limit = 1 if forced else MOST
    leaders = tuple(leader for leader in stack.leaders if s.pos.spent.get(leader, 0) < limit)
    if stack.demoralized and len(leaders) < len(stack.leaders):
        return None
    led = {s.data.leaders[leader].power for leader in leaders}
    fresh = stack.sp - stack.marched
    sp = sum(bag(power, of(fresh, power)) for power in powers(fresh) if power in led)
    if not stack.demoralized:
        sp -= _left_behind(s, stack, sp)
    if not leaders or (stack.sp and not sp):
        return None
    return make_stack(s.pos, stack.hex, s.side, stack.inside, sp, leaders, stack)


def _left_behind(s: Situation, stack: Stack, sp: Bag) -> Bag:
    """A garrison stays inside; one SP stays with a depot that is not complete."""
    if stack.inside:
        return some(sp, wanted(s, stack.hex))
    depot = s.pos.depots.get(stack.hex)
    begun = depot is not None and not depot.complete and s.pos.side_of(depot.power) == s.side
    safe = not any(reached >> stack.hex & 1 for _, reached in s.enemies.strikers)
    return some(sp, 1) if begun and safe and stack.strength > 2 else EMPTY


def marches_of(s: Situation, stack: Stack, die: int) -> Iterator[Action]:
    """The march that suits a stack best, if it is better than to stay."""
    force = force_of(s, stack)
    if force is None:
        return
    part = detachment(s, force)
    if part is not None:
        yield from march_to(s, part[0], die, part[1], stack)
    yield from march_to(s, force, die, None, stack)


def march_to(s: Situation, force: Stack, die: int, goal: Goal | None, whole: Stack) -> Iterator[Action]:
    """The marches that bring a force of a whole stack nearer to a goal, or to the best that there is."""
    used = max(s.pos.spent.get(leader, 0) for leader in force.leaders)
    points = allowance(s.pos, die, force) - used
    yield from _marches(s, plans(s, force, points, first=not used, supplied=is_supplied(s.pos, whole), goal=goal))


def _marches(s: Situation, found: list[MarchPlan]) -> Iterator[Action]:
    for plan in found:
        path = leg_to(s, plan.reach, plan.there)
        if path:
            yield _march(s, plan.force, path, path[-1] == plan.there and overwhelms(s, plan.force, plan))


def _march(s: Situation, force: Stack, path: tuple[Hex, ...], overwhelm: bool) -> March:
    leader = force.commander
    others = tuple(sorted(number for number in force.leaders if number != leader))
    return March(leader, others, force.sp, path, overwhelm)


def plans(
    s: Situation,
    force: Stack,
    points: int,
    *,
    first: bool,
    supplied: bool,
    goal: Goal | None = None,
    price: float = 0.0,
) -> list[MarchPlan]:
    """The two best places that are so much better than to stay, for a goal or for the best that there is.

    `price`: what the march must bring at least, if that is more than any must.
    """
    reach = reach_of(s, force, points, first=first, was_supplied=supplied)
    goal = goal or goal_of(s, force)
    places = [there for there in reach.found if there != force.hex]
    best = Prospects(s, force, goal).better(places, 2, max(price, s.weights.min_march_gain))
    return [MarchPlan(force, there, better, goal, reach) for better, there in best]


def overwhelms(s: Situation, force: Stack, plan: MarchPlan) -> bool:
    """Whether the march ends in an overwhelming attack: four to one by the estimate, and a movement point left."""
    enemy = s.pos.field(plan.there, s.foe)
    if enemy is None or not enemy.sp or not force.sp:
        return False
    return force.strength >= 4 * enemy.strength and plan.reach.found[plan.there] + 1 <= plan.reach.points


def open_march_actions(s: Situation, march: Marching) -> Iterator[Action]:
    """What a force on the march does next."""
    force = s.pos.moving
    assert force is not None
    yield from drops(s, force)
    spent = march.spent(s.pos, force)
    points = allowance(s.pos, march.die, force) - spent
    for plan in plans(s, force, points, first=not spent, supplied=march.supplied):
        path = leg_to(s, plan.reach, plan.there)
        if path:
            yield Go(path, path[-1] == plan.there and overwhelms(s, force, plan))
    yield Halt(goes_inside(s, force))
    yield Halt(False)
    yield Halt(True)  # who has not marched stays where he was (O5.20)


def drops(s: Situation, force: Stack) -> Iterator[Action]:
    """A fortress that the force takes or passes gets a man inside if it has none."""
    here = force.hex
    if s.pos.owners.get(here) != s.side or force.demoralized or force.strength < 3:
        return
    if not s.garrison(here, s.side):
        points = min(2 if s.data.fortresses[here].great else 1, force.strength // 3)
        yield Drop(True, (), some(force.sp, points))


def goes_inside(s: Situation, force: Stack) -> bool:
    """A small force that could be beaten in the field goes inside."""
    here = force.hex
    if s.pos.owners.get(here) != s.side or not force.sp:
        return s.pos.owners.get(here) == s.side and not force.sp
    fits = force.strength + s.garrison(here, s.side) <= s.data.fortresses[here].vp
    return fits and (force.strength < HANDFUL or s.danger(force, here) > 1.0)


def force_march_actions(s: Situation) -> Iterator[Action]:
    """Who tries a force march: to slip away, to bring help, to hurry on."""
    for stack in movers(s, forced=True):
        force = force_of(s, stack, forced=True)
        if force is None or not force.sp:
            continue
        if is_worth_a_force_march(s, force, force_march_price(s, force)):
            leader = force.commander
            others = tuple(sorted(number for number in force.leaders if number != leader))
            yield March(leader, others, force.sp)


def is_worth_a_force_march(s: Situation, force: Stack, price: float) -> bool:
    """Whether a force would be so much better off after a march with a middling die."""
    points, fed = allowance(s.pos, 3, force), is_supplied(s.pos, force)
    return bool(plans(s, force, points, first=True, supplied=fed, price=price))


class Reach(NamedTuple):
    """The movement points to each hex that a force can get to, its own included, and what bars and stops it."""

    start: Hex
    points: int
    found: dict[Hex, int]
    stops: Hexes
    zone: Hexes


def reach_of(s: Situation, force: Stack, points: int, *, first: bool, was_supplied: bool = True) -> Reach:
    """Where the force can get with so many movement points; at least to a neighbour if it is `first` (O5.6)."""
    stops, barred = s.foe_hexes, closed_to(s, force, was_supplied)
    found = s.board.reach(force.hex, max(points, 0), s.zone, stops, barred)
    if first and points >= 1:
        for there in s.board.neighbours[force.hex]:
            if there not in found and not barred >> there & 1:
                found[there] = points
    return Reach(force.hex, points, found, stops, s.zone)


def closed_to(s: Situation, force: Stack, was_supplied: bool) -> Hexes:
    """Neutral ground; for some forces enemies, or what lies out of supply."""
    closed = s.neutral | barred_to(s.pos, force)
    leash = tether(s.pos, force, was_supplied=was_supplied)
    return closed if leash is None else closed | (s.board.land & ~leash)


def leg_to(s: Situation, reach: Reach, there: Hex) -> tuple[Hex, ...]:
    """A cheapest way as far as one leg goes: it ends where something intervenes (O5.8, O5.10)."""
    path = path_to(s, reach, there)
    for number, here in enumerate(path, 1):
        if interrupts(s.pos, here, s.side):
            return path[:number]
    return path


def path_to(s: Situation, reach: Reach, there: Hex) -> tuple[Hex, ...]:
    """A cheapest way, without its first hex; empty if there is none."""
    path = [there]
    while path[0] != reach.start:
        before = _before(s, reach, path[0])
        if before < 0:
            minimum = len(path) == 1 and there in s.board.steps[reach.start]
            return (there,) if minimum else ()
        path.insert(0, before)
    return tuple(path[1:])


def _before(s: Situation, reach: Reach, last: Hex) -> Hex:
    for here in s.board.neighbours[last]:
        spent = reach.found.get(here)
        passable = here == reach.start or not reach.stops >> here & 1
        if spent is not None and passable and spent + _cost(s, reach, here, last) == reach.found[last]:
            return here
    return NOWHERE


def _cost(s: Situation, reach: Reach, here: Hex, there: Hex) -> int:
    return s.board.steps[here].get(there, 99) + (reach.zone >> there & 1)


class Posting(NamedTuple):
    """A general, the stack that he leaves, and the men whom he is to lead."""

    leader: LeaderId
    start: Stack
    men: Stack


def leaderless(s: Situation) -> list[Stack]:
    """Own men in the field without a general, as far as they are worth one, the most first."""
    found = [stack for stack in s.mine if not stack.inside and not stack.leaders and stack.strength >= LEAST_LED]
    return sorted(found, key=lambda stack: (-stack.strength, stack.hex))


def postings(s: Situation) -> Iterator[Posting]:
    """For all such men whoever is there soonest; of several the ablest."""
    sent: set[LeaderId] = set()
    for men in leaderless(s):
        coming = [one for one in volunteers(s, men) if one.leader not in sent]
        best = min(coming, key=lambda one: (_turns(s, one), -merit(s, one.leader), one.leader), default=None)
        if best is not None and _turns(s, best) <= LONGEST_WAY:
            sent.add(best.leader)
            yield best


def lead_actions(s: Situation, die: int) -> Iterator[Action]:
    """Who goes to lead them: out of the fortress where they stand (O5.20), or to them by himself."""
    for leader, start, men in postings(s):
        if s.pos.spent.get(leader, 0) >= MOST:
            continue
        if start.hex == men.hex:
            yield Shift(men.hex, False, (leader,), EMPTY)
            continue
        alone = make_stack(s.pos, start.hex, s.side, start.inside, EMPTY, (leader,), start)
        yield from march_to(s, alone, die, Goal("lead", men.hex, float(men.strength)), start)


def volunteers(s: Situation, men: Stack) -> Iterator[Posting]:
    """Leaders of their power in fortresses, alone, or under another, as far as no player has ordered them elsewhere."""
    for start in s.mine:
        is_shut_in = start.inside and s.is_besieged(start.hex)
        if start.demoralized or is_shut_in or is_ordered(s, start):
            continue
        for leader in start.leaders:
            is_needed = start.sp and not start.inside and leader == start.commander
            if s.data.leaders[leader].power == largest(men.sp) and not is_needed:
                yield Posting(leader, start, men)


def _turns(s: Situation, one: Posting) -> float:
    """How many turns he is on the way, in whole ones."""
    far = s.distance(one.start.hex, one.men.hex)
    return -(-far // s.weights.points_per_turn)

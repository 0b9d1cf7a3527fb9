"""Fortresses and depots: the garrison that each should have, and depots for sieges and on the way to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.bot.goals import goal_of
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Build, Remove, Shift
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.rules.o10_supply import MOST_DEPOTS, may_build, own_depots, path_length
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, Bag, bag, largest, of
from leuthen.wargame.ways import FAR

BESIEGERS: Final = 5
"""Fewer SP than these besiege nothing (O10.4)."""
GAINED: Final = 2
"""Hexes that a depot must bring supply nearer."""
KEPT: Final = 6
"""A depot farther than this from every army serves nothing."""
QUIET: Final = 1.0
"""SP of danger that there may be where a depot is begun."""


def wanted(s: Situation, here: Hex) -> int:
    """SP that should be inside a fortress: one to hold it; within reach of an army that can besiege, more (O13.2)."""
    if s.foes_near(here, s.weights.threat_hexes) < BESIEGERS:
        return 1
    return s.weights.great_garrison if s.data.fortresses[here].great else s.weights.garrison


def shift_action(s: Situation) -> Iterator[Action]:
    """A field stack at a fortress gives it the garrison that it lacks; a small one in danger goes in whole."""
    for stack in s.mine:
        if stack.inside or not stack.sp or s.pos.owners.get(stack.hex) != s.side or stack.demoralized:
            continue
        lack = wanted(s, stack.hex) - s.garrison(stack.hex, s.side)
        points = min(lack, stack.strength - 1 if stack.leaders else stack.strength)
        if points > 0 and stack.hex not in s.pos.shifted:
            yield Shift(stack.hex, True, (), some(stack.sp, points))


def some(sp: Bag, points: int) -> Bag:
    """So many SP of a bag, from the power with most first."""
    taken = EMPTY
    while points > 0 and sp - taken:
        power = largest(sp - taken)
        step = min(points, of(sp - taken, power))
        taken += bag(power, step)
        points -= step
    return taken


def depot_actions(s: Situation) -> Iterator[Action]:
    """What to do in the Depot Phase, best first.

    No depot is begun by an army that will be gone before it is complete (O10.4).
    """
    able = [army for army in s.armies if may_build(s.pos, army.hex, s.side) is None]
    safe = [army for army in able if s.danger(army, army.hex) <= QUIET]
    for army in safe:
        if is_tethered(s, army):
            yield Build(army.hex)
    for army in safe:
        if wants_depot(s, army):
            yield Build(army.hex)
    yield from removals(s)
    yield Done()


def is_tethered(s: Situation, army: Stack) -> bool:
    """Whether a commander who may not leave supply (O10.6) has come to its end, and his goal lies beyond."""
    if army.demoralized or s.data.leaders[army.commander].initiative:
        return False
    goal = goal_of(s, army)
    if goal.kind not in ("siege", "relief", "hunt") or goal.hex == army.hex:
        return False
    far, fed = s.roads(army, goal.hex).far, s.supplied(army)
    nearer = [there for there in s.board.neighbours[army.hex] if far(there) < far(army.hex)]
    return not any(fed >> there & 1 for there in nearer)


def wants_depot(s: Situation, army: Stack) -> bool:
    """Whether an army needs a depot where it stands: for its siege, or on the way to one where supply ends."""
    here = army.hex
    if s.garrison(here, s.foe):
        return True
    if here in s.data.fortresses and s.pos.is_home(here, s.side):
        return False
    goal = goal_of(s, army)
    return goal.kind == "siege" and not s.supplied(army) >> goal.hex & 1 and _leads_on(s, army, goal.hex)


def _leads_on(s: Situation, army: Stack, there: Hex) -> bool:
    """Whether a depot here would bring supply markedly nearer to a place."""
    length = path_length(s.pos, army.sp, army.nation)
    now = s.gaps(army)[there]
    return now > 0 and max(0, s.distance(army.hex, there) - length) <= now - min(now, GAINED)


def removals(s: Situation) -> Iterator[Action]:
    """When a power has as many depots as it may, the one farthest from all armies goes."""
    counts: dict[int, int] = {}
    for _, depot in own_depots(s.pos, s.side):
        counts[depot.power] = counts.get(depot.power, 0) + 1
    for here, depot in own_depots(s.pos, s.side):
        if counts[depot.power] >= MOST_DEPOTS - 1 and _nearest_army(s, here) > KEPT:
            yield Remove(here)


def _nearest_army(s: Situation, here: Hex) -> int:
    return min((s.distance(army.hex, here) for army in s.armies), default=FAR)

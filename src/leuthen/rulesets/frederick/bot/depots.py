"""Depots: at a fortress for the siege, on the way to one as a chain, and none that serves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.goals import goal_of
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Build, Done, Remove
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.o10_supply.depots import MOST_DEPOTS, may_build, own_depots
from leuthen.rulesets.frederick.rules.o10_supply.supply import path_length
from leuthen.wargame.board import Hex
from leuthen.wargame.ways import FAR

GAINED: Final = 2
"""Hexes that a depot must bring supply nearer."""
KEPT: Final = 6
"""A depot farther than this from every army serves nothing."""


def depot_actions(s: Situation) -> Iterator[Action]:
    """What to do in the Depot Phase, best first."""
    for army in s.armies:
        if may_build(s.pos, army.hex, s.side) is None and wants_depot(s, army):
            yield Build(army.hex)
    yield from removals(s)
    yield Done()


def wants_depot(s: Situation, army: Stack) -> bool:
    """A siege needs a depot in the hex; a march needs one where supply ends."""
    here = army.hex
    if s.garrison(here, s.foe):
        return s.has("sieges")
    if not s.has("depots") or (here in s.data.fortresses and s.pos.is_home(here, s.side)):
        return False
    goal = goal_of(s, army)
    if goal.kind not in ("siege", "relief", "hunt") or s.supplied(army) >> goal.hex & 1:
        return False
    return _leads_on(s, army, goal.hex)


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

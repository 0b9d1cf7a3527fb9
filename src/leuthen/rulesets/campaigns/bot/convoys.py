"""Wagons on their own: the roads they take to where armies need a depot; loading, feeding, depots (R9, V3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Build, Create, Feed, Load, March, Starve
from leuthen.rulesets.campaigns.model.forces import is_occupied
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders, is_shut, start_march, why_not_lead
from leuthen.rulesets.campaigns.rules.r05_movement.walk import Walk
from leuthen.rulesets.campaigns.rules.r09_supply.steps import Feeding, SupplyStep
from leuthen.rulesets.campaigns.rules.r09_supply.supply import depot_range, is_near, load_limit, need, stock
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import LeaderId

SERVES: Final = 9
"""Movement points to the armies that a depot is made for."""
ROUND: Final = 15
"""Movement points beyond which no wagon is sent."""
STEP: Final = 6.0


def convoy_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    """The marches of wagons with the chit of command 1."""
    goal_of = {number: destination(s, unit.hex) for number, unit in s.wagons if may_go(s, frame, number)}
    for number, goal in goal_of.items():
        unit = s.pos.units[number]
        if goal in (-1, unit.hex):
            continue
        walk = start_march(s.pos, s.side, number, ()).walk(s.pos)
        there = min(walk.reach, key=lambda here: (s.way(here, goal) + 2 * s.threat(here) / 20, here))
        if s.way(there, goal) < s.way(unit.hex, goal) and walk.can_end(there, walk.reach[there]):
            yield March(number, (), False, path_of(walk, there))


def may_go(s: Situation, frame: Orders, number: LeaderId) -> bool:
    """Whether a wagon without men may set out."""
    unit = s.pos.units[number]
    return not why_not_lead(s.pos, number, s.side, frame.command) and not is_shut(s.pos, unit) and not unit.tp


def destination(s: Situation, start: Hex) -> Hex:
    """Where a wagon is wanted most: where a depot should be, or with an army that has nothing left; -1 if nowhere."""
    sites = {**depot_sites(s, start), **hungry_armies(s, start)}
    return max(sites, key=lambda here: (sites[here], -here), default=NOWHERE)


def hungry_armies(s: Situation, start: Hex) -> dict[Hex, float]:
    """The hexes of armies beyond the depots that cannot pay much longer, and how much a wagon would help (V3.4)."""
    found: dict[Hex, float] = {}
    for unit in s.generals:
        hungry = not is_near(s.pos, unit.hex, s.side, unit.inside) and unit.sp < 2 * need(s.pos, unit.strength)
        if hungry and s.way(start, unit.hex) <= ROUND:
            found[unit.hex] = found.get(unit.hex, 0.0) + unit.strength / (1 + s.way(start, unit.hex) / STEP)
    return found


def depot_sites(s: Situation, start: Hex) -> dict[Hex, float]:
    """The places where a depot would serve armies, and how much."""
    fed = depot_range(s.pos, s.side)
    found: dict[Hex, float] = {}
    for here in s.data.strongholds:
        if fed >> here & 1 or not is_occupied(s.pos, here, s.side) or s.is_besieged(here) or s.holds_field(here):
            continue
        served = sum(unit.strength for unit in s.generals if s.way(unit.hex, here) <= SERVES)
        if served and s.way(start, here) <= ROUND:
            found[here] = served / (1 + s.way(start, here) / STEP)
    return found


def path_of(walk: Walk, there: Hex) -> tuple[Hex, ...]:
    """A way that leaves the most MP, without its first hex; empty if there is none."""
    if there not in walk.reach:
        return ()
    path = [there]
    while path[0] != walk.here:
        before = _before(walk, path[0])
        if before < 0 or len(path) > 12:
            return ()
        path.insert(0, before)
    return tuple(path[1:])


def _before(walk: Walk, last: Hex) -> Hex:
    for here in walk.pos.data.board.neighbours[last]:
        left = walk.reach.get(here)
        own = here == walk.here
        if left is None or (not own and walk.enemy_fields >> here & 1):
            continue
        steps = walk.steps(here, left, inside=own and walk.inside, fresh=own and walk.fresh)
        if steps.get(last) == walk.reach[last]:
            return here
    return NOWHERE


def supply_actions(s: Situation, frame: SupplyStep) -> Iterator[Action]:
    """A depot where an army is beyond the others, wagons where an army is, loading from wagons."""
    pos = s.pos
    if s.has("depots"):
        for wagon in frame.builders(pos):
            if not depot_range(pos, s.side) >> pos.units[wagon].hex & 1:
                yield Build(wagon)
    if s.has("wagons"):
        for leader, wagons in frame.loads(pos).items():
            unit = pos.units[leader]
            yield Load(leader, wagons[0], min(pos.units[wagons[0]].sp, load_limit(pos, unit) - unit.sp))
        armies = {unit.hex for unit in s.generals}
        yield from (Create(here) for here in frame.creatable(pos) if here in armies)
    yield Done()


def feeding_actions(s: Situation, frame: Feeding) -> Iterator[Action]:
    """Who can pay, pays; but who besieges keeps his last SP, that the siege may go on (R11.5)."""
    units = s.field(frame.hex, s.side)
    if s.has("supply") and not frame.inside and s.guards(frame.hex) and stock(units) < 2 * frame.due:
        yield Starve()
    yield Feed()

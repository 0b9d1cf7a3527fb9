"""Wagons: safe stages towards armies that need them, loading, feeding and depots (R9, V3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.situation import STRIKE, Situation
from leuthen.rulesets.campaigns.model.actions import Build, Create, Feed, Load, March, Starve
from leuthen.rulesets.campaigns.model.forces import field_tp, inside_tp, is_occupied, strength, wagons_at
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders, is_shut, start_march, why_not_lead
from leuthen.rulesets.campaigns.rules.r05_walk import Walk
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, SupplyStep
from leuthen.rulesets.campaigns.rules.r09_supply import depot_range, is_near, load_limit, need, stock
from leuthen.wargame.board import NOWHERE, Hex

SERVES: Final = 9  # movement points to the armies that a depot serves
ROUND: Final = 15  # movement points that a wagon is sent at most
WAGON_STEP: Final = 6.0
AFAR: Final = 18  # movement points beyond which wagons fear no enemy


def convoy_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    """Yield marches of wagons with the chit of command 1, by safe stages."""
    for number, unit in s.wagons:
        if why_not_lead(s.pos, number, s.side, frame.command) or is_shut(s.pos, unit) or unit.tp:
            continue
        walk = start_march(s.pos, s.side, number, ()).walk(s.pos)
        ends = [here for here in walk.reach if here != unit.hex and walk.can_end(here, walk.reach[here])]
        there = _end(s, walk, ends)
        if there >= 0:
            yield March(number, (), False, path_of(walk, there))


def _end(s: Situation, walk: Walk, ends: list[Hex]) -> Hex:
    here, risks = risk(s, walk.here), {there: risk(s, there) for there in ends}
    goal, safe = destination(s, walk.here), [there for there in ends if not risks[there]]
    if goal not in (NOWHERE, walk.here) and safe:
        there = min(safe, key=lambda there: (s.way(there, goal), there))
        if s.way(there, goal) < s.way(walk.here, goal):
            return there
    there = min(ends, key=lambda there: (risks[there], s.way(walk.here, there), there), default=walk.here)
    return there if risks.get(there, here) < here else NOWHERE


def risk(s: Situation, here: Hex) -> float:
    return max(0.0, menace(s, here) - field_tp(s.pos, here, s.side))


def menace(s: Situation, here: Hex) -> float:
    """Return the enemy TP that may come, discounted by distance; 0 if they are too few for a siege."""
    away = [(force.tp, force.way[here]) for force in s.foes]
    feared = sum(tp * min(1.0, (AFAR - far) / (AFAR - STRIKE)) for tp, far in away if far < AFAR)
    few = inside_tp(s.pos, here, s.side) > 0 and feared < s.data.kind_at(here).besieger
    return 0.0 if few else feared


def destination(s: Situation, start: Hex) -> Hex:
    """Return the place that needs a wagon most, for a depot or for a hungry army; NOWHERE if there is none."""
    sites: dict[Hex, float] = {}
    fed = depot_range(s.pos, s.side)
    for here in s.data.strongholds:
        if fed >> here & 1 or not is_occupied(s.pos, here, s.side) or s.is_besieged(here) or s.holds_field(here):
            continue
        served = sum(unit.strength for unit in s.generals if s.way(unit.hex, here) <= SERVES)
        if served and s.way(start, here) <= ROUND:
            sites[here] = served / (1 + s.way(start, here) / WAGON_STEP)
    hungry: dict[Hex, float] = {}
    for unit in s.generals:  # beyond the depots, who cannot pay much longer (V3.4)
        poor = not is_near(s.pos, unit.hex, s.side, unit.inside) and unit.sp < 2 * need(s.pos, unit.strength)
        if poor and s.way(start, unit.hex) <= ROUND:
            hungry[unit.hex] = hungry.get(unit.hex, 0.0) + unit.strength / (1 + s.way(start, unit.hex) / WAGON_STEP)
    sites.update(hungry)
    return max(sites, key=lambda here: (sites[here], -here), default=NOWHERE)


def path_of(walk: Walk, there: Hex) -> tuple[Hex, ...]:
    """Return the path with most MP left, without its start; () if there is none."""
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
    pos = s.pos
    for wagon in frame.builders(pos):
        if not depot_range(pos, s.side) >> pos.units[wagon].hex & 1:
            yield Build(wagon)
    for leader, wagons in frame.loads(pos).items():
        unit = pos.units[leader]
        yield Load(leader, wagons[0], min(pos.units[wagons[0]].sp, load_limit(pos, unit) - unit.sp))
    armies = {unit.hex for unit in s.generals}
    for here in frame.creatable(pos):
        if here in armies:
            have = len(wagons_at(pos, here, s.side))
            if have < need(pos, strength(s.field(here, s.side))) or (not have and destination(s, here) >= 0):
                yield Create(here)
    yield Done()


def feeding_actions(s: Situation, frame: Feeding) -> Iterator[Action]:
    """Feed where possible; besiegers keep their last SP for the siege (R11.5)."""
    units = s.field(frame.hex, s.side)
    if not frame.inside and s.guards(frame.hex) and stock(units) < 2 * frame.due:
        yield Starve()
    yield Feed()

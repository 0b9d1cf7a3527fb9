"""Marches by the plan: armies first, then leaders without men and wagons alone; forced marches upon the unwary (R8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot import convoys, marching
from leuthen.rulesets.campaigns.bot.battles import is_good
from leuthen.rulesets.campaigns.bot.convoys import destination, may_go, path_of
from leuthen.rulesets.campaigns.bot.marching import goal_of, homecoming, loading, setting_out, sorties, waits
from leuthen.rulesets.campaigns.bot.situation import STRIKE, Situation
from leuthen.rulesets.campaigns.bot.staff import idle_actions
from leuthen.rulesets.campaigns.model.actions import Create, Force, March
from leuthen.rulesets.campaigns.model.forces import field_tp, inside_tp, strength, units_at, wagons_at
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.rules.r04_command.command import (
    Orders,
    companions_of,
    is_shut,
    start_march,
    why_not_lead,
)
from leuthen.rulesets.campaigns.rules.r05_movement.walk import FORCED, Walk
from leuthen.rulesets.campaigns.rules.r08_forced_march import TOLL, ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_supply.steps import SupplyStep
from leuthen.rulesets.campaigns.rules.r09_supply.supply import is_near, need, stock
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import LeaderId


def group_of(s: Situation, unit: Unit) -> tuple[LeaderId, ...]:
    """Who goes along; all wagons, if nobody stays with them."""
    along = marching.group_of(s, unit)
    going = {unit.number, *along}
    stays = [one for one in s.field(unit.hex, s.side) if one.number not in going]
    if stays or s.is_shelter(unit.hex):
        return along
    wagons = [number for number in companions_of(s.pos, unit.number) if s.data.is_wagon(number)]
    return tuple(sorted(going.union(wagons) - {unit.number}))


def abandons(s: Situation, action: Action) -> bool:
    """Whether a march leaves wagons to themselves where an enemy could strike."""
    if not isinstance(action, March) or not action.path:
        return False
    here = s.pos.units[action.leader].hex
    going = {action.leader, *action.companions}
    left = [unit for unit in units_at(s.pos, here, s.side) if unit.number not in going and not unit.inside]
    stays = any(unit.tp for unit in left) or not any(s.data.is_wagon(unit.number) for unit in left)
    return not stays and menace(s, here) > 0


def loading_up(s: Situation, unit: Unit) -> Iterator[Action]:
    """A march that goes nowhere yet: an army that cannot leave for want of bread takes some where it is (V3.4)."""
    goal, along = goal_of(s, unit.number), group_of(s, unit)
    units = [unit, *(s.pos.units[number] for number in along)]
    lacks = not is_near(s.pos, unit.hex, s.side, unit.inside) and stock(units) < 2 * need(s.pos, strength(units))
    if lacks and not unit.daunted and goal.hex not in (NOWHERE, unit.hex) and next(loading(s, units), None):
        yield March(unit.number, along)


def order_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    """The marches with this chit, the strongest first; then no more."""
    able = [
        unit for unit in s.generals
        if not why_not_lead(s.pos, unit.number, s.side, frame.command) and not is_shut(s.pos, unit)
    ]  # fmt: skip
    for unit in able:
        if not waits(s, unit):
            yield from (action for action in setting_out(s, unit, group_of) if not abandons(s, action))
            yield from loading_up(s, unit)
    yield from sorties(s, frame)
    yield from idle_actions(s, frame.command)
    yield from convoy_actions(s, frame)
    yield Done()
    for unit in able:
        yield from homecoming(s, unit)


FACES: Final = 6
WORTH: Final = 2.0
"""TP that a forced march has to promise."""


def forced_actions(s: Situation, frame: ForcedMarches) -> Iterator[Action]:
    """A leader falls upon the enemy; or goes to an empty place, as ever."""
    for number in frame.able(s.pos):
        unit = s.pos.units[number]
        is_army = unit.strength >= s.temper.corps and not unit.inside
        if is_army and promise(s, unit) > WORTH and not s.deserts((), number):
            yield Force(number)
    yield from (
        action for action in marching.forced_actions(s, frame)
        if isinstance(action, Force) and not s.deserts((), action.leader)
    )  # fmt: skip
    yield Done()


def promise(s: Situation, unit: Unit) -> float:
    """What a forced march upon the best enemy in reach should gain, in TP, the strained march paid."""
    command = s.pos.leader(unit.number).command
    arrives = min(FACES - 1, command + 1) / FACES
    strain = unit.strength * TOLL / 100 / FACES * (command + 1 < FACES)
    return arrives * max((prize(s, unit, force.hex) for force in s.foes), default=0.0) - strain


def prize(s: Situation, unit: Unit, there: Hex) -> float:
    """What a leader should gain by an attack on the enemy in a hex, 0 if he is out of reach or too strong."""
    if not 0 < s.way(unit.hex, there) <= FORCED:
        return 0.0
    mine, enemy = s.with_friends([unit], there), s.field(there, s.foe)
    if not is_good(s, mine, enemy, there):
        return 0.0
    return s.fight(mine, enemy, there).gain(strength(mine), strength(enemy))


def convoy_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    """The marches of wagons with the chit of command 1: to where they are wanted, by stages that are safe."""
    for number, unit in s.wagons:
        if not may_go(s, frame, number):
            continue
        walk = start_march(s.pos, s.side, number, ()).walk(s.pos)
        ends = [here for here in walk.reach if here != unit.hex and walk.can_end(here, walk.reach[here])]
        there = _end(s, walk, ends)
        if there >= 0:
            yield March(number, (), False, path_of(walk, there))


def _end(s: Situation, walk: Walk, ends: list[Hex]) -> Hex:
    """The safe stage that is nearest to where the wagon is wanted; else, if it is in danger, the safest one."""
    here, risks = risk(s, walk.here), {there: risk(s, there) for there in ends}
    goal, safe = destination(s, walk.here), [there for there in ends if not risks[there]]
    if goal not in (NOWHERE, walk.here) and safe:
        there = min(safe, key=lambda there: (s.way(there, goal), there))
        if s.way(there, goal) < s.way(walk.here, goal):
            return there
    there = min(ends, key=lambda there: (risks[there], s.way(walk.here, there), there), default=walk.here)
    return there if risks.get(there, here) < here else NOWHERE


AFAR: Final = 18
"""Movement points beyond which wagons fear no enemy."""


def risk(s: Situation, here: Hex) -> float:
    """The enemy TP that a wagon has to fear beyond those whom friends in the field keep off."""
    return max(0.0, menace(s, here) - field_tp(s.pos, here, s.side))


def menace(s: Situation, here: Hex) -> float:
    """The enemy TP that may come, those who are farther the less; none where they are too few to besiege a place."""
    away = [(force.tp, way[here]) for force, way in s.reaches]
    feared = sum(tp * min(1.0, (AFAR - far) / (AFAR - STRIKE)) for tp, far in away if far < AFAR)
    few = inside_tp(s.pos, here, s.side) > 0 and feared < s.data.kind_at(here).besieger
    return 0.0 if few else feared


def supply_actions(s: Situation, frame: SupplyStep) -> Iterator[Action]:
    """Depots and loading as ever; a wagon where an army has none that needs one."""
    for action in convoys.supply_actions(s, frame):
        if not isinstance(action, Create) or is_wanted(s, action.hex):
            yield action


def is_wanted(s: Situation, here: Hex) -> bool:
    """Whether an army has use for another wagon, or a place for a depot."""
    wagons = len(wagons_at(s.pos, here, s.side))
    return wagons < need(s.pos, strength(s.field(here, s.side))) or (not wagons and destination(s, here) >= 0)

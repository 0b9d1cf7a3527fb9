"""Marches by the plan: armies first, leaders without men to their armies, wagons only where nobody can take them."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot import marching
from leuthen.rulesets.campaigns.bot.generals.convoys import convoy_actions
from leuthen.rulesets.campaigns.bot.marching import goal_of, homecoming, loading, setting_out, sorties, waits
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.staff import idle_actions
from leuthen.rulesets.campaigns.model.actions import Done, March
from leuthen.rulesets.campaigns.model.forces import strength
from leuthen.rulesets.campaigns.model.state import Unit
from leuthen.rulesets.campaigns.rules.r04_command.command import (
    Orders,
    companions_of,
    is_shut,
    why_not_lead,
)
from leuthen.rulesets.campaigns.rules.r09_supply.supply import is_near, need, stock
from leuthen.wargame.board import NOWHERE
from leuthen.wargame.names import LeaderId


def group_of(s: Situation, unit: Unit) -> tuple[LeaderId, ...]:
    """Who goes along; all wagons, if nobody stays with them."""
    along = marching.group_of(s, unit)
    going = {unit.number, *along}
    stays = [one for one in s.field(unit.hex, s.side) if one.number not in going]
    if stays or s.is_shelter(unit.hex):
        return along
    wagons = [number for number in companions_of(s.pos, unit.number) if s.data.is_wagon(number)]
    return tuple(sorted(going.union(wagons) - {unit.number}))


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
            yield from setting_out(s, unit, group_of)
            yield from loading_up(s, unit)
    yield from sorties(s, frame)
    yield from idle_actions(s, frame.command)
    yield from convoy_actions(s, frame)
    yield Done()
    for unit in able:
        yield from homecoming(s, unit)

"""Marches by the plan: armies first, leaders without men to their armies, wagons only where nobody can take them."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot import marching
from leuthen.rulesets.campaigns.bot.generals.convoys import convoy_actions
from leuthen.rulesets.campaigns.bot.marching import homecoming, setting_out, sorties, waits
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.staff import idle_actions
from leuthen.rulesets.campaigns.model.actions import Done
from leuthen.rulesets.campaigns.model.state import Unit
from leuthen.rulesets.campaigns.rules.r04_command.command import (
    Orders,
    companions_of,
    is_shut,
    why_not_lead,
)


def group_of(s: Situation, unit: Unit) -> tuple[int, ...]:
    """Who goes along; all wagons, if nobody stays with them."""
    along = marching.group_of(s, unit)
    going = {unit.number, *along}
    stays = [one for one in s.field(unit.hex, s.side) if one.number not in going]
    if stays or s.is_shelter(unit.hex):
        return along
    wagons = [number for number in companions_of(s.pos, unit.number) if s.data.is_wagon(number)]
    return tuple(sorted(going.union(wagons) - {unit.number}))


def order_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    """The marches with this chit, the strongest first; then no more."""
    able = [
        unit for unit in s.generals
        if not why_not_lead(s.pos, unit.number, s.side, frame.command) and not is_shut(s.pos, unit)
    ]  # fmt: skip
    for unit in able:
        if not waits(s, unit):
            yield from setting_out(s, unit, group_of)
    yield from sorties(s, frame)
    yield from idle_actions(s, frame.command)
    yield from convoy_actions(s, frame)
    yield Done()
    for unit in able:
        yield from homecoming(s, unit)

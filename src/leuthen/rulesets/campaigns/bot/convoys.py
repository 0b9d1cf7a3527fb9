"""Wagons on their own: they go to where a depot should be made for the armies (R9.1, R9.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.routes import path_of
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import March
from leuthen.rulesets.campaigns.model.forces import is_occupied
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders, is_shut, start_march, why_not_lead
from leuthen.rulesets.campaigns.rules.r09_supply.supply import depot_range, is_near, need
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.names import LeaderId

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

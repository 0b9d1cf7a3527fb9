"""Wagons that travel alone (R9.1, R9.3): only where no enemy can reach them, and out of his way in time."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.convoys import destination, may_go
from leuthen.rulesets.campaigns.bot.routes import path_of
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import March
from leuthen.rulesets.campaigns.model.forces import field_tp
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders, start_march
from leuthen.rulesets.campaigns.rules.r05_movement.walk import Walk
from leuthen.wargame.board import NOWHERE, Hex


def convoy_actions(s: Situation, frame: Orders) -> Iterator[Action]:
    """The marches of wagons with the chit of command 1: to where they are wanted, by stages that are safe."""
    for number, unit in s.wagons:
        if not may_go(s, frame, number):
            continue
        walk = start_march(s.pos, s.side, number, ()).walk(s.pos)
        ends = [here for here in walk.reach if here != unit.hex and walk.can_end(here, walk.reach[here])]
        there = _end(s, walk, [here for here in ends if is_safe(s, here)])
        if there >= 0:
            yield March(number, (), False, path_of(walk, there))


def _end(s: Situation, walk: Walk, ends: list[Hex]) -> Hex:
    """The safe stage that is nearest to where the wagon is wanted; else, if it is in danger, the nearest safe one."""
    if not ends:
        return NOWHERE
    goal = destination(s, walk.here)
    if goal not in (NOWHERE, walk.here):
        there = min(ends, key=lambda here: (s.way(here, goal), here))
        if s.way(there, goal) < s.way(walk.here, goal):
            return there
    return NOWHERE if is_safe(s, walk.here) else min(ends, key=lambda here: (s.way(walk.here, here), here))


def is_safe(s: Situation, here: Hex) -> bool:
    """Whether a wagon stands there with an army, out of the enemy's reach, or where he has too few men for a siege."""
    return not s.threat(here) or field_tp(s.pos, here, s.side) > 0 or s.is_shelter(here)

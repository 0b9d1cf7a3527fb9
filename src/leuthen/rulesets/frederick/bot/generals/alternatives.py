"""What else an army could be for than its plan says: what a general tries in his head before it marches, or stays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec

from leuthen.rulesets.frederick.bot.generals.intent import mission_of
from leuthen.rulesets.frederick.bot.generals.proposer import KINDS, candidates, mission_for, today
from leuthen.rulesets.frederick.bot.marching import movers
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.wargame.plans import Mission, Plan

GOALS: Final = 5
"""Other goals that are tried for an army, the best first, beside to stand where it is."""
IDLE: Final = 2
"""Armies that are asked for when nobody marches any more."""
LEAST: Final = 8
"""SP of such an army."""


def otherwise(s: Situation, plan: Plan, army: Stack) -> Iterator[Plan]:
    """The plan with other goals of an army, the best first, or with none: it stands where it is.

    What a player has ordered is left alone.
    """
    mission = mission_of(plan, army)
    if mission is not None and mission.signed:
        return
    known, whose = (None, army.leaders) if mission is None else ((mission.kind, mission.place), mission.army)
    goals = sorted(candidates(s, army, mission, []), key=lambda goal: (-goal.value, goal.hex))
    good = [goal for goal in goals if goal.value > 0 and (KINDS[goal.kind], goal.hex) != known]
    for goal in islice(good, GOALS):
        yield plan.give(msgspec.structs.replace(mission_for(s, army, goal, None), army=whose))
    yield plan.give(Mission("hold", whose, army.hex, since=today(s)))


def idle_armies(s: Situation) -> list[Stack]:
    """The strongest of those who could still march, and are an army."""
    able = (army for army in movers(s, forced=False) if army.leaders and not army.demoralized)
    return [army for army in able if army.strength >= LEAST][:IDLE]

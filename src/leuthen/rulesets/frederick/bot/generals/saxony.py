"""1756's question: whether Prussia invades Saxony. Who does makes her an enemy, and others rather so (C3.3, C5.6)."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.data import NOBODY, SAXONY, TERRITORIES, GameData
from leuthen.rulesets.frederick.model.state import PRUSSIAN
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR
from leuthen.wargame.board import Hexes
from leuthen.wargame.plans import Plan

QUESTION: Final = "saxony"
"""Its name in the plan's council: 1 to invade, 0 to leave it alone."""


def is_open(s: Situation, plan: Plan) -> bool:
    """Whether Prussia has still to answer it."""
    return (
        QUESTION not in plan.council
        and s.side == PRUSSIAN
        and s.pos.year == FIRST_YEAR
        and s.pos.plan.par is None
        and s.pos.allegiance[SAXONY] == NOBODY
    )


def answer(plan: Plan, invades: bool) -> Plan:
    """The plan with the answer."""
    return msgspec.structs.replace(plan, council={**plan.council, QUESTION: int(invades)})


def invaded(data: GameData, plan: Plan) -> Hexes:
    """The neutral ground that a plan enters."""
    if not plan.council.get(QUESTION):
        return 0
    found = 0
    for land, power in TERRITORIES.items():
        if power == SAXONY:
            found |= data.board.region(land)
    return found

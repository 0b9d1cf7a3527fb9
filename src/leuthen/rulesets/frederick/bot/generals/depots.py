"""Depots for those who mean to stay: before a fortress, and on the way to one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot import depots
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Build
from leuthen.wargame.board import Hex

QUIET: Final = 1.0
"""How much danger, in SP, there may be where a depot is begun."""


def depot_actions(s: Situation) -> Iterator[Action]:
    """As the planner has it, but no depot is begun by an army that will be gone before it is complete (O10.4)."""
    for action in depots.depot_actions(s):
        if not isinstance(action, Build) or _stays(s, action.hex):
            yield action


def _stays(s: Situation, here: Hex) -> bool:
    army = s.pos.field(here, s.side)
    if army is None or s.danger(army, here) > QUIET:
        return False
    return bool(s.garrison(here, s.foe)) or (s.guide is not None and s.guide.goal(s, army).kind == "siege")

"""Depots for those who mean to stay: before a fortress, and on the way to one."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot import depots
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Build
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.o10_supply.depots import may_build
from leuthen.wargame.board import Hex


def depot_actions(s: Situation) -> Iterator[Action]:
    """As the planner has it, but no depot is begun by an army that will be gone before it is complete (O10.4)."""
    for army in s.armies:
        if (
            is_tethered(s, army)
            and may_build(s.pos, army.hex, s.side) is None
            and s.danger(army, army.hex) <= s.temper.quiet
        ):
            yield Build(army.hex)
    for action in depots.depot_actions(s):
        if not isinstance(action, Build) or _stays(s, action.hex):
            yield action


def is_tethered(s: Situation, army: Stack) -> bool:
    """Whether a commander who may not leave supply (O10.6) has come to its end, and his goal lies beyond."""
    if s.guide is None or army.demoralized or s.data.leaders[army.commander].initiative:
        return False
    goal = s.guide.goal(s, army)
    if goal.kind not in ("siege", "relief", "hunt") or goal.hex == army.hex:
        return False
    far, fed = s.roads(army, goal.hex).far, s.supplied(army)
    nearer = [there for there in s.board.neighbours[army.hex] if far(there) < far(army.hex)]
    return not any(fed >> there & 1 for there in nearer)


def _stays(s: Situation, here: Hex) -> bool:
    army = s.pos.field(here, s.side)
    if army is None or s.danger(army, here) > s.temper.quiet:
        return False
    return bool(s.garrison(here, s.foe)) or (s.guide is not None and s.guide.goal(s, army).kind == "siege")

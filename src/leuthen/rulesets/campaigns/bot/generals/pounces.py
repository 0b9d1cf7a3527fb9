"""Forced marches (R8): to an empty place tonight, and upon an enemy who thinks that he is out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot import marching
from leuthen.rulesets.campaigns.bot.battles import is_good
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Done, Force
from leuthen.rulesets.campaigns.model.forces import strength
from leuthen.rulesets.campaigns.model.state import Unit
from leuthen.rulesets.campaigns.rules.r05_movement.walk import FORCED
from leuthen.rulesets.campaigns.rules.r08_forced_march import TOLL, ForcedMarches
from leuthen.wargame.board import Hex

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

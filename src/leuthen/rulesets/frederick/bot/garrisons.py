"""Garrisons: how many SP a fortress should have, and going in and out without a march."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Shift
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, Bag, bag, largest, of

NEAR: Final = 6
"""Hexes within which an enemy army threatens a fortress."""


def wanted(s: Situation, here: Hex) -> int:
    """How many SP should be inside a fortress: one to hold it, more within reach of an enemy army."""
    if s.guide is not None:
        return s.guide.garrison(s, here)
    fort = s.data.fortresses[here]
    threat = s.foes_near(here, NEAR)
    if threat < 5:
        return 1
    return 3 if fort.great else 2


def keep_inside(s: Situation, here: Hex) -> int:
    """How many SP do not leave a fortress."""
    return wanted(s, here) if s.has("garrisons") else 0


def shift_action(s: Situation) -> Iterator[Action]:
    """A field stack at a fortress gives it the garrison that it lacks; a small one in danger goes in whole."""
    for stack in s.mine:
        if stack.inside or not stack.sp or s.pos.owners.get(stack.hex) != s.side or stack.demoralized:
            continue
        lack = wanted(s, stack.hex) - s.garrison(stack.hex, s.side)
        points = min(lack, stack.strength - 1 if stack.leaders else stack.strength)
        if points > 0 and stack.hex not in s.pos.shifted:
            yield Shift(stack.hex, True, (), some(stack.sp, points))


def some(sp: Bag, points: int) -> Bag:
    """So many SP of a bag, from the power with most first."""
    taken = EMPTY
    while points > 0 and sp - taken:
        power = largest(sp - taken)
        step = min(points, of(sp - taken, power))
        taken += bag(power, step)
        points -= step
    return taken

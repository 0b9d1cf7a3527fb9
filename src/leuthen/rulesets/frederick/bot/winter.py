"""Winter quarters: to be at a friendly fortress or depot in time, and to go in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Quarter
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.o10_supply.supply import depot_side
from leuthen.wargame.board import Hex, Hexes, hex_set

HARD: Final = 17
"""From this turn on half the winter is over."""


def shelters(s: Situation, force: Stack) -> Hexes:
    """The hexes in which a force could take quarters (O14.1)."""
    if "shelters" not in s.notes:
        near = s.foe_hexes | s.board.spread(s.foe_hexes)
        s.notes["shelters"] = (hex_set(s.forts) | hex_set(_working_depots(s))) & ~near
    return s.notes["shelters"] & s.supplied(force)


def _working_depots(s: Situation) -> Iterator[Hex]:
    for here, depot in s.pos.depots.items():
        if depot.complete and depot_side(s.pos, depot) == s.side and not s.held(here, s.foe):
            yield here


class QuartersTerm:
    """Towards winter a place with quarters is worth what the open would cost a force."""

    def __init__(self, s: Situation, force: Stack) -> None:
        looks = s.has("winter") and s.pos.turn >= s.temper.homeward and force.sp and _winters(s, force)
        self._warm = shelters(s, force) if looks else 0
        self._homeward = s.memory.ways.gaps(self._warm) if self._warm else None
        self._way_home = s.temper.way_home
        self._shelter = s.temper.cold * force.strength * (1.0 if s.pos.turn < HARD else 0.5)

    def at(self, here: Hex) -> float:
        """What speaks for a hex."""
        if self._homeward is None:
            return 0.0
        return self._shelter if self._warm >> here & 1 else -self._way_home * self._homeward[here]


def _winters(s: Situation, force: Stack) -> bool:
    return s.guide is None or s.guide.winters(s, force)


def quarter_actions(s: Situation) -> Iterator[Action]:
    """Everybody who may go into quarters does so."""
    if not s.has("winter"):
        return
    for stack in s.mine:
        if stack.sp and not stack.quartered and _winters(s, stack):
            yield Quarter(stack.hex, stack.inside)

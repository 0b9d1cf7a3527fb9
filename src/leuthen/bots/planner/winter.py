"""Winter quarters: to be at a friendly fortress or depot in time, and to go in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.bots.planner.situation import Situation
from leuthen.core.board import Hex, bit
from leuthen.core.choice import Action
from leuthen.frederick.actions import Quarter
from leuthen.frederick.rules.supply import depot_side
from leuthen.frederick.state import Stack

HOMEWARD: Final = 13
"""From this turn on armies look for quarters."""
COLD: Final = 0.22
"""What a winter in the open costs, as a part of an army."""


def shelters(s: Situation, here: Hex) -> bool:
    """Whether a stack could take quarters in a hex (O14.1)."""
    depot = s.pos.depots.get(here)
    works = depot is not None and depot.complete and depot_side(s.pos, depot) == s.side and not s.held(here, s.foe)
    if s.pos.owners.get(here) != s.side and not works:
        return False
    return not s.foe_hexes & (bit(here) | s.board.spread(bit(here)))


def quarters_term(s: Situation, force: Stack, here: Hex) -> float:
    """Towards winter a place with quarters is worth what the open would cost."""
    if not s.has("winter") or s.pos.turn < HOMEWARD or not force.sp:
        return 0.0
    value = COLD * force.strength * (1.0 if s.pos.turn < 17 else 0.5)
    if shelters(s, here) and s.supplied(force) >> here & 1:
        return value
    return -0.6 * _way_to_shelter(s, force, here)


def _way_to_shelter(s: Situation, force: Stack, here: Hex) -> float:
    fed = s.supplied(force)
    distances = s.board.distances(here)
    places = [*s.own_forts(), *s.pos.depots]
    return min((distances.get(there, 12) for there in places if fed >> there & 1 and shelters(s, there)), default=12)


def quarter_actions(s: Situation) -> Iterator[Action]:
    """Everybody who may go into quarters does so, but for a siege that is about to succeed."""
    if not s.has("winter"):
        return
    for stack in s.mine:
        if stack.sp and not stack.quartered:
            yield Quarter(stack.hex, stack.inside)

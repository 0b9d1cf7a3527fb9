"""The way between two places of a path that a player left open: a cheapest one, by what he can see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.frederick.model.state import SIDES, Position, Stack
from leuthen.rulesets.frederick.rules.o07_zones import in_zone
from leuthen.rulesets.frederick.rules.o10_supply.supply import neutral_ground
from leuthen.wargame import paths
from leuthen.wargame.board import Hex, Hexes, bit, hex_set
from leuthen.wargame.paths import Care


def fill_in(pos: Position, actor: Side, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
    """A path without its first hex and without gaps, round neutral ground and enemies in the field if there is a way.

    Raises Invalid.
    """

    def cares(there: Hex) -> Iterator[Care]:
        zone = _zone(pos, actor)
        foes = hex_set(stack.hex for stack in _enemies(pos, actor))
        yield Care(zone, foes, neutral_ground(pos) & ~bit(there))
        yield Care(zone)

    return paths.fill_in(pos.data.board, hexes, cares)


def _zone(pos: Position, actor: Side) -> Hexes:
    """The hexes that cost the actor one more because of enemy zones (O5.3)."""
    if actor not in SIDES:
        return 0
    near = {there for stack in _enemies(pos, actor) for there in pos.data.board.neighbours[stack.hex]}
    return hex_set(there for there in near if in_zone(pos, there, actor))


def _enemies(pos: Position, actor: Side) -> list[Stack]:
    if actor not in SIDES:
        return []
    return [stack for stack in pos.stacks.values() if stack.side == OTHER[actor] and stack.sp and not stack.inside]

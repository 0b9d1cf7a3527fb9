"""The way between two places of a path that a player left open: a cheapest one, by what he can see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from leuthen.core.board import Hex, Hexes, around, bit, hex_name, hex_set
from leuthen.core.refusal import Invalid
from leuthen.frederick.rules.control import in_zone
from leuthen.frederick.rules.supply import neutral_ground
from leuthen.frederick.state import SIDES, Position, Stack

FARTHEST: Final = 60
"""Movement points; more than any way that a player would leave open."""


def fill_in(pos: Position, actor: int, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
    """A path without its first hex, with the hexes between those that are not neighbours. Raises Invalid."""
    path: list[Hex] = []
    for here, there in pairwise(hexes):
        path.extend([there] if there in around(here) or there == here else way(pos, actor, here, there))
    return tuple(path)


def way(pos: Position, actor: int, here: Hex, there: Hex) -> list[Hex]:
    """A cheapest way, round neutral ground and enemies in the field if there is one. Raises Invalid."""
    zone = _zone(pos, actor)
    foes = hex_set(stack.hex for stack in _enemies(pos, actor))
    for stops, barred in ((foes, neutral_ground(pos) & ~bit(there)), (0, 0)):
        found = pos.data.board.reach(here, FARTHEST, zone, stops, barred)
        if there in found:
            return _trace_back(pos, found, zone, stops, here, there)
    raise Invalid(f"there is no way over land from {hex_name(here)} to {hex_name(there)}")


def _zone(pos: Position, actor: int) -> Hexes:
    """The hexes that cost the actor one more because of enemy zones (O5.3)."""
    if actor not in SIDES:
        return 0
    near = {there for stack in _enemies(pos, actor) for there in pos.data.board.neighbours[stack.hex]}
    return hex_set(there for there in near if in_zone(pos, there, actor))


def _enemies(pos: Position, actor: int) -> list[Stack]:
    if actor not in SIDES:
        return []
    return [stack for stack in pos.stacks.values() if stack.side == 1 - actor and stack.sp and not stack.inside]


def _trace_back(pos: Position, found: dict[Hex, int], zone: Hexes, stops: Hexes, here: Hex, there: Hex) -> list[Hex]:
    path = [there]
    while path[0] != here:
        last = path[0]
        spent = found[last] - (zone >> last & 1)
        path.insert(
            0,
            next(
                n
                for n, price in _into(pos, last)
                if (n == here or not stops >> n & 1) and found.get(n) == spent - price
            ),
        )
    return path[1:]


def _into(pos: Position, there: Hex) -> list[tuple[Hex, int]]:
    """The neighbours from which a hex is entered, with the movement points, in the order of the board."""
    steps = pos.data.board.steps
    return [(before, steps[before][there]) for before in sorted(pos.data.board.neighbours[there])]

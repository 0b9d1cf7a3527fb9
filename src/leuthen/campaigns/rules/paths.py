"""Paths as people give them, with gaps: the cheapest way between two hexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from leuthen.campaigns.forces import muster
from leuthen.campaigns.state import SIDES, Position
from leuthen.core.board import Hex, around, bit, hex_name
from leuthen.core.refusal import Invalid, Refusal

FARTHEST: Final = 60
"""Movement points; more than any way that a player would leave open."""


class Pace(NamedTuple):
    """Where a path has come to while it is asked for: hex and MP left; what each question of it is about."""

    here: Hex
    left: int
    onward: Callable[[Hex, int], Mapping[Hex, int]]
    """The hexes that may be entered from a hex with so many MP left, with the MP that are left then."""
    why: Callable[[Hex, Hex, int], Refusal]
    """Why a hex is not among them: from which, to which, the MP left."""


def fill_in(pos: Position, actor: int, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
    """A path without its first hex, with the hexes between those that are not neighbours. Raises Invalid."""
    path: list[Hex] = []
    for here, there in pairwise(hexes):
        path.extend([there] if there in around(here) or there == here else way(pos, actor, here, there))
    return tuple(path)


def way(pos: Position, actor: int, here: Hex, there: Hex) -> list[Hex]:
    """A cheapest way, round enemies in the field if there is one. Raises Invalid."""
    foes = muster(pos).fields[1 - actor] if actor in SIDES else 0
    board = pos.data.board
    for barred in (foes & ~bit(there), 0):
        found = board.reach(here, FARTHEST, 0, 0, barred)
        if there in found:
            path = [there]
            while path[0] != here:
                last = path[0]
                before = (
                    n for n in sorted(board.neighbours[last]) if found.get(n, 99) + board.steps[n][last] == found[last]
                )
                path.insert(0, next(before))
            return path[1:]
    raise Invalid(f"there is no way over land from {hex_name(here)} to {hex_name(there)}")

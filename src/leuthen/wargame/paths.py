"""Paths with gaps, which are filled in by the cheapest way that the player can see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

from leuthen.engine.refusal import Invalid
from leuthen.wargame.board import Board, Hex, Hexes, around, hex_name

FARTHEST: Final = 60  # movement points: more than any gap


class Care(NamedTuple):
    """The limits of a search (`Board.reach`): hexes that cost one more, end the way, or cannot be entered."""

    zone: Hexes = 0
    stops: Hexes = 0
    barred: Hexes = 0


class Entered(Protocol):
    """A hex of a reach."""

    @property
    def before(self) -> Hex:
        """The hex from which it is entered."""
        ...


def way_to(found: Mapping[Hex, Entered], start: Hex, goal: Hex) -> list[Hex]:
    """Return the way to a hex of a reach, without the start."""
    path = [goal]
    while (before := found[path[0]].before) != start:
        path.insert(0, before)
    return path


def fill_in(board: Board, hexes: Sequence[Hex], cares: Callable[[Hex], Iterable[Care]]) -> tuple[Hex, ...]:
    """Return a path without its first hex, with its gaps filled in. Raise Invalid.

    `cares` returns the limits for the way to a hex, the strictest first; the first that leads there is used.
    """
    path: list[Hex] = []
    for here, there in pairwise(hexes):
        near = there in around(here) or there == here
        path.extend([there] if near else _way(board, here, there, cares(there)))
    return tuple(path)


def _way(board: Board, here: Hex, there: Hex, cares: Iterable[Care]) -> list[Hex]:
    for care in cares:
        found = board.reach(here, FARTHEST, *care)
        if there in found:
            return _trace_back(board, found, care, here, there)
    raise Invalid(f"there is no way over land from {hex_name(here)} to {hex_name(there)}")


def _trace_back(board: Board, found: dict[Hex, int], care: Care, here: Hex, there: Hex) -> list[Hex]:
    path = [there]
    while path[0] != here:
        last = path[0]
        spent = found[last] - (care.zone >> last & 1)
        before = (
            n
            for n in sorted(board.neighbours[last])
            if (n == here or not care.stops >> n & 1) and found.get(n) == spent - board.steps[n][last]
        )
        path.insert(0, next(before))
    return path[1:]

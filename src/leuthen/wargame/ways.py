"""How far it is from one place to everywhere, in movement points: a search over sets of hexes, a bit each."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from leuthen.wargame.board import Board, Hex, Hexes, bit

FAR: Final = 99
"""Farther than anything."""
ENDLESS: Final = 60
"""Movement points: more than any way that an army would set out on."""
BEYOND: Final = 20
"""Hexes beyond a border that are counted; what lies farther is as far."""
MOST: Final = 2000
"""Searches that are remembered."""

Rings = list[Hexes]
"""The hexes within 0, 1, 2 … steps or movement points."""
Moves = tuple[tuple[int, tuple[tuple[int, Hexes], ...]], ...]
"""By cost: the shifts that lead to a neighbour, each with the hexes from which it costs so much."""


def moves_of(board: Board) -> Moves:
    """The steps of a board as shifts of sets."""
    masks: dict[int, dict[int, Hexes]] = {}
    for here, steps in enumerate(board.steps):
        for there, cost in steps.items():
            shifts = masks.setdefault(cost, {})
            shifts[there - here] = shifts.get(there - here, 0) | bit(here)
    return tuple((cost, tuple(masks[cost].items())) for cost in sorted(masks))


def rings_of(moves: Moves, start: Hex, slow: Hexes, barred: Hexes) -> Rings:
    """The hexes within so many movement points, one more for each hex of `slow`; as `Board.reach` has it."""
    arrive = [0] * (ENDLESS + 6)
    arrive[0], seen, rings = bit(start), 0, []
    for spent in range(ENDLESS + 1):
        fresh = arrive[spent] & ~seen
        seen |= fresh
        rings.append(seen)
        if fresh:
            free = ~seen & ~barred
            for cost, shifts in moves:
                moved = _shifted(fresh, shifts) & free
                arrive[spent + cost] |= moved & ~slow
                arrive[spent + cost + 1] |= moved & slow
    return rings


def _shifted(members: Hexes, shifts: tuple[tuple[int, Hexes], ...]) -> Hexes:
    result = 0
    for shift, mask in shifts:
        movers = members & mask
        if movers:
            result |= movers << shift if shift > 0 else movers >> -shift
    return result


def first_ring(rings: Rings, here: Hex) -> int:
    """In which ring a hex first is; their number if in none."""
    return bisect_left(rings, 1, key=lambda ring: ring >> here & 1)


class Ways:
    """Ways over one board that were worked out before: true in any position."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._tables: dict[Hex, bytes] = {}
        self._moves = moves_of(board)
        self._ways: dict[tuple[Hex, Hexes, Hexes], Rings] = {}
        self._borders: dict[Hexes, Rings] = {}

    def points(self, start: Hex, here: Hex, slow: Hexes, barred: Hexes) -> int:
        """Movement points from one hex to another; `FAR` if it is too far or there is no way."""
        key = start, slow, barred
        rings = self._ways.get(key)
        if rings is None:
            if len(self._ways) >= MOST:
                self._ways.clear()
            rings = self._ways[key] = rings_of(self._moves, start, slow, barred)
        found = first_ring(rings, here)
        return found if found <= ENDLESS else FAR

    def table(self, start: Hex) -> bytes:
        """Movement points from one hex to every other, by its number, if nobody is in the way; `FAR` if too far."""
        found = self._tables.get(start)
        if found is None:
            reached = self._board.reach(start, ENDLESS)
            found = self._tables[start] = bytes(reached.get(here, FAR) for here in range(len(self._board.steps)))
        return found

    def hexes(self, places: Hexes, here: Hex) -> int:
        """How many hexes it is from the nearest of some places, up to `BEYOND`."""
        rings = self._borders.get(places)
        if rings is None:
            if len(self._borders) >= MOST:
                self._borders.clear()
            rings = self._borders[places] = self._widen(places)
        return first_ring(rings, here)

    def _widen(self, places: Hexes) -> Rings:
        rings = [places]
        while len(rings) < BEYOND:
            rings.append(rings[-1] | self._board.spread(rings[-1]))
        return rings

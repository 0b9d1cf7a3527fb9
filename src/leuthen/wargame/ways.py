"""How far it is from one place to everywhere, in movement points: a search over sets of hexes, a bit each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from leuthen.wargame.board import Board, Hex, Hexes, bit, hex_set

FAR: Final = 99
"""Farther than anything."""
ENDLESS: Final = 60
"""Movement points: more than any way that an army would set out on."""
BEYOND: Final = 20
"""Hexes beyond a border that are counted; what lies farther is as far."""
MOST: Final = 2000
"""Searches that are remembered."""
_DIGITS: Final = 6
"""Binary digits of the numbers in a table, apart from `FAR`."""

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


class Ways:
    """Ways over one board that were worked out before: true in any position."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._moves = moves_of(board)
        self._zeros = int.from_bytes(b"0" * board.size, "big")
        self._tables: dict[tuple[Hex, Hexes, Hexes], bytes] = {}
        self._gaps: dict[Hexes, bytes] = {}
        self._near: dict[tuple[Hex, int], Hexes] = {}
        self._struck: dict[tuple[Hex, int], Hexes] = {}

    def table(self, start: Hex, slow: Hexes = 0, barred: Hexes = 0) -> bytes:
        """Movement points from one hex to every other, by its number, one more for each of `slow`; `FAR` if too far."""
        key = start, slow, barred
        found = self._tables.get(key)
        if found is None:
            if len(self._tables) >= MOST:
                self._tables.clear()
            found = self._tables[key] = self._numbers(self._rings(start, slow, barred), FAR)
        return found

    def gaps(self, places: Hexes) -> bytes:
        """How many hexes every hex is from the nearest of some places, by its number, up to `BEYOND`."""
        found = self._gaps.get(places)
        if found is None:
            if len(self._gaps) >= MOST:
                self._gaps.clear()
            found = self._gaps[places] = self._numbers(self._widen(places), BEYOND)
        return found

    def near(self, here: Hex, far: int) -> Hexes:
        """The hexes within so many steps."""
        found = self._near.get((here, far))
        if found is None:
            found = bit(here)
            for _ in range(far):
                found |= self._board.spread(found)
            self._near[here, far] = found
        return found

    def struck(self, start: Hex, points: int) -> Hexes:
        """The hexes within so many movement points of one."""
        key = start, points
        if key not in self._struck:
            self._struck[key] = hex_set(here for here, far in enumerate(self.table(start)) if far <= points)
        return self._struck[key]

    def hexes(self, places: Hexes, here: Hex) -> int:
        """How many hexes it is from the nearest of some places, up to `BEYOND`."""
        return self.gaps(places)[here]

    def _rings(self, start: Hex, slow: Hexes, barred: Hexes) -> list[Hexes]:
        """The hexes that are exactly so many movement points away; as `Board.reach` has it."""
        arrive = [0] * (ENDLESS + 6)
        arrive[0] = fresh = bit(start)
        free = self._board.land & ~barred | fresh
        for spent in range(ENDLESS + 1):
            arrive[spent] = fresh = arrive[spent] & free
            free ^= fresh
            for cost, shifts in self._moves if fresh else ():
                moved = 0
                for shift, mask in shifts:
                    movers = fresh & mask
                    if movers:
                        moved |= movers << shift if shift > 0 else movers >> -shift
                if slowly := moved & slow:
                    arrive[spent + cost + 1] |= slowly
                arrive[spent + cost] |= moved ^ slowly
        return arrive[: ENDLESS + 1]

    def _widen(self, places: Hexes) -> list[Hexes]:
        rings, seen = [places], places
        while len(rings) < BEYOND and rings[-1]:
            rings.append(self._board.spread(rings[-1]) & ~seen)
            seen |= rings[-1]
        return rings

    def _numbers(self, rings: Sequence[Hexes], beyond: int) -> bytes:
        """In which ring each hex lies, by its number; `beyond` if in none. The numbers are put together bit by bit."""
        planes, seen = [0] * _DIGITS, 0
        for number, ring in enumerate(rings):
            seen |= ring
            for digit in range(_DIGITS) if ring else ():
                if number >> digit & 1:
                    planes[digit] |= ring
        result = beyond * self._spaced((1 << self._board.size) - 1 & ~seen)
        for digit, plane in enumerate(planes):
            result += self._spaced(plane) << digit
        return result.to_bytes(self._board.size, "little")

    def _spaced(self, members: Hexes) -> int:
        """The number that has a byte for each hex, 1 for those of a set."""
        return int.from_bytes(f"{members:0{self._board.size}b}".encode(), "big") - self._zeros

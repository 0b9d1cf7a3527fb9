"""Ways over the board: distances by searches over sets of hexes, and paths with gaps that are filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

from leuthen.engine.memo import Memo, memoized
from leuthen.engine.refusal import Invalid
from leuthen.wargame.board import Board, Hex, Hexes, around, bit, hex_name, hex_set

FAR: Final = 99  # farther than any distance
ENDLESS: Final = 60  # movement points beyond any march
BEYOND: Final = 20  # limit of distances in hexes
MOST: Final = 2000  # cached searches
_DEAREST: Final = 6  # highest cost of a step: a hex, a river, a pass, a zone, and a slow hex
_DIGITS: Final = 6  # binary digits of the numbers in a table, apart from `FAR`

Moves = tuple[tuple[int, tuple[tuple[int, Hexes], ...]], ...]
"""By cost: the shifts to a neighbour, each with the hexes where it has that cost."""


def moves_of(board: Board) -> Moves:
    """Return the steps of a board as shifts of sets."""
    masks: dict[int, dict[int, Hexes]] = {}
    for here, steps in enumerate(board.steps):
        for there, cost in steps.items():
            shifts = masks.setdefault(cost, {})
            shifts[there - here] = shifts.get(there - here, 0) | 1 << here
    return tuple((cost, tuple(masks[cost].items())) for cost in sorted(masks))


class Search:
    """Distances in movement points from the nearest of some hexes, up to `most`, searched on demand."""

    __slots__ = ("_arrive", "_free", "_known", "_most", "_moves", "_slow", "rings")

    def __init__(self, moves: Moves, starts: Hexes, slow: Hexes, free: Hexes, most: int = ENDLESS) -> None:
        self._moves = moves
        self._slow = slow
        self._free = free | starts
        self._most = most
        self._arrive = [starts] + [0] * _DEAREST
        self._known = Memo()
        self.rings: list[Hexes] = []  # the hexes at each distance, as far as searched

    @memoized("_known")
    def far(self, here: Hex) -> int:
        """Return the movement points to a hex; `FAR` or more if it is too far."""
        while self._free >> here & 1:
            if not self.widen():
                return self._nowhere
        for spent, ring in enumerate(self.rings):
            if ring >> here & 1:
                return spent
        return self._nowhere

    @property
    def _nowhere(self) -> int:
        return max(FAR, self._most + 1)

    def widen(self) -> bool:
        """Search one movement point farther; return False if nothing is left to search."""
        arrive = self._arrive
        if len(self.rings) > self._most or not any(arrive):
            return False
        fresh = arrive.pop(0) & self._free
        arrive.append(0)
        self.rings.append(fresh)
        if fresh:
            self._free ^= fresh
            self._enter(fresh)
        return True

    def _enter(self, fresh: Hexes) -> None:
        arrive, slow = self._arrive, self._slow
        for cost, shifts in self._moves:
            moved = 0
            for shift, mask in shifts:
                movers = fresh & mask
                if movers:
                    moved |= movers << shift if shift > 0 else movers >> -shift
            if slowly := moved & slow:
                arrive[cost] |= slowly
            arrive[cost - 1] |= moved ^ slowly


class Ways:
    """Cached distances over one board, which hold in any position."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._moves = moves_of(board)
        self._zeros = int.from_bytes(b"0" * board.size, "big")
        self._tables, self._searches, self._gaps = (Memo.with_limit(MOST) for _ in range(3))
        self._memo = Memo()

    def table(self, start: Hex, slow: Hexes = 0, barred: Hexes = 0) -> bytes:
        """Return the movement points from a hex to all others; hexes of `slow` cost one more; `FAR` if too far."""

        def made() -> bytes:
            search = self._begin(start, slow, barred)
            while search.widen():
                pass
            return self._numbers(search.rings, FAR)

        return self._tables.get_or_compute((start, slow, barred), made)

    def search(self, start: Hex, slow: Hexes, barred: Hexes) -> Search:
        """Return a search on demand, for tables with few look-ups."""
        return self._searches.get_or_compute((start, slow, barred), lambda: self._begin(start, slow, barred))

    def _begin(self, start: Hex, slow: Hexes, barred: Hexes) -> Search:
        return Search(self._moves, bit(start), slow, self._board.land & ~barred)

    def gaps(self, places: Hexes) -> bytes:
        """Return the distances of all hexes from the nearest of some places, in hexes, up to `BEYOND`."""

        def made() -> bytes:
            rings, seen = [places], places
            while len(rings) < BEYOND and rings[-1]:
                rings.append(self._board.spread(rings[-1]) & ~seen)
                seen |= rings[-1]
            return self._numbers(rings, BEYOND)

        return self._gaps.get_or_compute(places, made)

    @memoized("_memo")
    def near(self, here: Hex, far: int) -> Hexes:
        """Return the hexes within some steps."""
        found = bit(here)
        for _ in range(far):
            found |= self._board.spread(found)
        return found

    @memoized("_memo")
    def struck(self, start: Hex, points: int) -> Hexes:
        """Return the hexes within some movement points."""
        return hex_set(Hex(here) for here, far in enumerate(self.table(start)) if far <= points)

    def _numbers(self, rings: Sequence[Hexes], beyond: int) -> bytes:
        planes, seen = [0] * _DIGITS, 0
        for number, ring in enumerate(rings):
            seen |= ring
            for digit in range(_DIGITS) if ring else ():
                if number >> digit & 1:
                    planes[digit] |= ring
        result = beyond * self._spread_bits((1 << self._board.size) - 1 & ~seen)
        for digit, plane in enumerate(planes):
            result += self._spread_bits(plane) << digit
        return result.to_bytes(self._board.size, "little")

    def _spread_bits(self, members: Hexes) -> int:
        return int.from_bytes(f"{members:0{self._board.size}b}".encode(), "big") - self._zeros


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


def path_to(found: Mapping[Hex, Entered], start: Hex, goal: Hex) -> list[Hex]:
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

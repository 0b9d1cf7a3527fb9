"""The board: hexes as numbers, hexsides and their costs, and searches and ways over sets of hexes.

A hex RRCC is the number `row * 48 + column`. A set of hexes is an integer with one bit for each, so that a search of
the whole board takes a few shifts for each step (docs/decisions/board-sets.md).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple, NewType, TypeAlias

from leuthen.engine.choice import Token
from leuthen.engine.memo import Memo, memoized
from leuthen.engine.refusal import Invalid, number_of, shorten
from leuthen.engine.ruleset import OwnerId

Hex = NewType("Hex", int)  # the number of a hex
Hexes: TypeAlias = int  # a set of hexes, one bit each

WIDTH: Final = 48
NOWHERE: Final = Hex(-1)
_int: Any = int
as_hex: Final[Callable[[Token], Hex]] = _int  # the hex of a chosen token


def chosen_hex(token: Token) -> Hex:
    """Return the hex of an answer; NOWHERE if it is no hex."""
    return Hex(token) if isinstance(token, int) else NOWHERE


CLEAR: Final = "clear"
MOUNTAIN: Final = "mountain"
WATER: Final = "water"
OFF: Final = "off"

_EVEN: Final = (1, -1, WIDTH, WIDTH + 1, -WIDTH, -WIDTH + 1)
_ODD: Final = (1, -1, WIDTH - 1, WIDTH, -WIDTH - 1, -WIDTH)


@cache
def hex_name(here: Hex) -> str:
    """Return the printed number RRCC of a hex."""
    return f"{here // WIDTH:02d}{here % WIDTH:02d}"


def place_name(here: Hex) -> str:
    """Return the printed number of a hex; "" for NOWHERE."""
    return hex_name(here) if here >= 0 else ""


def rows_of(names: Iterable[str]) -> str:
    """Return printed numbers in short form, by row from the south: "08:13-15,17-17 09:14-14"."""
    found = []
    for row, members in groupby(sorted(names), key=lambda name: name[:2]):
        columns = [int(name[2:]) for name in members]
        first = [n for n in columns if n - 1 not in columns]
        last = [n for n in columns if n + 1 not in columns]
        found.append(f"{row}:{','.join(f'{a}-{b}' for a, b in zip(first, last, strict=True))}")
    return " ".join(found)


def names_in(rows: str) -> Iterator[str]:
    """Yield the printed numbers of the short form of `rows_of`."""
    for row, _, runs in (part.partition(":") for part in rows.split()):
        for first, _, last in (run.partition("-") for run in runs.split(",")):
            yield from (f"{row}{column:02d}" for column in range(int(first), int(last) + 1))


def parse_hex(text: str) -> Hex:
    """Return the hex of a printed number RRCC. Raise Invalid."""
    if len(text) != 4 or number_of(text) is None:
        raise Invalid(f'"{shorten(text)}" is not a valid hex: four digits are expected, row and column, such as 1623')
    return Hex(int(text[:2]) * WIDTH + int(text[2:]))


def around(here: Hex) -> tuple[Hex, ...]:
    """Return the six neighbours of a hex, on or off the board."""
    row = here // WIDTH
    return tuple(Hex(here + step) for step in (_ODD if row % 2 else _EVEN))


def bit(here: Hex) -> Hexes:
    return 1 << here


def hexes_of(members: Hexes) -> Iterator[Hex]:
    """Yield the hexes of a set in ascending order."""
    while members:
        low = members & -members
        here: Any = low.bit_length() - 1  # no call, because hexes are gone through by the million
        yield here
        members ^= low


def hex_set(members: Iterable[Hex]) -> Hexes:
    result = 0
    for here in members:
        result |= 1 << here
    return result


class Hexside(NamedTuple):
    """A hexside: names of its river and pass or "", a ridge, water."""

    river: str
    ridge: bool
    pass_: str
    water: bool

    @property
    def is_barred(self) -> bool:
        """True if the hexside cannot be crossed: water, or a ridge without a pass (O5.4)."""
        return self.water or (self.ridge and not self.pass_)

    @property
    def cost(self) -> int:
        """Additional movement points: one for a river, one for a pass (O5.3)."""
        return bool(self.river) + bool(self.pass_)


OPEN_HEXSIDE: Final = Hexside("", False, "", False)
ENDLESS: Final = 60  # movement points beyond any march or gap


class Care(NamedTuple):
    """The limits of a search (`Board.reach`): hexes that cost one more, end the way, or cannot be entered."""

    zone: Hexes = 0
    stops: Hexes = 0
    barred: Hexes = 0


class Board:
    """The hexes in play and their connections.

    `terrain` and `territory` are by hex. `steps[here]` maps each hex that can be entered from `here` to its cost in
    movement points without zones; `rings[here]` is the set of them. `sides` holds the hexsides that are not open.
    """

    def __init__(
        self, terrain: Mapping[Hex, str], territory: Mapping[Hex, str], sides: Mapping[tuple[Hex, Hex], Hexside]
    ) -> None:
        self.terrain = dict(terrain)
        self.territory = dict(territory)
        self.sides = {**sides, **{(b, a): side for (a, b), side in sides.items()}}
        size = max(terrain, default=0) + 2 * WIDTH
        self.size = size
        self.land = hex_set(here for here in terrain if self.is_in_play(here))
        self.mountains = hex_set(here for here, kind in terrain.items() if kind == MOUNTAIN)
        self.steps: tuple[dict[Hex, int], ...] = tuple(self._steps_from(Hex(here)) for here in range(size))
        self.neighbours: tuple[tuple[Hex, ...], ...] = tuple(tuple(steps) for steps in self.steps)
        self.rings: tuple[Hexes, ...] = tuple(hex_set(steps) for steps in self.steps)
        masks: dict[int, Hexes] = {}
        for here, steps in enumerate(self.steps):
            for there in steps:
                masks[there - here] = masks.get(there - here, 0) | 1 << here
        self._shifts = tuple(masks.items())
        self._memo = Memo()

    def is_in_play(self, here: Hex) -> bool:
        """Return whether a force could be in a hex at all (O5.4)."""
        return self.terrain.get(here, WATER) != WATER and self.territory[here] != OFF

    def side(self, here: Hex, there: Hex) -> Hexside:
        return self.sides.get((here, there), OPEN_HEXSIDE)

    def _steps_from(self, here: Hex) -> dict[Hex, int]:
        if not self.is_in_play(here):
            return {}
        return {
            there: 1 + self.side(here, there).cost
            for there in around(here)
            if self.is_in_play(there) and not self.side(here, there).is_barred
        }

    def spread(self, members: Hexes) -> Hexes:
        """Return the hexes that can be entered from the set in one step."""
        result = 0
        for shift, mask in self._shifts:
            movers = members & mask
            if movers:
                result |= movers << shift if shift > 0 else movers >> -shift
        return result

    @memoized("_memo")
    def within(self, here: Hex, steps: int) -> Hexes:
        """Return the hexes within some steps of a hex, with itself."""
        near = self.within(here, steps - 1) if steps else 1 << here
        return near | self.spread(near) if steps else near

    @memoized("_memo")
    def region(self, territory: str) -> Hexes:
        return hex_set(h for h in hexes_of(self.land) if self.territory[h] == territory)

    @memoized("_memo")
    def distances(self, here: Hex) -> Mapping[Hex, int]:
        """Return the distance to every hex over passable hexsides, the nearest first (O2.8).

        Forces on the way do not matter. Ties: lower numbers first.
        """
        found = {here: 0}
        seen = edge = 1 << here
        steps = 0
        while edge:
            steps += 1
            edge = self.spread(edge) & ~seen
            seen |= edge
            found.update(dict.fromkeys(hexes_of(edge), steps))
        return found

    def reach(self, here: Hex, points: int, zone: Hexes = 0, stops: Hexes = 0, barred: Hexes = 0) -> dict[Hex, int]:
        """Return the least movement points to each hex, up to `points`.

        A hex of `zone` costs one more, a hex of `stops` ends the march, a hex of `barred` cannot be entered.
        """
        found = {here: 0}
        shells: list[list[Hex]] = [[here], *([] for _ in range(points))]
        steps = self.steps
        for spent, shell in enumerate(shells):
            for place in shell:
                if found[place] != spent or (place != here and stops >> place & 1):
                    continue
                for there, price in steps[place].items():
                    cost = spent + price
                    if cost > points or cost >= found.get(there, 99):  # a zone would make it dearer still
                        continue
                    cost += zone >> there & 1
                    if cost <= points and cost < found.get(there, 99) and not barred >> there & 1:
                        found[there] = cost
                        shells[cost].append(there)
        return found

    def fill_in(self, hexes: Sequence[Hex], cares: Callable[[Hex], Iterable[Care]]) -> tuple[Hex, ...]:
        """Return a path without its first hex, with its gaps filled in. Raise Invalid.

        `cares` returns the limits for the way to a hex, the strictest first; the first that leads there is used.
        """
        path: list[Hex] = []
        for here, there in pairwise(hexes):
            near = there in around(here) or there == here
            path.extend([there] if near else self._way(here, there, cares(there)))
        return tuple(path)

    def _way(self, here: Hex, there: Hex, cares: Iterable[Care]) -> Iterable[Hex]:
        for care in cares:
            found = self.reach(here, ENDLESS, *care)
            path = [there] if there in found else []
            while path and path[0] != here:
                last = path[0]
                left = found[last] - (care.zone >> last & 1)
                before = (n for n in sorted(self.neighbours[last]) if n == here or not care.stops >> n & 1)
                path.insert(0, next(n for n in before if found.get(n) == left - self.steps[n][last]))
            if path:
                return path[1:]
        raise Invalid(f"there is no way over land from {hex_name(here)} to {hex_name(there)}")


StackKey = NewType("StackKey", int)
"""The key of a stack. Keys are ordered by hex, then side, the field before the inside."""


def stack_key(here: Hex, side: OwnerId, inside: int) -> StackKey:
    """Return the key of a side's stack in a hex."""
    number: Any = here << 3 | side << 1 | inside  # no call, because keys are made by the thousand
    key: StackKey = number
    return key


def keys_at(here: Hex) -> Sequence[StackKey]:
    """Return the keys of both sides' stacks in a hex, in order."""
    first: Any = here << 3
    return first, first + 1, first + 2, first + 3


def key_hex(key: StackKey) -> Hex:
    return Hex(key >> 3)


def key_side(key: StackKey) -> OwnerId:
    """Return the owner of a stack."""
    side: Any = key >> 1 & 3
    owner: OwnerId = side
    return owner


def key_inside(key: StackKey) -> bool:
    return bool(key & 1)


def hexsides(board: Board, here: Hex, place: Callable[[Hex], str], barred: str) -> Iterator[str]:
    """Yield a description of each hexside that is not open, with its cost; `barred` is the rule for barred ones."""
    if not board.is_in_play(here):
        return
    for there in around(here):
        if there not in board.terrain:
            continue
        side = board.side(here, there)
        marks = [*([f"river {side.river}"] if side.river else []), *([f"pass {side.pass_}"] if side.pass_ else [])]
        marks += ["ridge without a pass"] * (side.ridge and not side.pass_) + ["water"] * side.water
        if marks:
            cost = board.steps[here].get(there)
            price = f"{cost} MP" if cost is not None else f"barred ({barred})"
            yield f"To {place(there)}: {', '.join(marks)}, {price}"


# --- ways over the board: distances by searches, and paths with gaps that are filled in -------------------------------


FAR: Final = 99  # farther than any distance
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

    __slots__ = ("_arrive", "_free", "_known", "_most", "_moves", "_nowhere", "_slow", "rings")

    def __init__(self, moves: Moves, starts: Hexes, slow: Hexes, free: Hexes, most: int = ENDLESS) -> None:
        self._moves = moves
        self._slow = slow
        self._free = free | starts
        self._most = most
        self._nowhere = max(FAR, most + 1)
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

    def widen(self) -> bool:
        """Search one movement point farther; return False if nothing is left to search."""
        arrive, slow = self._arrive, self._slow
        if len(self.rings) > self._most or not any(arrive):
            return False
        fresh = arrive.pop(0) & self._free
        arrive.append(0)
        self.rings.append(fresh)
        self._free ^= fresh
        for cost, shifts in self._moves if fresh else ():
            moved = 0
            for shift, mask in shifts:
                movers = fresh & mask
                if movers:
                    moved |= movers << shift if shift > 0 else movers >> -shift
            if slowly := moved & slow:
                arrive[cost] |= slowly
            arrive[cost - 1] |= moved ^ slowly
        return True


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

    def near(self, here: Hex, far: int) -> Hexes:
        return self._board.within(here, far)

    @memoized("_memo")
    def struck(self, start: Hex, points: int) -> Hexes:
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

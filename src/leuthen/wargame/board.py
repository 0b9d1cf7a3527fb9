"""The board: hexes as numbers, hexsides and their costs, and searches over sets of hexes.

A hex RRCC is the number `row * 48 + column`. A set of hexes is an integer with one bit for each, so that a search of
the whole board takes a few shifts for each step (docs/decisions/board-sets.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, Final, NewType, TypeAlias

from leuthen.engine.choice import Token
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OwnerId
from leuthen.engine.texts import number_of, shorten

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
    rows = groupby(sorted(names), key=lambda name: name[:2])
    return " ".join(f"{row}:{_runs([int(name[2:]) for name in members])}" for row, members in rows)


def names_in(rows: str) -> Iterator[str]:
    """Yield the printed numbers of the short form of `rows_of`."""
    for row, _, runs in (part.partition(":") for part in rows.split()):
        for first, _, last in (run.partition("-") for run in runs.split(",")):
            yield from (f"{row}{column:02d}" for column in range(int(first), int(last) + 1))


def _runs(columns: list[int]) -> str:
    first = [n for n in columns if n - 1 not in columns]
    last = [n for n in columns if n + 1 not in columns]
    return ",".join(f"{a}-{b}" for a, b in zip(first, last, strict=True))


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
    """Return the set of one hex."""
    return 1 << here


def hexes_of(members: Hexes) -> Iterator[Hex]:
    """Yield the hexes of a set in ascending order."""
    while members:
        low = members & -members
        here: Any = low.bit_length() - 1  # no call, because hexes are gone through by the million
        yield here
        members ^= low


def hex_set(members: Iterable[Hex]) -> Hexes:
    """Return the set of some hexes."""
    result = 0
    for here in members:
        result |= 1 << here
    return result


class Hexside:
    """A hexside: names of its river and pass or "", a ridge, water."""

    __slots__ = ("pass_", "ridge", "river", "water")

    def __init__(self, river: str, ridge: bool, pass_: str, water: bool) -> None:
        self.river = river
        self.ridge = ridge
        self.pass_ = pass_
        self.water = water

    @property
    def is_barred(self) -> bool:
        """True if the hexside cannot be crossed: water, or a ridge without a pass (O5.4)."""
        return self.water or (self.ridge and not self.pass_)

    @property
    def cost(self) -> int:
        """Additional movement points: one for a river, one for a pass (O5.3)."""
        return bool(self.river) + bool(self.pass_)


OPEN_HEXSIDE: Final = Hexside("", False, "", False)


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
        self._shifts = self._make_shifts()
        self._distances: dict[Hex, dict[Hex, int]] = {}
        self._regions: dict[str, Hexes] = {}
        self._within: dict[tuple[Hex, int], Hexes] = {}

    def is_in_play(self, here: Hex) -> bool:
        """Return whether a force could be in a hex at all (O5.4)."""
        return self.terrain.get(here, WATER) != WATER and self.territory[here] != OFF

    def side(self, here: Hex, there: Hex) -> Hexside:
        """Return the hexside between two neighbours."""
        return self.sides.get((here, there), OPEN_HEXSIDE)

    def _steps_from(self, here: Hex) -> dict[Hex, int]:
        if not self.is_in_play(here):
            return {}
        return {
            there: 1 + self.side(here, there).cost
            for there in around(here)
            if self.is_in_play(there) and not self.side(here, there).is_barred
        }

    def _make_shifts(self) -> tuple[tuple[int, Hexes], ...]:
        masks: dict[int, Hexes] = {}
        for here, steps in enumerate(self.steps):
            for there in steps:
                masks[there - here] = masks.get(there - here, 0) | 1 << here
        return tuple(masks.items())

    def spread(self, members: Hexes) -> Hexes:
        """Return the hexes that can be entered from the set in one step."""
        result = 0
        for shift, mask in self._shifts:
            movers = members & mask
            if movers:
                result |= movers << shift if shift > 0 else movers >> -shift
        return result

    def within(self, here: Hex, steps: int) -> Hexes:
        """Return the hexes within some steps of a hex, with itself."""
        key = here, steps
        if key not in self._within:
            near = self.within(here, steps - 1) if steps else 1 << here
            self._within[key] = near | self.spread(near) if steps else near
        return self._within[key]

    def region(self, territory: str) -> Hexes:
        """Return the hexes in play of a territory."""
        if territory not in self._regions:
            self._regions[territory] = hex_set(h for h in hexes_of(self.land) if self.territory[h] == territory)
        return self._regions[territory]

    def distances(self, here: Hex) -> Mapping[Hex, int]:
        """Return the distance to every hex over passable hexsides, the nearest first (O2.8).

        Forces on the way do not matter. Ties: lower numbers first.
        """
        if here not in self._distances:
            self._distances[here] = self._measure(here)
        return self._distances[here]

    def _measure(self, here: Hex) -> dict[Hex, int]:
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

"""The parts of a position of the Fords: the land, the blocks, and the open decisions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Generic, TypeAlias

import msgspec

from leuthen.engine import decision
from leuthen.engine import state as engine
from leuthen.engine.codec import (
    FLAG,
    NUMBER,
    Codec,
    StructCodecs,
    digest_text,
    fields,
    list_of,
    optional,
    optional_number,
    plain,
    tuple_by_name,
    word,
)
from leuthen.engine.decision import A, Roll
from leuthen.engine.events import Event
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, Outcome, Side, ViewerId
from leuthen.engine.state import FieldTable, PositionView, Values, field, show_to_all
from leuthen.wargame.names import Index

Area: TypeAlias = int
AWAY: Final = -1
"""The area of blocks that are not on the map."""
SIDES: Final = ("north", "south")
NEUTRAL: Final = 2
ROSTER: Final = (4, 4, 3, 3, 3, 2, 2, 2, 1, 1)
"""The strengths of a side's ten blocks (F2.1)."""
TURNS: Final = 8
ROOM: Final = 3
"""The most blocks of a side in an area (F2.3)."""


class Land(msgspec.Struct, frozen=True):
    """The areas: names, positions on the sheet, home sides, and points of the towns."""

    names: tuple[str, ...]
    spots: tuple[tuple[int, int], ...]
    homes: tuple[int, ...]
    points: tuple[int, ...]
    ways: tuple[frozenset[Area], ...]
    """The neighbours of each area."""
    fords: frozenset[tuple[Area, Area]]
    """The connections that cross the river, in both directions."""
    digest: str

    @property
    def towns(self) -> list[Area]:
        """The areas with points (F1.3)."""
        return [area for area, points in enumerate(self.points) if points]

    def index(self) -> Index[int]:
        """The index of area names, as players type them."""
        return Index("area", zip(self.names, range(len(self.names)), strict=True))


def read_land(files: Mapping[str, str]) -> Land:
    """Return the land from the texts of its data files. Raises Invalid, naming file and line."""
    areas = list(_rows(files, "areas.csv"))
    names = tuple(row["name"] for _, row in areas)
    ways: list[set[Area]] = [set() for _ in names]
    fords: set[tuple[Area, Area]] = set()
    for line, row in _rows(files, "ways.csv"):
        if row["from"] not in names or row["to"] not in names:
            raise Invalid(f"ways.csv, line {line}: there is no such area")
        here, there = names.index(row["from"]), names.index(row["to"])
        ways[here].add(there)
        ways[there].add(here)
        fords |= {(here, there), (there, here)} if row["ford"] else set()
    return Land(
        names,
        tuple((int(row["x"]), int(row["y"])) for _, row in areas),
        tuple((*SIDES, "").index(row["home"]) for _, row in areas),
        tuple(int(row["points"]) for _, row in areas),
        tuple(map(frozenset, ways)),
        frozenset(fords),
        digest_text("".join(f"{name}\n{text}" for name, text in sorted(files.items())).encode()),
    )


def _rows(files: Mapping[str, str], name: str) -> Iterator[tuple[int, dict[str, str]]]:
    if name not in files:
        raise Invalid(f"{name} is missing")
    return enumerate(csv.DictReader(io.StringIO(files[name])), 2)


class Block(msgspec.Struct, frozen=True):
    """A block: its side, area, full and present strength (0: unknown to the viewer).

    `is_open`: it has fought, and both sides know it (F5.1). `came`: the area that it left in this phase.
    """

    side: Side
    area: Area
    full: int
    strength: int
    is_open: bool = False
    came: Area = AWAY


class Decision(decision.Decision["Position", "Draft", A], Generic[A]):
    """The base class of this game's decisions, used to read a position back."""


class DieRoll(decision.DieRoll["Position", "Draft"], Decision[Roll]):
    """A roll of one die."""


SIDE: Final = word(SIDES, "side")
OWNER: Final = word((*SIDES, "nobody"), "owner")
FRAME: Final = StructCodecs({"Side": SIDE}, {Decision: "frame"}).tagged_union(Decision)


def write_block(land: Land) -> Codec:
    """Return the text form of blocks: sides and areas by name, no area as an empty text."""
    area = optional_number(word(land.names, "area"))
    numbers = {"full": NUMBER, "strength": NUMBER}
    return fields(Block, {"side": SIDE, "area": area, "came": area, "is_open": FLAG, **numbers})


def knows(viewer: ViewerId, block: Block) -> bool:
    """Return True if the viewer knows the strength of a block (F2.2)."""
    return block.is_open or viewer in (block.side, EVERYTHING)


def see_blocks(blocks: tuple[Block, ...], pos: Position, viewer: ViewerId) -> tuple[Block, ...]:
    """Return the blocks as the viewer knows them, with 0 for hidden strengths."""
    return tuple(b if knows(viewer, b) else msgspec.structs.replace(b, full=0, strength=0) for b in blocks)


class Fields:
    """The fields of a position, each with its text form, its visibility and its first value."""

    turn: int = field(NUMBER, show_to_all, 0)
    blocks: tuple[Block, ...] = field(lambda land: list_of(write_block(land)), see_blocks, ())
    owners: tuple[int, ...] = field(lambda land: tuple_by_name(land.names, OWNER), show_to_all)
    """The owner of each area; only owners of towns matter."""
    moves: int = field(NUMBER, show_to_all, 0)
    """The number of moves made in this phase."""
    frames: tuple[Decision, ...] = field(list_of(FRAME), show_to_all)
    outcome: Outcome | None = field(optional(plain(Outcome)), show_to_all, None)


TABLE: Final = FieldTable(Fields)


class View(PositionView, Fields):
    """A position as `viewer` may know it."""


class Position(Fields, engine.Position):
    """The fields of a position with common queries."""

    FIELDS = TABLE.names
    data: Land

    def at(self, area: Area, side: Side) -> list[int]:
        """Return the numbers of a side's blocks in an area."""
        return [number for number, block in enumerate(self.blocks) if (block.area, block.side) == (area, side)]

    def left(self, side: Side) -> list[int]:
        """Return the strengths of the blocks that a side has not set up yet (F3.1)."""
        return missing(ROSTER, (block.full for block in self.blocks if block.side == side))

    def points(self, side: Side) -> int:
        """Return the points of a side's towns (F6.1)."""
        return sum(self.data.points[area] for area in self.data.towns if self.owners[area] == side)


def missing(whole: Iterable[int], there: Iterable[int]) -> list[int]:
    """Return the numbers of the first collection that are not in the second."""
    left = list(whole)
    for number in there:
        left.remove(number)
    return left


class State(engine.FrozenPosition, Position):
    """A position between two actions."""


class Draft(engine.DraftPosition[State], Position):
    """The next position while the rules change it."""

    STATE = State

    def __init__(self, before: Position) -> None:
        self.__dict__.update(before.__dict__, known={})
        self.facts: list[Event] = []
        self.learned = 0

    def put(self, number: int, **changes: Any) -> None:
        """Change fields of one block."""
        block = msgspec.structs.replace(self.blocks[number], **changes)
        self.blocks = (*self.blocks[:number], block, *self.blocks[number + 1 :])


def make_state(land: Land, values: Values) -> State:
    """Return the state with these values of its fields."""
    return State.of({"data": land, "known": {}, **values})

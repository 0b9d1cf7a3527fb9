"""Reader of the map data for drawing: the tables and lines of a board folder."""

import csv
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from mapmaking.cartography.grid import Point, centre, corners

Row: TypeAlias = dict[str, str]
Found = TypeVar("Found")


@dataclass(frozen=True)
class MapLine:
    """A line on the map, in board coordinates, with its attributes."""

    points: list[Point]
    name: str = ""
    rank: int = 0
    kind: str = ""
    between: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """All data of the drawing."""

    hexes: dict[str, Row]
    sides: list[Row]
    fortresses: dict[str, Row]
    places: list[Row]
    courses: dict[str, list[MapLine]]
    found: dict[Callable[[Any], Any], Any] = field(default_factory=dict, compare=False, repr=False)
    """Cache of `once`."""

    def territory(self, here: str) -> str:
        """Return the territory of a hex; empty for water and outside the board."""
        return self.hexes[here]["territory"] if here in self.hexes else ""

    @cached_property
    def divided(self) -> frozenset[tuple[str, str]]:
        """Pairs of hexes with a river or a ridge between them, in both orders."""
        pairs = [(s["a"], s["b"]) for s in self.sides if s["river"] or s["ridge"]]
        return frozenset([*pairs, *((b, a) for a, b in pairs)])

    @cached_property
    def hexes_by_corner(self) -> dict[Point, list[str]]:
        """The hexes that touch each corner."""
        found: dict[Point, list[str]] = {}
        for here in self.hexes:
            for corner in corners(here):
                found.setdefault(corner, []).append(here)
        return found

    def is_inland(self, corner: Point) -> bool:
        """Return True if all hexes around a corner are land."""
        return len([here for here in self.hexes_by_corner.get(corner, ()) if self.territory(here)]) == 3

    def outward(self, corner: Point) -> Point | None:
        """Return the unit vector to the neatline from a corner at the board's edge; None for any other corner."""
        around = [centre(here) for here in self.hexes_by_corner.get(corner, ())]
        if not 0 < len(around) < 3:
            return None
        x, y = corner[0] - sum(p[0] for p in around) / len(around), corner[1] - sum(p[1] for p in around) / len(around)
        return (math.copysign(1.0, x), 0.0) if abs(x) > abs(y) else (0.0, math.copysign(1.0, y))

    @cached_property
    def where(self) -> dict[str, Point]:
        """The location of each named place, in board coordinates."""
        return {c.name: c.points[0] for c in self.courses["places"]}


def once(find: Callable[[Drawing], Found]) -> Callable[[Drawing], Found]:
    """Cache a function's result on the board."""

    @wraps(find)
    def known(board: Drawing) -> Found:
        if find not in board.found:
            board.found[find] = find(board)
        return cast("Found", board.found[find])

    return known


def read(folder: Path) -> Drawing:
    """Read a board folder. Raise OSError if a file is missing, and KeyError if a column is."""
    return Drawing(
        hexes={row["hex"]: row for row in _table(folder / "hexes.csv")},
        sides=_table(folder / "sides.csv"),
        fortresses={row["name"]: row for row in _table(folder / "fortresses.csv")},
        places=_table(folder / "places.csv"),
        courses=_courses(folder / "courses.json"),
    )


def _table(path: Path) -> list[Row]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def _courses(path: Path) -> dict[str, list[MapLine]]:
    parts = json.loads(path.read_text(encoding="utf-8"))
    return {name: [_course(entry) for entry in part] for name, part in parts.items()}


def _course(entry: dict[str, Any]) -> MapLine:
    return MapLine(
        points=[(x, y) for x, y in entry["points"]],
        name=str(entry.get("name", entry.get("degree", ""))),
        rank=entry.get("class", 0),
        kind=entry.get("kind", ""),
        between=tuple(entry.get("between", ())),
    )

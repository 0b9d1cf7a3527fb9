"""Reads the map data that are drawn: the tables and the courses of a board folder."""

import csv
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from leuthen.cartography.grid import Point

Row: TypeAlias = dict[str, str]


@dataclass(frozen=True)
class Course:
    """A line on the map, in board coordinates, with what is known of it."""

    points: list[Point]
    name: str = ""
    rank: int = 0
    kind: str = ""
    between: tuple[str, ...] = ()


@dataclass(frozen=True)
class Board:
    """All that is drawn."""

    hexes: dict[str, Row]
    sides: list[Row]
    fortresses: dict[str, Row]
    places: list[Row]
    courses: dict[str, list[Course]]

    def territory(self, here: str) -> str:
        """The territory of a hex; empty for water and beyond the board."""
        return self.hexes[here]["territory"] if here in self.hexes else ""

    @cached_property
    def where(self) -> dict[str, Point]:
        """Where each named place lies, in board coordinates."""
        return {c.name: c.points[0] for c in self.courses["places"]}


def read(folder: Path) -> Board:
    """Read a board folder; raises `OSError` if a file is missing and `KeyError` if a column is."""
    return Board(
        hexes={row["hex"]: row for row in _table(folder / "hexes.csv")},
        sides=_table(folder / "sides.csv"),
        fortresses={row["name"]: row for row in _table(folder / "fortresses.csv")},
        places=_table(folder / "places.csv"),
        courses=_courses(folder / "courses.json"),
    )


def _table(path: Path) -> list[Row]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def _courses(path: Path) -> dict[str, list[Course]]:
    parts = json.loads(path.read_text(encoding="utf-8"))
    return {name: [_course(entry) for entry in part] for name, part in parts.items()}


def _course(entry: dict[str, Any]) -> Course:
    return Course(
        points=[(x, y) for x, y in entry["points"]],
        name=str(entry.get("name", entry.get("degree", ""))),
        rank=entry.get("class", 0),
        kind=entry.get("kind", ""),
        between=tuple(entry.get("between", ())),
    )

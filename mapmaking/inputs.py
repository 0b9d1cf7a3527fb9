"""Reader of the inputs and the decisions; every value is validated on reading."""

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from mapmaking.board import Point, Side, side
from mapmaking.projection import Projection

FOLDER: Final = Path(__file__).parent
INPUTS: Final = FOLDER / "inputs"


@dataclass(frozen=True)
class DraftHex:
    """A hex of the first draft: land or sea, its state and mountain range."""

    lat: float
    lon: float
    is_land: bool
    owner: str
    state: str
    mountain: str
    height: int


@dataclass(frozen=True)
class Decision:
    """A decision made by hand: kind, location, value and reason."""

    kind: str
    a: str
    b: str
    value: str
    reason: str

    @property
    def side(self) -> Side:
        """The hexside of the decision."""
        return side(self.a, self.b)


class Decisions:
    """All decisions, indexed by kind."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self.all = tuple(decisions)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read `decisions.csv`."""
        rows = [Decision(r["kind"], r["a"], r["b"], r["value"], r["reason"]) for r in table(path)]
        return cls(rows)

    def of(self, kind: str) -> list[Decision]:
        """Return the decisions of a kind, in file order."""
        return [d for d in self.all if d.kind == kind]

    def values(self, kind: str) -> dict[str, str]:
        """Return the values of a kind of decision about hexes or names, by hex or name."""
        return {d.a: d.value for d in self.of(kind)}

    def sides(self, kind: str) -> dict[Side, str]:
        """Return the values of a kind of decision about hexsides, by hexside."""
        return {d.side: d.value for d in self.of(kind)}


@dataclass(frozen=True)
class Inputs:
    """All inputs of the map."""

    projection: Projection
    hexes: dict[str, DraftHex]
    rivers: dict[Side, tuple[str, ...]]
    waters: frozenset[Side]
    crests: dict[str, list[Point]]
    coasts: list[list[Point]]
    lagoons: dict[str, list[Point]]
    passes: list[dict[str, str]]
    places: list[dict[str, str]]
    fortresses: list[dict[str, str]]
    decisions: Decisions


def table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, without its comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def read(folder: Path = INPUTS, decisions: Path = FOLDER / "decisions.csv") -> Inputs:
    """Read all inputs."""
    draft = json.loads((folder / "hexmap.json").read_text(encoding="utf-8"))
    projection = Projection.read(folder / "warp.json")
    courses = {name: table(folder / f"{name}.csv") for name in ("crests", "coast", "lagoons")}
    return Inputs(
        projection=projection,
        hexes={here: _draft_hex(v) for here, v in draft["hexes"].items()},
        rivers={side(*r["between"]): tuple(r["rivers"]) for r in draft["river_hexsides"]},
        waters=frozenset(side(*pair) for pair in draft["sea_hexsides"]),
        crests={r["crest"]: _chain(r["points"], projection) for r in courses["crests"]},
        coasts=[_coast(r["points"], projection) for r in courses["coast"]],
        lagoons={r["lagoon"]: _chain(r["points"], projection) for r in courses["lagoons"]},
        passes=table(folder / "passes.csv"),
        places=table(folder / "places.csv"),
        fortresses=table(folder / "fortresses.csv"),
        decisions=Decisions.read(decisions),
    )


def _draft_hex(v: dict[str, str | float | None]) -> DraftHex:
    return DraftHex(
        lat=float(v["lat"] or 0),
        lon=float(v["lon"] or 0),
        is_land=v["terrain"] == "land",
        owner=str(v["owner"] or ""),
        state=str(v["state"] or ""),
        mountain=str(v["mountain"] or ""),
        height=int(v["elev"] or 0),
    )


def _chain(points: str, projection: Projection) -> list[Point]:
    pairs = (point.split() for point in points.split(";"))
    return [projection.to_board(float(lat), float(lon)) for lat, lon in pairs]


def _coast(points: str, projection: Projection) -> list[Point]:
    pairs = (point.split() for point in points.split(";"))
    return [projection.to_board(float(lat), float(lon)) for lon, lat in pairs]

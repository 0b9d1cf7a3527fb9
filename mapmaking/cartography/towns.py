"""Fortresses, towns and battlefields: their positions on the sheet, and their signs."""

import math
from dataclasses import dataclass
from typing import Final

from mapmaking.cartography.curve import path
from mapmaking.cartography.data import Drawing, Row
from mapmaking.cartography.grid import Point, centre, on_sheet
from mapmaking.cartography.palette import FAINT, INK, PAPER, RED
from mapmaking.cartography.svg import dot, group, line, tag, use

REACH: Final = 0.33  # maximum distance of a sign from the centre of its hex, in hexes
APART: Final = 0.27


@dataclass(frozen=True)
class MapTown:
    """A named place with its sign: `great`, `fortress`, `walls`, `town` or `battle`."""

    name: str
    sign: str
    at: Point
    here: str
    rank: str = ""
    """`capital`, `free` for a free city of the Empire, or empty."""

    @property
    def radius(self) -> float:
        """The radius of the sign in pixels."""
        return RADII[self.sign]


CAPITALS: Final = ("Berlin", "Vienna", "Dresden", "Hanover", "Munich", "Stuttgart", "Cassel")
FREE_CITIES: Final = (
    *("Augsburg", "Bremen", "Cologne", "Dortmund", "Frankfurt a.M.", "Hamburg", "Lübeck", "Nuremberg"),
    *("Regensburg", "Ulm"),
)
RADII: Final = {"great": 14.5, "fortress": 10.5, "walls": 6.0, "town": 4.4, "battle": 6.5, "pass": 9.0}
ORDER: Final = tuple(RADII)


def towns(board: Drawing) -> list[MapTown]:
    """Return all places, the most important first; signs in one hex keep their distance, well inside it."""
    rows = sorted(_rows(board), key=lambda r: (ORDER.index(_sign(board, r)), r["name"]))
    taken: dict[str, list[Point]] = {}
    found = []
    for row in rows:
        at = _spot(board.where.get(row["name"], centre(row["hex"])), row["hex"], taken.setdefault(row["hex"], []))
        taken[row["hex"]].append(at)
        found.append(MapTown(row["name"], _sign(board, row), on_sheet(at), row["hex"], _rank(row)))
    return found


def _rank(row: Row) -> str:
    return "free" if row["name"] in FREE_CITIES else "capital" if row["name"] in CAPITALS else ""


def _rows(board: Drawing) -> list[Row]:
    known = {row["name"] for row in board.places}
    extra = [f | {"fortification": "2", "kind": "fortress"} for n, f in board.fortresses.items() if n not in known]
    return [*board.places, *extra]


def _sign(board: Drawing, row: Row) -> str:
    if row["name"] in board.fortresses:
        return "great" if board.fortresses[row["name"]]["vp"] == "10" else "fortress"
    if row["kind"] in ("battle", "camp"):
        return "battle"
    return "walls" if row["fortification"] not in ("", "0") else "town"


def _spot(wish: Point, here: str, taken: list[Point]) -> Point:
    middle = centre(here)
    spots = [_inside(wish, middle)] + [_around(middle, k) for k in range(24)]
    free = [p for p in spots if all(math.dist(p, other) >= APART for other in taken)]
    return min(free or spots, key=lambda p: math.dist(p, wish))


def _inside(wish: Point, middle: Point) -> Point:
    far = math.dist(wish, middle)
    t = min(1.0, REACH / far) if far else 0.0
    return middle[0] + t * (wish[0] - middle[0]), middle[1] + t * (wish[1] - middle[1])


def _around(middle: Point, k: int) -> Point:
    far, turn = (0.18, REACH)[k % 2], math.tau * k / 24
    return middle[0] + far * math.cos(turn), middle[1] + far * math.sin(turn)


def definitions() -> str:
    """Return the signs as reusable definitions."""
    drawn = {"great": _great, "fortress": _fortress, "walls": _walls, "town": _town, "battle": _battle}
    return "".join(group(draw(), id=f"sign-{kind}") for kind, draw in drawn.items())


def signs(board: Drawing) -> str:
    """Return all signs, the important ones on top."""
    return group(*(sign(town.sign, town.at) for town in reversed(towns(board))))


def sign(kind: str, at: Point) -> str:
    """Return a sign at a point of the sheet."""
    return use(f"sign-{kind}", at)


def _star(points: int, outer: float, inner: float) -> str:
    """Return a fort from above: bastions with flattened tips."""
    corners: list[Point] = []
    for k in range(points):
        turn = math.tau * k / points - math.pi / 2
        for off, far in ((-0.5, inner), (-0.13, outer), (0.13, outer)):
            a = turn + off * math.tau / points
            corners.append((far * math.cos(a), far * math.sin(a)))
    return path(corners, closed=True)


def _great() -> str:
    moat = tag("path", d=_star(8, 14.5, 10.0), fill=PAPER, stroke=INK, stroke_width=1.1)
    wall = tag("path", d=_star(8, 11.8, 7.4), fill=RED, stroke=INK, stroke_width=0.9)
    return moat + wall + dot((0, 0), 4.2, fill=PAPER, stroke=INK, stroke_width=0.9) + dot((0, 0), 1.5, fill=INK)


def _fortress() -> str:
    moat = tag("path", d=_star(6, 10.5, 6.8), fill=PAPER, stroke=INK, stroke_width=1.0)
    wall = tag("path", d=_star(6, 8.2, 4.8), fill=RED, stroke=INK, stroke_width=0.8)
    return moat + wall + dot((0, 0), 2.3, fill=PAPER, stroke=INK, stroke_width=0.7)


def _walls() -> str:
    wall = tag("path", d=_star(4, 6.0, 3.6), fill=PAPER, stroke=INK, stroke_width=1.1)
    return wall + dot((0, 0), 1.5, fill=INK)


def _town() -> str:
    return dot((0, 0), 3.4, fill=PAPER, stroke=INK, stroke_width=1.2) + dot((0, 0), 1.0, fill=INK)


def _battle() -> str:
    blades = "M-5 5L5 -5M5 5L-5 -5M-5.6 2.2L-2.2 5.6M5.6 2.2L2.2 5.6"
    halo = line(blades, stroke=PAPER, stroke_width=3.2, stroke_linecap="round", stroke_opacity=0.8)
    return halo + line(blades, stroke=FAINT, stroke_width=1.5, stroke_linecap="round")

"""Placement of town names: each covers no other name, no sign, and as little else as possible."""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from mapmaking.cartography import cartouche
from mapmaking.cartography.data import Drawing
from mapmaking.cartography.grid import FRAME, HEIGHT, SCALE, WIDTH, Point, centre, neighbours, on_sheet
from mapmaking.cartography.names import RANGES, REGIONS, TERRITORIES, letters
from mapmaking.cartography.palette import FONT, HACHURE, INK, PAPER, RED
from mapmaking.cartography.relief import pass_points, ridge_lines
from mapmaking.cartography.rivers import curves, name_lines
from mapmaking.cartography.svg import group, words
from mapmaking.cartography.towns import MapTown, towns

SIZES: Final = {"great": 19.0, "fortress": 16.5, "walls": 14.0, "town": 13.5, "battle": 12.0, "pass": 9.5}
LETTER: Final = 0.48  # mean width of a letter, in sizes
WIDER: Final = {"free": 1.14, "capital": 1.1}  # small capitals, and spaced letters
HARD: Final = 60.0  # cost per pixel of another name or sign
ABROAD: Final = 0.35  # cost per pixel of a name outside its own hex
ACROSS: Final = 9000.0  # cost of a name whose centre is across a river or ridge
OPTIONAL: Final = {"battle": 25 * HARD, "pass": 400.0}  # maximum costs of names that may be omitted, by sign
# Positions of a name relative to its sign: (side: -1 ends there, 0 centred, 1 begins there, or between), drop, cost.
SEATS: Final = (
    *((1, 0.32, 0.0), (1, -0.25, 0.6), (1, 0.95, 0.8), (-1, 0.32, 1.0), (-1, -0.25, 1.4), (-1, 0.95, 1.6)),
    *((0, -0.55, 1.2), (0, 1.25, 1.3), (1, -0.7, 1.6), (-1, -0.7, 2.2), (1, 1.35, 1.8), (-1, 1.35, 2.4)),
    *((0.5, -0.55, 1.7), (-0.5, -0.55, 1.9), (0.5, 1.25, 1.8), (-0.5, 1.25, 2.0)),
    *((0.3, -0.55, 1.8), (-0.3, -0.55, 2.0), (0.3, 1.25, 1.9), (-0.3, 1.25, 2.1)),
)
CELL: Final = 60.0


@dataclass(frozen=True)
class Box:
    """A rectangle on the sheet."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, at: Point, x: float, y: float) -> Self:
        """Return the box that extends x to both sides of a point, y up and down."""
        return cls(at[0] - x, at[1] - y, at[0] + x, at[1] + y)

    def overlap(self, other: Self) -> float:
        """Return the common area of two boxes."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)


@dataclass(frozen=True)
class Label:
    """A placed name."""

    town: MapTown
    at: Point
    anchor: str
    box: Box


class Obstacles:
    """Boxes that names should avoid, with the cost per overlapped pixel, indexed by cell of the sheet."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[float, float, float, float, Box, float]]] = defaultdict(list)

    def add(self, box: Box, cost: float) -> None:
        """Add an obstacle."""
        for cell in _cells(box):
            self._cells[cell].append((box.left, box.top, box.right, box.bottom, box, cost))

    def cost(self, box: Box) -> float:
        """Return the cost of a name in a box. An obstacle in several cells counts once for each."""
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        near = (entry for cell in _cells(box) for entry in self._cells.get(cell, ()))
        return sum(
            cost * box.overlap(other)
            for x1, y1, x2, y2, other, cost in near
            if x1 < right and left < x2 and y1 < bottom and top < y2
        )


def _cells(box: Box) -> list[tuple[int, int]]:
    columns = range(math.floor(box.left / CELL), math.floor(box.right / CELL) + 1)
    rows = range(math.floor(box.top / CELL), math.floor(box.bottom / CELL) + 1)
    return [(c, r) for c in columns for r in rows]


def labels(board: Drawing) -> list[Label]:
    """Return all names with their places; a battle's or a pass's name is omitted if there is no room."""
    obstacles = _obstacles(board)
    placed = []
    for town in (*towns(board), *_passes(board)):
        scored = [(_cost(board, obstacles, label, seat), label) for label, seat in _choices(town)]
        cost, label = min(scored, key=lambda pair: pair[0])
        if cost < OPTIONAL.get(town.sign, math.inf):
            placed.append(label)
            obstacles.add(label.box, HARD)
    return placed


def _passes(board: Drawing) -> list[MapTown]:
    return [MapTown(side["pass"], "pass", at, side["a"]) for side, at in pass_points(board)]


def _cost(board: Drawing, obstacles: Obstacles, label: Label, seat: float) -> float:
    cost = obstacles.cost(label.box) + 30 * seat
    if label.town.sign == "pass":
        return cost
    box, own = label.box, Box.around(on_sheet(centre(label.town.here)), SCALE / 2, SCALE / 2)
    return cost + ABROAD * (box.overlap(box) - box.overlap(own)) + ACROSS * is_across(board, label)


def is_across(board: Drawing, label: Label) -> bool:
    """Return True if a river or ridge separates a name's centre from its town's hex."""
    box, here = label.box, label.town.here
    middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    there = min((here, *neighbours(here)), key=lambda name: math.dist(on_sheet(centre(name)), middle))
    return (here, there) in board.divided


def _choices(town: MapTown) -> list[tuple[Label, float]]:
    return [(_label(town, side, drop), cost) for side, drop, cost in SEATS]


def _label(town: MapTown, side: float, drop: float) -> Label:
    size = SIZES[town.sign]
    wide = size * LETTER * WIDER.get(town.rank, 1.0) * len(town.name)
    x = town.at[0] + side * (town.radius + 3)
    y = town.at[1] + drop * size + (math.copysign(town.radius - 2, drop - 0.32) if abs(side) < 1 else 0)
    left = x - wide * (1 - side) / 2
    anchor = "start" if side == 1 else "end" if side == -1 else "middle"
    at = (left + wide / 2 if anchor == "middle" else x), y
    return Label(town, at, anchor, Box(left - 1, y - 0.72 * size, left + wide + 1, y + 0.22 * size))


def _obstacles(board: Drawing) -> Obstacles:
    obstacles = Obstacles()
    for town in towns(board):
        obstacles.add(Box.around(town.at, town.radius, town.radius), HARD)
    for _, at in pass_points(board):
        obstacles.add(Box.around(at, 9, 9), 20.0)
    for here in board.hexes:
        x, y = on_sheet(centre(here))
        obstacles.add(Box.around((x, y - 24), 13, 5), 0.9)
    _add_lines(obstacles, board)
    _add_edges(obstacles)
    return obstacles


def _add_edges(obstacles: Obstacles) -> None:
    obstacles.add(Box(cartouche.LEFT, cartouche.TOP, cartouche.RIGHT, cartouche.BOTTOM), HARD)
    for edge in (Box(0, 0, FRAME, HEIGHT), Box(WIDTH - FRAME, 0, WIDTH, HEIGHT), Box(0, HEIGHT - FRAME, WIDTH, HEIGHT)):
        obstacles.add(edge, HARD)
    for kind, cost in ((TERRITORIES, 0.8), (REGIONS, 0.8), (RANGES, 3.0)):
        for at, size in letters(kind):
            obstacles.add(Box.around(at, 0.3 * size, 0.36 * size), cost)


def _add_lines(obstacles: Obstacles, board: Drawing) -> None:
    for _, curve in curves(board):
        for at in curve[::2]:
            obstacles.add(Box.around(at, 4, 4), 0.7)
    for _, stretch in name_lines(board):
        for x, y in stretch:
            obstacles.add(Box.around((x, y - 10), 4, 7), 1.2)
    for ridge in ridge_lines(board):
        for at in ridge[::2]:
            obstacles.add(Box.around(at, 6, 6), 0.8)


def names(board: Drawing) -> str:
    """Return all names of towns, grouped by kind."""
    kinds: dict[str, list[str]] = {}
    for label in labels(board):
        kinds.setdefault(label.town.sign, []).append(words(label.town.name, label.at, **_set(label)))
    halo = {"stroke": PAPER, "stroke_width": 3.4, "stroke_opacity": 0.75, "stroke_linejoin": "round"}
    drawn = (group(*found, **_look(kind)) for kind, found in kinds.items())
    return group(*drawn, font_family=FONT, fill=INK, paint_order="stroke", **halo)


def _set(label: Label) -> dict[str, object]:
    """Return the attributes of a name that differ from those of its kind."""
    anchor = {} if label.anchor == "start" else {"text_anchor": label.anchor}
    return anchor | RANKS.get(label.town.rank, {})


RANKS: Final[Mapping[str, dict[str, object]]] = {
    "capital": {"font_style": "normal", "letter_spacing": 1.2},
    "free": {"font_style": "normal", "font_variant": "small-caps"},
}
"""Capitals are in Roman, free cities in small capitals, towns in italics, and the game's fortresses in bold."""
LOOKS: Final[Mapping[str, dict[str, object]]] = {
    "great": {"font_weight": "bold"},
    "fortress": {"font_weight": "bold"},
    "walls": {"font_style": "italic"},
    "town": {"font_style": "italic"},
    "battle": {"font_style": "italic", "fill": RED},
    "pass": {"font_style": "italic", "fill": HACHURE},
}


def _look(kind: str) -> dict[str, object]:
    return {"class_": f"names-{kind}", "font_size": SIZES[kind]} | LOOKS[kind]

"""Names of towns, each set where it covers no other name, no sign and as little else as can be."""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Final, Self

from leuthen.cartography import cartouche
from leuthen.cartography.data import Board
from leuthen.cartography.grid import FRAME, HEIGHT, WIDTH, Point, centre, on_sheet
from leuthen.cartography.names import land_name_boxes
from leuthen.cartography.palette import FONT, INK, PAPER, RED
from leuthen.cartography.relief import pass_points, ridge_lines
from leuthen.cartography.rivers import curves, name_lines
from leuthen.cartography.svg import group, words
from leuthen.cartography.towns import Town, towns

SIZES: Final = {"great": 19.0, "fortress": 16.5, "walls": 14.0, "town": 13.5, "battle": 12.0}
LETTER: Final = 0.47  # mean width of a letter, in sizes
HARD: Final = 60.0  # for each pixel of another name or sign
# Where beside its sign a name may stand: (side: -1 ends there, 0 centred, 1 begins there), drop, cost.
SEATS: Final = (
    *((1, 0.32, 0.0), (1, -0.25, 0.6), (1, 0.95, 0.8), (-1, 0.32, 1.0), (-1, -0.25, 1.4), (-1, 0.95, 1.6)),
    *((0, -0.55, 1.2), (0, 1.25, 1.3), (1, -0.7, 1.6), (-1, -0.7, 2.2), (1, 1.35, 1.8), (-1, 1.35, 2.4)),
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
        """The box that reaches x to both sides of a point, y up and down."""
        return cls(at[0] - x, at[1] - y, at[0] + x, at[1] + y)

    def overlap(self, other: Self) -> float:
        """The area that two boxes share."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)


@dataclass(frozen=True)
class Label:
    """A name where it is set."""

    town: Town
    at: Point
    anchor: str
    box: Box


class Obstacles:
    """What names keep clear of, by cells of the sheet: boxes, and what a shared pixel costs."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[Box, float]]] = defaultdict(list)

    def add(self, box: Box, cost: float) -> None:
        """Keep names off a box."""
        for cell in _cells(box):
            self._cells[cell].append((box, cost))

    def cost(self, box: Box) -> float:
        """What it costs to set a name in a box."""
        near = {id(entry): entry for cell in _cells(box) for entry in self._cells[cell]}
        return sum(cost * box.overlap(other) for other, cost in near.values())


def _cells(box: Box) -> list[tuple[int, int]]:
    columns = range(math.floor(box.left / CELL), math.floor(box.right / CELL) + 1)
    rows = range(math.floor(box.top / CELL), math.floor(box.bottom / CELL) + 1)
    return [(c, r) for c in columns for r in rows]


def labels(board: Board) -> list[Label]:
    """Every name in its place; that of a battle is left out where there is no room."""
    obstacles = _obstacles(board)
    placed = []
    for town in towns(board):
        scored = [(_cost(obstacles, label, seat), label) for label, seat in _choices(town)]
        cost, label = min(scored, key=lambda pair: pair[0])
        if town.sign != "battle" or cost < 25 * HARD:
            placed.append(label)
            obstacles.add(label.box, HARD)
    return placed


def _cost(obstacles: Obstacles, label: Label, seat: float) -> float:
    return obstacles.cost(label.box) + 30 * seat


def _choices(town: Town) -> list[tuple[Label, float]]:
    return [(_label(town, side, drop), cost) for side, drop, cost in SEATS]


def _label(town: Town, side: int, drop: float) -> Label:
    size = SIZES[town.sign]
    wide = size * LETTER * len(town.name)
    x = town.at[0] + side * (town.radius + 3)
    y = town.at[1] + drop * size + (math.copysign(town.radius - 2, drop - 0.32) if not side else 0)
    left = x - wide * (1 - side) / 2
    anchor = {1: "start", 0: "middle", -1: "end"}[side]
    return Label(town, (x, y), anchor, Box(left - 1, y - 0.72 * size, left + wide + 1, y + 0.22 * size))


def _obstacles(board: Board) -> Obstacles:
    obstacles = Obstacles()
    for town in towns(board):
        obstacles.add(Box.around(town.at, town.radius, town.radius), HARD)
    for _, at in pass_points(board):
        obstacles.add(Box.around(at, 13, 13), 20.0)
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
    for x, y, wide, high in land_name_boxes():
        obstacles.add(Box(x, y, x + wide, y + high), 0.25)


def _add_lines(obstacles: Obstacles, board: Board) -> None:
    for _, curve in curves(board):
        for at in curve[::2]:
            obstacles.add(Box.around(at, 4, 4), 0.7)
    for _, stretch in name_lines(board):
        for x, y in stretch:
            obstacles.add(Box.around((x, y - 10), 4, 7), 1.2)
    for ridge in ridge_lines(board):
        for at in ridge[::2]:
            obstacles.add(Box.around(at, 6, 6), 0.8)


def names(board: Board) -> str:
    """All names of towns, those of a kind together."""
    kinds: dict[str, list[str]] = {}
    for label in labels(board):
        kinds.setdefault(label.town.sign, []).append(words(label.town.name, label.at, **_anchor(label)))
    halo = {"stroke": PAPER, "stroke_width": 3.4, "stroke_opacity": 0.75, "stroke_linejoin": "round"}
    drawn = (group(*found, **_look(kind)) for kind, found in kinds.items())
    return group(*drawn, font_family=FONT, fill=INK, paint_order="stroke", **halo)


def _anchor(label: Label) -> dict[str, str]:
    return {} if label.anchor == "start" else {"text_anchor": label.anchor}


def _look(kind: str) -> dict[str, object]:
    look: dict[str, object] = {"class_": f"names-{kind}", "font_size": SIZES[kind]}
    if kind in ("great", "fortress"):
        look["font_weight"] = "bold"
    return look | {"font_style": "italic", "fill": RED} if kind == "battle" else look

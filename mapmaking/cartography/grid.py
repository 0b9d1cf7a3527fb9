"""Hex positions in board coordinates (hexes, x east, y north) and on the sheet (pixels, y down)."""

import math
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]

ROW: Final = math.sqrt(3) / 2
RADIUS: Final = 1 / math.sqrt(3)
SCALE: Final = 60.0
FRAME: Final = 92.0
LEFT, RIGHT, BOTTOM, TOP = 0.05, 47.45, -0.15, 38.25
WIDTH: Final = (RIGHT - LEFT) * SCALE + 2 * FRAME
HEIGHT: Final = (TOP - BOTTOM) * SCALE + 2 * FRAME


def on_sheet(point: Point) -> Point:
    """Return a point of the board on the sheet."""
    return (point[0] - LEFT) * SCALE + FRAME, (TOP - point[1]) * SCALE + FRAME


def row_column(here: str) -> tuple[int, int]:
    """Return the row and column of a hex; outside the board they may be negative."""
    row, column = here.split(":") if ":" in here else (here[:2], here[2:])
    return int(row), int(column)


def centre(here: str) -> Point:
    """Return the centre of a hex on the board."""
    row, column = row_column(here)
    return column + (0.5 if row % 2 == 0 else 0.0), row * ROW


def neighbours(here: str) -> list[str]:
    """Return the six names around a hex, counterclockwise from the east."""
    r, c = row_column(here)
    e = c if r % 2 else c + 1
    around = ((r, c + 1), (r + 1, e), (r + 1, e - 1), (r, c - 1), (r - 1, e - 1), (r - 1, e))
    return [_name(row, column) for row, column in around]


def _name(row: int, column: int) -> str:
    return f"{row:02d}{column:02d}" if row >= 0 and column >= 0 else f"{row}:{column}"


def corners(here: str) -> list[Point]:
    """Return the six corners, counterclockwise from the lower one in the east; side k leads to neighbour k."""
    x, y = centre(here)
    angles = [math.radians(60 * k - 30) for k in range(6)]
    return [(round(x + RADIUS * math.cos(a), 4), round(y + RADIUS * math.sin(a), 4)) for a in angles]


def middle(a: str, b: str) -> Point:
    """Return the midpoint of the side between two hexes, on the board."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    return (ax + bx) / 2, (ay + by) / 2


def outlines(hexes: set[str]) -> list[list[Point]]:
    """Return the closed outlines of a set of hexes, on the board, with the land on the left."""
    onward = {
        corners(here)[k]: corners(here)[(k + 1) % 6]
        for here in sorted(hexes)
        for k, there in enumerate(neighbours(here))
        if there not in hexes
    }
    found = []
    while onward:
        found.append(_loop(min(onward), onward))
    return found


def _loop(start: Point, onward: dict[Point, Point]) -> list[Point]:
    loop, here = [start], onward.pop(start)
    while here != start:
        loop.append(here)
        here = onward.pop(here)
    return loop

"""Geometry of the board: names, neighbours, centres and corners of hexes.

Hexes are named `RRCC`, row counted from south to north, column from west to east. Rows are horizontal,
hexes stand on a point, even rows lie half a hex further east. Lengths are in hexes (centre to centre in
a row), x to the east, y to the north.
"""

import math
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]
Side: TypeAlias = tuple[str, str]

ROW_HEIGHT: Final = math.sqrt(3) / 2
RADIUS: Final = 1 / math.sqrt(3)
ROWS: Final = 43
COLUMNS: Final = 36
NORTH_EAST_ROW: Final = 28
NORTH_EAST_COLUMNS: Final = 46


def name(row: int, column: int) -> str:
    """Return the name of a hex, `RRCC`."""
    return f"{row:02d}{column:02d}"


def row_column(here: str) -> tuple[int, int]:
    """Return the row and column of a hex."""
    return int(here[:2]), int(here[2:])


def columns(row: int) -> int:
    """Return the last column of a row of the board."""
    return NORTH_EAST_COLUMNS if row >= NORTH_EAST_ROW else COLUMNS


def all_hexes() -> list[str]:
    """Return every hex of the board, sorted."""
    return [name(r, c) for r in range(1, ROWS + 1) for c in range(1, columns(r) + 1)]


def neighbours(here: str) -> list[str]:
    """Return the six names around a hex, on the board or not, counterclockwise from the east."""
    r, c = row_column(here)
    east = c if r % 2 else c + 1
    around = [(r, c + 1), (r + 1, east), (r + 1, east - 1), (r, c - 1), (r - 1, east - 1), (r - 1, east)]
    return [name(row, column) for row, column in around]


def side(one: str, other: str) -> Side:
    """Return the side between two hexes, the lower name first."""
    return (one, other) if one < other else (other, one)


def centre(here: str) -> Point:
    """Return the centre of a hex."""
    r, c = row_column(here)
    return c + (0.5 if r % 2 == 0 else 0.0), r * ROW_HEIGHT


def _shift(row: int) -> float:
    return 0.5 if row % 2 == 0 else 0.0


def corners(here: str) -> list[Point]:
    """Return the six corners, counterclockwise from the lower one on the east side."""
    x, y = centre(here)
    angles = [math.radians(60 * k - 30) for k in range(6)]
    return [(x + RADIUS * math.cos(a), y + RADIUS * math.sin(a)) for a in angles]


def ends(here: Side) -> tuple[Point, Point]:
    """Return the two corners at the ends of a hexside."""
    a, b = here
    k = neighbours(a).index(b)
    points = corners(a)
    return points[k], points[(k + 1) % 6]


def middle(here: Side) -> Point:
    """Return the midpoint of a hexside."""
    (ax, ay), (bx, by) = centre(here[0]), centre(here[1])
    return (ax + bx) / 2, (ay + by) / 2

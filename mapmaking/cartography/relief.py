"""Mountains: hachured ridges along their hexsides, passes through them, hills in mountain hexes."""

import math
from collections.abc import Sequence
from typing import Final

from mapmaking.cartography.curve import chance, normals, path, smooth_curve, space_evenly, strokes
from mapmaking.cartography.data import Drawing, Row
from mapmaking.cartography.grid import Point, centre, middle, on_sheet
from mapmaking.cartography.palette import HACHURE, LAND, RED
from mapmaking.cartography.svg import group, line, tag, use

STEP: Final = 2.3
PASS_GAP: Final = 9.0
BEYOND: Final = 0.6  # hexes by which a crest is extended beyond the board
PLATE: Final = 120  # points of a crest per path of hachures
# Positions of the hills in a mountain hex, in pixels from its centre, the far ones first.
HILLS: Final = ((-13, -9), (9, -11), (-21, 3), (1, 1), (20, 2), (-10, 13), (12, 14))
PLATES: Final = 9  # engravings of a mountain hex, so that no two neighbours look the same

Stroke = tuple[Point, Point]


def definitions() -> str:
    """Return the engravings that are used repeatedly."""
    return "".join(group(*_hills(k), id=f"hills-{k}") for k in range(PLATES)) + group(*_pass(), id="pass")


def ridge_lines(board: Drawing) -> list[list[Point]]:
    """Return the ridges as smooth lines on the sheet."""
    return [smooth_curve([on_sheet(p) for p in _onward(board, c.points)]) for c in board.courses["ridges"]]


def _onward(board: Drawing, points: list[Point]) -> list[Point]:
    """Return a ridge, extended beyond the edge of the board if it ends there."""
    first, last = (_step_out(board, points[k]) for k in (0, -1))
    return [*first, *points, *last]


def _step_out(board: Drawing, end: Point) -> list[Point]:
    out = board.outward(end)
    return [] if out is None else [(end[0] + BEYOND * out[0], end[1] + BEYOND * out[1])]


def pass_points(board: Drawing) -> list[tuple[Row, Point]]:
    """Return the sides with a pass, and their points on the sheet."""
    return [(s, on_sheet(middle(s["a"], s["b"]))) for s in board.sides if s["pass"]]


def ridges(board: Drawing) -> str:
    """Return the hachures down both slopes of every ridge, interrupted at the passes."""
    gaps = [at for _, at in pass_points(board)]
    plates = [plate for k, ridge in enumerate(ridge_lines(board)) for plate in _plates(_hachures(k, ridge, gaps))]
    drawn = (tag("path", d=strokes(plate)) for plate in plates)
    return group(*drawn, stroke=HACHURE, stroke_width=1.15, stroke_linecap="round", fill="none")


def _plates(marks: Sequence[Stroke]) -> list[Sequence[Stroke]]:
    return [marks[k : k + 2 * PLATE] for k in range(0, len(marks), 2 * PLATE)]


def _hachures(seed: int, ridge: list[Point], gaps: list[Point]) -> list[Stroke]:
    crest = space_evenly(ridge, STEP)
    slopes = normals(crest)
    last = len(crest) - 1
    marks = []
    for k, (here, slope) in enumerate(zip(crest, slopes, strict=True)):
        if min((math.dist(here, gap) for gap in gaps), default=99) > PASS_GAP:
            size = min(1.0, 0.35 + k / 9, 0.35 + (last - k) / 9)
            marks += [_hachure(here, slope, size, hand, (seed, k)) for hand in (1, -1)]
    return marks


def _hachure(at: Point, slope: Point, size: float, hand: int, seed: tuple[int, int]) -> Stroke:
    nx, ny = hand * slope[0], hand * slope[1]
    # The light comes from the north-west: the far slope is the darker and longer one.
    shade = 1.0 + 0.32 * (nx + ny) / math.sqrt(2)
    long = size * shade * (9.5 + 3.0 * chance(*seed, hand))
    lean = 1.6 * chance(*seed, "lean", hand)
    start = at[0] + 1.3 * nx, at[1] + 1.3 * ny
    return start, (at[0] + long * nx - lean * ny, at[1] + long * ny + lean * nx)


def passes(board: Drawing) -> str:
    """Return a road through each gap, with the two brackets of the map symbol for a pass."""
    return group(*(_turned(side, at) for side, at in pass_points(board)))


def _turned(side: Row, at: Point) -> str:
    (ax, ay), (bx, by) = on_sheet(centre(side["a"])), on_sheet(centre(side["b"]))
    turn = math.degrees(math.atan2(by - ay, bx - ax))
    return use("pass", transform=f"translate({at[0]:.0f} {at[1]:.0f}) rotate({turn:.0f})")


def _pass() -> list[str]:
    road = line("M-11 0C-6 -3 6 3 11 0", stroke=RED, stroke_width=1.6, stroke_dasharray="3 1.8")
    return [
        line("M-5.5 -6Q0 -2.5 5.5 -6M-5.5 6Q0 2.5 5.5 6", stroke=RED, stroke_width=1.7, stroke_linecap="round"),
        road,
    ]


def hills(board: Drawing) -> str:
    """Return engraved hills in every mountain hex."""
    mountains = [here for here, row in sorted(board.hexes.items()) if row["terrain"] == "mountain"]
    mountains.sort(key=lambda here: here[:2], reverse=True)
    return group(*(_print(k, here) for k, here in enumerate(mountains)))


def _print(k: int, here: str) -> str:
    x, y = on_sheet(centre(here))
    return use(f"hills-{k % PLATES}", (round(x), round(y)))


def _hills(plate: int) -> list[str]:
    spots = [(dx + 3 * chance(plate, dx), dy + 2 * chance(plate, dy)) for dx, dy in HILLS]
    return [hill(at, 8.0 + 2.2 * chance(plate, k)) for k, at in enumerate(spots)]


def hill(at: Point, size: float) -> str:
    """Return one engraved hill, lit from the north-west."""
    x, y = at
    top, foot = y - 0.95 * size, y + 0.5 * size
    left = f"M{x - 1.15 * size:.1f} {foot:.1f}C{x - 0.6 * size:.1f} {foot - 2:.1f} {x - 0.45 * size:.1f} {top:.1f} "
    right = f"{x:.1f} {top:.1f}S{x + 0.6 * size:.1f} {foot - 3:.1f} {x + 1.2 * size:.1f} {foot:.1f}"
    shades = "".join(_shade(x, top, foot, size, t) for t in (0.08, 0.2, 0.32, 0.44, 0.56, 0.68, 0.8, 0.92))
    outline = tag("path", d=left + right, fill=LAND, fill_opacity=0.55, stroke=HACHURE, stroke_width=0.9)
    return outline + line(shades, stroke=HACHURE, stroke_width=0.7)


def _shade(x: float, top: float, foot: float, size: float, t: float) -> str:
    start = x + (0.1 + 0.85 * t) * size, top + (foot - top) * (0.06 + 0.86 * t**1.4)
    return path([start, (start[0] + 0.1 * size, min(foot, start[1] + (0.75 - 0.4 * t) * size))])

"""Rivers: flowing curves along their hexsides, with their names."""

import math
from typing import Final

from leuthen.cartography.curve import calmed, evenly, flowing, length, meandering, path
from leuthen.cartography.data import Board, Course
from leuthen.cartography.grid import Point, on_sheet
from leuthen.cartography.palette import FONT, PAPER, RIVER, RIVER_LIGHT
from leuthen.cartography.svg import group, line, tag

# For each rank: width of the banks, width of the water, size of the name.
WIDTHS: Final = {1: (7.4, 4.4, 17.0), 2: (5.2, 2.6, 14.0), 3: (3.2, 1.0, 12.0)}
LETTER: Final = 0.5


def curves(board: Board) -> list[tuple[Course, list[Point]]]:
    """Each river with its course on the sheet."""
    return [(c, _flow(c)) for c in board.courses["rivers"]]


def _flow(course: Course) -> list[Point]:
    smooth = flowing([on_sheet(p) for p in course.points])
    return meandering(smooth, course.name, 4.2, 26.0)


def rivers(board: Board) -> str:
    """All rivers, the small ones first: banks, then water, so that they flow into each other."""
    drawn = sorted(curves(board), key=lambda pair: -pair[0].rank)
    halo = [_stroke(curve, PAPER, WIDTHS[c.rank][0] + 3.0, 0.55) for c, curve in drawn]
    banks = [_stroke(curve, RIVER, WIDTHS[c.rank][0], 1.0) for c, curve in drawn]
    water = [_stroke(curve, RIVER_LIGHT, WIDTHS[c.rank][1], 1.0) for c, curve in drawn]
    return group(*halo, *banks, *water)


def _stroke(curve: list[Point], colour: str, width: float, opacity: float) -> str:
    return line(
        path(curve),
        stroke=colour,
        stroke_width=width,
        stroke_linecap="round",
        stroke_linejoin="round",
        opacity=f"{opacity:.2f}",
    )


def names(board: Board) -> str:
    """The name of each river along the straightest stretch of its longest piece."""
    longest: dict[str, tuple[Course, list[Point]]] = {}
    for course, curve in curves(board):
        known = longest.get(course.name)
        if known is None or length(curve) > length(known[1]):
            longest[course.name] = course, curve
    return group(*(_name(c, curve) for c, curve in longest.values() if _fits(c, curve)), font_family=FONT)


def _fits(course: Course, curve: list[Point]) -> bool:
    return length(curve) > _long(course) * 1.15


def _long(course: Course) -> float:
    return WIDTHS[course.rank][2] * LETTER * 1.25 * len(course.name)


def _name(course: Course, curve: list[Point]) -> str:
    size = WIDTHS[course.rank][2]
    name = f"river-{course.name.lower().replace(' ', '-')}"
    stretch = _straightest(calmed(evenly(curve, 6.0), 40), _long(course) * 1.12)
    if stretch[-1][0] < stretch[0][0]:
        stretch.reverse()
    guide = tag("path", id=name, d=path(stretch), fill="none")
    on_it = tag("textPath", course.name, href=f"#{name}", startOffset="50%", text_anchor="middle")
    return guide + tag(
        "text",
        on_it,
        dy=-WIDTHS[course.rank][0] - 1,
        font_size=size,
        font_style="italic",
        letter_spacing=size * 0.12,
        fill=RIVER,
        stroke=PAPER,
        stroke_width=2.6,
        stroke_opacity=0.7,
        paint_order="stroke",
    )


def _straightest(points: list[Point], long: float) -> list[Point]:
    count = max(3, math.ceil(long / 6.0))
    stretches = [points[k : k + count] for k in range(max(1, len(points) - count))]
    return max(stretches, key=lambda s: math.dist(s[0], s[-1]) - 0.4 * abs(s[-1][1] - s[0][1]))

"""Rivers: flowing curves along their hexsides, with their names."""

import math
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from mapmaking.cartography.curve import add_meanders, length, smooth_curve, smooth_line, space_evenly, spline
from mapmaking.cartography.data import Drawing, MapLine, once
from mapmaking.cartography.grid import Point, on_sheet
from mapmaking.cartography.palette import FONT, PAPER, RIVER, RIVER_LIGHT
from mapmaking.cartography.svg import group, line, tag, use
from mapmaking.cartography.towns import towns

# For each rank: width of the banks, width of the water, size of the name.
WIDTHS: Final = {1: (7.4, 4.4, 17.0), 2: (5.2, 2.6, 14.0), 3: (3.2, 1.0, 12.0)}
LETTER: Final = 0.5
NAME_EVERY: Final = 1300.0  # pixels of river between repetitions of its name
EXTRA: Final = 0.2  # extension of a name's line at each end, relative to its length
SPRING: Final = 24  # points of the curve, 4 pixels each, until a river has its full width
STEP: Final = 4  # points of the curve per step of width
BEYOND: Final = 2.0  # hexes by which a river continues faintly beyond the board: to the neatline
FADES: Final = 6  # pieces of that continuation, each thinner
BEND: Final = 6.0  # pixels between the points of the drawn curve


@once
def curves(board: Drawing) -> list[tuple[MapLine, list[Point]]]:
    """Return the rivers with their curves on the sheet, each extended into the river or sea at its mouth."""
    courses = board.courses["rivers"]
    flows = [_flow(c) for c in courses]
    shore = [on_sheet(p) for c in (*board.courses["coasts"], *board.courses["lagoons"]) for p in c.points]
    ends = Counter(p for c in courses for p in (c.points[0], c.points[-1]))
    others = [[p for j, flow in enumerate(flows) if j != k for p in flow] for k in range(len(flows))]
    return [(c, _led(c, flows[k], others[k], shore, ends)) for k, c in enumerate(courses)]


def _led(
    course: MapLine, flow: list[Point], rivers: list[Point], shore: list[Point], ends: Counter[Point]
) -> list[Point]:
    first, last = (_goal(flow[k], rivers, shore, ends[course.points[k]]) for k in (0, -1))
    return [*([first] if first else []), *flow, *([last] if last else [])]


# Smooth curves cut the corners where side rivers end, which leaves gaps of a few pixels.
def _goal(end: Point, rivers: list[Point], shore: list[Point], meeting: int) -> Point | None:
    for points, reach in ((rivers, 14.0), (shore, 40.0)) if meeting == 1 else ():
        near = min(points, key=lambda p: math.dist(p, end))
        if math.dist(near, end) < reach:
            return near
    return None


def _flow(course: MapLine) -> list[Point]:
    smooth = smooth_curve([on_sheet(p) for p in course.points])
    return add_meanders(smooth, course.name, 6.0, 30.0)


def rivers(board: Drawing) -> str:
    """Return all rivers, the small ones first: banks, then water, so that they flow into each other."""
    ends = _joined(board)
    beds: dict[tuple[int, float], list[str]] = {}
    for course, curve in curves(board):
        for reach, part in _reaches(course, curve, ends):
            beds.setdefault((-course.rank, part), []).append(spline(space_evenly(reach, BEND)))
    names = {bed: f"bed-{k}" for k, bed in enumerate(sorted(beds))}
    drawn = [group(*(tag("path", d=d) for d in beds[bed]), id=name) for bed, name in names.items()]
    return tag("defs", *drawn) + _faint(board) + _printed(names)


def _faint(board: Drawing) -> str:
    """Return the fading, winding continuations of rivers beyond the edge of the board."""
    sea, drawn = _at_sea(board), []
    for course in board.courses["rivers"]:
        for end in (course.points[0], course.points[-1]):
            out = None if end in sea else board.outward(end)
            if out is not None:
                drawn += _fading(course, end, (end[0] + BEYOND * out[0], end[1] + BEYOND * out[1]))
    return group(*drawn, fill="none", stroke_opacity=0.35)


def _fading(course: MapLine, end: Point, beyond: Point) -> list[str]:
    winding = add_meanders([on_sheet(end), on_sheet(beyond)], course.name, 6.0, 30.0)
    size = math.ceil(len(winding) / FADES)
    pieces = [winding[k : k + size + 1] for k in range(0, len(winding) - 1, size)]
    widths = (0.8 * WIDTHS[course.rank][0] * (1 - k / FADES) for k in range(FADES))
    return [
        line(spline(space_evenly(p, BEND)), stroke=RIVER, stroke_width=w) for p, w in zip(pieces, widths, strict=False)
    ]


def _printed(names: Mapping[tuple[int, float], str]) -> str:
    halo, banks, water = [
        group(*(use(name, stroke_width=part * WIDTHS[-rank][k] + more) for (rank, part), name in names.items()), **look)
        for k, more, look in (
            (0, 3.0, {"stroke": PAPER, "stroke_opacity": 0.5}),
            (0, 0.0, {"stroke": RIVER}),
            (1, 0.0, {"stroke": RIVER_LIGHT}),
        )
    ]
    return group(halo, banks, water, fill="none", stroke_linecap="round", stroke_linejoin="round")


def _joined(board: Drawing) -> set[Point]:
    """Return the corners where rivers meet each other, the sea, or the edge of the board."""
    points = [p for c in board.courses["rivers"] for p in c.points]
    meetings = {p for p, count in Counter(points).items() if count > 1}
    return meetings | {p for p in points if not board.is_inland(p)} | _at_sea(board)


def _at_sea(board: Drawing) -> set[Point]:
    courses = board.courses["rivers"]
    shore = [on_sheet(p) for c in (*board.courses["coasts"], *board.courses["lagoons"]) for p in c.points]
    ends = [p for c in courses for p in (c.points[0], c.points[-1])]
    return {p for p in ends if min(math.dist(on_sheet(p), s) for s in shore) < 40.0}


# A river grows from its spring: the first stretch is drawn in steps of width.
def _reaches(course: MapLine, curve: list[Point], joined: set[Point]) -> list[tuple[list[Point], float]]:
    low = 0 if course.points[0] in joined else SPRING
    high = len(curve) - (0 if course.points[-1] in joined else SPRING)
    cuts = [*range(0, low, STEP), max(0, min(low, high)), max(low, high), *range(high + STEP, len(curve), STEP)]
    pieces = pairwise(sorted({min(c, len(curve)) for c in (*cuts, len(curve))}))
    return [(curve[a : b + 1], _part(a, b, low, high, len(curve))) for a, b in pieces if len(curve[a : b + 1]) > 1]


def _part(start: int, end: int, low: int, high: int, last: int) -> float:
    if end <= low:
        return 0.35 + 0.65 * start / SPRING
    if start >= high and high < last:
        return 0.35 + 0.65 * (last - end) // STEP * STEP / SPRING
    return 1.0


def names(board: Drawing) -> str:
    """Return the name of each river along its straight stretches, repeated at intervals."""
    found = name_lines(board)
    guides = (
        tag("path", id=f"stretch-{k}", d=spline(guide_line(course, stretch)))
        for k, (course, stretch) in enumerate(found)
    )
    drawn = (_name(course, k) for k, (course, _) in enumerate(found))
    halo = {"stroke": PAPER, "stroke_width": 2.6, "stroke_opacity": 0.7, "paint_order": "stroke"}
    look = {"font_family": FONT, "font_style": "italic", "text_anchor": "middle", "fill": RIVER}
    return tag("defs", *guides) + group(*drawn, **look, **halo)


@once
def name_lines(board: Drawing) -> list[tuple[MapLine, list[Point]]]:
    """Return the base line of each river name, clear of towns if possible."""
    signs = [town.at for town in towns(board)]
    pieces = [(c, piece) for c, curve in _longest(board) for piece in _parts(curve)]
    return [(c, _guide(c, piece, signs)) for c, piece in pieces if length(piece) > 1.15 * _length(c)]


def _longest(board: Drawing) -> list[tuple[MapLine, list[Point]]]:
    longest: dict[str, tuple[MapLine, list[Point]]] = {}
    for course, curve in curves(board):
        known = longest.get(course.name)
        if known is None or length(curve) > length(known[1]):
            longest[course.name] = course, curve
    return list(longest.values())


def _parts(curve: list[Point]) -> list[list[Point]]:
    count = max(1, round(length(curve) / NAME_EVERY))
    size = len(curve) // count
    return [curve[k * size : (k + 1) * size] for k in range(count)]


def _length(course: MapLine) -> float:
    return WIDTHS[course.rank][2] * LETTER * 1.25 * len(course.name)


def _guide(course: MapLine, piece: list[Point], signs: list[Point]) -> list[Point]:
    stretch = _straightest(smooth_line(space_evenly(piece, 6.0), 40), _length(course) * 1.12, signs)
    return stretch if stretch[0][0] < stretch[-1][0] else stretch[::-1]


def guide_line(course: MapLine, stretch: list[Point]) -> list[Point]:
    """Return the nodes of a base line: straight at both ends, so that a wider font than ours is not cut off."""
    bends = [*stretch[: -1 : len(stretch) // 5 or 1], stretch[-1]]
    more = max(EXTRA * length(stretch), 0.7 * _length(course) - 0.5 * length(stretch))
    return [_beyond(bends[1], bends[0], more), *bends, _beyond(bends[-2], bends[-1], more)]


def _beyond(before: Point, end: Point, more: float) -> Point:
    """Return the point at a distance beyond the end of a line."""
    long = math.dist(before, end) or 1.0
    return end[0] + (end[0] - before[0]) / long * more, end[1] + (end[1] - before[1]) / long * more


def _name(course: MapLine, k: int) -> str:
    size = WIDTHS[course.rank][2]
    on_it = tag("textPath", course.name, href=f"#stretch-{k}", startOffset="50%")
    return tag("text", on_it, dy=-WIDTHS[course.rank][0] - 1, font_size=size, letter_spacing=size * 0.12)


def _straightest(points: list[Point], long: float, signs: list[Point]) -> list[Point]:
    count = max(3, math.ceil(long / 6.0))
    stretches = [points[k : k + count] for k in range(max(1, len(points) - count))]
    return max(stretches, key=lambda s: _ease(s) - _crowd(s, signs))


def _ease(stretch: list[Point]) -> float:
    """Return the suitability of a stretch for letters: level, and close to the straight line between its ends."""
    (ax, ay), (bx, by) = stretch[0], stretch[-1]
    long = math.dist(stretch[0], stretch[-1]) or 1.0
    bend = max(abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / long for x, y in stretch)
    return long - 0.4 * abs(by - ay) - 1.5 * bend


def _crowd(stretch: list[Point], signs: list[Point]) -> float:
    near = [s for s in signs if abs(s[0] - stretch[0][0]) < 200 and abs(s[1] - stretch[0][1]) < 200]
    return sum(max(0.0, 26 - math.dist(p, (s[0], s[1] + 8))) for p in stretch[::3] for s in near)

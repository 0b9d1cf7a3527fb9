"""The frame with its degrees, the net of parallels and meridians, and the compass rose."""

import math
from itertools import pairwise
from typing import Final

from mapmaking.cartography.curve import path, spline
from mapmaking.cartography.data import Drawing, MapLine
from mapmaking.cartography.grid import FRAME, HEIGHT, WIDTH, Point, on_sheet
from mapmaking.cartography.palette import FONT, INK, PAPER, RED, WATER_LINE
from mapmaking.cartography.svg import box, dot, group, line, tag, words

BAND: Final = 13.0
ROSE: Final = on_sheet((4.9, 33.7))
ROSE_SIZE: Final = 165.0
INNER: Final = (FRAME, FRAME, WIDTH - FRAME, HEIGHT - FRAME)


def graticule(board: Drawing) -> str:
    """Return the parallels and meridians as hairlines."""
    lines = "".join(spline([on_sheet(p) for p in _every(9, c.points)]) for c in board.courses["graticule"])
    return line(lines, stroke=INK, stroke_width=0.6, stroke_opacity=0.28)


def _every(step: int, points: list[Point]) -> list[Point]:
    return [*points[:-1:step], points[-1]]


def frame(board: Drawing) -> str:
    """Return the paper around the map, the ruled frame, and its degrees."""
    left, top, right, bottom = INNER
    paper = path([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], closed=True)
    paper += path([(left, top), (left, bottom), (right, bottom), (right, top)], closed=True)
    rules = [_rule(*spec) for spec in ((0, 2.0), (BAND, 1.2), (BAND + 30, 1.2), (BAND + 36, 4.5), (BAND + 43, 1.0))]
    style = {"font_family": FONT, "font_size": 19, "text_anchor": "middle", "dominant_baseline": "central"}
    degrees = group(*_degrees(board), fill=INK, **style)
    return group(tag("path", d=paper, fill=PAPER, fill_rule="evenodd"), *rules, degrees)


def _rule(out: float, width: float) -> str:
    left, top, right, bottom = INNER
    return box(
        left - out,
        top - out,
        right - left + 2 * out,
        bottom - top + 2 * out,
        fill="none",
        stroke=INK,
        stroke_width=width,
    )


def _degrees(board: Drawing) -> list[str]:
    courses = board.courses["graticule"]
    meridians = [c for c in courses if c.kind == "E"]
    parallels = [c for c in courses if c.kind == "N"]
    left, top, right, bottom = INNER
    edges = [(_crossings(meridians, 1, y), y, False) for y in (top, bottom)]
    edges += [(_crossings(parallels, 0, x), x, True) for x in (left, right)]
    return [_edge(found, at, upright) for found, at, upright in edges]


def _crossings(courses: list[MapLine], axis: int, at: float) -> list[tuple[float, str]]:
    """Return the positions where lines cross an edge of the map, with their degrees, sorted."""
    found = []
    for course in courses:
        points = [on_sheet(p) for p in course.points]
        for a, b in pairwise(points):
            if (a[axis] - at) * (b[axis] - at) < 0:
                t = (at - a[axis]) / (b[axis] - a[axis])
                found.append((a[1 - axis] + t * (b[1 - axis] - a[1 - axis]), f"{course.name}°"))
    return sorted(found)


def _edge(crossings: list[tuple[float, str]], at: float, upright: bool) -> str:
    low, high = (INNER[1], INNER[3]) if upright else (INNER[0], INNER[2])
    inside = [(p, name) for p, name in crossings if low < p < high]
    outward = -1.0 if at in (INNER[0], INNER[1]) else 1.0
    start = at if outward > 0 else at - BAND
    bars = [_bar(a, b, start, upright) for a, b in _halves([p for p, _ in crossings], low, high)]
    return group(*bars, *(_degree(p, name, at + outward * (BAND + 15), upright) for p, name in inside))


def _halves(marks: list[float], low: float, high: float) -> list[tuple[float, float]]:
    """Return every first half of a degree, for the black bars, clipped to the edge."""
    first, last = marks[1] - marks[0], marks[-1] - marks[-2]
    whole = [marks[0] - first, *marks, marks[-1] + last]
    bars = [(a, (a + b) / 2) for a, b in pairwise(whole)]
    cut = [(max(low, min(a, b)), min(high, max(a, b))) for a, b in bars]
    return [(a, b) for a, b in cut if b > a]


def _bar(a: float, b: float, start: float, upright: bool) -> str:
    return box(start, a, BAND, b - a) if upright else box(a, start, b - a, BAND)


def _degree(along: float, name: str, across: float, upright: bool) -> str:
    at = (across, along) if upright else (along, across)
    turned = {"transform": f"rotate(-90 {at[0]:.1f} {at[1]:.1f})"} if upright else {}
    return words(name, at, **turned)


def rhumbs() -> str:
    """Return the rhumb lines, from the rose over all seas."""
    ends = [_polar(math.tau * k / 32, 4000.0) for k in range(32)]
    return line("".join(path([ROSE, end]) for end in ends), stroke=WATER_LINE, stroke_width=0.7, stroke_opacity=0.35)


def _polar(turn: float, far: float) -> Point:
    return ROSE[0] + far * math.sin(turn), ROSE[1] - far * math.cos(turn)


def rose() -> str:
    """Return the compass rose."""
    rings = [
        dot(ROSE, ROSE_SIZE * far, fill=fill, fill_opacity="0.75", stroke=INK, stroke_width=width)
        for far, fill, width in ((0.78, PAPER, 1.6), (0.73, "none", 0.7), (0.36, "none", 0.8))
    ]
    points = [_ray(k, long) for long, step in ((0.6, 1), (0.8, 2), (0.97, 4)) for k in range(16) if _is_of(k, step)]
    letters = [_wind(k, name) for k, name in enumerate("NESW")]
    return group(*rings, *points, dot(ROSE, 9.0, fill=RED, stroke=INK, stroke_width=1), *letters)


def _is_of(k: int, step: int) -> bool:
    return {1: k % 2 == 1, 2: k % 4 == 2, 4: k % 4 == 0}[step]


def _ray(k: int, long: float) -> str:
    turn = math.tau * k / 16
    tip, side = _polar(turn, ROSE_SIZE * long), ROSE_SIZE * long * 0.17
    left, right = _polar(turn - math.pi / 8, side), _polar(turn + math.pi / 8, side)
    dark = tag("path", d=path([ROSE, left, tip], closed=True), fill=RED if k % 4 == 0 else INK)
    light = tag("path", d=path([ROSE, tip, right], closed=True), fill=PAPER)
    return group(dark, light, stroke=INK, stroke_width=0.8, stroke_linejoin="round")


def _wind(k: int, name: str) -> str:
    at = _polar(math.tau * k / 4, ROSE_SIZE * 1.1)
    style = {"font_size": 30, "text_anchor": "middle", "dominant_baseline": "central", "fill": INK}
    return words(name, at, font_family=FONT, **style)

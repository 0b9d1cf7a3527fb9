"""Flowing lines: smoothing, wobbling, sampling, and path data. All coordinates are pixels of the sheet."""

import math
import zlib
from collections.abc import Sequence
from itertools import pairwise

from mapmaking.cartography.grid import Point


def number(value: float) -> str:
    """Return a number rounded to a tenth, without trailing zeros."""
    value = round(value, 1) or 0.0
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".") if abs(value) < 1 else text


def path(points: Sequence[Point], *, closed: bool = False, grain: float = 0.1) -> str:
    """Return the data of a path through points, as relative steps on a lattice of `grain` pixels."""
    return _steps("l", [_snapped(p, grain) for p in points]) + ("z" if closed else "")


def spline(points: Sequence[Point], *, closed: bool = False) -> str:
    """Return the path data of the smooth line that `smooth_curve` samples.

    Its nodes are on whole pixels, so that errors do not add up.
    """
    bends = [_snapped(p, 1.0) for p in points]
    ring = [*bends, bends[0], bends[1]] if closed else bends
    if len(ring) < 3:
        return _steps("l", ring)
    knots = [between(a, b) for a, b in pairwise(ring)]
    start = "M" + _pair(knots[0]) if closed else _steps("l", [ring[0], knots[0]])
    first = f"q{_pair(_from(knots[0], ring[1]))}{_joint(_from(knots[0], knots[1]))}"
    end = "z" if closed else "l" + _pair(_from(knots[-1], ring[-1]))
    return start + first + "".join(f"t{_pair(_from(a, b))}" for a, b in pairwise(knots[1:])) + end


def strokes(ends: Sequence[tuple[Point, Point]], *, grain: float = 0.5) -> str:
    """Return the data of many short lines as one path."""
    here, parts = (0.0, 0.0), []
    for start, end in ends:
        a, b = _snapped(start, grain), _snapped(end, grain)
        parts.append(f"m{_pair(_from(here, a))}l{_pair(_from(a, b))}")
        here = b
    return "".join(parts)


def _snapped(point: Point, grain: float) -> Point:
    return round(point[0] / grain) * grain, round(point[1] / grain) * grain


def _from(a: Point, b: Point) -> Point:
    return b[0] - a[0], b[1] - a[1]


def _pair(point: Point) -> str:
    return number(point[0]) + _joint((point[1],))


def _joint(numbers: Sequence[float]) -> str:
    """Join numbers after another number; a minus sign needs no separator."""
    texts = [number(n) for n in numbers]
    return "".join(text if text.startswith("-") else " " + text for text in texts)


def _steps(command: str, points: Sequence[Point]) -> str:
    steps = [_pair(_from(a, b)) for a, b in pairwise(points)]
    first = "M" + _pair(points[0])
    return (
        first
        + (command if steps else "")
        + "".join(s if k == 0 or s.startswith("-") else " " + s for k, s in enumerate(steps))
    )


def between(a: Point, b: Point, t: float = 0.5) -> Point:
    """Return the point at a fraction of the way from one point to another."""
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def length(points: list[Point]) -> float:
    """Return the length of a line."""
    return sum(math.dist(a, b) for a, b in pairwise(points))


def smooth_curve(points: list[Point], *, closed: bool = False, pieces: int = 5) -> list[Point]:
    """Return a smooth line (quadratic B-spline) along a chain; open ends stay in place."""
    ring = [*points, points[0], points[1]] if closed else points
    curve: list[Point] = [] if closed else [points[0]]
    for a, b, c in zip(ring, ring[1:], ring[2:], strict=False):
        start, end = between(a, b), between(b, c)
        curve += [_quadratic(start, b, end, k / pieces) for k in range(pieces)]
    return curve if closed else [*curve, between(ring[-2], ring[-1]), ring[-1]]


def _quadratic(a: Point, b: Point, c: Point, t: float) -> Point:
    return between(between(a, b, t), between(b, c, t), t)


def space_evenly(points: list[Point], step: float) -> list[Point]:
    """Return points at even distances along a line, including its ends."""
    total = length(points)
    count = max(1, round(total / step))
    marks = [total * k / count for k in range(count + 1)]
    return _at(points, marks)


def _at(points: list[Point], marks: list[float]) -> list[Point]:
    found, gone, k = [], 0.0, 0
    for mark in marks:
        while k < len(points) - 2 and gone + math.dist(points[k], points[k + 1]) < mark:
            gone += math.dist(points[k], points[k + 1])
            k += 1
        long = math.dist(points[k], points[k + 1]) or 1.0
        found.append(between(points[k], points[k + 1], (mark - gone) / long))
    return found


def normals(points: list[Point]) -> list[Point]:
    """Return, for each point of a line, the unit vector to its right."""
    ahead = [*points[1:], points[-1]]
    behind = [points[0], *points[:-1]]
    found = []
    for (ax, ay), (bx, by) in zip(behind, ahead, strict=True):
        long = math.hypot(bx - ax, by - ay) or 1.0
        found.append(((ay - by) / long, (bx - ax) / long))
    return found


def chance(*seed: object) -> float:
    """Return a pseudo-random number from -1 to 1 that depends only on the seed."""
    return zlib.crc32(repr(seed).encode()) / 0x7FFFFFFF - 1


def noise(seed: str, x: float) -> float:
    """Return the value at `x` of a smooth random curve from -1 to 1, with one bend per unit."""
    k = math.floor(x)
    t = x - k
    t = t * t * (3 - 2 * t)
    return chance(seed, k) * (1 - t) + chance(seed, k + 1) * t


def add_meanders(points: list[Point], seed: str, size: float, bend: float) -> list[Point]:
    """Return a line that deviates by up to `size` from another, with a bend every `bend` pixels; its ends stay in
    place.
    """
    line = space_evenly(points, 4.0)
    found, last = [], len(line) - 1
    for k, ((x, y), (nx, ny)) in enumerate(zip(line, normals(line), strict=True)):
        calm = min(1.0, k / 6, (last - k) / 6)
        off = calm * size * (noise(seed, 4.0 * k / bend) + 0.5 * noise(seed + "'", 8.0 * k / bend))
        found.append((x + nx * off, y + ny * off))
    return found


def smooth_line(points: list[Point], times: int) -> list[Point]:
    """Return a line that is smooth enough to carry letters."""
    for _ in range(times):
        inner = [between(between(a, c), b) for a, b, c in zip(points, points[1:], points[2:], strict=False)]
        points = [points[0], *inner, points[-1]]
    return points

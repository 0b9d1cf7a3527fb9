"""Derive `inputs/coast.csv` from Natural Earth: `python -m mapmaking.derive_coast land-10m.json`.

This is run once, by hand. The file is `land-10m.json` of the npm package world-atlas 2.0.2, a TopoJSON edition of
Natural Earth 1:10m land, which is in the public domain.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

from mapmaking.board import Point
from mapmaking.inputs import INPUTS

WEST, EAST, SOUTH, NORTH = 3.0, 24.0, 46.5, 57.6
TOLERANCE: Final = 0.008
HEAD: Final = (
    "# Land as rings of points (lon lat): Natural Earth 1:10m land (public domain), by way of the npm package\n"
    "# world-atlas 2.0.2, clipped to 3-24 E, 46.5-57.6 N and simplified; made by mapmaking/derive_coast.py.\n"
    "ring,points\n"
)


def derive(topology: dict[str, Any]) -> list[list[Point]]:
    """Return every ring of land that touches the window, clipped and simplified."""
    arcs = [_unpack(arc, topology["transform"]) for arc in topology["arcs"]]
    polygons = [p for g in topology["objects"]["land"]["geometries"] for p in g["arcs"]]
    rings = [clip(_join(ring, arcs)) for polygon in polygons for ring in polygon]
    simple = [simplify(ring) for ring in rings if len(ring) > 3]
    return [ring for ring in simple if len(ring) > 4]


def _unpack(arc: list[list[int]], transform: dict[str, list[float]]) -> list[Point]:
    (sx, sy), (tx, ty) = transform["scale"], transform["translate"]
    x = y = 0
    points = []
    for dx, dy in arc:
        x, y = x + dx, y + dy
        points.append((x * sx + tx, y * sy + ty))
    return points


def _join(indices: list[int], arcs: list[list[Point]]) -> list[Point]:
    pieces = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
    return [p for piece in pieces for p in piece[:-1]]


def clip(ring: list[Point]) -> list[Point]:
    """Clip a ring to the window (Sutherland and Hodgman)."""
    for axis, limit, sign in ((0, WEST, 1), (0, EAST, -1), (1, SOUTH, 1), (1, NORTH, -1)):
        ring = _cut(ring, axis, limit, sign)
    return ring


def _cut(ring: list[Point], axis: int, limit: float, sign: int) -> list[Point]:
    kept: list[Point] = []
    for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
        if sign * (a[axis] - limit) >= 0:
            kept.append(a)
        if (a[axis] - limit) * (b[axis] - limit) < 0:
            t = (limit - a[axis]) / (b[axis] - a[axis])
            kept.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
    return kept


def simplify(ring: list[Point]) -> list[Point]:
    """Drop points within the tolerance of the simplified line (Douglas and Peucker)."""
    half = len(ring) // 2
    return _thin(ring[: half + 1])[:-1] + _thin([*ring[half:], ring[0]])[:-1]


def _thin(points: list[Point]) -> list[Point]:
    keep, stack = {0, len(points) - 1}, [(0, len(points) - 1)]
    while stack:
        low, high = stack.pop()
        far, k = max((_off(points[i], points[low], points[high]), i) for i in range(low, high + 1))
        if far > TOLERANCE and low < k < high:
            keep.add(k)
            stack += [(low, k), (k, high)]
    return [points[i] for i in sorted(keep)]


def _off(p: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / long)) if long else 0.0
    return float(((p[0] - a[0] - t * dx) ** 2 + (p[1] - a[1] - t * dy) ** 2) ** 0.5)


def main(path: Path) -> None:
    """Write the coast next to the other inputs."""
    rings = derive(json.loads(path.read_text(encoding="utf-8")))
    rows = (f'{k},"{"; ".join(f"{x:.3f} {y:.3f}" for x, y in r)}"\n' for k, r in enumerate(rings, 1))
    (INPUTS / "coast.csv").write_text(HEAD + "".join(rows), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The map sheet, drawn from the land's data: an SVG that lists every area with its position and neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fords.model import Land, read_land

SIZE = 110
"""The width of an area."""
FORD = 'stroke="#3f7fbf" stroke-dasharray="3 7" stroke-width="9"'
WAY = 'stroke="#9c8b63" stroke-width="5"'
INK = {"north": "#5b7fa6", "south": "#a65b5b"}


def draw(files: Mapping[str, str]) -> str:
    """Return the sheet as SVG. Raises Invalid as `read_land` does."""
    land = read_land(files)
    width, height = (max(spot[k] for spot in land.spots) + 90 for k in (0, 1))
    areas = " ".join(_area(land, area) for area in range(len(land.names)))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    body = "".join((*_ways(land), *_circles(land)))
    return (
        f'{head} data-hex="{SIZE}" data-areas="{areas}"><rect width="100%" height="100%" fill="#efe6cf"/>{body}</svg>'
    )


def _area(land: Land, area: int) -> str:
    """Return an area for the client: name, position and neighbours."""
    x, y = land.spots[area]
    near = ",".join(land.names[there] for there in sorted(land.ways[area]))
    return f"{land.names[area]}:{x},{y}:{near}"


def _ways(land: Land) -> Iterator[str]:
    for here, there in sorted((a, b) for a, near in enumerate(land.ways) for b in near if a < b):
        (x1, y1), (x2, y2) = land.spots[here], land.spots[there]
        style = FORD if (here, there) in land.fords else WAY
        yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>'


def _circles(land: Land) -> Iterator[str]:
    for (x, y), name, points, home in zip(land.spots, land.names, land.points, land.homes, strict=True):
        ink = (*INK.values(), "#7a7a5a")[home]
        yield f'<circle cx="{x}" cy="{y}" r="46" fill="#fbf6e6" stroke="{ink}" stroke-width="{6 if points else 2}"/>'
        label = f"{name} {points}" if points else name
        yield f'<text x="{x}" y="{y + 40}" font-size="13" text-anchor="middle" font-family="serif">{label}</text>'

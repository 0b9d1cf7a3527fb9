"""The lines of the drawn map: coasts, rivers, borders, crests, parallels and meridians.

All are in board coordinates (hexes, x east, y north), rounded to a hundredth of a hex.
"""

import json

from mapmaking import places, sides
from mapmaking.board import Point, Side, all_hexes, neighbours, side
from mapmaking.chains import chains
from mapmaking.hexes import Hex
from mapmaking.inputs import Inputs


def text(inputs: Inputs, hexes: dict[str, Hex]) -> str:
    """Return the text of `courses.json`, one line of the map per row."""
    parts: dict[str, list[dict[str, object]]] = {
        "coasts": [{"points": _rounded(ring)} for ring in inputs.coasts],
        "lagoons": [{"name": n, "points": _rounded(ring)} for n, ring in inputs.lagoons.items()],
        "rivers": _rivers(inputs, hexes),
        "borders": _borders(hexes),
        "ridges": [{"points": _exact(c)} for c in chains(_ridges(inputs, hexes))],
        "crests": [{"name": n, "points": _rounded(c)} for n, c in inputs.crests.items()],
        "graticule": _graticule(inputs),
        "places": _places(inputs),
    }
    lines = (f'"{name}": [\n' + ",\n".join(_line(c) for c in part) + "\n]" for name, part in parts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _line(course: dict[str, object]) -> str:
    return json.dumps(course, ensure_ascii=False, separators=(",", ":"))


def _rounded(points: list[Point]) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in points]


def _exact(points: list[Point]) -> list[list[float]]:
    return [[round(x, 4), round(y, 4)] for x, y in points]


def _rivers(inputs: Inputs, hexes: dict[str, Hex]) -> list[dict[str, object]]:
    by_name: dict[str, list[Side]] = {}
    for here, edge in sides.all_hexsides(inputs, hexes).items():
        if edge.river:
            by_name.setdefault(edge.river, []).append(here)
    return [
        {"name": name, "class": sides.river_class(name), "points": _exact(chain)}
        for name in sorted(by_name)
        for chain in chains(by_name[name])
    ]


def _ridges(inputs: Inputs, hexes: dict[str, Hex]) -> list[Side]:
    return [here for here, edge in sides.build(inputs, hexes).items() if edge.ridge]


def _places(inputs: Inputs) -> list[dict[str, object]]:
    rows = [(r[0], float(r[3]), float(r[4])) for r in places.places(inputs)]
    return [{"name": n, "points": _rounded([inputs.projection.to_board(lat, lon)])} for n, lat, lon in rows]


def _borders(hexes: dict[str, Hex]) -> list[dict[str, object]]:
    by_pair: dict[Side, list[Side]] = {}
    for here in all_hexes():
        for there in neighbours(here):
            if here < there and there in hexes and _is_border(hexes[here], hexes[there]):
                pair = side(hexes[here].territory, hexes[there].territory)
                by_pair.setdefault(pair, []).append((here, there))
    return [{"between": list(pair), "points": _exact(c)} for pair in sorted(by_pair) for c in chains(by_pair[pair])]


def _is_border(one: Hex, other: Hex) -> bool:
    return one.is_land and other.is_land and one.territory != other.territory


def _graticule(inputs: Inputs) -> list[dict[str, object]]:
    to_board = inputs.projection.to_board
    steps = [k / 4 for k in range(400)]
    parallels = [("N", lat, [to_board(lat, lon) for lon in steps if 4 <= lon <= 24]) for lat in range(47, 58)]
    meridians = [("E", lon, [to_board(lat, lon) for lat in steps if 46.5 <= lat <= 57.5]) for lon in range(4, 25)]
    return [{"degree": d, "kind": k, "points": _rounded(p)} for k, d, p in parallels + meridians]

"""Rivers, ridges, passes and water on the hexsides."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from mapmaking.board import Point, Side, centre, middle, neighbours, side
from mapmaking.hexes import Hex
from mapmaking.inputs import Inputs

GREAT: Final = ("Danube", "Elbe", "Oder", "Rhine", "Vistula", "Weser")
MIDDLE: Final = (
    *("Aller", "Ems", "Fulda", "Havel", "Inn", "Isar", "Lech", "Main", "March", "Meuse", "Moldau"),
    *("Moselle", "Mulde", "Neckar", "Netze", "Niemen", "Peene", "Pregel", "Saale", "Spree", "Warthe", "Werra"),
)


@dataclass(frozen=True)
class Edge:
    """Features of a hexside."""

    river: str = ""
    ridge: bool = False
    passage: str = ""
    water: bool = False


def build(inputs: Inputs, hexes: dict[str, Hex]) -> dict[Side, Edge]:
    """Return every hexside with a feature between two land hexes, at least one of them in play."""
    return {s: e for s, e in all_hexsides(inputs, hexes).items() if any(hexes[h].is_in_play for h in s)}


def all_hexsides(inputs: Inputs, hexes: dict[str, Hex]) -> dict[Side, Edge]:
    """Return every hexside with a feature between two land hexes, in play or not."""
    edges = {here: Edge(river=river) for here, river in rivers(inputs).items()}
    for here in ridges(inputs, hexes):
        edges[here] = replace(edges.get(here, Edge()), ridge=True)
    for here, name in passes(inputs, hexes).items():
        edges[here] = replace(edges.get(here, Edge()), ridge=True, passage=name)
    for here in waters(inputs):
        edges[here] = Edge(water=True)
    return {s: e for s, e in sorted(edges.items()) if e != Edge() and _is_dry(hexes, s)}


def _is_dry(hexes: dict[str, Hex], here: Side) -> bool:
    return all(h in hexes and hexes[h].is_land for h in here)


def rivers(inputs: Inputs) -> dict[Side, str]:
    """Return the river on each hexside, from the draft and the decisions."""
    found = _drafted_rivers(inputs)
    for decision in inputs.decisions.of("river-course"):
        found |= {_parse_side(text): decision.a for text in decision.value.split()}
    for here in inputs.decisions.sides("river-remove"):
        found.pop(here, None)
    return found | inputs.decisions.sides("river-add")


def _drafted_rivers(inputs: Inputs) -> dict[Side, str]:
    settled = {d.a for kind in ("river-drop", "river-course") for d in inputs.decisions.of(kind)}
    renamed = inputs.decisions.values("river-name")
    named = {s: [renamed.get(n, n) for n in names if n not in settled] for s, names in inputs.rivers.items()}
    kept = {s: [n for n in names if n not in settled] for s, names in named.items()}
    return {s: min(names, key=river_class) for s, names in kept.items() if names}


def river_class(river: str) -> int:
    """Return the rank of a river: 1 great, 2 medium, 3 small. The greater river names a shared side."""
    return 1 if river in GREAT else 2 if river in MIDDLE else 3


def _parse_side(text: str) -> Side:
    one, other = text.split("-")
    return side(one, other)


def waters(inputs: Inputs) -> set[Side]:
    """Return the sides of land hexes that are joined only by water."""
    dry = set(inputs.decisions.sides("water-remove"))
    return (set(inputs.waters) | set(inputs.decisions.sides("water-add"))) - dry


def ridges(inputs: Inputs, hexes: dict[str, Hex]) -> set[Side]:
    """Return the sides with a crest between their hexes."""
    crossed = {s for s in _land_sides(hexes) if _is_crossed(s, inputs)}
    added = set(inputs.decisions.sides("ridge-add"))
    return (crossed | added) - set(inputs.decisions.sides("ridge-remove"))


def _land_sides(hexes: dict[str, Hex]) -> set[Side]:
    pairs = {side(here, there) for here in hexes for there in neighbours(here)}
    return {s for s in pairs if _is_dry(hexes, s)}


def _is_crossed(here: Side, inputs: Inputs) -> bool:
    line = centre(here[0]), centre(here[1])
    chains = inputs.crests.values()
    return any(_cross(line, piece) for chain in chains for piece in pairwise(chain))


def _cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    (a, b), (c, d) = one, other
    return _turn(a, b, c) != _turn(a, b, d) and _turn(c, d, a) != _turn(c, d, b)


def _turn(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])


def passes(inputs: Inputs, hexes: dict[str, Hex]) -> dict[Side, str]:
    """Return the pass on each hexside: the ridge side nearest to its summit, unless a decision says otherwise."""
    settled = {d.value: d.side for d in inputs.decisions.of("pass")}
    open_ground = {d.a for d in inputs.decisions.of("pass-drop")}
    sides = sorted(ridges(inputs, hexes))
    found: dict[Side, str] = {}
    for row in inputs.passes:
        if row["pass"] not in open_ground:
            here = settled.pop(row["pass"], None) or _nearest(row, sides, inputs)
            found[here] = f"{found[here]}; {row['pass']}" if here in found else row["pass"]
    return found | {here: name for name, here in settled.items()}


def _nearest(row: dict[str, str], sides: list[Side], inputs: Inputs) -> Side:
    x, y = inputs.projection.to_board(float(row["lat"]), float(row["lon"]))
    return min(sides, key=lambda s: (middle(s)[0] - x) ** 2 + (middle(s)[1] - y) ** 2)

"""Sea, coast, and the washes and borders of the territories."""

from collections.abc import Sequence
from typing import Final

from mapmaking.cartography.curve import path, spline
from mapmaking.cartography.data import Drawing, MapLine
from mapmaking.cartography.grid import HEIGHT, WIDTH, Point, neighbours, on_sheet, outlines
from mapmaking.cartography.palette import AUSTRIAN, BORDER, LAND, PRUSSIAN, SEA, TINTS, WATER_LINE, shore
from mapmaking.cartography.svg import box, group, line, tag, use

# Distance of each engraved line from the shore, in pixels, and its opacity.
SHORE_LINES: Final = ((46, 0.16), (36, 0.2), (27, 0.26), (19, 0.33), (12, 0.42), (6, 0.55))
PRUSSIAN_LANDS: Final = {
    "Cleves, Guelders and Mörs": ("2002", "2003", "2004", "1903", "1904"),
    "Mark": ("1805", "1806", "1907", "1908"),
    "Minden, Ravensberg and Lingen": ("2210", "2209", "2109", "2110", "2306"),
    "East Frisia": ("2805", "2806", "2906", "2907"),
    "Ansbach": ("0715", "0716", "0614", "0615"),
    "Bayreuth": ("1118", "1119", "1219", "1120", "0915"),
}
"""The king of Prussia's lands in the Empire; the last two belong to his cousins."""
STRETCH: Final = 40  # points of coast in one path; browsers skip short paths that are out of view


def definitions(board: Drawing) -> str:
    """Return the coast, the clip path of all land, and the ruling of land out of play."""
    coasts = board.courses["coasts"]
    land = tag("path", d="".join(spline(_cornered(_on_sheet(c))) + "z" for c in coasts), id="coast")
    clip = tag("clipPath", use("coast"), id="land")
    stretches = (s for c in coasts for s in _stretches(_on_sheet(c)))
    rulings = _ruling("ruled", "off", 7, 0.55) + _ruling("prussian", "brandenburg", 5, 0.6)
    shores = group(*(tag("path", d=spline(s)) for s in stretches), id="shore", stroke_linejoin="round", fill="none")
    return land + clip + shores + rulings


def _ruling(name: str, power: str, step: int, strength: float) -> str:
    """Return fine lines in the colour of a power's border, to be laid over a wash."""
    ruled = line(f"M0 0V{step}", stroke=TINTS[power][1], stroke_width=0.9, stroke_opacity=strength)
    size = {"width": step, "height": step, "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    return tag("pattern", ruled, id=name, **size)


def _on_sheet(course: MapLine) -> list[Point]:
    return [on_sheet(p) for p in course.points]


def _stretches(ring: list[Point]) -> list[list[Point]]:
    """Return the parts of a ring that are on the sheet, with small overlaps."""
    whole = [*ring, ring[0]]
    parts = [whole[k : k + STRETCH + 2] for k in range(0, len(ring), STRETCH)]
    return [p for p in parts if len(p) > 1 and any(_is_near(x, y) for x, y in p)]


# A smooth line cuts corners; land that continues beyond the sheet keeps its corners there.
def _cornered(ring: list[Point]) -> list[Point]:
    return [p for q in ring for p in ([q] if _is_near(*q) else [q, q, q])]


def _is_near(x: float, y: float) -> bool:
    return -100 < x < WIDTH + 100 and -100 < y < HEIGHT + 100


def sea_and_shore() -> str:
    """Return the sea with its engraved lines, and bare land on it."""
    rings = [_shore_line(far, strength) for far, strength in SHORE_LINES]
    land = use("coast", fill=LAND)
    return (
        box(0, 0, WIDTH, HEIGHT, fill=SEA) + "".join(rings) + land + use("shore", stroke=WATER_LINE, stroke_width=1.6)
    )


def _shore_line(far: int, strength: float) -> str:
    dark = use("shore", stroke=shore(strength), stroke_width=2 * far)
    return dark + use("shore", stroke=SEA, stroke_width=2 * far - 2.2)


def lagoons(board: Drawing) -> str:
    """Return the water behind the spits."""
    d = "".join(spline(_on_sheet(c), closed=True) for c in board.courses["lagoons"])
    water = tag("path", d=d, id="lagoon")
    clip = tag("clipPath", use("lagoon"), id="lagoons")
    lines = [use("lagoon", fill="none", stroke=shore(0.26), stroke_width=far) for far in (15, 8)]
    inside = [use("lagoon", fill="none", stroke=SEA, stroke_width=far) for far in (13, 6)]
    drawn = [part for pair in zip(lines, inside, strict=True) for part in pair]
    edge = use("lagoon", fill="none", stroke=WATER_LINE, stroke_width=1.6)
    return tag("defs", water, clip) + use("lagoon", fill=SEA) + group(*drawn, clip_path="url(#lagoons)") + edge


def washes(board: Drawing) -> str:
    """Return every territory in its colour, with a band along its border as on a hand-coloured map."""
    owners = _painted(board)
    names = sorted({owner for owner in owners.values() if owner in TINTS})
    areas = {name: {here for here, owner in owners.items() if owner == name} for name in names}
    outline = [tag("path", d=_smooth(area), id=f"area-{name}") for name, area in areas.items()]
    clips = [tag("clipPath", use(f"area-{name}"), id=f"in-{name}") for name in names if name != "off"]
    # Smooth areas leave a gap where three meet; their overflow fills it.
    below = [use(f"area-{name}", fill=TINTS[name][0], stroke=TINTS[name][0], stroke_width=14) for name in names]
    prussian = {here for hexes in PRUSSIAN_LANDS.values() for here in hexes}
    ruled = tag("path", d=_smooth(prussian & set(board.hexes)), fill="url(#prussian)")
    drawn = (*below, *(_wash(name) for name in names), ruled)
    return tag("defs", *outline, *clips) + group(*drawn, clip_path="url(#land)")


def _painted(board: Drawing) -> dict[str, str]:
    owners = {here: board.territory(here) for here in board.hexes}
    for _ in range(3):
        beyond = {there for here in owners for there in neighbours(here) if there not in owners}
        blank = beyond | {here for here, owner in owners.items() if not owner}
        owners |= {here: _shared(here, owners) for here in blank}
    return owners


# Land in a water hex, and beyond the edge of the board, gets the paint of the adjacent land.
def _shared(here: str, owners: dict[str, str]) -> str:
    around = [owners.get(there, "") for there in neighbours(here)]
    known = [owner for owner in around if owner]
    return max(sorted(set(known)), key=known.count) if known else ""


def _smooth(hexes: set[str]) -> str:
    loops = ([on_sheet(p) for p in loop] for loop in outlines(hexes))
    return "".join(spline(loop, closed=True) for loop in loops)


def _wash(name: str) -> str:
    wash, band = TINTS[name]
    fill = use(f"area-{name}", fill=wash)
    if name == "off":
        return fill + use(f"area-{name}", fill="url(#ruled)")
    bands = ((26, _strength(name)), (11, 1.5 * _strength(name)))
    drawn = (use(f"area-{name}", fill="none", stroke_width=wide, stroke_opacity=f"{part:.2f}") for wide, part in bands)
    return fill + group(*drawn, stroke=band, clip_path=f"url(#in-{name})")


def _strength(name: str) -> float:
    return 0.14 if name == "german-states" else 0.24


def borders(board: Drawing) -> str:
    """Return the engraved borders: dotted between provinces of one power, dash and dot between powers."""
    kinds: dict[str, list[str]] = {"1.5 5": [], "9 4 1.5 4": []}
    for course in board.courses["borders"]:
        kinds["1.5 5" if _is_at_home(course.between) else "9 4 1.5 4"].append(_border(_on_sheet(course)))
    drawn = [group(*(tag("path", d=d) for d in found), stroke_dasharray=dashes) for dashes, found in kinds.items()]
    return group(*drawn, stroke=BORDER, stroke_width=1.7, stroke_linecap="round", fill="none", clip_path="url(#land)")


def _is_at_home(pair: Sequence[str]) -> bool:
    return set(pair) <= PRUSSIAN or set(pair) <= AUSTRIAN


def _border(points: list[Point]) -> str:
    if points[0] == points[-1]:
        return spline(points[:-1], closed=True)
    return spline(points) if len(points) > 2 else path(points)

"""Sea, coast, and the washes and borders of the territories."""

from typing import Final

from leuthen.cartography.curve import between, flowing, path
from leuthen.cartography.data import Board
from leuthen.cartography.grid import HEIGHT, WIDTH, Point, neighbours, on_sheet, outlines
from leuthen.cartography.palette import AUSTRIAN, LAND, PRUSSIAN, SEA, TINTS, WATER_LINE
from leuthen.cartography.svg import box, group, line, tag

# How far each engraved line runs from the shore, in pixels, and how strong it is.
SHORE_LINES: Final = ((46, 0.16), (36, 0.2), (27, 0.26), (19, 0.33), (12, 0.42), (6, 0.55))


def coast_path(board: Board) -> str:
    """The text of the path around all land."""
    return "".join(path(_shore(c.points), closed=True) for c in board.courses["coasts"])


def _shore(points: list[Point]) -> list[Point]:
    return [on_sheet(p) for p in points]


def definitions(board: Board) -> str:
    """The clip of all land, and the ruling of land out of play."""
    clip = tag("clipPath", tag("path", d=coast_path(board)), id="land")
    ruling = tag(
        "pattern",
        line("M0 0V7", stroke=TINTS["off"][1], stroke_width=0.9, opacity=0.55),
        id="ruled",
        width=7,
        height=7,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
    return clip + ruling


def sea_and_shore(board: Board) -> str:
    """The sea with its engraved lines, and bare land on it."""
    coast = coast_path(board)
    rings = [_shore_line(coast, far, strength) for far, strength in SHORE_LINES]
    land = tag("path", d=coast, fill=LAND, stroke=WATER_LINE, stroke_width=1.6, stroke_linejoin="round")
    return box(0, 0, WIDTH, HEIGHT, fill=SEA) + "".join(rings) + land


def _shore_line(coast: str, far: int, strength: float) -> str:
    common = {"stroke_linejoin": "round", "stroke_linecap": "round"}
    dark = line(coast, stroke=WATER_LINE, stroke_width=2 * far, **common)
    light = line(coast, stroke=SEA, stroke_width=2 * far - 2.2, **common)
    return group(dark, opacity=f"{strength:.2f}") + light


def washes(board: Board) -> str:
    """Every territory in its colour, with a band along its border as on a hand-coloured map."""
    owners = _painted(board)
    names = sorted({owner for owner in owners.values() if owner in TINTS})
    return group(*(_wash(name, _area(owners, name)) for name in names), clip_path="url(#land)")


def _painted(board: Board) -> dict[str, str]:
    owners = {here: board.territory(here) for here in board.hexes}
    for _ in range(2):
        owners |= {here: _shared(here, owners) for here, owner in owners.items() if not owner}
    return owners


# The land in a hex of water is painted as the land beside it.
def _shared(here: str, owners: dict[str, str]) -> str:
    around = [owners.get(there, "") for there in neighbours(here)]
    known = [owner for owner in around if owner]
    return max(sorted(set(known)), key=known.count) if known else ""


def _area(owners: dict[str, str], name: str) -> str:
    hexes = {here for here, owner in owners.items() if owner == name}
    loops = ([on_sheet(p) for p in loop] for loop in outlines(hexes))
    return "".join(path(flowing(loop, closed=True, pieces=3), closed=True) for loop in loops)


def _wash(name: str, area: str) -> str:
    wash, band = TINTS[name]
    clip = tag("clipPath", tag("path", d=area), id=f"area-{name}")
    if name == "off":
        return tag("path", d=area, fill=wash) + tag("path", d=area, fill="url(#ruled)")
    inside = f"url(#area-{name})"
    fill = tag("path", d=area, fill=wash, fill_opacity=0.55, stroke=wash, stroke_width=1.5, stroke_opacity=0.5)
    wide = line(area, stroke=band, stroke_width=26, opacity=f"{_strength(name):.2f}", clip_path=inside)
    narrow = line(area, stroke=band, stroke_width=11, opacity=f"{1.5 * _strength(name):.2f}", clip_path=inside)
    return clip + fill + wide + narrow


def _strength(name: str) -> float:
    return 0.14 if name == "german-states" else 0.24


def borders(board: Board) -> str:
    """The engraved borders: dotted between provinces of one power, dash and dot between powers."""
    return group(*(_border(c.points, c.between) for c in board.courses["borders"]), clip_path="url(#land)")


def _border(points: list[Point], pair: tuple[str, ...]) -> str:
    line_of_it = path(_between_corners([on_sheet(p) for p in points]))
    at_home = set(pair) <= PRUSSIAN or set(pair) <= AUSTRIAN
    dashes = "1.5 5" if at_home else "9 4 1.5 4"
    return line(line_of_it, stroke="#43301d", stroke_width=1.7, stroke_dasharray=dashes, stroke_linecap="round")


def _between_corners(points: list[Point]) -> list[Point]:
    closed = points[0] == points[-1]
    if closed:
        return flowing(points[:-1], closed=True)
    return flowing(points) if len(points) > 2 else [points[0], between(points[0], points[1]), points[1]]

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
    coast = tag("path", d=coast_path(board), id="coast")
    clip = tag("clipPath", tag("use", href="#coast"), id="land")
    ruling = tag(
        "pattern",
        line("M0 0V7", stroke=TINTS["off"][1], stroke_width=0.9, opacity=0.55),
        id="ruled",
        width=7,
        height=7,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
    return coast + clip + ruling


def sea_and_shore() -> str:
    """The sea with its engraved lines, and bare land on it."""
    rings = [_shore_line(far, strength) for far, strength in SHORE_LINES]
    land = tag("use", href="#coast", fill=LAND, stroke=WATER_LINE, stroke_width=1.6, stroke_linejoin="round")
    return box(0, 0, WIDTH, HEIGHT, fill=SEA) + "".join(rings) + land


def _shore_line(far: int, strength: float) -> str:
    common = {"href": "#coast", "fill": "none", "stroke_linejoin": "round"}
    dark = tag("use", stroke=WATER_LINE, stroke_width=2 * far, **common)
    light = tag("use", stroke=SEA, stroke_width=2 * far - 2.2, **common)
    return group(dark, opacity=f"{strength:.2f}") + light


def lagoons(board: Board) -> str:
    """The water behind the spits."""
    rings = [flowing([on_sheet(p) for p in c.points], closed=True) for c in board.courses["lagoons"]]
    d = "".join(path(ring, closed=True) for ring in rings)
    lines = [line(d, stroke=WATER_LINE, stroke_width=far, opacity=0.3) for far in (15, 8)]
    inside = [line(d, stroke=SEA, stroke_width=far) for far in (13, 6)]
    drawn = [part for pair in zip(lines, inside, strict=True) for part in pair]
    clip = tag("clipPath", tag("path", d=d), id="lagoons")
    shore = line(d, stroke=WATER_LINE, stroke_width=1.6)
    return clip + tag("path", d=d, fill=SEA) + group(*drawn, clip_path="url(#lagoons)") + shore


def washes(board: Board) -> str:
    """Every territory in its colour, with a band along its border as on a hand-coloured map."""
    owners = _painted(board)
    names = sorted({owner for owner in owners.values() if owner in TINTS})
    areas = {name: {here for here, owner in owners.items() if owner == name} for name in names}
    # Smooth areas leave a gap where three meet; the plain hexes below fill it.
    below = [tag("path", d=_plain(area), fill=_mixed(TINTS[name][0])) for name, area in areas.items()]
    return group(*below, *(_wash(name, _smooth(area)) for name, area in areas.items()), clip_path="url(#land)")


def _painted(board: Board) -> dict[str, str]:
    owners = {here: board.territory(here) for here in board.hexes}
    for _ in range(3):
        beyond = {there for here in owners for there in neighbours(here) if there not in owners}
        blank = beyond | {here for here, owner in owners.items() if not owner}
        owners |= {here: _shared(here, owners) for here in blank}
    return owners


# The land in a hex of water, and beyond the edge of the board, is painted as the land beside it.
def _shared(here: str, owners: dict[str, str]) -> str:
    around = [owners.get(there, "") for there in neighbours(here)]
    known = [owner for owner in around if owner]
    return max(sorted(set(known)), key=known.count) if known else ""


def _mixed(wash: str, strength: float = 0.6) -> str:
    parts = [(int(wash[k : k + 2], 16), int(LAND[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(strength * a + (1 - strength) * b):02x}" for a, b in parts)


def _plain(hexes: set[str]) -> str:
    return "".join(path([on_sheet(p) for p in loop], closed=True) for loop in outlines(hexes))


def _smooth(hexes: set[str]) -> str:
    loops = ([on_sheet(p) for p in loop] for loop in outlines(hexes))
    return "".join(path(flowing(loop, closed=True, pieces=3), closed=True) for loop in loops)


def _wash(name: str, area: str) -> str:
    wash, band = TINTS[name]
    clip = tag("clipPath", tag("path", d=area), id=f"area-{name}")
    if name == "off":
        return tag("path", d=area, fill=_mixed(wash)) + tag("path", d=area, fill="url(#ruled)")
    inside = f"url(#area-{name})"
    fill = tag("path", d=area, fill=_mixed(wash))
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

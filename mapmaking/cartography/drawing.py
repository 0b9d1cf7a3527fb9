"""The whole sheet: the layers of the map in printing order."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapmaking.cartography import cartouche, frame, labels, land, names, relief, rivers, ships, towns
from mapmaking.cartography.curve import path, strokes
from mapmaking.cartography.data import Drawing, read
from mapmaking.cartography.grid import HEIGHT, WIDTH, Point, centre, corners, neighbours, on_sheet
from mapmaking.cartography.palette import FONT, INK, PAPER, RIVER, plain
from mapmaking.cartography.svg import box, group, line, tag, words

SIDES: Final = {"prussia": ("#27496f", "#ffffff"), "austria": ("#f0d27a", "#3a2a1a"), "": ("#e9dfc8", "#3a2a1a")}


@dataclass(frozen=True)
class Mark:
    """A marker on a hex: a few letters on a counter, in the colour of a side (`prussia`, `austria`, ``)."""

    hex: str
    label: str
    side: str = ""


def sheet(board_files: Path, marks: Sequence[Mark] = ()) -> str:
    """Return the map in a board folder as a standalone SVG. Raise OSError if a file is missing."""
    return draw_map(read(board_files), marks)


def draw_map(board: Drawing, marks: Sequence[Mark] = ()) -> str:
    """Return the map as a standalone SVG, with marks on it."""
    lined = [*ground(board), grid_lines(board), *lines(board), _numbers(board), *letters(board)]
    return plain(printed(board, [*lined, *_counters(board, marks)], role="img")) + "\n"


def printed(board: Drawing, layers: Sequence[str], **attributes: str) -> str:
    """Return layers on a sheet with its frame."""
    inside = group(*layers, clip_path="url(#neatline)")
    size = {"width": f"{WIDTH:.0f}", "height": f"{HEIGHT:.0f}", "viewBox": f"0 0 {WIDTH:.0f} {HEIGHT:.0f}"}
    title = tag("title", "The seat of war in Germany, 1756 to 1762")
    within = (title, _definitions(board), inside, frame.frame(board))
    return tag("svg", *within, xmlns="http://www.w3.org/2000/svg", **size, **attributes)


def _definitions(board: Drawing) -> str:
    left, top, right, bottom = frame.INNER
    window = tag("clipPath", box(left, top, right - left, bottom - top), id="neatline")
    return tag("defs", window, land.definitions(board), relief.definitions(), towns.definitions())


def ground(board: Drawing) -> list[str]:
    """Return the layers under the grid: sea, coast, washes, hills and the names of lands."""
    sea = [land.sea_and_shore(), frame.rhumbs()]
    tints = [land.washes(board), land.lagoons(board), frame.graticule(board)]
    return [*sea, *tints, relief.hills(board), names.lands()]


def lines(board: Drawing) -> list[str]:
    """Return borders, waters and ridges."""
    waters = [land.borders(board), rivers.rivers(board), _straits(board)]
    return [*waters, relief.ridges(board), relief.passes(board)]


def letters(board: Drawing) -> list[str]:
    """Return signs, names and ornaments."""
    sea = [names.seas(), frame.rose(), ships.ships()]
    return [*sea, names.ranges(), rivers.names(board), towns.signs(board), labels.names(board), cartouche.panel()]


def grid_lines(board: Drawing) -> str:
    """Return the hex grid, one path per row."""
    rows: dict[str, list[tuple[Point, Point]]] = {}
    for here in sorted(board.hexes):
        rows.setdefault(here[:2], []).extend(_own_sides(here, board))
    drawn = (tag("path", d=strokes(sides)) for sides in rows.values())
    return group(*drawn, class_="grid", fill="none", stroke=INK, stroke_width=0.9, stroke_opacity=0.3)


# Each side is drawn once: a hex draws those to the east, north-east and north-west, and those without a neighbour.
def _own_sides(here: str, board: Drawing) -> list[tuple[Point, Point]]:
    points = [on_sheet(p) for p in corners(here)]
    drawn = [k for k, there in enumerate(neighbours(here)) if k < 3 or there not in board.hexes]
    return [(points[k], points[(k + 1) % 6]) for k in drawn]


def _numbers(board: Drawing) -> str:
    signs = [(town.at, town.radius) for town in towns.towns(board)]
    signs += [(at, towns.RADII["pass"]) for _, at in relief.pass_points(board)]
    numbers = [words(here, number_spot(here, signs)) for here in sorted(board.hexes)]
    style = {"font_size": 10.5, "text_anchor": "middle", "fill": INK, "fill_opacity": "0.7", "font_family": FONT}
    halo = {"stroke": PAPER, "stroke_width": 2.2, "stroke_opacity": 0.7, "paint_order": "stroke"}
    return group(*numbers, **style, **halo)


def number_spot(here: str, signs: Sequence[tuple[Point, float]]) -> Point:
    """Return the position of a hex number: above the centre, or if a sign is there, below or to a side."""
    x, y = on_sheet(centre(here))
    spots = [(x, y - 18), (x, y + 25), (x - 15, y - 12), (x + 15, y - 12)]
    return next((spot for spot in spots if not any(_covers(at, far, spot) for at, far in signs)), spots[0])


def _covers(at: Point, far: float, spot: Point) -> bool:
    """Return True if a sign of this radius overlaps a number."""
    return abs(at[0] - spot[0]) < far + 11 and abs(at[1] - spot[1] + 3.5) < far + 3.5


def _straits(board: Drawing) -> str:
    wet = [s for s in board.sides if s["water"] == "1"]
    d = "".join(path(_side_line(s["a"], s["b"])) for s in wet)
    return line(d, stroke=RIVER, stroke_width=7, stroke_dasharray="2 5", stroke_opacity=0.85)


def _side_line(a: str, b: str) -> list[Point]:
    k = neighbours(a).index(b)
    points = corners(a)
    return [on_sheet(points[k]), on_sheet(points[(k + 1) % 6])]


def _counters(board: Drawing, marks: Sequence[Mark]) -> list[str]:
    stacks: dict[str, int] = {}
    found = []
    for mark in marks:
        if mark.hex in board.hexes:
            found.append(_counter(mark, stacks.get(mark.hex, 0)))
            stacks[mark.hex] = stacks.get(mark.hex, 0) + 1
    return found


def _counter(mark: Mark, place: int) -> str:
    x, y = on_sheet(centre(mark.hex))
    x, y = x - 17 + 4 * place, y - 4 - 4 * place
    fill, ink = SIDES.get(mark.side, SIDES[""])
    block = box(x, y, 34, 22, rx=2, fill=fill, stroke=INK, stroke_width=1.2)
    edge = box(x + 2, y + 2, 30, 18, rx=1, fill="none", stroke=PAPER, stroke_width=0.6)
    style = {"font_size": 13, "font_weight": "bold", "text_anchor": "middle", "fill": ink, "font_family": FONT}
    return group(block, edge, words(mark.label, (x + 17, y + 15.5), **style))

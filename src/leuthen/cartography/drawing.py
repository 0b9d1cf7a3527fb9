"""The whole sheet: the layers of the map in the order in which they are printed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leuthen.cartography import cartouche, frame, labels, land, names, relief, rivers, ships, towns
from leuthen.cartography.curve import path
from leuthen.cartography.data import Board, read
from leuthen.cartography.grid import HEIGHT, WIDTH, Point, centre, corners, neighbours, on_sheet
from leuthen.cartography.palette import FONT, INK, PAPER, RIVER
from leuthen.cartography.svg import box, group, line, tag, words

SIDES: Final = {"prussia": ("#27496f", "#ffffff"), "austria": ("#f0d27a", "#3a2a1a"), "": ("#e9dfc8", "#3a2a1a")}


@dataclass(frozen=True)
class Mark:
    """Something to show on a hex: a few letters on a counter, in the colour of a side (`prussia`, `austria`, ``)."""

    hex: str
    label: str
    side: str = ""


def sheet(board_files: Path, marks: Sequence[Mark] = ()) -> str:
    """The map in a folder of board files as a standalone SVG; raises `OSError` if a file is missing."""
    return draw_map(read(board_files), marks)


def draw_map(board: Board, marks: Sequence[Mark] = ()) -> str:
    """The map as a standalone SVG, with marks on it."""
    inside = group(*_layers(board), *_counters(board, marks), clip_path="url(#neatline)")
    start = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH:.0f} {HEIGHT:.0f}"}
    size = {"width": f"{WIDTH:.0f}", "height": f"{HEIGHT:.0f}", "role": "img"}
    title = tag("title", "The seat of war in Germany, 1756 to 1762")
    return tag("svg", title, _definitions(board), inside, frame.frame(board), **start, **size) + "\n"


def _definitions(board: Board) -> str:
    left, top, right, bottom = frame.INNER
    window = tag("clipPath", box(left, top, right - left, bottom - top), id="neatline")
    return tag("defs", window, land.definitions(board))


def _layers(board: Board) -> list[str]:
    """From the sea up to the panel."""
    return [*_ground(board), *_lines(board), *_letters(board), cartouche.panel()]


def _ground(board: Board) -> list[str]:
    sea = [land.sea_and_shore(), frame.rhumbs()]
    tints = [land.washes(board), land.lagoons(board), frame.graticule(board)]
    return [*sea, *tints, relief.hills(board), _grid(board), names.lands()]


def _lines(board: Board) -> list[str]:
    waters = [land.borders(board), rivers.rivers(board), _straits(board)]
    return [*waters, relief.ridges(board), relief.passes(board), _numbers(board)]


def _letters(board: Board) -> list[str]:
    sea = [names.seas(), frame.rose(), ships.ships()]
    return [*sea, rivers.names(board), towns.signs(board), labels.names(board)]


def _grid(board: Board) -> str:
    d = "".join(path([on_sheet(p) for p in _own_sides(here, board)]) for here in sorted(board.hexes))
    return line(d, stroke=INK, stroke_width=0.9, opacity=0.3)


# Each side is drawn once: east, north-east and north-west by its hex, the others where no neighbour does.
def _own_sides(here: str, board: Board) -> list[Point]:
    points = corners(here)
    around = neighbours(here)
    whole = any(around[k] not in board.hexes for k in (3, 4, 5))
    return [*points, points[0]] if whole else points[:4]


def _numbers(board: Board) -> str:
    numbers = [_number(here) for here in sorted(board.hexes)]
    style = {"font_size": 10.5, "text_anchor": "middle", "fill": INK, "fill_opacity": "0.7", "font_family": FONT}
    return group(*numbers, **style)


def _number(here: str) -> str:
    x, y = on_sheet(centre(here))
    return words(here, (x, y - 18))


def _straits(board: Board) -> str:
    wet = [s for s in board.sides if s["water"] == "1"]
    d = "".join(path(_side_line(s["a"], s["b"])) for s in wet)
    return line(d, stroke=RIVER, stroke_width=7, stroke_dasharray="2 5", opacity=0.85)


def _side_line(a: str, b: str) -> list[Point]:
    k = neighbours(a).index(b)
    points = corners(a)
    return [on_sheet(points[k]), on_sheet(points[(k + 1) % 6])]


def _counters(board: Board, marks: Sequence[Mark]) -> list[str]:
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

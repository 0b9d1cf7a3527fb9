"""A character map around a place: rows of hexes, every second row half a hex to the right.

A hex takes two lines of eight characters and shares a line with those north of it. Between the hexes are the hexsides:
`~` a river, `#` a ridge, `=` a pass.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from leuthen.screen.values import Piece, Scene, Setting
from leuthen.wargame.board import MOUNTAIN, WATER, WIDTH, Board, Hex, hex_name, parse_hex
from leuthen.wargame.strength import NO_BOUND

CELL: Final = 8
HALF: Final = CELL // 2
MOST: Final = 12
PAGE: Final = 96
LEGEND: Final = (
    "12 strength in the field  (5) inside  ? not known  <9 at most  >4 at least  l no troops",
    "~ river  # ridge  = pass  ^ mountain  : sea and lake  . out of play",
)


class Sheet:
    """A position, ready to be drawn hex by hex."""

    def __init__(self, board: Board, setting: Setting, scene: Scene) -> None:
        self.board = board
        self.scene = scene
        self.letters = (*(name[0].upper() for name in setting.sides), "n")
        self.marks = {marker.place: marker.mark for marker in reversed(list(scene.markers.values()))}
        self.pieces: dict[str, list[Piece]] = {}
        for piece in sorted(scene.pieces.values(), key=lambda piece: (not piece.inside, piece.side)):
            self.pieces.setdefault(piece.place, []).append(piece)

    def upper(self, here: Hex) -> str:
        """Return the first line of a hex: number, terrain or a marker, a fortress and its owner."""
        if not self.board.in_play(here):
            return self._outside(here)
        place = hex_name(here)
        ground = "^" if self.board.terrain[here] == MOUNTAIN else " "
        fort = self.scene.holdings.get(place)
        owner = "" if fort is None else f"*{self.letters[fort.side] if fort.side < 2 else 'o'}"
        return f"{place}{self.marks.get(place, ground) + owner:<3}"

    def lower(self, here: Hex) -> str:
        """Return the second line of a hex: the pieces inside and in the field."""
        if not self.board.in_play(here):
            return self._outside(here)
        text = "".join(map(self._piece, self.pieces.get(hex_name(here), ())))
        return f"{text[: CELL - 2]}…" if len(text) >= CELL else f"{text:<{CELL - 1}}"

    def _piece(self, piece: Piece) -> str:
        return f"({strength(piece)})" if piece.inside else f"{self.letters[piece.side]}{strength(piece)}"

    def _outside(self, here: Hex) -> str:
        if here not in self.board.terrain:
            return " " * (CELL - 1)
        return (":" if self.board.terrain[here] == WATER else ".") * (CELL - 1)

    def mark(self, here: Hex, there: Hex) -> str:
        """Return the hexside between two neighbours as one character."""
        if not (self.board.in_play(here) and self.board.in_play(there)):
            return " "
        side = self.board.side(here, there)
        if side.water:
            return ":"
        if side.pass_:
            return "="
        return "#" if side.ridge else "~" if side.river else " "

    def border(self, here: Hex) -> str:
        """Return the upper hexsides of a hex, half a cell each."""
        row = here // WIDTH
        west = Hex(here + WIDTH - row % 2)
        return self.mark(here, west) * HALF + self.mark(here, Hex(west + 1)) * HALF


def strength(piece: Piece) -> str:
    if piece.strength == "–":
        return "l"
    if piece.low == piece.high:
        return str(piece.low)
    if piece.high < NO_BOUND:
        return f"<{piece.high + 1}"
    return f">{piece.low - 1}" if piece.low > 1 else "?"


def draw_map(board: Board, setting: Setting, scene: Scene, place: str, radius: int) -> str:
    """Return the map around a hex, with the names of its towns."""
    sheet, center, size = Sheet(board, setting, scene), parse_hex(place), max(1, min(MOST, radius))
    towns = {town.place: town.name for town in reversed(setting.towns)}
    head = f"{place} {towns.get(place, '')}".strip()
    found = [f"{head} · {scene.title}", *_rows(sheet, center, size), *_names(towns, center, size)]
    return "\n".join(line.rstrip() for line in [*found, _legend(sheet, setting), *LEGEND])


def _legend(sheet: Sheet, setting: Setting) -> str:
    letters = [f"{letter} {name}" for letter, name in zip(sheet.letters, (*setting.sides, "neutral"), strict=True)]
    marks = dict.fromkeys(f"{marker.mark} {marker.kind}" for marker in sheet.scene.markers.values())
    return "  ".join([*letters, "* fortress and its owner (o nobody)", *marks])


def _rows(sheet: Sheet, center: Hex, size: int) -> Iterator[str]:
    for row in range(center // WIDTH + size, center // WIDTH - size - 1, -1):
        cells = _row(center, row, size)
        if not cells:
            continue
        shift = " " * (HALF if row % 2 == 0 else 0)
        yield shift + " " + "".join(map(sheet.border, cells))
        yield shift + "".join(sheet.mark(here, Hex(here - 1)) + sheet.upper(here) for here in cells)
        yield shift + "".join(sheet.mark(here, Hex(here - 1)) + sheet.lower(here) for here in cells)


def _row(center: Hex, row: int, size: int) -> list[Hex]:
    column = center % WIDTH
    columns = range(max(0, column - size), min(WIDTH - 1, column + size) + 1)
    return [Hex(row * WIDTH + there) for there in columns] if row >= 0 else []


def _names(towns: Mapping[str, str], center: Hex, size: int) -> Iterator[str]:
    rows = range(center // WIDTH - size, center // WIDTH + size + 1)
    shown = (hex_name(here) for row in sorted(rows) for here in _row(center, row, size))
    text = ", ".join(f"{place} {towns[place]}" for place in shown if place in towns)
    yield from textwrap.wrap(text, PAGE, break_on_hyphens=False)

"""A map of characters around a place: rows of hexes, every second row half a hex to the right.

A hex takes two lines of eight characters and shares a line with those north of it. What lies on a hexside stands
between the hexes: `~` a river, `#` a ridge, `=` a pass. A rule set says what stands in a hex.
"""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from leuthen.wargame.board import WATER, WIDTH, Board, Hex, hex_name
from leuthen.wargame.names import NameBook

CELL: Final = 8
HALF: Final = CELL // 2
MOST: Final = 12
"""The largest radius that is drawn."""
PAGE: Final = 96
"""Characters of a line of text."""


class Sheet(ABC):
    """What is drawn of a position, hex by hex."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @abstractmethod
    def first(self, here: Hex) -> str:
        """What stands in the first line of a hex after its number and terrain: at most two characters."""

    @abstractmethod
    def second(self, here: Hex) -> str:
        """What stands in the second line of a hex."""

    def upper(self, here: Hex) -> str:
        """The first line of a hex: number, terrain, and what the rule set says."""
        if not self.board.in_play(here):
            return self._outside(here)
        return f"{hex_name(here)}{self.first(here):<3}"

    def lower(self, here: Hex) -> str:
        """The second line of a hex."""
        if not self.board.in_play(here):
            return self._outside(here)
        text = self.second(here)
        return f"{text[: CELL - 2]}…" if len(text) >= CELL else f"{text:<{CELL - 1}}"

    def ground(self, here: Hex) -> str:
        """The terrain as one character."""
        return "^" if self.board.terrain[here] == "mountain" else " "

    def _outside(self, here: Hex) -> str:
        if here not in self.board.terrain:
            return " " * (CELL - 1)
        return (":" if self.board.terrain[here] == WATER else ".") * (CELL - 1)

    def mark(self, here: Hex, there: Hex) -> str:
        """What lies between two neighbours, as one character."""
        if not (self.board.in_play(here) and self.board.in_play(there)):
            return " "
        side = self.board.side(here, there)
        if side.water:
            return ":"
        if side.pass_:
            return "="
        return "#" if side.ridge else "~" if side.river else " "

    def border(self, here: Hex) -> str:
        """The upper hexsides of a hex, half a cell each."""
        row = here // WIDTH
        west = here + WIDTH - row % 2
        return self.mark(here, west) * HALF + self.mark(here, west + 1) * HALF


def draw_map(
    sheet: Sheet, book: NameBook, towns: Collection[Hex], title: str, place: str, radius: int, legend: Sequence[str]
) -> str:
    """A map around a town or hex, with the names of its towns. Raises Invalid or Ambiguous for an unknown place."""
    center = book.hex(place)
    size = max(1, min(MOST, radius))
    head = f"{hex_name(center)} {book.town(center)}".strip()
    lines = [f"{head} · {title}", *_rows(sheet, center, size), *_names(book, towns, center, size), *legend]
    return "\n".join(line.rstrip() for line in lines)


def _rows(sheet: Sheet, center: Hex, size: int) -> Iterator[str]:
    for row in range(center // WIDTH + size, center // WIDTH - size - 1, -1):
        cells = _row(center, row, size)
        if not cells:
            continue
        shift = " " * (HALF if row % 2 == 0 else 0)
        yield shift + " " + "".join(map(sheet.border, cells))
        yield shift + "".join(sheet.mark(here, here - 1) + sheet.upper(here) for here in cells)
        yield shift + "".join(sheet.mark(here, here - 1) + sheet.lower(here) for here in cells)


def _row(center: Hex, row: int, size: int) -> list[Hex]:
    column = center % WIDTH
    columns = range(max(0, column - size), min(WIDTH - 1, column + size) + 1)
    return [row * WIDTH + there for there in columns] if row >= 0 else []


def _names(book: NameBook, towns: Collection[Hex], center: Hex, size: int) -> Iterator[str]:
    """The fortresses and the other towns on the map, by number."""
    rows = range(center // WIDTH - size, center // WIDTH + size + 1)
    shown = {here for row in rows for here in _row(center, row, size)}
    text = ", ".join(f"{hex_name(here)} {book.town(here)}" for here in sorted(shown & set(towns)))
    yield from textwrap.wrap(text, PAGE, break_on_hyphens=False)

"""A map of characters around a place, from a view only: rows of hexes, every second row half a hex to the right.

A hex takes two lines of eight characters and shares a line with those north of it. What lies on a hexside stands
between the hexes: `~` a river, `#` a ridge, `=` a pass.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from leuthen.core.board import WATER, WIDTH, Board, Hex, hex_name
from leuthen.frederick.describe import WIDTH as PAGE
from leuthen.frederick.gamedata import GameData
from leuthen.frederick.lookup import name_book
from leuthen.frederick.reporter import band, date
from leuthen.frederick.view import SeenStack, View

CELL: Final = 8
HALF: Final = CELL // 2
MOST: Final = 12
"""The largest radius that is drawn."""
LETTERS: Final = "PAn"
LEGEND: Final = (
    "P Prussian side  A Austrian side  n neutral  * fortress and its owner (o nobody)  d depot  c begun",
    "12 strength in the field  (5) inside  ? not known  <9 at most  >4 at least  l leaders alone",
    "~ river  # ridge  = pass  ^ mountain  : sea and lake  . outside the theatre",
)


class Sheet:
    """What is drawn of a view, hex by hex."""

    def __init__(self, data: GameData, view: View) -> None:
        self.board: Board = data.board
        self.forts = data.fortresses
        self.owners = dict(view.owners)
        self.depots = {depot.hex: depot for depot in view.depots}
        self.stacks: dict[Hex, list[SeenStack]] = {}
        for stack in (*view.stacks, *([view.moving] if view.moving is not None else [])):
            self.stacks.setdefault(stack.hex, []).append(stack)

    def upper(self, here: Hex) -> str:
        """The first line of a hex: number, terrain, depot, fortress."""
        if not self.board.in_play(here):
            return self._outside(here)
        ground = "^" if self.board.terrain[here] == "mountain" else " "
        depot = self.depots.get(here)
        mark = ("d" if depot.complete else "c") if depot is not None else ""
        if here not in self.forts:
            return f"{hex_name(here)}{ground}{mark:<2}"
        owner = self.owners[here]
        return f"{hex_name(here)}{mark or ground}*{'PAo'[owner]}"

    def _outside(self, here: Hex) -> str:
        if here not in self.board.terrain:
            return " " * (CELL - 1)
        return (":" if self.board.terrain[here] == WATER else ".") * (CELL - 1)

    def lower(self, here: Hex) -> str:
        """The second line: who is inside, and in the field."""
        if not self.board.in_play(here):
            return self._outside(here)
        stacks = self.stacks.get(here, [])
        inside = "".join(f"({strength(stack)})" for stack in stacks if stack.inside)
        field = "".join(f"{LETTERS[stack.side]}{strength(stack)}" for stack in stacks if not stack.inside)
        text = inside + field
        return f"{text[: CELL - 2]}…" if len(text) >= CELL else f"{text:<{CELL - 1}}"

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


def strength(stack: SeenStack) -> str:
    """A strength in a few characters."""
    if stack.alone:
        return "l"
    text = band(stack.least, stack.most)
    if text.endswith("+"):
        return f">{stack.least - 1}"
    return text if "–" not in text else f"<{stack.most + 1}"


def char_map(data: GameData, view: View, place: str, radius: int) -> str:
    """A map around a town or hex. Raises Invalid or Ambiguous for an unknown place."""
    center = name_book(data).hex(place)
    size = max(1, min(MOST, radius))
    sheet = Sheet(data, view)
    title = f"{hex_name(center)} {name_book(data).town(center)}".strip()
    lines = [f"{title} · {date(view)}", *_rows(sheet, center, size), *_names(data, center, size), *LEGEND]
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


def _names(data: GameData, center: Hex, size: int) -> Iterator[str]:
    """The fortresses and the other towns on the map, by number."""
    rows = range(center // WIDTH - size, center // WIDTH + size + 1)
    shown = {here for row in rows for here in _row(center, row, size)}
    book = name_book(data)
    towns = sorted({here for here in data.places.values() if here in shown} | (shown & set(data.fortresses)))
    text = ", ".join(f"{hex_name(here)} {book.town(here)}" for here in towns)
    yield from textwrap.wrap(text, PAGE, break_on_hyphens=False)

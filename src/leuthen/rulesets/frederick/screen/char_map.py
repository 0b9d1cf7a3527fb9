"""A map of characters around a place, from a view only (`core.charmap`)."""

from __future__ import annotations

from typing import Final

from leuthen.rulesets.frederick.knowledge.view import SeenStack, View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.names import name_book
from leuthen.rulesets.frederick.screen.reporter import band, date
from leuthen.wargame.board import Hex
from leuthen.wargame.char_map import Sheet, draw_map

LETTERS: Final = "PAn"
LEGEND: Final = (
    "P Prussian side  A Austrian side  n neutral  * fortress and its owner (o nobody)  d depot  c begun",
    "12 strength in the field  (5) inside  ? not known  <9 at most  >4 at least  l leaders alone",
    "~ river  # ridge  = pass  ^ mountain  : sea and lake  . outside the theatre",
)


class FrederickSheet(Sheet):
    """What is drawn of a view, hex by hex."""

    def __init__(self, data: GameData, view: View) -> None:
        super().__init__(data.board)
        self.forts = data.fortresses
        self.owners = view.owners
        self.depots = view.depots
        self.stacks: dict[Hex, list[SeenStack]] = {}
        for stack in (*view.stacks, *([view.moving] if view.moving is not None else [])):
            self.stacks.setdefault(stack.hex, []).append(stack)

    def first(self, here: Hex) -> str:
        """Depot and fortress."""
        depot = self.depots.get(here)
        mark = ("d" if depot.complete else "c") if depot is not None else ""
        if here not in self.forts:
            return f"{self.ground(here)}{mark}"
        return f"{mark or self.ground(here)}*{'PAo'[self.owners[here]]}"

    def second(self, here: Hex) -> str:
        """Who is inside, and in the field."""
        stacks = self.stacks.get(here, [])
        inside = "".join(f"({strength(stack)})" for stack in stacks if stack.inside)
        return inside + "".join(f"{LETTERS[stack.side]}{strength(stack)}" for stack in stacks if not stack.inside)


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
    towns = {*data.places.values(), *data.fortresses}
    return draw_map(FrederickSheet(data, view), name_book(data), towns, date(view), place, radius, LEGEND)

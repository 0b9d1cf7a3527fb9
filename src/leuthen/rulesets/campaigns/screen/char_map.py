"""A map of characters around a place, from a view only (`core.charmap`)."""

from __future__ import annotations

from typing import Final

from leuthen.rulesets.campaigns.knowledge.view import SeenForce, View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.names import name_book
from leuthen.rulesets.campaigns.model.pieces import UNKNOWN
from leuthen.wargame.board import Hex
from leuthen.wargame.char_map import Sheet, draw_map

LETTERS: Final = "PC"
LEGEND: Final = (
    "P Prussian side  C Coalition  * stronghold and its holder (o nobody)  d depot  w wagon",
    "12 TP in the field  (5) inside  ? not known  <9 at most  >4 at least  l leaders or wagons alone",
    "~ river  # ridge  = pass  ^ mountain  : sea and lake  . outside the theatre",
)


class CampaignSheet(Sheet):
    """What is drawn of a view, hex by hex."""

    def __init__(self, data: GameData, view: View) -> None:
        super().__init__(data.board)
        self.strongholds = data.strongholds
        self.owners = view.owners
        self.depots = view.depots
        self.wagons = {unit.hex for unit in view.units.values() if data.is_wagon(unit.number)}
        self.forces: dict[Hex, list[SeenForce]] = {}
        for force in view.stacks:
            self.forces.setdefault(force.hex, []).append(force)

    def first(self, here: Hex) -> str:
        """Depot or wagon, and stronghold."""
        mark = "d" if here in self.depots else "w" if here in self.wagons else self.ground(here)
        return f"{mark}*{'PCo'[self.owners[here]]}" if here in self.strongholds else mark

    def second(self, here: Hex) -> str:
        """Who is inside, and in the field."""
        forces = self.forces.get(here, [])
        inside = "".join(f"({_strength(force)})" for force in forces if force.inside)
        return inside + "".join(f"{LETTERS[force.side]}{_strength(force)}" for force in forces if not force.inside)


def _strength(force: SeenForce) -> str:
    """TP in a few characters: «12», «<9», «>4», «?»."""
    if force.alone or force.least == force.most:
        return str(force.most or "l")
    if force.most < UNKNOWN:
        return f"<{force.most + 1}"
    return f">{force.least - 1}" if force.least > 1 else "?"


def char_map(data: GameData, view: View, place: str, radius: int) -> str:
    """A map around a town or hex. Raises Invalid or Ambiguous for an unknown place."""
    towns = {*data.places.values(), *data.strongholds}
    title = f"{view.year}, turn {view.turn}"
    return draw_map(CampaignSheet(data, view), name_book(data), towns, title, place, radius, LEGEND)

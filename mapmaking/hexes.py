"""Terrain, territory and coast of every hex."""

from dataclasses import dataclass
from typing import Final

from mapmaking.board import all_hexes, neighbours
from mapmaking.inputs import DraftHex, Inputs

# The draft names states of 1756; the game knows territories.
TERRITORY_OF_STATE: Final = {
    "Brandenburg": "brandenburg",
    "Pomerania": "brandenburg",
    "Magdeburg and Halberstadt": "brandenburg",
    "Cottbus and Peitz": "brandenburg",
    "Silesia and Glatz": "silesia",
    "East Prussia": "east-prussia",
    "Bohemia": "bohemia",
    "Moravia": "moravia",
    "Austrian Silesia": "moravia",
    "Upper and Lower Austria": "austria",
    "Hungary": "austria",
    "Saxony": "saxony",
    "Hanover": "hanover",
    "Gottingen and Grubenhagen": "hanover",
    "Brunswick-Wolfenbuttel": "hanover",
    "Brunswick (Weser district)": "hanover",
    "France with Alsace and Lorraine": "france",
    "Landau": "france",
    "Swedish Pomerania": "sweden",
    "Poland-Lithuania": "poland",
    "Warmia (Ermland)": "poland",
    "Mecklenburg": "mecklenburg",
    "Wismar": "mecklenburg",
    "Schleswig-Holstein and Denmark": "off",
    "Bornholm": "off",
    "Sweden (Scania)": "off",
    "United Provinces": "off",
}


@dataclass(frozen=True)
class Hex:
    """A hex in the game's terms."""

    terrain: str
    territory: str
    coast: bool
    range: str
    lat: float
    lon: float

    @property
    def is_land(self) -> bool:
        """True for land, in play or not."""
        return self.terrain != "water"

    @property
    def is_in_play(self) -> bool:
        """True if forces can ever enter the hex."""
        return self.territory not in ("", "off")


def build(inputs: Inputs) -> dict[str, Hex]:
    """Return every hex of the board."""
    land = {here for here in all_hexes() if _is_land(inputs, here)}
    return {here: _hex(inputs, here, land) for here in all_hexes()}


def _is_land(inputs: Inputs, here: str) -> bool:
    settled = inputs.decisions.values("terrain").get(here)
    return settled != "water" if settled else inputs.hexes[here].is_land


def _hex(inputs: Inputs, here: str, land: set[str]) -> Hex:
    draft = inputs.hexes[here]
    if here not in land:
        return Hex("water", "", False, "", draft.lat, draft.lon)
    mountain = _range(inputs, here, draft)
    coast = any(there in inputs.hexes and there not in land for there in neighbours(here))
    terrain = "mountain" if mountain else "clear"
    return Hex(terrain, _territory(inputs, here, draft), coast, mountain, draft.lat, draft.lon)


def _range(inputs: Inputs, here: str, draft: DraftHex) -> str:
    renamed = inputs.decisions.values("range-name").get(draft.mountain, draft.mountain)
    settled = inputs.decisions.values("range").get(here, renamed)
    return "" if settled == "none" else settled


def _territory(inputs: Inputs, here: str, draft: DraftHex) -> str:
    settled = inputs.decisions.values("territory").get(here)
    return settled or TERRITORY_OF_STATE.get(draft.state, "german-states")

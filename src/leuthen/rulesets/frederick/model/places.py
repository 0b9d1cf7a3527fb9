"""The names of places, of then and of now."""

from __future__ import annotations

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.names import UMLAUTS, Index, NameBook, simplify


def title(data: GameData, here: Hex) -> str:
    """«Breslau, today Wroclaw · 1733»; of a hex without a town its number."""
    names = [name for name, there in data.places.items() if there == here]
    if here in data.fortresses and data.fortresses[here].name not in names:
        names = [data.fortresses[here].name, *names]
    told = [f"{name}, today {now}" if (now := today(data, name)) else name for name in names]
    return " · ".join([*told, hex_name(here)])


def today(data: GameData, name: str) -> str:
    """How a place is called now, if otherwise than then: umlauts written out are no other name."""
    now = data.modern.get(name, name)
    same = simplify(now) in (simplify(name), simplify(name.casefold().translate(UMLAUTS)))
    return "" if same else now


def find_place(data: GameData, book: NameBook, place: str) -> Hex:
    """The hex of a number, or of a name of then or, if there is none, of now. Raises Invalid or Ambiguous."""
    try:
        return book.hex(place)
    except Ambiguous:
        raise
    except Invalid:
        index = Index("town or hex", ((now, data.places[name]) for name, now in data.modern.items()))
        if place.strip()[:1].isdigit() or not index.prefixed(place):
            raise
        return index.find(place)


def land(territory: str) -> str:
    """A territory as a name: «East Prussia»."""
    return territory.replace("-", " ").title()

"""Theatres of war: the country where each nation's armies fight."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

from leuthen.engine.memo import memo_of
from leuthen.rulesets.campaigns.model.data import (
    AUSTRIA,
    EMPIRE,
    FRANCE,
    HANOVER,
    PRUSSIA,
    RUSSIA,
    SAXONY,
    SWEDEN,
    GameData,
)
from leuthen.wargame.board import Hex, Hexes, hex_set
from leuthen.wargame.strength import PowerId

_WEST: Final = ("Westphalia", "Hanover", "Hesse", "Rhine", "France")
_GERMANY: Final = ("Thuringia", "Franconia")
_SAXONY: Final = ("Saxony", "Lusatia")
_BOHEMIA: Final = ("North Bohemia", "West Bohemia")
_SILESIA: Final = ("Lower Silesia", "Upper Silesia", "Glatz")
_SOUTH: Final = ("Moravia", "Austria")
_MARK: Final = ("Brandenburg", "Magdeburg")
_BALTIC: Final = ("Pomerania", "Swedish Pomerania")
_EAST: Final = ("East Prussia", "Poland")
THEATRES: Final[Mapping[str, tuple[str, ...]]] = {
    "west": _WEST, "germany": _GERMANY, "saxony": _SAXONY, "bohemia": _BOHEMIA, "silesia": _SILESIA, "south": _SOUTH,
    "mark": _MARK, "baltic": _BALTIC, "east": _EAST,
}  # fmt: skip
"""Areas by theatre, each in one. A hex belongs to the area of its nearest stronghold."""
COUNTRY: Final[Mapping[int, tuple[str, ...]]] = {
    PRUSSIA: (*_GERMANY, *_SAXONY, *_BOHEMIA, *_SILESIA, *_SOUTH, *_MARK, *_BALTIC, *_EAST),
    HANOVER: (*_WEST, *_GERMANY, "Magdeburg"),
    AUSTRIA: (*_SAXONY, *_BOHEMIA, *_SILESIA, *_SOUTH, "Brandenburg"),
    FRANCE: (*_WEST, *_GERMANY, "Magdeburg", "Saxony"),
    RUSSIA: (*_EAST, "Pomerania", "Brandenburg", "Lower Silesia"),
    EMPIRE: (*_GERMANY, *_SAXONY, "Hesse", "West Bohemia"),
    SWEDEN: (*_BALTIC, "Brandenburg"),
    SAXONY: (*_SAXONY, *_BOHEMIA),
}
"""areas where each nation's armies fought"""
WAY: Final = 2  # hexes beyond its country that an army may stray along roads


def country(data: GameData, names: Container[str]) -> Hexes:
    areas = {number for number, area in enumerate(data.areas) if area.name in names}
    own = hex_set(here for here, place in data.strongholds.items() if place.area in areas)
    other = hex_set(here for here, place in data.strongholds.items() if place.area not in areas)
    while True:
        before = own | other
        own |= data.board.spread(own) & data.board.land & ~before
        other |= data.board.spread(other) & data.board.land & ~before & ~own
        if own | other == before:
            return own


def is_astray(data: GameData, nation: PowerId, here: Hex) -> bool:
    """Return whether a hex is farther outside a nation's country than the roads explain."""
    return not memo_of(data, "bots").once(("theatre", nation), lambda: _with_roads(data, nation)) >> here & 1


def _with_roads(data: GameData, nation: PowerId) -> Hexes:
    near = country(data, COUNTRY[nation])
    for _ in range(WAY):
        near |= data.board.spread(near)
    return near

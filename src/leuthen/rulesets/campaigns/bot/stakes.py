"""What a place is worth to the side that takes it, and so what its loss costs the other, in VP (R16.2, R17.7)."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model.data import CITY, FORT, FORTRESS, SIDE_OF, Stronghold
from leuthen.rulesets.campaigns.model.pieces import AT_WAR
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r16_victory import PLACES
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import PowerId

USE: Final = 0.4
"""What any place is worth, beside its points: depots, roads, nothing left to the enemy."""
CONQUEST: Final = 3.0
"""What the last place of a nation is worth on top (R17.7)."""
LABOUR: Final = {CITY: 1, FORT: 2, FORTRESS: 4}
"""The part of a place in the work of taking an area."""
FARTHER: Final = 3.0
"""So much work that is still to be done makes an area worth half."""


def worth(pos: Position, here: Hex, side: Side) -> float:
    """What a side gains by taking a place from the other or from nobody."""
    place = pos.data.strongholds[here]
    foe = OTHER[side]
    value = USE + _share_of_area(pos, place, side)
    if place.nation >= 0 and (SIDE_OF[place.nation] == foe or pos.owners[here] == foe):
        value += PLACES.get(place.kind, 0)
    return value + _conquest(pos, place.nation, side)


def _share_of_area(pos: Position, place: Stronghold, side: Side) -> float:
    """The part of a place in its area, the smaller the more is missing; of an own area what the enemy holds counts."""
    area = pos.data.areas[place.area]
    if area.nation < 0:
        return 0.0
    work = {there: LABOUR[pos.data.strongholds[there].kind] for there in pos.data.places_of(place.area)}
    part = work[place.hex]
    if SIDE_OF[area.nation] != side:
        missing = sum(points for there, points in work.items() if pos.owners[there] != side)
        return area.points * part / missing / (1 + (missing - part) / FARTHER) if missing else 0.0
    lost = sum(points for there, points in work.items() if pos.owners[there] == OTHER[side])
    whole = sum(work.values())
    if lost == whole:
        return area.points * max(0.5, part / whole)
    return area.points * lost * part / whole**2


def _conquest(pos: Position, nation: PowerId, side: Side) -> float:
    """How near a nation is to conquest by a side."""
    if nation < 0 or SIDE_OF[nation] == side or pos.status[nation] != AT_WAR:
        return 0.0
    forts = [here for here in pos.data.homes(nation) if pos.data.kind_at(here).inside]
    lost = sum(pos.owners[here] == side for here in forts)
    return CONQUEST * lost / len(forts) if forts else 0.0

"""Forces: who stands where, who commands, who is senior, how many TP a leader may hold (R1.5, R2, V2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId, largest, of

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.pieces import Unit
    from leuthen.rulesets.campaigns.model.state import Position

SENIOR_LIMIT: Final = 40
OTHER_LIMIT: Final = 25
RELIEF: Final = 4
"""A siege is lifted by friends in the field with one TP for so many of the besieger's (R10.5)."""
ABLE: Final = 3
"""The command from which a leader controls 40 TP (V2.1)."""


def field_tp(pos: Position, here: Hex, side: Side) -> int:
    """The TP of a side in the field of a hex."""
    return pos.census.field[side].get(here, 0)


def inside_tp(pos: Position, here: Hex, side: Side) -> int:
    """The TP of a side inside the stronghold of a hex, garrison and leaders."""
    return pos.census.inside[side].get(here, 0)


def units_at(pos: Position, here: Hex, side: Side) -> list[Unit]:
    """All units of a side in a hex."""
    units, sides = pos.units, pos.data.sides
    return [units[number] for number in pos.census.numbers.get(here, ()) if sides[number] == side]


def force_at(pos: Position, here: Hex, side: Side, inside: bool) -> list[Unit]:
    """The leaders of a side in a hex in one state, and the wagons that have TP (R1.5, V7.4)."""
    return [
        unit
        for unit in units_at(pos, here, side)
        if unit.inside == inside and (unit.tp or not pos.data.is_wagon(unit.number))
    ]


def wagons_at(pos: Position, here: Hex, side: Side) -> list[Unit]:
    """The wagons of a side in a hex."""
    return [unit for unit in units_at(pos, here, side) if pos.data.is_wagon(unit.number)]


def is_besieged(pos: Position, here: Hex, side: Side) -> bool:
    """Whether a side is besieged in a hex (R10.5): by a field force of half the TP inside or more.

    A handful of friends in the field lifts no siege: it takes a quarter of the besieger's TP.
    """
    foes = field_tp(pos, here, OTHER[side])
    if not foes or here not in pos.data.strongholds or 2 * foes < inside_tp(pos, here, side):
        return False
    return RELIEF * field_tp(pos, here, side) < foes


def is_friendly(pos: Position, here: Hex, side: Side) -> bool:
    """Whether a side controls the stronghold of a hex (R10.2)."""
    return pos.owners.get(here) == side


def is_occupied(pos: Position, here: Hex, side: Side) -> bool:
    """Whether a side controls the stronghold of a hex and has TP inside (R10.2)."""
    return pos.owners.get(here) == side and inside_tp(pos, here, side) > 0


def may_be_inside(pos: Position, unit: Unit) -> bool:
    """Whether a unit goes inside with its force: leaders and wagons with men (R10.3, V8.2); others count so by R9.3."""
    return bool(unit.tp) or not pos.data.is_wagon(unit.number)


def is_sheltered(pos: Position, unit: Unit) -> bool:
    """Whether a unit is inside, with TP there; a wagon counts so in the hex of a friendly stronghold (R10.3, R9.3)."""
    if not pos.data.is_wagon(unit.number) or unit.tp:
        return unit.inside and inside_tp(pos, unit.hex, pos.side(unit.number)) > 0
    return is_occupied(pos, unit.hex, pos.side(unit.number))


def by_seniority(pos: Position, numbers: Iterable[LeaderId]) -> list[LeaderId]:
    """Leaders from the highest Sr down, nation by nation; wagons come last (R2.1)."""
    ranks, table = pos.ranks, pos.data.leaders
    return sorted(numbers, key=lambda n: (pos.data.is_wagon(n), table[n].nation, ranks[n]))


def commander(pos: Position, units: Iterable[Unit]) -> LeaderId:
    """The commander of these units (R2.2), -1 if nobody of them has TP.

    He is of the nation with most TP in the force, the garrison too if they are inside; equal: the first in the order
    of R1.3. A wagon with freed men counts if there is nobody else (V7.4).
    """
    led = [unit for unit in units if unit.tp]
    if not led:
        return NO_LEADER
    if len(led) == 1:
        return led[0].number
    generals = [unit for unit in led if not pos.data.is_wagon(unit.number)] or led
    whole = sum(unit.tp for unit in led) + (pos.garrisons.get(led[0].hex, EMPTY) if led[0].inside else EMPTY)
    for first in (largest(whole), largest(sum(unit.tp for unit in generals))):
        own = [unit.number for unit in generals if pos.leader(unit.number).nation == first]
        if own:
            return by_seniority(pos, own)[0]
    return by_seniority(pos, [unit.number for unit in generals])[0]


def senior(pos: Position, nation: PowerId) -> LeaderId:
    """The senior leader of a nation: its highest Sr on the map with TP (R2.1); -1 if there is none."""
    return next(iter(ranked(pos, nation)), NO_LEADER)


def ranked(pos: Position, nation: PowerId) -> list[LeaderId]:
    """The leaders of a nation on the map with TP, from the highest Sr down (R2.1)."""
    return once(pos.lasting, ("ranked", nation), lambda: _ranked(pos, nation))


def _ranked(pos: Position, nation: PowerId) -> list[LeaderId]:
    units = pos.units
    led = [number for number in pos.data.generals[nation] if number in units and units[number].tp]
    return sorted(led, key=pos.ranks.__getitem__)


def limit(pos: Position, number: LeaderId, *, is_senior: bool | None = None) -> int:
    """How many TP a leader may control (R2.3, V2.1); a wagon 25 freed men (V7.4)."""
    if pos.data.is_wagon(number):
        return OTHER_LIMIT
    command = pos.leader(number).command
    if not pos.options.einhorn:
        return 20 + 10 * command
    if is_senior is None:
        is_senior = senior(pos, pos.leader(number).nation) == number
    return SENIOR_LIMIT if is_senior or command >= ABLE else OTHER_LIMIT


def room(pos: Position, number: LeaderId) -> int:
    """How many TP more a leader may take."""
    return max(0, limit(pos, number) - pos.units[number].strength)


def strength(units: Iterable[Unit]) -> int:
    """The TP of some units."""
    return sum(unit.strength for unit in units)


def tp_by_nation(units: Iterable[Unit]) -> Bag:
    """The TP of some units, by nation."""
    return sum((unit.tp for unit in units), EMPTY)


def nations_in(tp: Bag) -> list[PowerId]:
    """The nations that have TP in a bag."""
    return [nation for nation in ALL_NATIONS if of(tp, nation)]


def percent_of(percent: int, points: int) -> int:
    """A percentage of TP: the nearest whole, halves up (R1.2)."""
    return (percent * points + 50) // 100


def held_back(pos: Position, number: LeaderId) -> bool:
    """Whether the set-up keeps a leader from moving and reacting (R18.2)."""
    setup = pos.data.scenarios[pos.scenario].setup
    return pos.year == int(setup) and pos.turn < pos.data.waiting[setup].get(number, 0)

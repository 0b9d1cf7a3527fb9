"""Who stands where: TP by hex and side, forces, who commands and is senior; and what a viewer sees of them.

R1.4-R1.8, R2, V2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec

from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import EVERYTHING, OTHER, SIDES, Side, ViewerId
from leuthen.rulesets.campaigns.model.data import NO_NATION, SIDE_OF, GameData, GameOptions
from leuthen.rulesets.campaigns.model.pieces import UNSEEN, Sight, Unit
from leuthen.wargame.board import Hex, Hexes, StackKey, stack_key
from leuthen.wargame.strength import ALL_SP, EMPTY, NO_LEADER, Bag, LeaderId, PowerId, bag, largest, powers, total

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.decisions import Decision
    from leuthen.rulesets.campaigns.model.state import Position


BySide: TypeAlias = tuple[dict[Hex, int], dict[Hex, int]]
"""TP by hex, of each side; no entry where there are none."""
_NONE: Final[tuple[LeaderId, ...]] = ()


class Census:
    """Units by hex in ascending order, TP in the field and inside by side and hex, and where these are as sets."""

    __slots__ = ("field", "fields", "inside", "insides", "numbers")

    def __init__(self, data: GameData, units: Mapping[LeaderId, Unit], garrisons: Mapping[Hex, Bag]) -> None:
        self.numbers: dict[Hex, tuple[LeaderId, ...]] = {}
        self.field: BySide = {}, {}
        self.inside: BySide = {}, {}
        self.fields: list[Hexes] = [0, 0]
        self.insides: list[Hexes] = [0, 0]
        for number, unit in units.items():
            self.enter(number, unit.hex)
        for here in {*garrisons, *self.numbers}:
            self.count(data, units, garrisons, here)

    def copy(self) -> Census:
        """Return the census of the next position, which changes on its own."""
        twin = Census.__new__(Census)
        twin.numbers = self.numbers.copy()
        twin.field = self.field[0].copy(), self.field[1].copy()
        twin.inside = self.inside[0].copy(), self.inside[1].copy()
        twin.fields, twin.insides = self.fields.copy(), self.insides.copy()
        return twin

    def enter(self, number: LeaderId, here: Hex) -> None:
        """Note that a unit has come to a hex."""
        self.numbers[here] = tuple(sorted((*self.numbers.get(here, _NONE), number)))

    def leave(self, number: LeaderId, here: Hex) -> None:
        """Note that a unit has gone from a hex."""
        left = tuple([other for other in self.numbers[here] if other != number])
        if left:
            self.numbers[here] = left
        else:
            del self.numbers[here]

    def count(self, data: GameData, units: Mapping[LeaderId, Unit], garrisons: Mapping[Hex, Bag], here: Hex) -> None:
        """Count the TP in a hex: leaders with theirs, and the garrison; in the field or inside (R1.4, R1.5)."""
        field, inside, sides = [0, 0], [0, 0], data.sides
        for number in self.numbers.get(here, _NONE):
            unit = units[number]
            if unit.tp:
                (inside if unit.inside else field)[sides[number]] += unit.tp % ALL_SP
        if garrison := garrisons.get(here):
            inside[side_of(garrison)] += total(garrison)
        for points, table, marks in ((field, self.field, self.fields), (inside, self.inside, self.insides)):
            for side in SIDES:
                if points[side]:
                    table[side][here] = points[side]
                    marks[side] |= 1 << here
                elif here in table[side]:
                    del table[side][here]
                    marks[side] &= ~(1 << here)


def side_of(tp: Bag) -> Side:
    """The side of some TP."""
    return SIDE_OF[largest(tp)]


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
    units, sides, wagons = pos.units, pos.data.sides, pos.data.wagons
    there = [units[number] for number in pos.census.numbers.get(here, ()) if sides[number] == side]
    return [unit for unit in there if unit.inside == inside and (unit.tp or unit.number < wagons)]


def wagons_at(pos: Position, here: Hex, side: Side) -> list[Unit]:
    """The wagons of a side in a hex."""
    units, sides, wagons = pos.units, pos.data.sides, pos.data.wagons
    return [units[n] for n in pos.census.numbers.get(here, ()) if n >= wagons and sides[n] == side]


def is_besieged(pos: Position, here: Hex, side: Side) -> bool:
    """Whether a side is besieged in a hex (R10.5): by a field force of half the TP inside or more.

    A handful of friends in the field lifts no siege: it takes a quarter of the besieger's TP.
    """
    field = pos.census.field
    foes = field[OTHER[side]].get(here, 0)
    if not foes or here not in pos.data.strongholds or 2 * foes < pos.census.inside[side].get(here, 0):
        return False
    return RELIEF * field[side].get(here, 0) < foes


@memoized("lasting")
def open_places(pos: Position, side: Side) -> Hexes:
    """The strongholds of a side that are not besieged, whose garrisons exchange TP (R10.2, R10.4, R10.5)."""
    found, camps = 0, pos.census.fields[OTHER[side]]
    for here, owner in pos.owners.items():
        if owner == side and not (camps >> here & 1 and is_besieged(pos, here, side)):
            found |= 1 << here
    return found


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


@memoized("lasting")
def senior(pos: Position, nation: PowerId) -> LeaderId:
    """The senior leader of a nation: its highest Sr on the map with TP (R2.1); -1 if there is none."""
    order = ranked(pos, nation)
    return order[0] if order else NO_LEADER


@memoized("lasting")
def ranked(pos: Position, nation: PowerId) -> list[LeaderId]:
    """The leaders of a nation on the map with TP, from the highest Sr down (R2.1)."""
    units = pos.units
    led = [number for number in pos.data.generals[nation] if number in units and units[number].tp]
    return sorted(led, key=pos.ranks.__getitem__)


def limit(pos: Position, number: LeaderId, *, is_senior: bool | None = None) -> int:
    """How many TP a leader may control (R2.3, V2.1); a wagon 25 freed men (V7.4)."""
    if number >= pos.data.wagons:
        return OTHER_LIMIT
    leader = pos.data.leaders[number]
    if not pos.options.einhorn:
        return 20 + 10 * leader.command
    if is_senior is None:
        is_senior = senior(pos, leader.nation) == number
    return SENIOR_LIMIT if is_senior or leader.command >= ABLE else OTHER_LIMIT


def room(pos: Position, number: LeaderId) -> int:
    """How many TP more a leader may take."""
    return max(0, limit(pos, number) - pos.units[number].strength)


def strength(units: Iterable[Unit]) -> int:
    """The TP of some units."""
    tp = 0
    for unit in units:
        tp += unit.tp
    return tp % ALL_SP


def tp_by_nation(units: Iterable[Unit]) -> Bag:
    """The TP of some units, by nation."""
    return sum([unit.tp for unit in units])


def nations_in(tp: Bag) -> list[PowerId]:
    """The nations that have TP in a bag."""
    return list(powers(tp))


def percent_of(percent: int, points: int) -> int:
    """A percentage of TP: the nearest whole, halves up (R1.2)."""
    return (percent * points + 50) // 100


def held_back(pos: Position, number: LeaderId) -> bool:
    """Whether the set-up keeps a leader from moving and reacting (R18.2)."""
    setup = pos.data.scenarios[pos.scenario].setup
    return pos.year == int(setup) and pos.turn < pos.data.waiting[setup].get(number, 0)


class SeenForce(msgspec.Struct, frozen=True, gc=False):
    """A force as the viewer knows it: hex, side, in the field or inside, its units; all its TP, if he knows them.

    `units` are those that he sees: of a hidden force the commander, wagons, and whoever is named just now; all who are
    without TP in a force that has none. `low`, `high` and `since` are what the other side knows of its TP (R1.9).
    `commander` is -1 if nobody in it has TP; `nation` is that of the largest contingent, -1 without TP (R1.8).
    """

    hex: Hex
    side: Side
    inside: bool
    units: tuple[LeaderId, ...]
    tp: int | None
    low: int
    high: int
    since: int
    commander: LeaderId
    nation: PowerId

    @property
    def least(self) -> int:
        """The fewest TP that it can have, for all that the viewer knows."""
        return self.low if self.tp is None else self.tp

    @property
    def most(self) -> int:
        """The most TP that it can have, for all that the viewer knows."""
        return self.high if self.tp is None else self.tp

    @property
    def key(self) -> StackKey:
        """Which force it is."""
        return stack_key(self.hex, self.side, self.inside)

    @property
    def alone(self) -> bool:
        """Whether it has no TP."""
        return not self.most


def knows(options: GameOptions, viewer: ViewerId, side: Side) -> bool:
    """Whether a viewer knows all of a side: his own, or everything; in an open game everybody does (R1.6)."""
    return not options.hidden or viewer in (side, EVERYTHING)


def is_veiled(pos: Position, viewer: ViewerId) -> bool:
    """Whether anything is hidden from a viewer."""
    return pos.options.hidden and viewer != EVERYTHING


class TrueForce(NamedTuple):
    """A force as it is: its leaders and wagons, its TP, who commands, whose colours it shows."""

    hex: Hex
    side: Side
    inside: bool
    units: tuple[Unit, ...]
    tp: int
    commander: LeaderId
    nation: PowerId


@memoized("known")
def forces_of(pos: Position) -> tuple[TrueForce, ...]:
    """All forces in the order of the board, kept with the position (R1.5)."""
    members: dict[tuple[Hex, Side, bool], list[Unit]] = {
        (here, side, True): [] for side in SIDES for here in pos.census.inside[side]
    }
    for number, unit in pos.units.items():
        members.setdefault((unit.hex, pos.side(number), unit.inside), []).append(unit)
    found = []
    for place, units in sorted(members.items()):
        made_of = units, pos.garrisons.get(place[0]), pos.ranks  # a force is made anew where one of these is another
        found.append(pos.mustered.latest(place, made_of, partial(_force, pos, *place, units)))
    return tuple(found)


def _force(pos: Position, here: Hex, side: Side, inside: bool, units: Sequence[Unit]) -> TrueForce:
    """A force; its colours are those of most TP, garrisons counted, in the field its commander's (R1.8)."""
    chief = commander(pos, units)
    tp = sum((unit.tp for unit in units), pos.garrisons.get(here, EMPTY) if inside else EMPTY)
    colours = NO_NATION if not tp else pos.leader(chief).nation if chief >= 0 and not inside else largest(tp)
    return TrueForce(here, side, inside, tuple(units), total(tp), chief, colours)


def see_forces(pos: Position, viewer: ViewerId) -> Iterator[SeenForce]:
    """The forces as a viewer sees them, in the order of the board."""
    seen = units_seen(pos, viewer)
    for here, side, inside, units, tp, chief, nation in forces_of(pos):
        sight = Sight(tp, tp, 0)  # that it has no TP is open (R1.8)
        if tp and pos.options.hidden:
            sight = pos.sights.get(stack_key(here, side, inside), UNSEEN)
        shown = tuple([unit.number for unit in units if unit.number in seen])
        known = tp if knows(pos.options, viewer, side) else None
        yield SeenForce(here, side, inside, shown, known, sight.low, sight.high, sight.since, chief, nation)


def heads(pos: Position, group: tuple[LeaderId, ...]) -> tuple[LeaderId, ...]:
    """Who of a group on its way is seen by the other side: its leader, and who commands its TP (R1.11)."""
    lead = pos.units.get(group[0]) if group else None
    if lead is None:
        return group[:1]
    there = [pos.units[n] for n in group if n in pos.units and pos.units[n].hex == lead.hex]
    chief = commander(pos, there)
    return (lead.number,) if chief in (-1, lead.number) else (lead.number, chief)


def covered(pos: Position, viewer: ViewerId) -> tuple[Decision, ...]:
    """The decisions in progress as a viewer sees them."""
    return tuple([frame.covered(pos, viewer) for frame in pos.frames]) if is_veiled(pos, viewer) else pos.frames


def units_seen(pos: Position, viewer: ViewerId) -> dict[LeaderId, Unit]:
    """The units that a viewer sees (R1.8)."""
    if not is_veiled(pos, viewer):
        return pos.units
    return pos.known.latest(("seen", viewer), pos.frames, lambda: _seen_units(pos, viewer))


def _seen_units(pos: Position, viewer: ViewerId) -> dict[LeaderId, Unit]:
    """His own whole; of the other side who commands, is alone, or is named (R1.8)."""
    frames = covered(pos, viewer)
    named = {number for frame in frames for number in frame.named()}
    some = {number for frame in frames for number in frame.chiefs()}
    fighting = fighters_in(pos.frames)
    found: dict[LeaderId, Unit] = {}
    for force in forces_of(pos):
        if knows(pos.options, viewer, force.side):
            found |= {unit.number: unit for unit in force.units}
            continue
        for unit in force.units:
            n, is_chief = unit.number, unit.number == force.commander
            if not force.tp or is_chief or n in named or n in fighting or pos.data.is_wagon(n):
                found[n] = _seen(pos, unit, fights=n in fighting, has_tp=is_chief or n in some)
    return dict(sorted(found.items()))


def fighters_in(frames: Iterable[Decision]) -> set[LeaderId]:
    """The leaders whose strengths a battle in progress shows (R1.9)."""
    return {number for frame in frames for number in frame.fighters()}


def _seen(pos: Position, unit: Unit, *, fights: bool, has_tp: bool) -> Unit:
    """An enemy unit with as much of it as is open: where it is, whether it has moved and is demoralized (R1.8)."""
    tp = unit.tp if fights else bag(pos.leader(unit.number).nation, int(has_tp and unit.tp > 0))
    seen = Unit(unit.number, unit.hex, unit.inside, tp, hunger=unit.hunger if fights else 0)
    if pos.data.is_wagon(unit.number):
        return seen
    return msgspec.structs.replace(seen, moved=unit.moved, shaken=unit.shaken, daunted=unit.daunted)

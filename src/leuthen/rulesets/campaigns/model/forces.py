"""TP by hex and side, forces, commanders and seniority, and a viewer's sight of them (R1.4-R1.8, R2, V2)."""

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
from leuthen.wargame.strength import ALL_SP, EMPTY, NO_LEADER, Bag, LeaderId, PowerId, bag, largest, total

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.state import Decision, Position


BySide: TypeAlias = tuple[dict[Hex, int], dict[Hex, int]]
"""TP by hex, of each side; no entry for 0."""
_NONE: Final[tuple[LeaderId, ...]] = ()


class Census:
    """Units by hex in ascending order; TP in the field and inside, by side and hex, and the sets of these hexes."""

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
        twin = Census.__new__(Census)
        twin.numbers = self.numbers.copy()
        twin.field = self.field[0].copy(), self.field[1].copy()
        twin.inside = self.inside[0].copy(), self.inside[1].copy()
        twin.fields, twin.insides = self.fields.copy(), self.insides.copy()
        return twin

    def enter(self, number: LeaderId, here: Hex) -> None:
        self.numbers[here] = tuple(sorted((*self.numbers.get(here, _NONE), number)))

    def leave(self, number: LeaderId, here: Hex) -> None:
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
    return SIDE_OF[largest(tp)]


SENIOR_LIMIT: Final = 40
OTHER_LIMIT: Final = 25
RELIEF: Final = 4  # one TP in the field for this many of the besieger's lifts a siege (R10.5)
ABLE: Final = 3  # a leader of this command controls 40 TP (V2.1)


def field_tp(pos: Position, here: Hex, side: Side) -> int:
    return pos.census.field[side].get(here, 0)


def inside_tp(pos: Position, here: Hex, side: Side) -> int:
    """Return the TP of a side inside the stronghold of a hex: garrison and leaders."""
    return pos.census.inside[side].get(here, 0)


def units_at(pos: Position, here: Hex, side: Side) -> list[Unit]:
    units, sides = pos.units, pos.data.sides
    return [units[number] for number in pos.census.numbers.get(here, ()) if sides[number] == side]


def force_at(pos: Position, here: Hex, side: Side, inside: bool) -> list[Unit]:
    """Return the leaders of a side in a hex, in the field or inside, and its wagons with TP (R1.5, V7.4)."""
    units, sides, wagons = pos.units, pos.data.sides, pos.data.wagons
    there = [units[number] for number in pos.census.numbers.get(here, ()) if sides[number] == side]
    return [unit for unit in there if unit.inside == inside and (unit.tp or unit.number < wagons)]


def troops_at(pos: Position, here: Hex, side: Side, inside: bool) -> list[Unit]:
    return [unit for unit in force_at(pos, here, side, inside) if unit.tp]


def wagons_at(pos: Position, here: Hex, side: Side) -> list[Unit]:
    units, sides, wagons = pos.units, pos.data.sides, pos.data.wagons
    return [units[n] for n in pos.census.numbers.get(here, ()) if n >= wagons and sides[n] == side]


def is_besieged(pos: Position, here: Hex, side: Side) -> bool:
    """Return whether a side is besieged in a hex: the enemy field force has half the TP inside or more (R10.5).

    Friends in the field lift the siege only with a quarter of the besieger's TP.
    """
    field = pos.census.field
    foes = field[OTHER[side]].get(here, 0)
    if not foes or here not in pos.data.strongholds or 2 * foes < pos.census.inside[side].get(here, 0):
        return False
    return RELIEF * field[side].get(here, 0) < foes


@memoized("lasting")
def open_places(pos: Position, side: Side) -> Hexes:
    """Return the strongholds of a side that are not besieged; their garrisons exchange TP (R10.2, R10.4, R10.5)."""
    found, camps = 0, pos.census.fields[OTHER[side]]
    for here, owner in pos.owners.items():
        if owner == side and not (camps >> here & 1 and is_besieged(pos, here, side)):
            found |= 1 << here
    return found


def is_friendly(pos: Position, here: Hex, side: Side) -> bool:
    """Return whether a side controls the stronghold of a hex (R10.2)."""
    return pos.owners.get(here) == side


def is_occupied(pos: Position, here: Hex, side: Side) -> bool:
    """Return whether a side controls the stronghold of a hex and has TP inside (R10.2)."""
    return pos.owners.get(here) == side and inside_tp(pos, here, side) > 0


def can_be_inside(pos: Position, unit: Unit) -> bool:
    """Return whether a unit goes inside with its force: leaders, and wagons with men (R10.3, V8.2, R9.3)."""
    return bool(unit.tp) or not pos.data.is_wagon(unit.number)


def is_sheltered(pos: Position, unit: Unit) -> bool:
    """Return whether a unit is inside, with TP there; for a wagon the hex of a friendly stronghold will do (R10.3,
    R9.3).
    """
    if not pos.data.is_wagon(unit.number) or unit.tp:
        return unit.inside and inside_tp(pos, unit.hex, pos.side(unit.number)) > 0
    return is_occupied(pos, unit.hex, pos.side(unit.number))


def by_seniority(pos: Position, numbers: Iterable[LeaderId]) -> list[LeaderId]:
    """Return leaders from the highest Sr down, nation by nation; wagons come last (R2.1)."""
    ranks, table = pos.ranks, pos.data.leaders
    return sorted(numbers, key=lambda n: (pos.data.is_wagon(n), table[n].nation, ranks[n]))


def commander(pos: Position, units: Iterable[Unit]) -> LeaderId:
    """Return the commander of these units (R2.2), -1 if none has TP.

    He belongs to the nation with most TP in the force (with the garrison, if inside), on a tie the first in the order
    of R1.3. A wagon with freed men commands only if there is no leader with TP (V7.4).
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
    """Return the senior leader of a nation, -1 if it has no leader with TP on the map (R2.1)."""
    order = ranked(pos, nation)
    return order[0] if order else NO_LEADER


@memoized("lasting")
def ranked(pos: Position, nation: PowerId) -> list[LeaderId]:
    """Return the leaders of a nation on the map with TP, from the highest Sr down (R2.1)."""
    units = pos.units
    led = [number for number in pos.data.generals[nation] if number in units and units[number].tp]
    return sorted(led, key=pos.ranks.__getitem__)


def limit(pos: Position, number: LeaderId, *, is_senior: bool | None = None) -> int:
    """Return the most TP that a leader may control (R2.3, V2.1); a wagon carries 25 freed men (V7.4)."""
    if number >= pos.data.wagons:
        return OTHER_LIMIT
    leader = pos.data.leaders[number]
    if not pos.options.einhorn:
        return 20 + 10 * leader.command
    if is_senior is None:
        is_senior = senior(pos, leader.nation) == number
    return SENIOR_LIMIT if is_senior or leader.command >= ABLE else OTHER_LIMIT


def room(pos: Position, number: LeaderId) -> int:
    return max(0, limit(pos, number) - pos.units[number].strength)


def strength(units: Iterable[Unit]) -> int:
    tp = 0
    for unit in units:
        tp += unit.tp
    return tp % ALL_SP


def percent_of(percent: int, points: int) -> int:
    """Return a percentage of TP, rounded to the nearest whole, halves up (R1.2)."""
    return (percent * points + 50) // 100


def percent_at(table: Sequence[int], result: int, first: int) -> int:
    """Return the percentage of a table at a modified die, whose results go from `first` up (R12.3, R12.4, V3.5)."""
    return table[max(0, min(len(table) - 1, result - first))]


def is_held_back(pos: Position, number: LeaderId) -> bool:
    """Return whether the set-up keeps a leader from moving and reacting (R18.2)."""
    setup = pos.data.scenarios[pos.scenario].setup
    return pos.year == int(setup) and pos.turn < pos.data.waiting[setup].get(number, 0)


class SeenForce(msgspec.Struct, frozen=True, gc=False):
    """A force as the viewer knows it; `tp` is None if unknown.

    `units` are the visible ones: of a hidden force the commander, wagons and units named by a decision; of a force
    without TP all units. `low`, `high` and `since` are the opponent's knowledge of its TP (R1.9). `commander` is -1 if
    no unit has TP; `nation` is that of the largest contingent, -1 without TP (R1.8).
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
        """The fewest TP it may have, to the viewer's knowledge."""
        return self.low if self.tp is None else self.tp

    @property
    def most(self) -> int:
        """The most TP it may have, to the viewer's knowledge."""
        return self.high if self.tp is None else self.tp

    @property
    def key(self) -> StackKey:
        return stack_key(self.hex, self.side, self.inside)

    @property
    def alone(self) -> bool:
        return not self.most


def knows(options: GameOptions, viewer: ViewerId, side: Side) -> bool:
    """Return whether a viewer knows all about a side: its own, or in an open game any (R1.6)."""
    return not options.hidden or viewer in (side, EVERYTHING)


def is_veiled(pos: Position, viewer: ViewerId) -> bool:
    return pos.options.hidden and viewer != EVERYTHING


class TrueForce(NamedTuple):
    """A force as it is; `nation` is the one whose colours it shows."""

    hex: Hex
    side: Side
    inside: bool
    units: tuple[Unit, ...]
    tp: int
    commander: LeaderId
    nation: PowerId


@memoized("known")
def forces_of(pos: Position) -> tuple[TrueForce, ...]:
    """Return all forces in board order (R1.5)."""
    members: dict[tuple[Hex, Side, bool], list[Unit]] = {
        (here, side, True): [] for side in SIDES for here in pos.census.inside[side]
    }
    for number, unit in pos.units.items():
        members.setdefault((unit.hex, pos.side(number), unit.inside), []).append(unit)
    found = []
    for place, units in sorted(members.items()):
        made_of = units, pos.garrisons.get(place[0]), pos.ranks  # a force is made anew where one of these is another
        found.append(pos.mustered.get_latest(place, made_of, partial(_force, pos, *place, units)))
    return tuple(found)


def _force(pos: Position, here: Hex, side: Side, inside: bool, units: Sequence[Unit]) -> TrueForce:
    """Build a force; its colours are those of most TP with the garrison, in the field its commander's (R1.8)."""
    chief = commander(pos, units)
    tp = sum((unit.tp for unit in units), pos.garrisons.get(here, EMPTY) if inside else EMPTY)
    colours = NO_NATION if not tp else pos.leader(chief).nation if chief >= 0 and not inside else largest(tp)
    return TrueForce(here, side, inside, tuple(units), total(tp), chief, colours)


def see_forces(pos: Position, viewer: ViewerId) -> Iterator[SeenForce]:
    """Yield the forces as a viewer sees them, in board order."""
    seen = units_seen(pos, viewer)
    for here, side, inside, units, tp, chief, nation in forces_of(pos):
        sight = Sight(tp, tp, 0)  # that it has no TP is open (R1.8)
        if tp and pos.options.hidden:
            sight = pos.sights.get(stack_key(here, side, inside), UNSEEN)
        shown = tuple([unit.number for unit in units if unit.number in seen])
        known = tp if knows(pos.options, viewer, side) else None
        yield SeenForce(here, side, inside, shown, known, sight.low, sight.high, sight.since, chief, nation)


def heads(pos: Position, group: tuple[LeaderId, ...]) -> tuple[LeaderId, ...]:
    """Return the members of a moving group that the opponent sees: its leader and its commander (R1.11)."""
    lead = pos.units.get(group[0]) if group else None
    if lead is None:
        return group[:1]
    chief = commander(pos, [pos.units[n] for n in group if n in pos.units and pos.units[n].hex == lead.hex])
    return (lead.number,) if chief in (-1, lead.number) else (lead.number, chief)


def mask_for(pos: Position, viewer: ViewerId) -> tuple[Decision, ...]:
    return tuple([frame.mask_for(pos, viewer) for frame in pos.frames]) if is_veiled(pos, viewer) else pos.frames


def units_seen(pos: Position, viewer: ViewerId) -> dict[LeaderId, Unit]:
    """Return the units that a viewer sees: own units whole; enemy commanders, lone and named units (R1.8)."""
    if not is_veiled(pos, viewer):
        return pos.units
    return pos.known.get_latest(("seen", viewer), pos.frames, lambda: _seen_units(pos, viewer))


def _seen_units(pos: Position, viewer: ViewerId) -> dict[LeaderId, Unit]:
    frames = mask_for(pos, viewer)
    named = {number for frame in frames for number in frame.named()}
    some = {number for frame in frames for number in frame.visible_commanders()}
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
    """Return the leaders whose strengths a battle in progress reveals (R1.9)."""
    return {number for frame in frames for number in frame.fighters()}


def _seen(pos: Position, unit: Unit, *, fights: bool, has_tp: bool) -> Unit:
    """Return an enemy unit with its open facts: hex, whether it has moved, demoralization (R1.8)."""
    tp = unit.tp if fights else bag(pos.leader(unit.number).nation, int(has_tp and unit.tp > 0))
    seen = Unit(unit.number, unit.hex, unit.inside, tp, hunger=unit.hunger if fights else 0)
    if pos.data.is_wagon(unit.number):
        return seen
    return msgspec.structs.replace(seen, moved=unit.moved, shaken=unit.shaken, daunted=unit.daunted)

"""Who stands where: TP by hex and side, forces, who commands and is senior; and what a viewer sees of them.

R1.4-R1.8, R2, V2. A position keeps its census as it changes: what has changed in a hex is noted, and counted when it is
needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec

from leuthen.engine.ruleset import EVERYTHING, OTHER, SIDES, Side, ViewerId
from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, NO_NATION, SIDE_OF, GameOptions
from leuthen.rulesets.campaigns.model.pieces import UNSEEN, Sight, Unit
from leuthen.wargame.board import Hex, Hexes, StackKey, stack_key
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId, bag, largest, of, total

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.decisions import Decision
    from leuthen.rulesets.campaigns.model.state import Position


BySide: TypeAlias = tuple[dict[Hex, int], dict[Hex, int]]
"""TP by hex, of each side; no entry where there are none."""
_NONE: Final[tuple[LeaderId, ...]] = ()


class Census:
    """Units by hex in ascending order, TP in the field and inside by side and hex, and where these are as sets."""

    __slots__ = ("field", "fields", "inside", "insides", "numbers", "stale")

    def __init__(self, places: Mapping[LeaderId, Hex], garrisons: Mapping[Hex, Bag]) -> None:
        """Nothing is counted yet; `places`: where each unit stands."""
        self.numbers: dict[Hex, tuple[LeaderId, ...]] = {}
        self.field: BySide = {}, {}
        self.inside: BySide = {}, {}
        self.fields: list[Hexes] = [0, 0]
        self.insides: list[Hexes] = [0, 0]
        self.stale: set[Hex] = {*garrisons, *places.values()}
        for number, here in places.items():
            self.enter(number, here)

    def copy(self) -> Census:
        """The census of the next position, which changes on its own."""
        twin = Census.__new__(Census)
        twin.numbers = self.numbers.copy()
        twin.field = self.field[0].copy(), self.field[1].copy()
        twin.inside = self.inside[0].copy(), self.inside[1].copy()
        twin.fields, twin.insides = self.fields.copy(), self.insides.copy()
        twin.stale = self.stale.copy()
        return twin

    def enter(self, number: LeaderId, here: Hex) -> None:
        """A unit has come to a hex."""
        self.numbers[here] = tuple(sorted((*self.numbers.get(here, _NONE), number)))

    def leave(self, number: LeaderId, here: Hex) -> None:
        """A unit has gone from a hex."""
        left = tuple([other for other in self.numbers[here] if other != number])
        if left:
            self.numbers[here] = left
        else:
            del self.numbers[here]

    def count(self, pos: Position) -> None:
        """Counts the TP of the hexes that have changed."""
        for here in self.stale:
            self._count(pos, here)
        self.stale = set()

    def _count(self, pos: Position, here: Hex) -> None:
        """Leaders with their TP, and the garrison; in the field or inside (R1.4, R1.5)."""
        field, inside, units, sides = [0, 0], [0, 0], pos.units, pos.data.sides
        for number in self.numbers.get(here, _NONE):
            unit = units[number]
            if unit.tp:
                (inside if unit.inside else field)[sides[number]] += total(unit.tp)
        if garrison := pos.garrisons.get(here):
            inside[side_of(garrison)] += total(garrison)
        _note(self.field, self.fields, here, field)
        _note(self.inside, self.insides, here, inside)


def side_of(tp: Bag) -> Side:
    """The side of some TP."""
    return SIDE_OF[largest(tp)]


def _note(table: BySide, marks: list[Hexes], here: Hex, points: list[int]) -> None:
    """The TP of both sides in a hex are these."""
    for side in (0, 1):
        if points[side]:
            table[side][here] = points[side]
            marks[side] |= 1 << here
        elif here in table[side]:
            del table[side][here]
            marks[side] &= ~(1 << here)


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


def forces_of(pos: Position) -> tuple[TrueForce, ...]:
    """All forces in the order of the board, kept with the position (R1.5)."""
    found: tuple[TrueForce, ...] | None = pos.known.get("forces")
    if found is None:
        members: dict[tuple[Hex, Side, bool], list[Unit]] = {
            (here, side, True): [] for side in SIDES for here in pos.census.inside[side]
        }
        for number, unit in pos.units.items():
            members.setdefault((unit.hex, pos.side(number), unit.inside), []).append(unit)
        found = pos.known["forces"] = tuple([_as_before(pos, place, units) for place, units in sorted(members.items())])
    return found


def _as_before(pos: Position, place: tuple[Hex, Side, bool], units: Sequence[Unit]) -> TrueForce:
    """The force of a place, made anew if others stand there than when somebody last looked, or rank otherwise."""
    made_of = units, pos.garrisons.get(place[0]), pos.ranks
    last: tuple[object, TrueForce] | None = pos.mustered.get(place)
    if last is None or last[0] != made_of:
        last = pos.mustered[place] = made_of, _force(pos, *place, units)
    return last[1]


def _force(pos: Position, here: Hex, side: Side, inside: bool, units: Sequence[Unit]) -> TrueForce:
    """A force; its colours are those of most TP, garrisons counted, in the field its commander's (R1.8)."""
    chief = commander(pos, units)
    tp = sum((unit.tp for unit in units), pos.garrisons.get(here, EMPTY) if inside else EMPTY)
    colours = NO_NATION if not tp else pos.leader(chief).nation if chief >= 0 and not inside else largest(tp)
    return TrueForce(here, side, inside, tuple(units), total(tp), chief, colours)


def see_forces(pos: Position, viewer: ViewerId) -> Iterator[SeenForce]:
    """The forces as a viewer sees them, in the order of the board."""
    seen = seen_units(pos, viewer) if is_veiled(pos, viewer) else pos.units
    return (_seen_force(pos, force, viewer, seen) for force in forces_of(pos))


def _seen_force(pos: Position, force: TrueForce, viewer: ViewerId, seen: Collection[int]) -> SeenForce:
    here, side, inside, units, tp, chief, nation = force
    sight = Sight(tp, tp, 0)  # that it has no TP is open (R1.8)
    if tp and pos.options.hidden:
        sight = pos.sights.get(stack_key(here, side, inside), UNSEEN)
    shown = tuple([unit.number for unit in units if unit.number in seen])
    known = tp if knows(pos.options, viewer, side) else None
    return SeenForce(here, side, inside, shown, known, sight.low, sight.high, sight.since, chief, nation)


def covered(pos: Position, viewer: ViewerId) -> tuple[Decision, ...]:
    """The decisions in progress as a viewer sees them."""
    return tuple([frame.covered(pos, viewer) for frame in pos.frames]) if is_veiled(pos, viewer) else pos.frames


def seen_units(pos: Position, viewer: ViewerId) -> dict[LeaderId, Unit]:
    """The units that a viewer sees, kept with the position (R1.8)."""
    kept: tuple[object, dict[LeaderId, Unit]] | None = pos.known.get(("seen", viewer))
    if kept is None or kept[0] is not pos.frames:
        kept = pos.known["seen", viewer] = pos.frames, _seen_units(pos, viewer)
    return kept[1]


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

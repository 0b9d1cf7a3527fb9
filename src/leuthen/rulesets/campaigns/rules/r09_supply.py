"""R9, V3: depots and their range, needs and loads of a force, and payment.

V3.5: a group pays as it first moves. Groups that leave a hex by the same hexside pay together, and only once.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model.data import AUSTRIA, COALITION, PRUSSIAN, RUSSIA, SIDE_OF, GameData
from leuthen.rulesets.campaigns.model.events import Paid
from leuthen.rulesets.campaigns.model.forces import (
    commander,
    force_at,
    inside_tp,
    is_besieged,
    is_friendly,
    open_places,
    strength,
)
from leuthen.rulesets.campaigns.model.pieces import FRESH, HUNGRY, PAID, Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position, give_away
from leuthen.wargame.board import WIDTH, Hex, Hexes, hex_set, hexes_of
from leuthen.wargame.strength import ALL_SP, LeaderId, all_of

MOST_MOVES: Final = 2  # of a leader in a turn (V4)
RANGE: Final = 2  # hexes from a depot (R9.6)
WAGON_LOAD: Final = 4
LEADER_LOAD: Final = 6
_AUSTRIANS: Final = all_of([AUSTRIA])
RUSSIAN_EDGE: Final = 46  # the column by which Russia is supplied (R9.2)


def need(pos: Position, tp: int) -> int:
    """Return the SP that these TP need (R9.7; V3: rounded down, or by option 1 for 25 to the nearest whole)."""
    if not pos.options.einhorn:
        return -(-tp // 20)
    return (2 * tp + 25) // 50 if pos.options.need25 else tp // 20


def load_limit(pos: Position, unit: Unit) -> int:
    """Return the most SP of a unit: a leader 1 for 10 TP, rounded up, at most 6 (R9.5); a wagon 4 (R9.3)."""
    return WAGON_LOAD if unit.number >= pos.data.wagons else min(LEADER_LOAD, -(-(unit.tp % ALL_SP) // 10))


@memoized("lasting")
def austrian_zone(pos: Position) -> Hexes:
    """Return the hexes next to an Austrian field force (V3.2a): none in the base game.

    With `hidden` only forces under an Austrian commander count (R1.11).
    """
    if not pos.options.einhorn:
        return 0
    camps = hex_set([unit.hex for unit in pos.units.values() if unit.tp & _AUSTRIANS and not unit.inside])
    if pos.options.hidden:
        chiefs = {here: commander(pos, force_at(pos, here, COALITION, False)) for here in hexes_of(camps)}
        camps = hex_set(here for here, chief in chiefs.items() if pos.leader(chief).nation == AUSTRIA)
    return pos.data.board.spread(camps)


def open_hexes(pos: Position, side: Side) -> Hexes:
    """Return the hexes that a path from a depot may use (R9.6, V3.2a)."""
    there = pos.census
    enemy = there.fields[OTHER[side]] | there.insides[OTHER[side]]
    zone = austrian_zone(pos) & ~there.fields[PRUSSIAN] if side == PRUSSIAN else 0
    return pos.data.board.land & ~enemy & ~zone


def is_working(pos: Position, here: Hex) -> bool:
    """Return whether a depot works: its side holds the place, not besieged (R9.2)."""
    return bool(open_places(pos, SIDE_OF[pos.depots[here].nation]) >> here & 1)


@memoized("lasting")
def working_depots(pos: Position, side: Side) -> list[Hex]:
    places = open_places(pos, side)
    return [here for here, depot in pos.depots.items() if SIDE_OF[depot.nation] == side and places >> here & 1]


@memoized("lasting")
def depot_range(pos: Position, side: Side) -> Hexes:
    """Return all hexes in range of a side's depots (R9.6): only the last hex of a path may be closed."""
    found = hex_set(working_depots(pos, side))
    passable, spread = open_hexes(pos, side), pos.data.board.spread
    edge = found
    for _ in range(RANGE):
        edge = spread(edge & passable)
        found |= edge
    return found


def is_near(pos: Position, here: Hex, side: Side, inside: bool) -> bool:
    """Return whether a place is in depot range or feeds the force; in a scenario's first turn always (R9.6).

    A friendly stronghold feeds the force inside if it is not besieged, or is a port (R9.9).
    """
    if pos.is_first:
        return True
    is_shut = inside and is_besieged(pos, here, side)
    if inside and is_friendly(pos, here, side) and (not is_shut or pos.data.strongholds[here].port):
        return True
    return bool(depot_range(pos, side) >> here & 1) and not is_shut


def stock(units: Iterable[Unit]) -> int:
    return sum([unit.sp for unit in units])


def is_supplied(pos: Position, units: Sequence[Unit]) -> bool:
    """Return whether units of one force, wagons included, are in supply (R9.6).

    Units that could pay are, unless a leader among them has gone hungry: he saved his SP and starved.
    """
    unit = units[0]
    if is_near(pos, unit.hex, pos.side(unit.number), unit.inside):
        return True
    return stock(units) >= need(pos, strength(units)) and not any(one.hunger for one in units)


def pay(draft: Draft, numbers: Iterable[LeaderId], points: int) -> None:
    """Take SP from units (R9.5): leaders before wagons, the fullest first. An empty wagon is removed (R9.3)."""
    numbers = tuple(numbers)
    give_away(draft, *{draft.side(number) for number in numbers if number in draft.units})  # by what vanishes
    for _ in range(points):
        units = [draft.units[number] for number in numbers if number in draft.units and draft.units[number].sp]
        payer = max(units, key=lambda unit: (not draft.data.is_wagon(unit.number), unit.sp, -unit.number))
        spend(draft, payer.number, 1)


def spend(draft: Draft, number: LeaderId, points: int) -> None:
    """Take SP from a unit; an empty wagon without men is removed (R9.3)."""
    give_away(draft, draft.side(number))  # by what vanishes
    unit = draft.change(number, sp=draft.units[number].sp - points)
    if not unit.sp and not unit.tp and draft.data.is_wagon(number):
        draft.remove(number)


def load(draft: Draft, numbers: Sequence[LeaderId], points: int) -> None:
    """Share SP among units up to their limits, in this order."""
    for number in numbers:
        unit = draft.units[number]
        part = min(points, max(0, load_limit(draft, unit) - unit.sp))
        if part:
            draft.change(number, sp=unit.sp + part)
            points -= part


def load_room(pos: Position, units: Iterable[Unit]) -> int:
    return sum([max(0, load_limit(pos, unit) - unit.sp) for unit in units])


def is_cut(pos: Position, here: Hex) -> bool:
    """Return whether a depot lacks a path to a home stronghold, for Russia to its map edge (R9.2)."""
    nation = pos.depots[here].nation
    side = SIDE_OF[nation]
    there = pos.census
    goals = open_places(pos, side) & pos.data.home_sets[nation]
    if nation == RUSSIA:
        goals |= russian_edge(pos.data)
    zone = austrian_zone(pos) & ~there.fields[PRUSSIAN] if side == PRUSSIAN else 0
    passable = pos.data.board.land & ~there.fields[OTHER[side]] & ~zone
    seen = edge = 1 << here
    while edge and not seen & goals:
        edge = pos.data.board.spread(edge) & passable & ~seen
        seen |= edge
    return not seen & goals


@memoized("memo")
def russian_edge(data: GameData) -> Hexes:
    """Return the land hexes that supply Russia (R9.2)."""
    return hex_set(here for here in hexes_of(data.board.land) if here % WIDTH == RUSSIAN_EDGE)


def is_overcrowded(pos: Position, here: Hex, side: Side) -> bool:
    """Return whether a besieged place holds more TP than it feeds (R9.9); a port feeds all."""
    if not is_besieged(pos, here, side) or pos.data.strongholds[here].port:
        return False
    return inside_tp(pos, here, side) > pos.data.kind_at(here).garrison


class Owed(NamedTuple):
    """The SP that a group owes for its first move: `usual`, and by first hex where others have gone before."""

    usual: int
    others: Mapping[Hex, int]

    def by(self, there: Hex) -> int:
        return self.others.get(there, self.usual)

    @property
    def least(self) -> int:
        return min((self.usual, *self.others.values()))

    @property
    def most(self) -> int:
        return max((self.usual, *self.others.values()))


NOTHING = Owed(0, {})


def owed_by(pos: Position, units: Sequence[Unit]) -> Owed:
    """Return the debt of a group: the need of units that are far and have not paid; the others ate at their depot."""
    due = [unit for unit in units if unit.far and must_pay(pos, unit)]
    if not due:
        return NOTHING
    now, here = strength(due), units[0].hex
    gone = departed_tp(pos, pos.side(units[0].number), here) if all(unit.start == here for unit in due) else {}
    return Owed(need(pos, now), {there: need(pos, tp + now) - need(pos, tp) for there, tp in gone.items()})


def must_pay(pos: Position, unit: Unit) -> bool:
    """Return whether a unit must pay or go hungry on its first move: far from depots, with a need (V3.5)."""
    is_due = unit.far and unit.fodder == FRESH and pos.options.einhorn
    return is_due and (unit.tp > 0 or unit.number < pos.data.wagons)


@memoized("known")
def departed_tp(pos: Position, side: Side, here: Hex) -> dict[Hex, int]:
    """Return the TP already paid for that left a hex of the snapshot, by their first hex."""
    found: dict[Hex, int] = {}
    for number, unit in pos.units.items():
        if unit.fed and unit.start == here and unit.via not in (-1, here) and pos.side(number) == side:
            found[unit.via] = found.get(unit.via, 0) + unit.fed
    return found


def forage_values(pos: Position, units: Sequence[Unit]) -> list[bool]:
    """Return whether a group may pay for its first move (False), or go without (True)."""
    owed = owed_by(pos, units)
    if not owed.most:
        return [False]
    return [False, True] if sum(unit.sp for unit in units) >= owed.least else [True]


def count_move(draft: Draft, units: Iterable[Unit]) -> None:
    for unit in units:
        draft.change(unit.number, moves=unit.moves + 1)


def set_off(draft: Draft, side: Side, units: Sequence[Unit], there: Hex, *, forage: bool) -> None:
    """Start a move into its first hex: the group pays or goes hungry. Without a way `there` is its own hex."""
    give_away(draft, side)  # a wagon may be used up
    owed = owed_by(draft, units)
    if owed is NOTHING:
        return
    due, numbers = owed.by(there), tuple(unit.number for unit in units)
    if due:
        draft.emit(Paid(side=side, units=numbers, points=due, hungry=forage))
    hungry = forage and due > 0
    for unit in units:
        if not must_pay(draft, unit):
            continue
        if hungry:
            draft.change(unit.number, fodder=HUNGRY)
        else:
            draft.change(unit.number, fodder=PAID, via=there, fed=unit.strength)
    if due and not forage:
        pay(draft, numbers, due)

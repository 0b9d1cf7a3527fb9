"""R9, V3, R17.6: depots and their range, needs, loads and payment; step D (depots, wagons, loading), and step H
(feeding, attrition, and who bears the losses).

V3.5: a group pays as it first moves. Groups that leave a hex by the same hexside pay together, and only once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, NamedTuple, Self

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token, script_of
from leuthen.engine.decision import Done
from leuthen.engine.memo import memoized
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import OTHER, SIDES, ActorId, Side, ViewerId
from leuthen.rulesets.campaigns.model import events, forces
from leuthen.rulesets.campaigns.model.actions import Build, Create, Feed, Load, Remove, Starve, SupplyAction
from leuthen.rulesets.campaigns.model.data import AUSTRIA, COALITION, PRUSSIAN, RUSSIA, SIDE_OF, GameData
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, FRESH, HUNGRY, PAID, Depot, Unit
from leuthen.rulesets.campaigns.model.state import Decision, Draft, Position, SideDecision, SideRoll
from leuthen.rulesets.campaigns.rules.r02_leaders import Place, free_wagon
from leuthen.rulesets.campaigns.rules.r12_fight import Account, Split, Spreading, take_losses
from leuthen.wargame.board import NOWHERE, WIDTH, Hex, Hexes, as_hex, hex_set, hexes_of
from leuthen.wargame.strength import ALL_SP, LeaderId, all_of, as_leader

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
        chiefs = {here: forces.commander(pos, forces.force_at(pos, here, COALITION, False)) for here in hexes_of(camps)}
        camps = hex_set(here for here, chief in chiefs.items() if pos.leader(chief).nation == AUSTRIA)
    return pos.data.board.spread(camps)


def passable_hexes(pos: Position, side: Side, enemies: Hexes) -> Hexes:
    """Return the hexes that supply of a side passes: no enemies and no Austrian zone (R9.2, R9.6, V3.2a)."""
    zone = austrian_zone(pos) & ~pos.census.fields[PRUSSIAN] if side == PRUSSIAN else 0
    return pos.data.board.land & ~enemies & ~zone


def is_working(pos: Position, here: Hex) -> bool:
    """Return whether a depot works: its side holds the place, not besieged (R9.2)."""
    return bool(forces.open_places(pos, SIDE_OF[pos.depots[here].nation]) >> here & 1)


@memoized("lasting")
def working_depots(pos: Position, side: Side) -> list[Hex]:
    places = forces.open_places(pos, side)
    return [here for here, depot in pos.depots.items() if SIDE_OF[depot.nation] == side and places >> here & 1]


@memoized("lasting")
def depot_range(pos: Position, side: Side) -> Hexes:
    """Return all hexes in range of a side's depots (R9.6): only the last hex of a path may be closed."""
    there, foe, spread = pos.census, OTHER[side], pos.data.board.spread
    passable = passable_hexes(pos, side, there.fields[foe] | there.insides[foe])
    found = edge = hex_set(working_depots(pos, side))
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
    is_shut = inside and forces.is_besieged(pos, here, side)
    if inside and forces.is_friendly(pos, here, side) and (not is_shut or pos.data.strongholds[here].port):
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
    return stock(units) >= need(pos, forces.strength(units)) and not any(one.hunger for one in units)


def pay(draft: Draft, numbers: Iterable[LeaderId], points: int) -> None:
    """Take SP from units (R9.5): leaders before wagons, the fullest first. An empty wagon is removed (R9.3)."""
    numbers = tuple(numbers)
    draft.give_away(*{draft.side(number) for number in numbers if number in draft.units})  # by what vanishes
    for _ in range(points):
        units = [draft.units[number] for number in numbers if number in draft.units and draft.units[number].sp]
        payer = max(units, key=lambda unit: (not draft.data.is_wagon(unit.number), unit.sp, -unit.number))
        spend(draft, payer.number, 1)


def spend(draft: Draft, number: LeaderId, points: int) -> None:
    """Take SP from a unit; an empty wagon without men is removed (R9.3)."""
    draft.give_away(draft.side(number))  # by what vanishes
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
    goals = forces.open_places(pos, side) & pos.data.home_sets[nation]
    if nation == RUSSIA:
        goals |= russian_edge(pos.data)
    passable = passable_hexes(pos, side, pos.census.fields[OTHER[side]])
    seen = edge = 1 << here
    while edge and not seen & goals:
        edge = pos.data.board.spread(edge) & passable & ~seen
        seen |= edge
    return not seen & goals


@memoized("memo")
def russian_edge(data: GameData) -> Hexes:
    """Return the land hexes that supply Russia (R9.2)."""
    return hex_set(here for here in hexes_of(data.board.land) if here % WIDTH == RUSSIAN_EDGE)


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
    now, here = forces.strength(due), units[0].hex
    gone = departed_tp(pos, pos.side(units[0].number), here) if all(unit.start == here for unit in due) else {}
    return Owed(need(pos, now), {there: need(pos, tp + now) - need(pos, tp) for there, tp in gone.items()})


def must_pay(pos: Position, unit: Unit) -> bool:
    """Return whether a unit must pay or go hungry on its first move: far from depots, with a need (V3.5)."""
    eats = unit.tp > 0 or unit.number < pos.data.wagons
    return unit.far and unit.fodder == FRESH and pos.options.einhorn and eats


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
    draft.give_away(side)  # a wagon may be used up
    owed = owed_by(draft, units)
    if owed is NOTHING:
        return
    due, numbers = owed.by(there), tuple(unit.number for unit in units)
    if due:
        draft.emit(events.Paid(side=side, units=numbers, points=due, hungry=forage))
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


_NO: Final = Refusal("R9.1", "not possible there")
CUT: Final = 3  # consecutive steps D that remove a cut depot (R9.2)
BUILDING: Final = 2  # SP of a wagon that becomes a depot (R9.1)


class Loading(Decision, rule="R9.5", name="Loading"):
    """Step D begins: cut depots are removed (R9.2), wagons filled (R9.3) and leaders loaded (R9.5)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        for here in list(draft.depots):
            depot = draft.depots[here]
            side, cut = SIDE_OF[depot.nation], depot.cut + 1 if is_cut(draft, here) else 0
            if cut >= CUT:
                draft.set_depot(here, None)
                what = "is cut off and removed"
                draft.emit(events.DepotChanged(side=side, hex=here, nation=depot.nation, what=what, by="R9.2"))
            elif cut != depot.cut:
                draft.set_depot(here, Depot(depot.nation, cut))
        for number, unit in list(draft.units.items()):
            if unit.hex not in draft.depots:
                continue
            side, points = draft.side(number), load_limit(draft, unit) - unit.sp
            if points <= 0 or unit.hex not in working_depots(draft, side):
                continue
            draft.change(number, sp=unit.sp + points)
            if draft.data.is_wagon(number):
                draft.emit(events.WagonMade(side=side, wagon=number, hex=unit.hex, filled=True))
            else:
                draft.emit(events.SpMoved(side=side, taker=number, source="the depot", points=points))
        draft.push_in_order(map(SupplyStep, SIDES))


@memoized("known")
def _loads(pos: Position, side: Side) -> dict[LeaderId, list[LeaderId]]:
    found: dict[LeaderId, list[LeaderId]] = {}
    carts: dict[Hex, list[LeaderId]] = {}
    for wagon in pos.data.wagons_of[side]:
        if wagon in pos.units and pos.units[wagon].sp:
            carts.setdefault(pos.units[wagon].hex, []).append(wagon)
    sides, wagons = pos.data.sides, pos.data.wagons
    for number, unit in pos.units.items():
        if unit.hex not in carts or number >= wagons or sides[number] != side:
            continue
        if unit.sp >= load_limit(pos, unit):
            continue
        if not (unit.inside and forces.is_besieged(pos, unit.hex, side)):  # R10.6
            found[number] = carts[unit.hex]
    return found


class SupplyStep(
    SideDecision[SupplyAction],
    rule="R9.1",
    name="Supply",
    prompt="Supply: make a wagon, build or remove a depot, or load from a wagon",
    neutral=Done(),
):
    """A side's part of step D: wagons, depots, loading from wagons. `made`: nations that have made a wagon."""

    made: tuple[int, ...] = ()

    def creatable(self, pos: Position) -> list[Hex]:
        """Return the depots where a wagon may be made (R9.3)."""
        depots = working_depots(pos, self.side)
        key = "creatable", self.side, self.made
        return pos.lasting.get_or_compute(key, lambda: [here for here in depots if not self._why_not_create(pos, here)])

    def _why_not_create(self, pos: Position, here: Hex) -> Refusal | None:
        depot = pos.depots.get(here)
        if depot is None or here not in working_depots(pos, self.side):
            return Refusal("R9.3", "make a wagon at a working depot of its nation", (), here)
        nation = pos.data.nations[depot.nation]
        lacks_wagon = free_wagon(pos, depot.nation) < 0
        return first_refusal(
            here,
            (pos.status[depot.nation] != AT_WAR, "R9.3", "{} is not at war", nation.name),
            (depot.nation in self.made, "R9.3", "{} has already made a wagon this turn", nation.name),
            (lacks_wagon, "R9.3", "{} already has all its wagons in use: {}", nation.name, nation.wagons),
        )

    def builders(self, pos: Position) -> list[LeaderId]:
        """Return the wagons that may become depots (R9.1)."""
        wagons = [n for n in pos.data.wagons_of[self.side] if n in pos.units]
        key = "builders", self.side
        return pos.known.get_or_compute(key, lambda: [n for n in wagons if not self._why_not_build(pos, n)])

    def _why_not_build(self, pos: Position, number: LeaderId) -> Refusal | None:
        unit = pos.units.get(number)
        if unit is None or number < pos.data.wagons or pos.data.sides[number] != self.side:
            return Refusal("R9.1", "make a depot from one of your wagons")
        here, whose, side = unit.hex, pos.data.leaders[number].nation, self.side
        refusal = first_refusal(
            here,
            (unit.sp < BUILDING, "R9.1", "the wagon has only {} SP", unit.sp),
            (unit.left, "R9.1", "the wagon has moved since the last step D"),
            (unit.tp, "V7.4", "the wagon carries freed men"),
            (not forces.is_friendly(pos, here, side), "R9.1", "a depot needs a friendly stronghold"),
        )
        if refusal is not None:
            return refusal
        name, nation = pos.data.strongholds[here].name, pos.data.nations[whose]
        there = forces.inside_tp(pos, here, side) + forces.field_tp(pos, here, side)
        used = [depot.nation for depot in pos.depots.values()].count(whose)
        all_used = "{} already has all its depots in use: {}"
        return first_refusal(
            here,
            (pos.is_enemy_ground(here), "R5.6", "{} belongs to a neutral nation", name),
            (here in pos.depots, "R9.1", "there is already a depot"),
            (forces.is_besieged(pos, here, side), "R9.2", "the place is besieged"),
            (not there, "R9.1", "friendly TP must be in the hex"),
            (used >= nation.depots, "R9.1", all_used, nation.name, nation.depots),
        )

    def loads(self, pos: Position) -> dict[LeaderId, list[LeaderId]]:
        """Return the leaders who may load, with their wagons (R9.5)."""
        return _loads(pos, self.side)

    def removable(self, pos: Position) -> list[Hex]:
        return [here for here, depot in pos.depots.items() if SIDE_OF[depot.nation] == self.side]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the side if it has a choice; with `hidden` always."""
        able = pos.options.hidden or self.creatable(pos) or self.builders(pos) or self.loads(pos) or self.removable(pos)
        return (self.side,) if able else ()

    def script(self, pos: Position, actor: Side) -> Script[SupplyAction]:
        found = {"done": True, "create": self.creatable(pos), "build": self.builders(pos), "load": self.loads(pos)}
        kinds = [kind for kind, choices in {**found, "remove": self.removable(pos)}.items() if choices]
        kind = yield Slot("do", kinds, partial(self._no_kind, pos), explain=partial(self._why_not, pos))
        if kind == "create":
            why = partial(self._why_not_create, pos)
            return Create(as_hex((yield Slot("hex", self.creatable(pos), lambda t: why(as_hex(t)) or _NO))))
        if kind == "build":
            bar = partial(self._why_not_build, pos)
            return Build(as_leader((yield Slot("wagon", self.builders(pos), lambda t: bar(as_leader(t)) or _NO))))
        if kind == "remove":
            none = partial(Refusal, "R9.1", "you have no depot there", ())
            return Remove(as_hex((yield Slot("hex", self.removable(pos), lambda token: none(int(token))))))
        if kind == "done":
            return Done()
        able = self.loads(pos)
        leader = as_leader((yield Slot("leader", sorted(able), lambda t: self._why_not_load(pos, as_leader(t)))))
        wagon = as_leader((yield Slot("wagon", able[leader], Refusal("R9.5", "no such wagon is in his hex"))))
        unit = pos.units[leader]
        most = min(pos.units[wagon].sp, load_limit(pos, unit) - unit.sp)
        much = Refusal("R9.5", "at most {} SP", (most,), unit.hex)
        return Load(leader, wagon, int((yield Slot("points", range(1, most + 1), much, canon=(most,)))))

    def _no_kind(self, pos: Position, token: Token) -> Refusal:
        """Return the reason: that against the first depot or wagon."""
        if token == "create":
            found = (self._why_not_create(pos, here) for here in working_depots(pos, self.side))
            return next(filter(None, found), Refusal("R9.3", "you have no working depot to make a wagon at"))
        if token == "build":
            wagons = [n for n in pos.data.wagons_of[self.side] if n in pos.units]
            found = (self._why_not_build(pos, number) for number in wagons)
            return next(filter(None, found), Refusal("R9.1", "you have no wagon to make a depot from"))
        known = {
            "load": Refusal("R9.5", "none of your leaders with room has a wagon with SP in his hex"),
            "remove": Refusal("R9.1", "no depot of yours is on the map"),
        }
        return known.get(str(token), Refusal("R3.0", 'this is step D, supply: "{}" is not possible now', (token,)))

    def _why_not(self, pos: Position, action: Action) -> Refusal | None:
        if isinstance(action, Create):
            return self._why_not_create(pos, action.hex)
        if isinstance(action, Build):
            return self._why_not_build(pos, action.wagon)
        return self._why_not_load(pos, action.leader) if isinstance(action, Load) else None

    def _why_not_load(self, pos: Position, number: LeaderId) -> Refusal:
        unit = pos.units.get(number)
        if unit is not None and pos.side(number) == self.side and unit.sp >= load_limit(pos, unit):
            return Refusal("R9.5", "{} cannot carry more SP", (pos.leader(number).name,), unit.hex)
        return Refusal("R9.5", "you have no wagon with SP in his hex")

    def answer(self, draft: Draft, actor: Side, action: SupplyAction) -> None:
        match action:
            case Done():
                draft.pop()
            case Create():
                nation = draft.depots[action.hex].nation
                number = free_wagon(draft, nation)
                draft.put(Unit(number, action.hex, sp=WAGON_LOAD))
                draft.amend(self, made=(*self.made, nation))
                draft.emit(events.WagonMade(side=self.side, wagon=number, hex=action.hex, filled=False))
            case Build():
                unit, nation = draft.units[action.wagon], draft.leader(action.wagon).nation
                draft.remove(action.wagon)
                draft.set_depot(unit.hex, Depot(nation))
                draft.emit(events.DepotChanged(side=self.side, hex=unit.hex, nation=nation, what="is built"))
            case Remove():
                nation = draft.depots[action.hex].nation
                draft.set_depot(action.hex, None)
                draft.emit(events.DepotChanged(side=self.side, hex=action.hex, nation=nation, what="is removed"))
            case _:
                draft.change(action.leader, sp=draft.units[action.leader].sp + action.points)
                spend(draft, action.wagon, action.points)
                source = f"wagon {draft.leader(action.wagon).name}"
                draft.emit(events.SpMoved(side=self.side, taker=action.leader, source=source, points=action.points))


WINTER_TOLLS: Final = (15, 17)  # turns (R17.6)
TOLL: Final = 5
HEAVY_TOLL: Final = 10  # per cent, from the third consecutive turn (R9.7)
LONG: Final = 3
TWICE: Final = 2  # turns out of supply from which moved units roll too (V3.5)


def places(pos: Position, side: Side) -> list[Place]:
    sides = pos.data.sides
    return sorted({(unit.hex, unit.inside) for n, unit in pos.units.items() if unit.tp and sides[n] == side})


def units_to_feed(pos: Position, side: Side, place: Place) -> list[Unit]:
    """Return the leaders of a force who must be fed in step H (R9.7, V3.5, R9.9)."""
    here, inside = place
    is_shut = inside and forces.is_besieged(pos, here, side)
    is_fed = is_near(pos, here, side, inside)
    if is_shut:  # the place feeds as many TP as its garrison may have, a port all (R9.9)
        most = pos.data.kind_at(here).garrison
        is_fed = pos.data.strongholds[here].port or forces.inside_tp(pos, here, side) <= most
    if is_fed:
        return []
    units = forces.troops_at(pos, here, side, inside)
    if is_shut:
        return units
    return [unit for unit in units if not unit.left and unit.fodder != PAID] if pos.options.einhorn else units


def sp_due(pos: Position, side: Side, place: Place) -> int:
    """Return the SP due in step H: the need of all who have stayed, less earlier payment there (V3.5)."""
    eating, (here, inside) = units_to_feed(pos, side, place), place
    if not eating or pos.is_first:
        return 0
    there = [unit for unit in forces.force_at(pos, here, side, inside) if unit not in eating and not unit.left]
    fed = sum(unit.fed for unit in there) if pos.options.einhorn else 0
    return need(pos, forces.strength(eating) + fed) - need(pos, fed)


def payers(pos: Position, side: Side, place: Place) -> list[Unit]:
    here, inside = place
    wagons = [wagon for wagon in forces.wagons_at(pos, here, side) if not wagon.tp]
    return [*forces.force_at(pos, here, side, inside), *wagons]


class SupplyCheck(SideDecision, rule="R9.7", name="Supply check", veiled={"done": (), "unfed": ()}):
    """Step H of one side: each force pays or is out of supply; then hunger takes effect."""

    done: tuple[tuple[Hex, bool], ...] = ()
    unfed: tuple[int, ...] = ()

    def step(self, draft: Draft) -> None:
        draft.give_away(self.side)  # whether anybody must be fed, or rolls
        done = self.done
        for place in [place for place in places(draft, self.side) if place not in done]:
            if due := sp_due(draft, self.side, place):
                draft.amend(self, done=done)
                draft.push(Feeding(self.side, *place, due))
                return
            done = (*done, place)
        draft.pop()
        count_hunger(draft, self.side, self.unfed)


class Feeding(
    SideDecision[Feed | Starve],
    rule="R9.7",
    variant="V3.5",
    name="Feeding a force",
    neutral=None,
    veiled={"hex": NOWHERE, "inside": False, "due": 0},
):
    hex: Hex
    inside: bool
    due: int

    @property
    def place(self) -> Place:
        return self.hex, self.inside

    def units(self, pos: Position) -> list[Unit]:
        """Return the leaders who must be fed; none for a viewer who does not know the force."""
        return units_to_feed(pos, self.side, self.place) if self.hex >= 0 else []

    def after_removal(self, pos: Position) -> Self | None:
        due = sp_due(pos, self.side, self.place) if self.hex >= 0 else 0
        return self.with_values(due=due) if due or self.hex < 0 else None

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if stock(payers(pos, self.side, self.place)) >= self.due else ()

    def step(self, draft: Draft) -> None:
        self._settle(draft, paid=False)

    def script(self, pos: Position, actor: Side) -> Script[Feed | Starve]:
        return script_of((Feed(), Starve()), self.rule(pos), "choose feed or starve")

    def answer(self, draft: Draft, actor: Side, action: Feed | Starve) -> None:
        self._settle(draft, paid=isinstance(action, Feed))

    def _settle(self, draft: Draft, *, paid: bool) -> None:
        units = tuple(unit.number for unit in self.units(draft))
        draft.pop()
        check = draft.frames[-1]
        assert isinstance(check, SupplyCheck)
        unfed = check.unfed if paid else (*check.unfed, *units)
        draft.amend(check, done=(*check.done, self.place), unfed=unfed)
        if paid:
            pay(draft, [unit.number for unit in payers(draft, self.side, self.place)], self.due)
        by, points = self.rule(draft), self.due
        draft.emit(events.ForceFed(side=self.side, hex=self.hex, units=units, points=points, paid=paid, by=by))

    def prompt(self, pos: Position, actor: Side) -> str:
        if self.hex < 0:
            return self.NAME
        chief = forces.commander(pos, self.units(pos))
        who = pos.leader(chief).name if chief >= 0 else "The force"
        return f"{who} at {pos.data.book.place(self.hex)} needs {self.due} SP: feed or let starve"


def count_hunger(draft: Draft, side: Side, unfed: Sequence[int]) -> None:
    """Count consecutive turns without supply, and take the losses (R9.7, V3.5)."""
    sides = draft.data.sides
    for number, unit in list(draft.units.items()):
        if sides[number] == side:
            is_hungry = draft.options.einhorn and unit.fodder == HUNGRY and unit.tp  # far from depots (V3.5)
            lacks = number in unfed or (is_hungry and not is_near(draft, unit.hex, side, unit.inside))
            hunger = unit.hunger + 1 if lacks else 0
            if hunger != unit.hunger:
                draft.change(number, hunger=hunger)
    if not draft.options.einhorn:  # 5 % of the TP of a force, 10 % from the third turn in a row (R9.7)
        for here, inside in reversed(places(draft, side)):
            if starving := [unit for unit in forces.troops_at(draft, here, side, inside) if unit.number in unfed]:
                percent = HEAVY_TOLL if max(unit.hunger for unit in starving) >= LONG else TOLL
                push_toll(draft, side, starving, percent, by="R9.7")
        return
    rolls = []
    for here, inside in places(draft, side):
        force = forces.troops_at(draft, here, side, inside)
        rollers = [unit for unit in force if unit.number in unfed or unit.hunger >= TWICE]
        if rollers:
            rolls.append(AttritionRoll(side, tuple(unit.number for unit in rollers)))
    rolling = {number for roll in rolls for number in roll.leaders}
    for number, unit in list(draft.units.items()):
        if unit.rolls and sides[number] == side and number not in rolling:
            draft.change(number, rolls=0)
    draft.push_in_order(rolls)


def push_toll(draft: Draft, side: Side, force: Sequence[Unit], percent: int, *, by: str) -> None:
    points = forces.percent_of(percent, forces.strength(force))
    draft.widen_sight(force[0].hex, side, force[0].inside, percent)
    if points:
        draft.push(Toll(side, points, tuple(unit.number for unit in force), by))


class AttritionRoll(SideRoll, rule="V3.5t", name="Attrition"):
    """A force rolls for attrition; +1 for each turn in a row in which it has rolled before (V3.5)."""

    leaders: tuple[LeaderId, ...]

    def mask_for(self, pos: Position, viewer: ViewerId) -> Self:
        """The opponent sees which force rolls, by its commander (R1.11)."""
        if viewer == self.side:
            return self
        unit = pos.units[self.leaders[0]]
        chief = forces.commander(pos, forces.force_at(pos, unit.hex, self.side, unit.inside))
        return self.with_values(leaders=(chief,))

    def rolled(self, draft: Draft, die: int) -> None:
        """Take the percentage of the table; a merged force uses its largest number of turns (V3.5t)."""
        draft.give_away(self.side)  # how long it has hungered
        earlier = max(draft.units[number].rolls for number in self.leaders)
        percent = forces.percent_at(draft.data.attrition, die + earlier, 1)
        side, units = self.side, self.leaders
        draft.emit(events.AttritionRolled(side=side, units=units, die=die, earlier=earlier, percent=percent))
        force = [draft.change(number, rolls=earlier + 1) for number in units]
        push_toll(draft, side, force, percent, by="V3.5t")


class WinterToll(Decision, rule="R17.6", name="Winter attrition"):
    """In turns 15 and 17 a field force without shelter loses 5 %, fed or not (R17.6).

    Shelter is depot range, or the hex of a friendly stronghold.
    """

    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.turn not in WINTER_TOLLS:
            return
        for side in reversed(SIDES):
            for here, inside in reversed(places(draft, side)):
                if not (inside or forces.is_friendly(draft, here, side) or depot_range(draft, side) >> here & 1):
                    push_toll(draft, side, forces.troops_at(draft, here, side, False), TOLL, by=self.RULE)


class Toll(Spreading, rule="V6.1"):
    """Leaders lose TP by the rule `by`; the owner spreads them (R9.7, V3.5, R17.6, V6.1)."""

    FREELY: ClassVar = "R9.7"
    leaders: tuple[LeaderId, ...]
    by: str = "V3.5"

    def rule(self, pos: Position) -> str:
        return self.by

    def after_removal(self, pos: Position) -> Self | None:
        left = super().after_removal(pos)
        points = min(self.points, forces.strength(pos.units[n] for n in left.leaders)) if left is not None else 0
        return left.with_values(points=points) if left is not None and points else None

    def pool(self, pos: Position) -> tuple[list[Account], list[int], int]:
        now = [pos.units[number].strength for number in self.leaders]
        return list(map(Account, self.leaders, now)), now, self.points

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the owner if there is a choice; with `hidden` never: it would reveal several leaders."""
        return (self.side,) if not pos.options.hidden and self.has_choice(pos) else ()

    def take(self, draft: Draft, split: Split) -> None:
        draft.give_away(self.side)  # another may command now
        take_losses(draft, self.leaders, split)
        draft.emit(events.Wasted(side=self.side, units=self.leaders, points=split, by=self.by))

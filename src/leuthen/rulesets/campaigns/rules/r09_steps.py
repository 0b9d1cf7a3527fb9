"""R9, V3.5, R17.6: step D (depots, wagons, loading), and step H (feeding, attrition, and who bears the losses)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, Self

import msgspec

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token, script_of
from leuthen.engine.decision import Done
from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import SIDES, ActorId, Side, ViewerId
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.actions import Build, Create, Feed, Load, Lose, Remove, Starve, SupplyAction
from leuthen.rulesets.campaigns.model.data import SIDE_OF
from leuthen.rulesets.campaigns.model.events import AttritionRolled, DepotChanged, ForceFed, SpMoved, WagonMade, Wasted
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, HUNGRY, PAID, Depot, Unit
from leuthen.rulesets.campaigns.model.state import (
    Decision,
    Draft,
    Position,
    SideDecision,
    SideRoll,
    give_away,
    widen_sight,
)
from leuthen.rulesets.campaigns.rules import r09_supply as supply
from leuthen.rulesets.campaigns.rules.r02_leaders import Place, free_wagon
from leuthen.rulesets.campaigns.rules.r09_supply import depot_range, is_near, is_overcrowded, need, pay, stock
from leuthen.rulesets.campaigns.rules.r12_fight import (
    Account,
    ask_shares,
    default_split,
    free_splits,
    legal_splits,
    take_tp,
    values_in,
)
from leuthen.wargame.board import NOWHERE, Hex, as_hex, hex_name
from leuthen.wargame.strength import EMPTY, LeaderId, as_leader

CUT: Final = 3  # consecutive steps D that remove a cut depot (R9.2)
BUILDING: Final = 2  # SP of a wagon that becomes a depot (R9.1)


class Loading(Decision, rule="R9.5", name="Loading"):
    """Step D begins: cut depots are removed (R9.2), wagons filled (R9.3) and leaders loaded (R9.5)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        for here in list(draft.depots):
            depot = draft.depots[here]
            side, cut = SIDE_OF[depot.nation], depot.cut + 1 if supply.is_cut(draft, here) else 0
            if cut >= CUT:
                draft.set_depot(here, None)
                what = "is cut off and removed"
                draft.emit(DepotChanged(side=side, hex=here, nation=depot.nation, what=what, by="R9.2"))
            elif cut != depot.cut:
                draft.set_depot(here, Depot(depot.nation, cut))
        for number, unit in list(draft.units.items()):
            if unit.hex not in draft.depots:
                continue
            side, points = draft.side(number), supply.load_limit(draft, unit) - unit.sp
            if points <= 0 or unit.hex not in supply.working_depots(draft, side):
                continue
            draft.change(number, sp=unit.sp + points)
            if draft.data.is_wagon(number):
                draft.emit(WagonMade(side=side, wagon=number, hex=unit.hex, filled=True))
            else:
                draft.emit(SpMoved(side=side, taker=number, source="the depot", points=points))
        for side in reversed(SIDES):
            draft.push(SupplyStep(side))


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
        if unit.sp >= supply.load_limit(pos, unit):
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
        depots = supply.working_depots(pos, self.side)
        key = "creatable", self.side, self.made
        return pos.lasting.get_or_compute(key, lambda: [here for here in depots if not self._why_not_create(pos, here)])

    def _why_not_create(self, pos: Position, here: Hex) -> Refusal | None:
        depot = pos.depots.get(here)
        if depot is None or here not in supply.working_depots(pos, self.side):
            return Refusal("R9.3", "make a wagon at a working depot of its nation", (), here)
        name = pos.data.nations[depot.nation].name
        if pos.status[depot.nation] != AT_WAR:
            return Refusal("R9.3", "{} is not at war", (name,), here)
        if depot.nation in self.made:
            return Refusal("R9.3", "{} has already made a wagon this turn", (name,), here)
        if free_wagon(pos, depot.nation) < 0:
            limit = pos.data.nations[depot.nation].wagons
            return Refusal("R9.3", "{} already has all its wagons in use: {}", (name, limit), here)
        return None

    def builders(self, pos: Position) -> list[LeaderId]:
        """Return the wagons that may become depots (R9.1)."""
        wagons = [n for n in pos.data.wagons_of[self.side] if n in pos.units]
        key = "builders", self.side
        return pos.known.get_or_compute(key, lambda: [n for n in wagons if not self._why_not_build(pos, n)])

    def _why_not_build(self, pos: Position, number: LeaderId) -> Refusal | None:
        unit = pos.units.get(number)
        if unit is None or number < pos.data.wagons or pos.data.sides[number] != self.side:
            return Refusal("R9.1", "make a depot from one of your wagons")
        here, nation = unit.hex, pos.data.leaders[number].nation
        if unit.sp < BUILDING:
            return Refusal("R9.1", "the wagon has only {} SP", (unit.sp,), here)
        if unit.left:
            return Refusal("R9.1", "the wagon has moved since the last step D", (), here)
        if unit.tp:
            return Refusal("V7.4", "the wagon carries freed men", (), here)
        if here not in pos.data.strongholds or not forces.is_friendly(pos, here, self.side):
            return Refusal("R9.1", "a depot needs a friendly stronghold", (), here)
        if pos.is_enemy_ground(here):
            return Refusal("R5.6", "{} belongs to a neutral nation", (pos.data.strongholds[here].name,), here)
        if here in pos.depots:
            return Refusal("R9.1", "there is already a depot", (), here)
        if forces.is_besieged(pos, here, self.side):
            return Refusal("R9.2", "the place is besieged", (), here)
        if not forces.inside_tp(pos, here, self.side) and not forces.field_tp(pos, here, self.side):
            return Refusal("R9.1", "friendly TP must be in the hex", (), here)
        limit = pos.data.nations[nation].depots
        if [depot.nation for depot in pos.depots.values()].count(nation) >= limit:
            return Refusal(
                "R9.1", "{} already has all its depots in use: {}", (pos.data.nations[nation].name, limit), here
            )
        return None

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
        kind = yield Slot(
            "do", kinds, lambda token: self._no_kind(pos, token), explain=lambda action: self._why_not(pos, action)
        )
        if kind == "create":
            why = partial(self._why_not_create, pos)
            return Create(as_hex((yield Slot("hex", self.creatable(pos), lambda t: why(as_hex(t)) or _no(t)))))
        if kind == "build":
            bar = partial(self._why_not_build, pos)
            return Build(as_leader((yield Slot("wagon", self.builders(pos), lambda t: bar(as_leader(t)) or _no(t)))))
        if kind == "remove":
            none = partial(Refusal, "R9.1", "you have no depot there", ())
            return Remove(as_hex((yield Slot("hex", self.removable(pos), lambda token: none(int(token))))))
        if kind == "done":
            return Done()
        able = self.loads(pos)
        leader = as_leader((yield Slot("leader", sorted(able), lambda t: self._why_not_load(pos, as_leader(t)))))
        no_wagon = Refusal("R9.5", "no such wagon is in his hex")
        wagon = as_leader((yield Slot("wagon", able[leader], lambda t: no_wagon)))
        unit = pos.units[leader]
        most = min(pos.units[wagon].sp, supply.load_limit(pos, unit) - unit.sp)
        much = Refusal("R9.5", "at most {} SP", (most,), unit.hex)
        return Load(leader, wagon, int((yield Slot("points", range(1, most + 1), lambda token: much, canon=(most,)))))

    def _no_kind(self, pos: Position, token: Token) -> Refusal:
        """Return the reason: that against the first depot or wagon."""
        if token == "create":
            found = (self._why_not_create(pos, here) for here in supply.working_depots(pos, self.side))
            return next(filter(None, found), Refusal("R9.3", "you have no working depot to make a wagon at"))
        if token == "build":
            wagons = [n for n in pos.data.wagons_of[self.side] if n in pos.units]
            found = (self._why_not_build(pos, number) for number in wagons)
            return next(filter(None, found), Refusal("R9.1", "you have no wagon to make a depot from"))
        known = {
            "load": Refusal("R9.5", "none of your leaders with room has a wagon with SP in his hex"),
            "remove": Refusal("R9.1", "no depot of yours is on the map"),
        }
        other = Refusal("R3.0", 'this is step D, supply: "{}" is not possible now', (token,))
        return known.get(str(token), other)

    def _why_not(self, pos: Position, action: Action) -> Refusal | None:
        if isinstance(action, Create):
            return self._why_not_create(pos, action.hex)
        if isinstance(action, Build):
            return self._why_not_build(pos, action.wagon)
        return self._why_not_load(pos, action.leader) if isinstance(action, Load) else None

    def _why_not_load(self, pos: Position, number: LeaderId) -> Refusal:
        unit = pos.units.get(number)
        if unit is not None and pos.side(number) == self.side and unit.sp >= supply.load_limit(pos, unit):
            return Refusal("R9.5", "{} cannot carry more SP", (pos.leader(number).name,), unit.hex)
        return Refusal("R9.5", "you have no wagon with SP in his hex")

    def answer(self, draft: Draft, actor: Side, action: SupplyAction) -> None:
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, Create):
            nation = draft.depots[action.hex].nation
            number = free_wagon(draft, nation)
            draft.put(Unit(number, action.hex, sp=supply.WAGON_LOAD))
            draft.swap(msgspec.structs.replace(self, made=(*self.made, nation)))
            draft.emit(WagonMade(side=self.side, wagon=number, hex=action.hex, filled=False))
        elif isinstance(action, Build):
            unit, nation = draft.units[action.wagon], draft.leader(action.wagon).nation
            draft.remove(action.wagon)
            draft.set_depot(unit.hex, Depot(nation))
            draft.emit(DepotChanged(side=self.side, hex=unit.hex, nation=nation, what="is built"))
        elif isinstance(action, Remove):
            nation = draft.depots[action.hex].nation
            draft.set_depot(action.hex, None)
            draft.emit(DepotChanged(side=self.side, hex=action.hex, nation=nation, what="is removed"))
        else:
            draft.change(action.leader, sp=draft.units[action.leader].sp + action.points)
            supply.spend(draft, action.wagon, action.points)
            source = f"wagon {draft.leader(action.wagon).name}"
            draft.emit(SpMoved(side=self.side, taker=action.leader, source=source, points=action.points))


def _no(token: Token) -> Refusal:
    place = int(token) if isinstance(token, int) else -1
    return Refusal("R9.1", "not possible there: {}", (hex_name(place) if place > 48 else str(token),))


WINTER_TOLLS: Final = (15, 17)  # turns (R17.6)
TOLL: Final = 5
HEAVY_TOLL: Final = 10  # per cent, from the third consecutive turn (R9.7)
LONG: Final = 3
TWICE: Final = 2  # turns out of supply from which moved units roll too (V3.5)


def places(pos: Position, side: Side) -> list[Place]:
    """Return the places of a side's forces with TP under leaders."""
    sides = pos.data.sides
    return sorted({(unit.hex, unit.inside) for n, unit in pos.units.items() if unit.tp and sides[n] == side})


def units_to_feed(pos: Position, side: Side, place: Place) -> list[Unit]:
    """Return the leaders of a force who must be fed in step H (R9.7, V3.5, R9.9)."""
    here, inside = place
    is_shut = inside and forces.is_besieged(pos, here, side)
    if not is_overcrowded(pos, here, side) if is_shut else is_near(pos, here, side, inside):
        return []
    units = forces.troops_at(pos, here, side, inside)
    if is_shut:
        return units
    return [unit for unit in units if not unit.left and unit.fodder != PAID] if pos.options.einhorn else units


def sp_due(pos: Position, side: Side, place: Place, eating: Sequence[Unit]) -> int:
    """Return the SP due in step H: the need of all who have stayed, less earlier payment there (V3.5)."""
    here, inside = place
    there = [unit for unit in forces.force_at(pos, here, side, inside) if unit not in eating and not unit.left]
    fed = sum(unit.fed for unit in there) if pos.options.einhorn else 0
    return need(pos, forces.strength(eating) + fed) - need(pos, fed)


def payers(pos: Position, side: Side, place: Place) -> list[Unit]:
    """Return the units that pay for a force: its leaders, and the wagons of the hex."""
    here, inside = place
    wagons = [wagon for wagon in forces.wagons_at(pos, here, side) if not wagon.tp]
    return [*forces.force_at(pos, here, side, inside), *wagons]


class SupplyCheck(SideDecision, rule="R9.7", name="Supply check", veiled={"done": (), "unfed": ()}):
    """Step H of one side: each force pays or is out of supply; then hunger takes effect."""

    done: tuple[tuple[Hex, bool], ...] = ()
    unfed: tuple[int, ...] = ()

    def step(self, draft: Draft) -> None:
        give_away(draft, self.side)  # whether anybody must be fed, or rolls
        done = list(self.done)
        for place in places(draft, self.side):
            units = units_to_feed(draft, self.side, place) if place not in self.done else []
            due = sp_due(draft, self.side, place, units) if units and not draft.is_first else 0
            if due:
                draft.swap(msgspec.structs.replace(self, done=tuple(done)))
                draft.push(Feeding(self.side, *place, due))
                return
            if place not in self.done:
                done.append(place)
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

    def after_removal(self, pos: Position) -> Self | None:
        place = self.hex, self.inside
        units = units_to_feed(pos, self.side, place) if self.hex >= 0 else []
        due = sp_due(pos, self.side, place, units) if units else 0
        return self.with_values({"due": due}) if due or self.hex < 0 else None

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if stock(payers(pos, self.side, (self.hex, self.inside))) >= self.due else ()

    def step(self, draft: Draft) -> None:
        self._settle(draft, paid=False)

    def script(self, pos: Position, actor: Side) -> Script[Feed | Starve]:
        return script_of((Feed(), Starve()), self.rule(pos), "choose feed or starve")

    def answer(self, draft: Draft, actor: Side, action: Feed | Starve) -> None:
        self._settle(draft, paid=isinstance(action, Feed))

    def _settle(self, draft: Draft, *, paid: bool) -> None:
        place = self.hex, self.inside
        units = tuple(unit.number for unit in units_to_feed(draft, self.side, place)) if self.hex >= 0 else ()
        draft.pop()
        check = draft.frames[-1]
        assert isinstance(check, SupplyCheck)
        unfed = check.unfed if paid else (*check.unfed, *units)
        draft.swap(msgspec.structs.replace(check, done=(*check.done, place), unfed=unfed))
        if paid:
            pay(draft, [unit.number for unit in payers(draft, self.side, place)], self.due)
        draft.emit(ForceFed(side=self.side, hex=self.hex, units=units, points=self.due, paid=paid, by=self.rule(draft)))

    def prompt(self, pos: Position, actor: Side) -> str:
        if self.hex < 0:
            return self.NAME
        chief = forces.commander(pos, units_to_feed(pos, self.side, (self.hex, self.inside)))
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
    for roll in reversed(rolls):
        draft.push(roll)


def push_toll(draft: Draft, side: Side, force: Sequence[Unit], percent: int, *, by: str) -> None:
    points = forces.percent_of(percent, forces.strength(force))
    widen_sight(draft, force[0].hex, side, force[0].inside, percent)
    if points:
        draft.push(Toll(side, tuple(unit.number for unit in force), points, by))


class AttritionRoll(SideRoll, rule="V3.5t", name="Attrition"):
    """A force rolls for attrition; +1 for each turn in a row in which it has rolled before (V3.5)."""

    leaders: tuple[LeaderId, ...]

    def mask_for(self, pos: Position, viewer: ViewerId) -> Self:
        """The opponent sees which force rolls, by its commander (R1.11)."""
        if viewer == self.side:
            return self
        unit = pos.units[self.leaders[0]]
        return msgspec.structs.replace(
            self, leaders=(forces.commander(pos, forces.force_at(pos, unit.hex, self.side, unit.inside)),)
        )

    def rolled(self, draft: Draft, die: int) -> None:
        """Take the percentage of the table; a merged force uses its largest number of turns (V3.5t)."""
        give_away(draft, self.side)  # how long it has hungered
        earlier = max(draft.units[number].rolls for number in self.leaders)
        percent = forces.percent_at(draft.data.attrition, die + earlier, 1)
        draft.emit(AttritionRolled(side=self.side, units=self.leaders, die=die, earlier=earlier, percent=percent))
        for number in self.leaders:
            draft.change(number, rolls=earlier + 1)
        push_toll(draft, self.side, [draft.units[number] for number in self.leaders], percent, by="V3.5t")


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


class Toll(SideDecision[Lose], rule="V6.1", name="Losses", neutral=None):
    """Leaders lose TP by the rule `by`; the owner spreads them (R9.7, V3.5, R17.6, V6.1)."""

    leaders: tuple[LeaderId, ...]
    points: int
    by: str = "V3.5"

    def rule(self, pos: Position) -> str:
        return self.by

    def after_removal(self, pos: Position) -> Self | None:
        left = super().after_removal(pos)
        points = min(self.points, forces.strength(pos.units[n] for n in left.leaders)) if left is not None else 0
        return left.with_values({"points": points}) if left is not None and points else None

    def _accounts(self, pos: Position) -> list[Account]:
        return [Account(n, pos.units[n].strength) for n in self.leaders]

    def splits(self, pos: Position) -> list[tuple[int, ...]]:
        """Return the legal splits: in the base game any."""
        accounts = self._accounts(pos)
        now = [account.start for account in accounts]
        return legal_splits(accounts, now, self.points) if pos.options.einhorn else free_splits(now, self.points)

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the owner if there is a choice; with `hidden` never: it would reveal several leaders."""
        if pos.options.hidden:
            return ()
        return (self.side,) if len(self.leaders) > 1 and len(self.splits(pos)) > 1 else ()

    def step(self, draft: Draft) -> None:
        draft.pop()
        self._take(draft, default_split(self.splits(draft), self._accounts(draft), self.points))

    def script(self, pos: Position, actor: Side) -> Script[Lose]:
        rule = "V6.1" if pos.options.einhorn else "R9.7"
        yield Slot(
            "do", ("lose",), lambda token: Refusal(rule, "spread the loss of {} TP over the leaders", (self.points,))
        )
        splits = self.splits(pos)
        wanted = default_split(splits, self._accounts(pos), self.points)
        return (yield from ask_shares(pos, rule, self.leaders, wanted, partial(values_in, splits)))

    def answer(self, draft: Draft, actor: Side, action: Lose) -> None:
        draft.pop()
        self._take(draft, action.points)

    def _take(self, draft: Draft, split: tuple[int, ...]) -> None:
        give_away(draft, self.side)  # another may command now
        fallen = EMPTY
        for leader, points in zip(self.leaders, split, strict=True):
            fallen += take_tp(draft, leader, points)
        draft.add_dead(fallen)
        draft.emit(Wasted(side=self.side, units=self.leaders, points=tuple(split), by=self.by))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Spread the loss of {self.points} TP over {', '.join(pos.leader(n).name for n in self.leaders)}"

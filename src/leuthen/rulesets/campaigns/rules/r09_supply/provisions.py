"""R9.1, R9.3, R9.5: step D: depots, wagons, loading."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import ActorId, Side
from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model.actions import Build, Create, Done, Load, Remove, SupplyAction
from leuthen.rulesets.campaigns.model.data import SIDE_OF
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.turns import DepotChanged, SpMoved, WagonMade
from leuthen.rulesets.campaigns.model.forces import field_tp, inside_tp, is_besieged, is_friendly, wagons_at
from leuthen.rulesets.campaigns.model.state import AT_WAR, SIDES, Depot, Draft, Position, Unit
from leuthen.rulesets.campaigns.rules.r02_leaders.stragglers import free_wagon
from leuthen.rulesets.campaigns.rules.r09_supply import supply
from leuthen.wargame.board import NOWHERE, Hex, as_hex, hex_name
from leuthen.wargame.strength import LeaderId, as_leader

CUT: Final = 3
"""Steps D in a row after which a depot that is cut is removed (R9.2)."""
BUILDING: Final = 2
"""The SP of a wagon that becomes a depot (R9.1)."""


class Loading(Decision, rule="R9.5", name="Loading"):
    """Step D begins: depots that stay cut are removed (R9.2), wagons filled (R9.3) and leaders loaded (R9.5)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        for here in list(draft.depots):
            self._judge(draft, here)
        for number, unit in list(draft.units.items()):
            depot = depot_for(draft, unit)
            if depot < 0 or unit.sp >= supply.load_limit(draft, unit):
                continue
            draft.change(number, sp=supply.load_limit(draft, unit))
            if draft.data.is_wagon(number):
                draft.emit(WagonMade(side=draft.side(number), wagon=number, hex=unit.hex, filled=True))
            else:
                points = supply.load_limit(draft, unit) - unit.sp
                draft.emit(SpMoved(side=draft.side(number), taker=number, source="the depot", points=points))
        for side in reversed(SIDES):
            draft.push(SupplyStep(side))

    def _judge(self, draft: Draft, here: Hex) -> None:
        depot = draft.depots[here]
        cut = depot.cut + 1 if supply.is_cut(draft, here) else 0
        if cut >= CUT:
            draft.set_depot(here, None)
            side = SIDE_OF[depot.nation]
            draft.emit(
                DepotChanged(side=side, hex=here, nation=depot.nation, what="is cut off, and removed", by="R9.2")
            )
        elif cut != depot.cut:
            draft.set_depot(here, Depot(depot.nation, cut))


def depot_for(pos: Position, unit: Unit) -> Hex:
    """The hex of the working depot from which a unit loads, or -1 (R9.5)."""
    side = pos.side(unit.number)
    depot = pos.depots.get(unit.hex)
    if depot is None or SIDE_OF[depot.nation] != side or not supply.is_working(pos, unit.hex):
        return NOWHERE
    return unit.hex


class SupplyStep(Decision[SupplyAction], rule="R9.1", name="Supply", neutral=Done()):
    """A side's part of step D: wagons, depots, loading from wagons. `made`: nations that have made a wagon."""

    side: Side
    made: tuple[int, ...] = ()

    def creatable(self, pos: Position) -> list[Hex]:
        """The depots at which a wagon may be made (R9.3)."""
        return once(pos.lasting, ("creatable", self.side, self.made), lambda: self._creatable(pos))

    def _creatable(self, pos: Position) -> list[Hex]:
        return [here for here in supply.working_depots(pos, self.side) if not self._why_not_create(pos, here)]

    def _why_not_create(self, pos: Position, here: Hex) -> Refusal | None:
        depot = pos.depots.get(here)
        if depot is None or SIDE_OF[depot.nation] != self.side or not supply.is_working(pos, here):
            return Refusal("R9.3", "a wagon is made at a working depot of its nation", (), here)
        name = pos.data.nations[depot.nation].name
        if pos.status[depot.nation] != AT_WAR:
            return Refusal("R9.3", "{} is not at war", (name,), here)
        if depot.nation in self.made:
            return Refusal("R9.3", "{} has made its wagon of this turn", (name,), here)
        if free_wagon(pos, depot.nation) < 0:
            limit = pos.data.nations[depot.nation].wagons
            return Refusal("R9.3", "all wagons of {} are in use, {}", (name, limit), here)
        return None

    def builders(self, pos: Position) -> list[LeaderId]:
        """The wagons of which a depot may be made (R9.1)."""
        return once(pos.known, ("builders", self.side), lambda: self._builders(pos))

    def _builders(self, pos: Position) -> list[LeaderId]:
        wagons = [n for n in pos.units if pos.data.is_wagon(n) and pos.side(n) == self.side]
        return [number for number in wagons if not self._why_not_build(pos, number)]

    def _why_not_build(self, pos: Position, number: LeaderId) -> Refusal | None:
        unit = pos.units.get(number)
        if unit is None or not pos.data.is_wagon(number) or pos.side(number) != self.side:
            return Refusal("R9.1", "a depot is made of a wagon of yours")
        here, nation = unit.hex, pos.leader(number).nation
        if unit.sp < BUILDING:
            return Refusal("R9.1", "the wagon has only {} SP", (unit.sp,), here)
        if unit.left:
            return Refusal("R9.1", "the wagon has moved since the last step D", (), here)
        if unit.tp:
            return Refusal("V7.4", "the wagon takes freed men along", (), here)
        if here not in pos.data.strongholds or not is_friendly(pos, here, self.side):
            return Refusal("R9.1", "a depot stands in a friendly stronghold", (), here)
        if pos.is_enemy_ground(here):
            return Refusal("R5.6", "{} belongs to a neutral nation", (pos.data.strongholds[here].name,), here)
        if here in pos.depots:
            return Refusal("R9.1", "there is a depot already", (), here)
        if is_besieged(pos, here, self.side):
            return Refusal("R9.2", "the place is besieged", (), here)
        if not inside_tp(pos, here, self.side) and not field_tp(pos, here, self.side):
            return Refusal("R9.1", "friendly TP must be in the hex", (), here)
        limit = pos.data.nations[nation].depots
        if sum(depot.nation == nation for depot in pos.depots.values()) >= limit:
            return Refusal("R9.1", "all depots of {} are in use, {}", (pos.data.nations[nation].name, limit), here)
        return None

    def loads(self, pos: Position) -> dict[LeaderId, list[LeaderId]]:
        """The leaders who may load, with the wagons from which (R9.5)."""
        return once(pos.known, ("loads", self.side), lambda: self._loads(pos))

    def _loads(self, pos: Position) -> dict[LeaderId, list[LeaderId]]:
        found: dict[LeaderId, list[LeaderId]] = {}
        for number, unit in pos.units.items():
            if pos.side(number) != self.side or pos.data.is_wagon(number) or unit.sp >= supply.load_limit(pos, unit):
                continue
            if unit.inside and is_besieged(pos, unit.hex, self.side):  # R10.6
                continue
            wagons = [wagon.number for wagon in wagons_at(pos, unit.hex, self.side) if wagon.sp]
            if wagons:
                found[number] = wagons
        return found

    def removable(self, pos: Position) -> list[Hex]:
        """The side's depots."""
        return [here for here, depot in pos.depots.items() if SIDE_OF[depot.nation] == self.side]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side, if there is anything that it could do; with `hidden` nobody else hears whether there is."""
        able = pos.options.hidden or self.creatable(pos) or self.builders(pos) or self.loads(pos) or self.removable(pos)
        return (self.side,) if able else ()

    def script(self, pos: Position, actor: Side) -> Script[SupplyAction]:
        """A wagon, a depot, loading, or the end."""
        kinds: list[Token] = ["done"]
        kinds += ["create"] if self.creatable(pos) else []
        kinds += ["build"] if self.builders(pos) else []
        kinds += ["load"] if self.loads(pos) else []
        kinds += ["remove"] if self.removable(pos) else []
        kind = yield Slot(
            "do", kinds, lambda token: self._no_kind(pos, token), explain=lambda action: self._why_not(pos, action)
        )
        if kind == "create":
            here = yield Slot(
                "hex", self.creatable(pos), lambda t: self._why_not_create(pos, as_hex(t)) or _no(self, t)
            )
            return Create(as_hex(here))
        if kind == "build":
            wagon = yield Slot(
                "wagon", self.builders(pos), lambda t: self._why_not_build(pos, as_leader(t)) or _no(self, t)
            )
            return Build(as_leader(wagon))
        if kind == "remove":
            here = yield Slot("hex", self.removable(pos), lambda t: Refusal("R9.1", "no depot of yours", (), int(t)))
            return Remove(as_hex(here))
        if kind == "load":
            return (yield from self._load_script(pos))
        return Done()

    def _no_kind(self, pos: Position, token: Token) -> Refusal:
        """Why nothing of a kind can be done: what keeps the first depot or wagon."""
        if token == "create":
            found = (self._why_not_create(pos, here) for here in supply.working_depots(pos, self.side))
            return next(filter(None, found), Refusal("R9.3", "no depot of yours works, to make a wagon at"))
        if token == "build":
            wagons = [n for n in pos.units if pos.data.is_wagon(n) and pos.side(n) == self.side]
            found = (self._why_not_build(pos, number) for number in wagons)
            return next(filter(None, found), Refusal("R9.1", "no wagon of yours is there to make a depot of"))
        if token == "load":
            return Refusal("R9.5", "nobody of yours with room has a wagon with SP in his hex")
        if token == "remove":
            return Refusal("R9.1", "no depot of yours is on the map")
        return Refusal("R3.0", "this is step D, supply: «{}» is not for now", (token,))

    def _why_not(self, pos: Position, action: Action) -> Refusal | None:
        """Why what an action names keeps it from being done, where nothing of its kind can be."""
        if isinstance(action, Create):
            return self._why_not_create(pos, action.hex)
        if isinstance(action, Build):
            return self._why_not_build(pos, action.wagon)
        return self._why_not_load(pos, action.leader) if isinstance(action, Load) else None

    def _why_not_load(self, pos: Position, number: LeaderId) -> Refusal:
        unit = pos.units.get(number)
        if unit is not None and pos.side(number) == self.side and unit.sp >= supply.load_limit(pos, unit):
            return Refusal(
                "R9.5", "there is no room for it: {} may carry no more", (pos.leader(number).name,), unit.hex
            )
        return Refusal("R9.5", "there is nothing for him to load: no wagon of yours with SP is in his hex")

    def _load_script(self, pos: Position) -> Script[Load]:
        loads = self.loads(pos)
        leader = as_leader((yield Slot("leader", sorted(loads), lambda t: self._why_not_load(pos, as_leader(t)))))
        wagon = as_leader(
            (yield Slot("wagon", loads[leader], lambda t: Refusal("R9.5", "no such wagon is in his hex")))
        )
        unit = pos.units[leader]
        most = min(pos.units[wagon].sp, supply.load_limit(pos, unit) - unit.sp)

        def refuse(token: Token) -> Refusal:
            return Refusal("R9.5", "{} SP at most", (most,), unit.hex)

        points = yield Slot("points", range(1, most + 1), refuse, canon=(most,))
        return Load(leader, wagon, int(points))

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

    def prompt(self, pos: Position, actor: Side) -> str:
        return "Supply: make a wagon, build or remove a depot, or load from a wagon"


def _no(step: SupplyStep, token: Token) -> Refusal:
    place = int(token) if isinstance(token, int) else -1
    return Refusal("R9.1", "not there: {}", (hex_name(place) if place > 48 else str(token),))

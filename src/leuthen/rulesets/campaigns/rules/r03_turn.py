"""R3: the sequence of a turn as a list, and step I: TP and SP change hands within a force (R3.2, V2.1, R2.3, R10.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Final

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.memo import memoized
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import OTHER, SIDES, ActorId, Side
from leuthen.rulesets.campaigns.model import forces
from leuthen.rulesets.campaigns.model.actions import Arrange, Hand, Transfer
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, COALITION, NATIONS, PRUSSIAN, SIDE_OF
from leuthen.rulesets.campaigns.model.events import Arranged, GarrisonChanged, SpMoved, StepBegan, TurnBegan
from leuthen.rulesets.campaigns.model.pieces import TURNS, Unit
from leuthen.rulesets.campaigns.model.state import Decision, Draft, Position, SideDecision
from leuthen.rulesets.campaigns.rules import r14_prisoners as prisoners
from leuthen.rulesets.campaigns.rules.r02_leaders import Place, is_bound, leaders_of, why_not_shift
from leuthen.rulesets.campaigns.rules.r04_command.command import Snapshot
from leuthen.rulesets.campaigns.rules.r05_hex_actions import garrison_room, is_open, take_place, why_not_transfer
from leuthen.rulesets.campaigns.rules.r09_supply import Loading, SupplyCheck, WinterToll, load_limit, spend
from leuthen.rulesets.campaigns.rules.r11_siege import SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle import RecoveryStep
from leuthen.rulesets.campaigns.rules.r15_arrivals import ArrivalStep, receive
from leuthen.rulesets.campaigns.rules.r16_victory import FinalScore
from leuthen.rulesets.campaigns.rules.r17_campaign import AllyStep, ConquestCheck, Interlude
from leuthen.wargame.board import Hex, as_hex, stack_key
from leuthen.wargame.strength import ALL_SP, EMPTY, LeaderId, PowerId, as_leader, as_power, bag, of


class Returning(Decision, rule="V7.3", name="Freed men"):
    """Step I begins: freed men arrive (V7.3)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.options.einhorn:
            receive(draft)


class TakePlaces(Decision, rule="R5.6", name="Places taken"):
    """A field force alone in the hex of an undefended stronghold takes it (R5.6)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        fields = draft.census.fields
        alone = fields[PRUSSIAN] ^ fields[COALITION]
        for here in draft.data.strongholds:
            if not alone >> here & 1:
                continue
            side = PRUSSIAN if forces.field_tp(draft, here, PRUSSIAN) else COALITION
            free = not forces.is_friendly(draft, here, side) and not forces.inside_tp(draft, here, OTHER[side])
            if free and not draft.is_enemy_ground(here):
                take_place(draft, here, side)


class Ready(Decision, rule="R9.5", name="End of the turn"):
    """A leader's SP above the limit are lost (R9.5); all units are ready again (R3)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        for number, unit in list(draft.units.items()):
            sp = min(unit.sp, load_limit(draft, unit)) if unit.sp else 0
            if unit.moved or sp != unit.sp:
                draft.change(number, moved=False, sp=sp)
            if number >= draft.data.wagons and not sp and not unit.tp:
                draft.remove(number)


Stand = tuple[Hex, bool, PowerId]
"""A force of a nation: hex, inside or not, nation."""


def members(pos: Position, stand: Stand) -> list[Unit]:
    """Return the leaders of a nation in a force, without wagons, from the highest Sr down."""
    here, inside, nation = stand
    own = leaders_of(pos, nation)
    there = [pos.units[number] for number in pos.census.numbers.get(here, ()) if number in own]
    units = [unit for unit in there if unit.inside == inside]
    return sorted(units, key=lambda unit: pos.ranks[unit.number]) if len(units) > 1 else units


def garrison_of(pos: Position, stand: Stand) -> int:
    """Return the TP of a nation in the garrison beside a force, 0 if they cannot exchange (R10.4)."""
    here, _, nation = stand
    return of(pos.garrisons.get(here, EMPTY), nation) if is_open(pos, here, SIDE_OF[nation]) else 0


class Shares:
    """A new distribution of a nation's TP over the leaders of a force, and the garrison (V2.1, R10.4)."""

    def __init__(self, pos: Position, stand: Stand) -> None:
        self.pos = pos
        self.stand = stand
        self.units = members(pos, stand)
        self.is_open = is_open(pos, stand[0], SIDE_OF[stand[2]])
        self.garrison = garrison_of(pos, stand)
        self.most_garrison = self.garrison + garrison_room(pos, stand[0]) if self.is_open else 0
        self.sum = sum(unit.strength for unit in self.units) + self.garrison
        self.numbers = [unit.number for unit in self.units]
        elsewhere = (pos.ranks[n] for n in forces.ranked(pos, stand[2]) if n not in self.numbers)
        first_elsewhere = next(elsewhere, len(pos.ranks))
        self.plain = [forces.limit(pos, n, is_senior=False) for n in self.numbers]
        self.leading = [forces.limit(pos, n, is_senior=pos.ranks[n] < first_elsewhere) for n in self.numbers]
        """The limit of each leader if no leader above him has TP: he may then be senior (V2.1)."""

    def limit(self, number: int, is_first: bool) -> int:
        """Return the limit of a leader; `is_first`: no leader above him in the force has TP (V2.1)."""
        return (self.leading if is_first else self.plain)[number]

    @cached_property
    def rooms(self) -> tuple[list[int], list[int]]:
        """The TP that fit from each leader on, if a leader before has any, and if none has."""
        after, first = [self.most_garrison], [self.most_garrison]
        for plain, leading in zip(reversed(self.plain), reversed(self.leading), strict=True):
            first.append(max(first[-1], plain + after[-1], leading + after[-1]))
            after.append(plain + after[-1])
        return after[::-1], first[::-1]

    def values(self, chosen: Sequence[int]) -> list[int]:
        """Return the legal TP of the next leader; the garrison takes the rest."""
        left = self.sum - sum(chosen)
        number = len(chosen)
        if number == len(self.units):
            is_there = 0 <= left <= max(self.garrison, self.most_garrison)
            return [left] if is_there and self.why_too_large((*chosen, left)) is None else []
        is_first = not any(chosen)
        least, most = int(number == self.kept and is_first), self.limit(number, is_first)
        if self.sum > self.rooms[True][0]:
            values = range(max(least, most), min(left, max(self.units[number].strength, most)) + 1)
            rest = list(zip(self.units, self.plain, strict=True))[number + 1 :]  # none of them stays below his limit
            fewest = sum(plain for _, plain in rest) + self.garrison
            largest = sum(max(unit.strength, plain) for unit, plain in rest) + self.most_garrison
            return [points for points in values if fewest <= left - points <= largest]
        room, first_room = self.rooms[False][number + 1], self.rooms[is_first][number + 1]
        values = range(least, min(left, most) + 1)
        return [points for points in values if left - points <= (room if points else first_room)]

    @cached_property
    def kept(self) -> int:
        """The index of the senior leader, if V2.2 forbids to empty him and those above him; else -1."""
        return -1 if self.why_not_emptied is None else self.numbers.index(forces.senior(self.pos, self.stand[2]))

    @cached_property
    def why_not_emptied(self) -> Refusal | None:
        """The rule that forbids the senior leader in this force to give all his men to others, or None (V2.2)."""
        first = forces.senior(self.pos, self.stand[2])
        return self._why_not_have({first: 0}) if first in self.numbers else None

    def is_possible(self) -> bool:
        """Return whether there is a legal distribution; usually it is the present one."""
        now = [unit.strength for unit in self.units]
        return all(tp <= self.limit(n, not any(now[:n])) for n, tp in enumerate(now)) or self._completes(())

    def _completes(self, chosen: tuple[int, ...]) -> bool:
        if len(chosen) == len(self.units) + self.is_open:
            return True
        return any(self._completes((*chosen, points)) for points in reversed(self.values(chosen)))

    def why_too_large(self, points: Sequence[int]) -> Refusal | None:
        """Return the rule that forbids the garrison the last of these TP, or None (V2.2)."""
        led = dict(zip(self.numbers, points, strict=False))
        return None if points[-1] == self.garrison else self._why_not_have(led)

    def _why_not_have(self, tp: Mapping[LeaderId, int]) -> Refusal | None:
        """Return the rule that forbids leaders of the force to have these TP, or None (V2.2)."""
        nation = self.stand[2]
        if not is_bound(self.pos, nation):
            return None
        before = leaders_of(self.pos, nation)
        after = {number: (before[number][0], points) for number, points in tp.items()}
        return why_not_shift(self.pos, nation, before, {**before, **after})

    def canon(self, chosen: Sequence[int], values: Sequence[int]) -> list[int]:
        """Return the present TP and the maximum."""
        number = len(chosen)
        now = self.garrison if number == len(self.units) else self.units[number].strength
        return sorted({value for value in (now, values[-1] if values else -1) if value in values})

    def why_not(self, chosen: Sequence[int], token: Token) -> Refusal:
        number = len(chosen)
        if number == self.kept and not token and not any(chosen) and self.why_not_emptied:
            return self.why_not_emptied
        if number < len(self.units):
            rule = "V2.1" if self.pos.options.einhorn else "R2.3"
            is_first = not any(chosen)
            most, room = self.limit(number, is_first), self.rooms[is_first and not token][number + 1]
            if number + 1 < len(self.units) + self.is_open and self.sum - sum(chosen) - int(token) > room:
                return Refusal(rule, "the other leaders control at most {} TP", (room,), self.stand[0])
            if int(token) > most:
                name = self.pos.leader(self.units[number].number).name
                return Refusal(rule, "{} controls at most {} TP", (name, most), self.stand[0])
        elif refusal := self.why_too_large((*chosen, int(token))):
            return refusal
        return Refusal("R3.2", "{} TP are there, and all must be placed", (self.sum,), self.stand[0])


class TrimAll(Decision, rule="V2.1", name="Limits"):
    """A leader over his limit gives the excess to others with room (V2.1): the default arrangement."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.give_away(0, 1)  # another may command now
        over: set[Stand] = set()
        for n, unit in draft.units.items():
            if unit.tp and unit.tp % ALL_SP > forces.limit(draft, n, is_senior=False):
                over.add((unit.hex, unit.inside, draft.leader(n).nation))
        for stand in sorted(over):
            trim(draft, stand)


def trim(draft: Draft, stand: Stand) -> None:
    """Give the excess to the highest Sr with room, and last to the garrison (V2.1, R3.2)."""
    here, _, nation = stand
    side = SIDE_OF[nation]
    for unit in members(draft, stand):
        leader, excess = unit.number, unit.strength - forces.limit(draft, unit.number)
        if excess <= 0 or not unit.tp:
            continue
        for other in members(draft, stand):
            room = min(excess, max(0, forces.limit(draft, other.number) - other.strength))
            if other.number != leader and room:
                part = bag(nation, room)
                draft.change(leader, tp=draft.units[leader].tp - part)
                draft.change(other.number, tp=other.tp + part)
                excess -= room
                pair = leader, other.number
                points = tuple(draft.units[number].strength for number in pair)
                draft.emit(Arranged(side=side, hex=here, units=pair, points=points, garrison=-1))
        can_store = excess and len(members(draft, stand)) > 1 and is_open(draft, here, side)
        part = bag(nation, min(excess, garrison_room(draft, here)) if can_store else 0)
        if part:
            draft.forget(*(stack_key(here, side, inside) for inside in (unit.inside, True)))
            draft.change(leader, tp=draft.units[leader].tp - part)
            draft.set_garrison(here, draft.garrisons.get(here, EMPTY) + part)
            draft.emit(GarrisonChanged(side=side, hex=here, leader=leader, tp=part, into=True))


class Arranging(
    SideDecision[Arrange | Hand | Transfer | Done],
    rule="R3.2",
    name="Exchange",
    prompt="End of the turn: exchange TP and SP within forces",
    neutral=Done(),
    veiled={"handed": ()},
):
    """TP of one nation, and SP, move freely within a force; no leader stays over his limit needlessly (R3.2, V2.1)."""

    handed: tuple[LeaderId, ...] = ()
    """Forces already arranged, and takers of SP: once each."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the side, if a force could exchange; with `hidden` always, so that the opponent learns nothing."""
        if pos.options.hidden:
            return (self.side,)
        return (self.side,) if self.stands(pos) or self.givers(pos) or prisoners.escorts(pos, self.side) else ()

    def stands(self, pos: Position) -> list[Stand]:
        """Return the forces of one nation with several leaders, or beside an open garrison (R3.2)."""
        able = _able(pos, self.side)
        return [stand for stand in able if _key(stand) not in self.handed] if self.handed else able

    def givers(self, pos: Position) -> dict[LeaderId, list[LeaderId]]:
        """Return the units that can hand over SP, with the possible takers (R3.2)."""
        return _givers(pos, self.side, self.handed)

    def script(self, pos: Position, actor: Side) -> Script[Arrange | Hand | Transfer | Done]:
        escorts = prisoners.escorts(pos, self.side)
        able = {"done": True, "arrange": self.stands(pos), "hand": self.givers(pos), "transfer": escorts}
        kinds = [kind for kind, choices in able.items() if choices]
        refuse = Refusal("R3.2", "choose arrange, hand, transfer or done")
        kind = yield Slot("do", kinds, refuse, explain=lambda action: self._why_not(pos, action))
        if kind == "arrange":
            return (yield from self._arrange_script(pos))
        if kind == "hand":
            givers, why = self.givers(pos), partial(self._why_not, pos)
            within = Refusal("R3.2", "SP pass only within a force, to a unit with room")
            giver = as_leader((yield Slot("giver", sorted(givers), within, explain=why)))
            taker = as_leader((yield Slot("taker", givers[giver], within, explain=why)))
            most = min(pos.units[giver].sp, load_limit(pos, pos.units[taker]) - pos.units[taker].sp)
            points = yield Slot("points", range(1, most + 1), within, canon=(most,))
            return Hand(giver, taker, int(points))
        if kind == "transfer":
            return (yield from prisoners.script(pos, escorts))
        return Done()

    def _why_not(self, pos: Position, action: Action) -> Refusal | None:
        match action:
            case Transfer() if action.giver in pos.units:
                return why_not_transfer(pos, [pos.units[LeaderId(action.giver)]])
            case Arrange(hex=here, inside=inside, nation=nation):
                is_own = nation in ALL_NATIONS and SIDE_OF[nation] == self.side
                is_led = is_own and members(pos, (here, inside, nation))
                is_done = _key((here, inside, nation)) in self.handed
                return first_refusal(
                    here,
                    (not is_led, "R3.2", "you have no leader of that nation there"),
                    (is_done, "R3.2", "this force has already exchanged TP this turn"),
                    (True, "R3.2", "he is alone there, without a garrison to exchange TP with"),
                )
            case Hand():
                giver, taker = pos.units.get(action.giver), pos.units.get(action.taker)
                if giver is None or taker is None or giver.hex != taker.hex:
                    return None
                name, other = pos.leader(taker.number).name, pos.leader(giver.number).name
                is_own = pos.side(giver.number) == pos.side(taker.number)
                return first_refusal(
                    taker.hex,
                    (is_own and taker.number in self.handed, "R3.2", "{} has already received SP this turn", name),
                    (is_own and not giver.sp, "R3.2", "{} has no SP", other),
                    (is_own and taker.sp >= load_limit(pos, taker), "R9.5", "{} cannot carry more SP", name),
                )
        return None

    def _arrange_script(self, pos: Position) -> Script[Arrange]:
        stands = self.stands(pos)
        refuse, why_none = Refusal("R3.2", "no force there can exchange TP"), partial(self._why_not, pos)
        here = yield Slot("hex", sorted({stand[0] for stand in stands}), refuse, explain=why_none)
        inside = yield Slot("inside", sorted({int(s[1]) for s in stands if s[0] == here}), refuse, explain=why_none)
        nations = sorted({s[2] for s in stands if s[:2] == (here, bool(inside))})
        nation = yield Slot("nation", nations, refuse, explain=why_none)
        stand = as_hex(here), bool(inside), as_power(nation)
        share = Shares(pos, stand)
        chosen: list[int] = []
        for number in range(len(share.units) + share.is_open):
            values = share.values(chosen)
            why, canon = partial(share.why_not, chosen), share.canon(chosen, values)
            chosen.append(int((yield Slot("points", values, why, index=number, canon=canon))))
        return Arrange(*stand, tuple(chosen))

    def answer(self, draft: Draft, actor: Side, action: Arrange | Hand | Transfer | Done) -> None:
        match action:
            case Done():
                draft.pop()
            case Transfer():
                prisoners.join_leader(draft, action)
            case Hand():
                draft.change(action.taker, sp=draft.units[action.taker].sp + action.points)
                spend(draft, action.giver, action.points)
                draft.amend(self, handed=(*self.handed, action.taker))
                source, by = draft.leader(action.giver).name, self.RULE
                draft.emit(SpMoved(side=self.side, taker=action.taker, source=source, points=action.points, by=by))
            case Arrange():
                self._arrange(draft, action)

    def _arrange(self, draft: Draft, action: Arrange) -> None:
        stand = here, _, nation = action.hex, action.inside, action.nation
        share = Shares(draft, stand)
        units, garrison = tuple(share.numbers), action.points[-1] if share.is_open else -1
        points = action.points[: len(units)]
        draft.give_away(self.side)  # another may command now
        draft.forget(*(stack_key(here, self.side, inside) for inside in (False, True)))
        for number, tp in zip(units, points, strict=True):
            draft.change(number, tp=bag(nation, tp))
        if share.is_open and garrison != share.garrison:
            draft.set_garrison(here, draft.garrisons.get(here, EMPTY) + bag(nation, garrison - share.garrison))
        draft.amend(self, handed=(*self.handed, _key(stand)))
        draft.emit(Arranged(side=self.side, hex=here, units=units, points=points, garrison=garrison))


@memoized("known")
def _givers(pos: Position, side: Side, handed: tuple[LeaderId, ...]) -> dict[LeaderId, list[LeaderId]]:
    found: dict[LeaderId, list[LeaderId]] = {}
    sides, wagons = pos.data.sides, pos.data.wagons
    for number, unit in pos.units.items():
        if not unit.sp or sides[number] != side or len(pos.census.numbers[unit.hex]) == 1:
            continue
        takers = [
            other.number
            for other in forces.units_at(pos, unit.hex, side)
            if other.number != number
            and (other.inside == unit.inside or number >= wagons or other.number >= wagons)
            and other.number not in handed
            and other.sp < load_limit(pos, other)
        ]
        if takers:
            found[number] = takers
    return found


@memoized("lasting")
def _able(pos: Position, side: Side) -> list[Stand]:
    gates, found = forces.open_places(pos, side), list[Stand]()
    for nation in [nation for nation in ALL_NATIONS if SIDE_OF[nation] == side]:
        there: dict[Place, list[Unit]] = {}
        for number, (place, _) in leaders_of(pos, nation).items():
            there.setdefault(place, []).append(pos.units[number])
        for place, units in sorted(there.items()):
            stand = (*place, nation)
            if (len(units) > 1 or gates >> place[0] & 1) and (forces.strength(units) or garrison_of(pos, stand)):
                over = [unit for unit in units if unit.strength > forces.limit(pos, unit.number, is_senior=False)]
                if not over or Shares(pos, stand).is_possible():
                    found.append(stand)
    return found


def _key(stand: Stand) -> int:
    """Return a number for the force that is not a leader's."""
    here, inside, nation = stand
    return 1000 + (here * 2 + inside) * len(NATIONS) + nation


TURN: Final[tuple[tuple[str, tuple[Decision, ...]], ...]] = (
    ("A", (AllyStep(),)),
    ("B", (prisoners.PrisonerStep(),)),
    ("C", (ArrivalStep(),)),
    ("D", (Loading(),)),
    ("E", (RecoveryStep(),)),
    ("F", (Snapshot(),)),
    ("G", (SiegeStep(PRUSSIAN), SiegeStep(COALITION))),
    ("H", (SupplyCheck(PRUSSIAN), SupplyCheck(COALITION), WinterToll())),
    ("I", (Returning(), TakePlaces(), ConquestCheck(), TrimAll(), *map(Arranging, SIDES), TrimAll(), Ready())),
)
"""The steps of a turn."""


class GameTurn(Decision, rule="R3.0", name="Turn"):
    done: int = 0
    begun: bool = False

    def step(self, draft: Draft) -> None:
        """Start the next step; in each the Prussian side goes first (R1.6)."""
        if self.done == len(TURN):
            draft.pop()
            return
        if not self.done:
            draft.emit(TurnBegan(year=draft.year, turn=draft.turn))
        name, parts = TURN[self.done]
        draft.swap(GameTurn(self.done + 1))
        draft.emit(StepBegan(step=name))
        draft.push_in_order(parts)


class War(Decision, rule="R3.0", name="War"):
    """The turns of a scenario, to its last (R16, R17)."""

    begun: bool = False

    def step(self, draft: Draft) -> None:
        """Start the next turn; after the last the score (R16, R17.9)."""
        if self.begun:
            plan = draft.data.scenarios[draft.scenario]
            if draft.turn == plan.end and draft.year == plan.last:  # R18.5
                draft.pop()
                draft.push(FinalScore())
                return
            if draft.turn == TURNS:
                draft.push(Interlude())
                return
            draft.turn += 1
            draft.recompute()  # who has to wait until some turn
        draft.swap(War(True))
        draft.push(GameTurn())

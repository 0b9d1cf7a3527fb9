"""R3.2, R5.6, V2.1: step I: places taken, the exchange within forces, everybody ready again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from leuthen.campaigns.actions import Arrange, Done, Hand, Transfer
from leuthen.campaigns.decisions import Decision
from leuthen.campaigns.events.turns import Arranged, SpMoved
from leuthen.campaigns.forces import (
    by_seniority,
    field_tp,
    force_at,
    inside_tp,
    is_friendly,
    limit,
    units_at,
)
from leuthen.campaigns.gamedata import NATIONS, SIDE_OF
from leuthen.campaigns.rules import escort
from leuthen.campaigns.rules.handling import garrison_room, is_open, take_place
from leuthen.campaigns.rules.seniority import leaders_of, nations_bound, why_not_shift
from leuthen.campaigns.rules.supply import load_limit
from leuthen.campaigns.state import SIDES, Draft, Position, Unit
from leuthen.core.board import Hex
from leuthen.core.choice import Script, Slot, Token
from leuthen.core.refusal import Refusal
from leuthen.core.strength import EMPTY, bag, of

Stand = tuple[Hex, bool, int]
"""A force of a nation: hex, inside or not, nation."""


class TakePlaces(Decision, frozen=True, gc=False, tag="take-places"):
    """A field force alone in the hex of an undefended stronghold takes it (R5.6)."""

    RULE: ClassVar[str] = "R5.6"
    NAME: ClassVar[str] = "Places taken"

    def step(self, draft: Draft) -> None:
        """All of them."""
        draft.pop()
        for here in draft.data.strongholds:
            for side in SIDES:
                alone = field_tp(draft, here, side) and not field_tp(draft, here, 1 - side)
                free = not is_friendly(draft, here, side) and not inside_tp(draft, here, 1 - side)
                if alone and free and not draft.is_enemy_ground(here):
                    take_place(draft, here, side)


class Arranging(Decision, frozen=True, gc=False, tag="arranging"):
    """TP of one nation, and SP, move freely within a force; nobody may stay over his limit needlessly (R3.2, V2.1)."""

    RULE: ClassVar[str] = "R3.2"
    NAME: ClassVar[str] = "Exchange"
    side: int
    handed: tuple[int, ...] = ()
    """Forces that have been arranged, and takers of SP: once each."""

    def actors(self, pos: Position) -> tuple[int, ...]:
        """The side, if any force could exchange."""
        return (self.side,) if self.stands(pos) or self.givers(pos) or escort.escorts(pos, self.side) else ()

    def step(self, draft: Draft) -> None:
        """No force could."""
        draft.pop()

    def stands(self, pos: Position) -> list[Stand]:
        """The forces of one nation with more than one leader, or beside a garrison that is open (R3.2)."""
        found: list[Stand] = []
        for nation in range(len(NATIONS)):
            if SIDE_OF[nation] != self.side:
                continue
            for here, inside in sorted({(u.hex, u.inside) for u in pos.units.values()}):
                stand = here, inside, nation
                if _key(stand) in self.handed:
                    continue
                units = members(pos, stand)
                has_tp = sum(u.strength for u in units) + garrison_of(pos, stand) > 0
                several = len(units) > 1 or is_open(pos, here, self.side)
                if units and has_tp and several and Shares(pos, stand).is_possible():
                    found.append(stand)
        return found

    def givers(self, pos: Position) -> dict[int, list[int]]:
        """Who could hand SP to whom (R3.2)."""
        found: dict[int, list[int]] = {}
        for number, unit in pos.units.items():
            if pos.side(number) != self.side or not unit.sp:
                continue
            takers = [
                other.number
                for other in units_at(pos, unit.hex, self.side)
                if other.number != number
                and (other.inside == unit.inside or pos.data.is_wagon(number) or pos.data.is_wagon(other.number))
                and other.number not in self.handed
                and other.sp < load_limit(pos, other)
            ]
            if takers:
                found[number] = takers
        return found

    def script(self, pos: Position, actor: int) -> Script[Any]:
        """A force's TP, SP from one to another, or the end."""
        kinds: list[Token] = ["done"]
        kinds += ["arrange"] if self.stands(pos) else []
        kinds += ["hand"] if self.givers(pos) else []
        kinds += ["transfer"] if escort.escorts(pos, self.side) else []
        kind = yield Slot("do", kinds, lambda token: Refusal("R3.2", "arrange, hand or done"))
        if kind == "arrange":
            return (yield from self._arrange_script(pos))
        if kind == "hand":
            return (yield from self._hand_script(pos))
        if kind == "transfer":
            return (yield from escort.script(pos, escort.escorts(pos, self.side)))
        return Done()

    def _hand_script(self, pos: Position) -> Script[Hand]:
        givers = self.givers(pos)
        refuse = Refusal("R3.2", "SP pass within a force, to who has room")
        giver = int((yield Slot("giver", sorted(givers), lambda token: refuse)))
        taker = int((yield Slot("taker", givers[giver], lambda token: refuse)))
        most = min(pos.units[giver].sp, load_limit(pos, pos.units[taker]) - pos.units[taker].sp)
        points = yield Slot("points", range(1, most + 1), lambda token: refuse, canon=(most,))
        return Hand(giver, taker, int(points))

    def _arrange_script(self, pos: Position) -> Script[Arrange]:
        stands = self.stands(pos)
        refuse = Refusal("R3.2", "no force there could exchange TP")
        here = yield Slot("hex", sorted({stand[0] for stand in stands}), lambda token: refuse)
        inside = yield Slot("inside", sorted({int(s[1]) for s in stands if s[0] == here}), lambda token: refuse)
        nations = sorted({s[2] for s in stands if s[:2] == (here, bool(inside))})
        nation = yield Slot("nation", nations, lambda token: refuse)
        stand = int(here), bool(inside), int(nation)
        share = Shares(pos, stand)
        chosen: list[int] = []
        for number in range(len(share.units) + 1):
            values = share.values(chosen)
            if number == len(share.units) and not share.is_open:
                break

            def why(token: Token, number: int = number) -> Refusal:
                return share.why_not(chosen, token)

            token = yield Slot("points", values, why, index=number, canon=share.canon(chosen, values))
            chosen.append(int(token))
        return Arrange(*stand, tuple(chosen))

    def answer(self, draft: Draft, actor: int, action: Any) -> None:
        """Carries it out."""
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, Hand):
            draft.change(action.taker, sp=draft.units[action.taker].sp + action.points)
            giver = draft.units[action.giver]
            draft.change(action.giver, sp=giver.sp - action.points)
            if giver.sp == action.points and draft.data.is_wagon(action.giver) and not giver.tp:
                draft.remove(action.giver)
            draft.swap(msgspec.structs.replace(self, handed=(*self.handed, action.taker)))
            source = draft.leader(action.giver).name
            draft.emit(SpMoved(side=self.side, taker=action.taker, source=source, points=action.points))
        elif isinstance(action, Transfer):
            escort.join_leader(draft, action)
        else:
            stand = action.hex, action.inside, action.nation
            share = Shares(draft, stand)
            distribute(draft, stand, action.points)
            draft.swap(msgspec.structs.replace(self, handed=(*self.handed, _key(stand))))
            units = tuple(unit.number for unit in share.units)
            garrison = action.points[-1] if share.is_open else -1
            draft.emit(
                Arranged(
                    side=self.side, hex=action.hex, units=units, points=action.points[: len(units)], garrison=garrison
                )
            )

    def prompt(self, pos: Position, actor: int) -> str:
        """What is asked."""
        return "End of the turn: exchange TP and SP within forces, or done"


def _key(stand: Stand) -> int:
    """A force in one number, that is no leader's."""
    here, inside, nation = stand
    return 1000 + (here * 2 + inside) * len(NATIONS) + nation


def members(pos: Position, stand: Stand) -> list[Unit]:
    """The leaders of a nation in a force, from the highest Sr down; wagons with freed men are not among them."""
    here, inside, nation = stand
    units = {
        unit.number: unit
        for unit in force_at(pos, here, SIDE_OF[nation], inside)
        if pos.leader(unit.number).nation == nation and not pos.data.is_wagon(unit.number)
    }
    return [units[number] for number in by_seniority(pos, units)]


def garrison_of(pos: Position, stand: Stand) -> int:
    """The TP of a nation in the garrison beside a force, if it is open to it (R10.4)."""
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
        here, nation = {unit.number for unit in self.units}, stand[2]
        elsewhere = (
            pos.ranks[n]
            for n, unit in pos.units.items()
            if n not in here and unit.tp and pos.leader(n).nation == nation and not pos.data.is_wagon(n)
        )
        self.first_elsewhere = min(elsewhere, default=len(pos.ranks))
        """The rank of the highest Sr with TP in other forces."""

    def limit(self, number: int, is_first: bool) -> int:
        """The limit of a leader, if nobody of the force above him has TP (V2.1)."""
        unit = self.units[number]
        senior = is_first and self.pos.ranks[unit.number] < self.first_elsewhere
        return limit(self.pos, unit.number, is_senior=senior)

    def limits(self, points: Sequence[int]) -> list[int]:
        """The limits of all, with these TP."""
        return [self.limit(n, not any(points[:n])) for n in range(len(self.units))]

    def room_after(self, chosen: Sequence[int]) -> int:
        """The most that can still be placed on those who come after `chosen`."""
        rest = range(len(chosen), len(self.units))
        plain = [self.limit(n, False) for n in rest]
        best = sum(plain)
        if not any(chosen):
            for place, n in enumerate(rest):
                best = max(best, self.limit(n, True) + sum(plain[place + 1 :]))
        return best + self.most_garrison

    def values(self, chosen: Sequence[int]) -> list[int]:
        """How many the next may have: the garrison takes what is left."""
        left = self.sum - sum(chosen)
        number = len(chosen)
        if number == len(self.units):
            return [left] if self.fits((*chosen, left)) else []
        found = range(left + 1)
        return [n for n in found if self._may(chosen, n, left)]

    def is_possible(self) -> bool:
        """Whether there is any legal distribution: mostly the one that stands."""
        now = [unit.strength for unit in self.units]
        if all(points <= most for points, most in zip(now, self.limits(now), strict=True)):
            return True
        return self._completes(())

    def _completes(self, chosen: tuple[int, ...]) -> bool:
        if len(chosen) == len(self.units) + self.is_open:
            return True
        return any(self._completes((*chosen, points)) for points in reversed(self.values(chosen)))

    def _may(self, chosen: Sequence[int], points: int, left: int) -> bool:
        """Whether a legal distribution can follow."""
        number = len(chosen)
        most = self.limit(number, not any(chosen))
        if self.sum > self.whole():
            return most <= points <= max(self.units[number].strength, most) and self._can_take(
                number + 1, left - points
            )
        last = number == len(self.units) - 1 and not self.is_open
        if last:
            return points == left and points <= most
        return points <= most and left - points <= self.room_after((*chosen, points))

    def _can_take(self, number: int, points: int) -> bool:
        """Whether those from `number` on can take so many, if there are too many for all: none is below his limit."""
        rest = range(number, len(self.units))
        least = sum(self.limit(n, False) for n in rest)
        most = sum(max(self.units[n].strength, self.limit(n, False)) for n in rest)
        return least + self.garrison <= points <= most + self.most_garrison

    def whole(self) -> int:
        """What all together may hold, at most."""
        return self.room_after(())

    def fits(self, points: Sequence[int]) -> bool:
        """Whether the garrison may have what is left."""
        rest = points[-1]
        grows = rest > self.garrison
        if not rest >= 0 or (grows and rest > self.most_garrison):
            return False
        return self.why_too_large(rest) is None

    def why_too_large(self, garrison: int) -> Refusal | None:
        """Whether V2.2 forbids the garrison so many."""
        nation = self.stand[2]
        if nation not in nations_bound(self.pos) or garrison == self.garrison:
            return None
        before = leaders_of(self.pos, nation)
        first = self.units[0].number
        at, tp = before[first]
        return why_not_shift(self.pos, nation, before, {**before, first: (at, tp + self.garrison - garrison)})

    def canon(self, chosen: Sequence[int], values: Sequence[int]) -> list[int]:
        """What he has now, and the most."""
        number = len(chosen)
        now = self.garrison if number == len(self.units) else self.units[number].strength
        return sorted({value for value in (now, values[-1] if values else -1) if value in values})

    def why_not(self, chosen: Sequence[int], token: Token) -> Refusal:
        """Why a number is not legal."""
        number = len(chosen)
        if number < len(self.units):
            rule = "V2.1" if self.pos.options.einhorn else "R2.3"
            most, room = self.limit(number, not any(chosen)), self.room_after((*chosen, int(token)))
            if number + 1 < len(self.units) + self.is_open and self.sum - sum(chosen) - int(token) > room:
                return Refusal(rule, "those after him control {} TP at most", (room,), self.stand[0])
            if int(token) > most:
                name = self.pos.leader(self.units[number].number).name
                return Refusal(rule, "{} controls {} TP at most", (name, most), self.stand[0])
        elif refusal := self.why_too_large(int(token)):
            return refusal
        return Refusal("R3.2", "{} TP are there in all, and all must stay", (self.sum,), self.stand[0])


def distribute(draft: Draft, stand: Stand, points: Sequence[int]) -> None:
    """A nation's TP in a force are these."""
    here, _, nation = stand
    units = members(draft, stand)
    is_free = is_open(draft, here, SIDE_OF[nation])
    old = garrison_of(draft, stand)
    for unit, number in zip(units, points, strict=False):
        draft.change(unit.number, tp=bag(nation, number))
    if is_free:
        change = points[len(units)] - old
        if change:
            draft.set_garrison(here, draft.garrisons.get(here, EMPTY) + bag(nation, change))


class TrimAll(Decision, frozen=True, gc=False, tag="trim-all"):
    """Who is over his limit beside others with room gives them what is too much (V2.1): the default arrangement."""

    RULE: ClassVar[str] = "V2.1"
    NAME: ClassVar[str] = "Limits"

    def step(self, draft: Draft) -> None:
        """Force by force."""
        draft.pop()
        stands = {
            (unit.hex, unit.inside, draft.leader(number).nation)
            for number, unit in draft.units.items()
            if not draft.data.is_wagon(number)
        }
        for stand in sorted(stands):
            trim(draft, stand)


def trim(draft: Draft, stand: Stand) -> None:
    """The excess goes to the highest Sr with room, and lastly into the garrison (V2.1)."""
    for unit in members(draft, stand):
        excess = unit.strength - limit(draft, unit.number)
        if excess <= 0 or not unit.tp:
            continue
        for other in members(draft, stand):
            room = min(excess, max(0, limit(draft, other.number) - other.strength))
            if other.number != unit.number and room:
                part = bag(stand[2], room)
                draft.change(unit.number, tp=draft.units[unit.number].tp - part)
                draft.change(other.number, tp=other.tp + part)
                excess -= room
                draft.emit(
                    Arranged(
                        side=SIDE_OF[stand[2]],
                        hex=stand[0],
                        units=(unit.number, other.number),
                        points=(draft.units[unit.number].strength, draft.units[other.number].strength),
                        garrison=-1,
                    )
                )


class Ready(Decision, frozen=True, gc=False, tag="ready"):
    """What is over a leader's supply limit is lost (R9.5); all are ready again (R3)."""

    RULE: ClassVar[str] = "R9.5"
    NAME: ClassVar[str] = "End of the turn"

    def step(self, draft: Draft) -> None:
        """Everybody."""
        draft.pop()
        for number, unit in list(draft.units.items()):
            sp = min(unit.sp, load_limit(draft, unit))
            draft.change(number, moved=False, sp=sp)
            if draft.data.is_wagon(number) and not sp and not unit.tp:
                draft.remove(number)

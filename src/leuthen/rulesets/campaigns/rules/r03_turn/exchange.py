"""R3.2, V2.1: step I: TP and SP change hands within a force."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import ActorId, Side, ViewerId
from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model.actions import Arrange, Done, Hand, Transfer
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, NATIONS, SIDE_OF
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.turns import Arranged, SpMoved
from leuthen.rulesets.campaigns.model.forces import limit, units_at
from leuthen.rulesets.campaigns.model.knowledge import give_away
from leuthen.rulesets.campaigns.model.state import Draft, Position, Unit
from leuthen.rulesets.campaigns.rules.r02_leaders.seniority import Place, leaders_of
from leuthen.rulesets.campaigns.rules.r02_leaders.shares import Shares, Stand, distribute, garrison_of, members
from leuthen.rulesets.campaigns.rules.r05_movement.hex_actions import is_open, why_not_transfer
from leuthen.rulesets.campaigns.rules.r09_supply.supply import load_limit
from leuthen.rulesets.campaigns.rules.r14_prisoners import prisoners
from leuthen.wargame.board import as_hex
from leuthen.wargame.strength import LeaderId, PowerId, as_leader, as_power


class Arranging(Decision[Arrange | Hand | Transfer | Done], rule="R3.2", name="Exchange", neutral=Done()):
    """TP of one nation, and SP, move freely within a force; nobody may stay over his limit needlessly (R3.2, V2.1)."""

    side: Side
    handed: tuple[LeaderId, ...] = ()
    """Forces that have been arranged, and takers of SP: once each."""

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side, if any force could exchange; with `hidden` nobody else hears whether one could."""
        if pos.options.hidden:
            return (self.side,)
        return (self.side,) if self.stands(pos) or self.givers(pos) or prisoners.escorts(pos, self.side) else ()

    def covered(self, pos: Position, viewer: ViewerId) -> Self:
        """Who has been given what is not told (R1.11)."""
        return self if viewer == self.side else msgspec.structs.replace(self, handed=())

    def stands(self, pos: Position) -> list[Stand]:
        """The forces of one nation with more than one leader, or beside a garrison that is open (R3.2)."""
        able = once(pos.lasting, ("stands", self.side), lambda: _able(pos, self.side))
        return [stand for stand in able if _key(stand) not in self.handed]

    def givers(self, pos: Position) -> dict[LeaderId, list[LeaderId]]:
        """Who could hand SP to whom (R3.2)."""
        return once(pos.known, ("hands", self.side, self.handed), lambda: self._givers(pos))

    def _givers(self, pos: Position) -> dict[LeaderId, list[LeaderId]]:
        found: dict[LeaderId, list[LeaderId]] = {}
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

    def script(self, pos: Position, actor: Side) -> Script[Arrange | Hand | Transfer | Done]:
        """A force's TP, SP from one to another, or the end."""
        kinds: list[Token] = ["done"]
        kinds += ["arrange"] if self.stands(pos) else []
        kinds += ["hand"] if self.givers(pos) else []
        kinds += ["transfer"] if prisoners.escorts(pos, self.side) else []
        kind = yield Slot(
            "do",
            kinds,
            lambda token: Refusal("R3.2", "arrange, hand, transfer or done"),
            explain=lambda action: self._why_not(pos, action),
        )
        if kind == "arrange":
            return (yield from self._arrange_script(pos))
        if kind == "hand":
            return (yield from self._hand_script(pos))
        if kind == "transfer":
            return (yield from prisoners.script(pos, prisoners.escorts(pos, self.side)))
        return Done()

    def _why_not(self, pos: Position, action: Action) -> Refusal | None:
        """Why what an action names cannot be exchanged."""
        if isinstance(action, Arrange):
            return self._why_not_arrange(pos, (action.hex, action.inside, action.nation))
        if isinstance(action, Hand):
            return self._why_not_hand(pos, action.giver, action.taker)
        if isinstance(action, Transfer) and action.giver in pos.units:
            return why_not_transfer(pos, [pos.units[LeaderId(action.giver)]])
        return None

    def _why_not_arrange(self, pos: Position, stand: Stand) -> Refusal:
        if stand[2] not in ALL_NATIONS or SIDE_OF[stand[2]] != self.side or not members(pos, stand):
            return Refusal("R3.2", "you have no leader of that nation there", (), stand[0])
        if _key(stand) in self.handed:
            return Refusal("R3.2", "this force has exchanged TP this turn", (), stand[0])
        return Refusal("R3.2", "he is alone there, and beside no garrison that he could exchange TP with", (), stand[0])

    def _why_not_hand(self, pos: Position, giver: LeaderId, taker: LeaderId) -> Refusal | None:
        one, other = pos.units.get(giver), pos.units.get(taker)
        if one is None or other is None or one.hex != other.hex or pos.side(giver) != pos.side(taker):
            return None
        name = pos.leader(taker).name
        if taker in self.handed:
            return Refusal("R3.2", "{} has been handed SP this turn", (name,), other.hex)
        if not one.sp:
            return Refusal("R3.2", "{} has no SP", (pos.leader(giver).name,), one.hex)
        if other.sp >= load_limit(pos, other):
            return Refusal("R9.5", "there is no room for it: {} may carry no more", (name,), other.hex)
        return None

    def _hand_script(self, pos: Position) -> Script[Hand]:
        givers = self.givers(pos)
        refuse = Refusal("R3.2", "SP pass within a force, to somebody who has room")

        def why(action: Action) -> Refusal | None:
            return self._why_not(pos, action)

        giver = as_leader((yield Slot("giver", sorted(givers), lambda token: refuse, explain=why)))
        taker = as_leader((yield Slot("taker", givers[giver], lambda token: refuse, explain=why)))
        most = min(pos.units[giver].sp, load_limit(pos, pos.units[taker]) - pos.units[taker].sp)
        points = yield Slot("points", range(1, most + 1), lambda token: refuse, canon=(most,))
        return Hand(giver, taker, int(points))

    def _arrange_script(self, pos: Position) -> Script[Arrange]:
        stands = self.stands(pos)
        refuse = Refusal("R3.2", "no force there could exchange TP")

        def why_none(action: Action) -> Refusal | None:
            return self._why_not(pos, action)

        here = yield Slot("hex", sorted({stand[0] for stand in stands}), lambda token: refuse, explain=why_none)
        sides = sorted({int(s[1]) for s in stands if s[0] == here})
        inside = yield Slot("inside", sides, lambda token: refuse, explain=why_none)
        nations = sorted({s[2] for s in stands if s[:2] == (here, bool(inside))})
        nation = yield Slot("nation", nations, lambda token: refuse, explain=why_none)
        stand = as_hex(here), bool(inside), as_power(nation)
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

    def answer(self, draft: Draft, actor: Side, action: Arrange | Hand | Transfer | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
        elif isinstance(action, Hand):
            draft.change(action.taker, sp=draft.units[action.taker].sp + action.points)
            give_away(draft, self.side)  # a wagon may be used up
            giver = draft.units[action.giver]
            draft.change(action.giver, sp=giver.sp - action.points)
            if giver.sp == action.points and draft.data.is_wagon(action.giver) and not giver.tp:
                draft.remove(action.giver)
            draft.swap(msgspec.structs.replace(self, handed=(*self.handed, action.taker)))
            source = draft.leader(action.giver).name
            draft.emit(SpMoved(side=self.side, taker=action.taker, source=source, points=action.points, by=self.RULE))
        elif isinstance(action, Transfer):
            prisoners.join_leader(draft, action)
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

    def prompt(self, pos: Position, actor: Side) -> str:
        return "End of the turn: exchange TP and SP within forces"


def _able(pos: Position, side: Side) -> list[Stand]:
    nations = [nation for nation in ALL_NATIONS if SIDE_OF[nation] == side]
    return [(*at, nation) for nation in nations for at in _exchanging(pos, nation)]


def _exchanging(pos: Position, nation: PowerId) -> list[Place]:
    """Where a force of a nation could exchange TP."""
    there: dict[Place, list[LeaderId]] = {}
    for number, (place, _) in leaders_of(pos, nation).items():
        there.setdefault(place, []).append(number)
    beside = [at for at, led in there.items() if len(led) > 1 or is_open(pos, at[0], SIDE_OF[nation])]
    return sorted(at for at in beside if _is_able(pos, (*at, nation), [pos.units[n] for n in there[at]]))


def _is_able(pos: Position, stand: Stand, units: Sequence[Unit]) -> bool:
    has_tp = any(unit.tp for unit in units) or garrison_of(pos, stand) > 0
    fit = all(unit.strength <= limit(pos, unit.number, is_senior=False) for unit in units)
    return has_tp and (fit or Shares(pos, stand).is_possible())


def _key(stand: Stand) -> int:
    """A force in one number, that is no leader's."""
    here, inside, nation = stand
    return 1000 + (here * 2 + inside) * len(NATIONS) + nation

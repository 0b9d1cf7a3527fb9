"""R12.2, V3.3: concentration, and in the base game high intensity, for SP; R12.8: breaking a battle off."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.ruleset import ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Declare, Hold, Withdraw
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.fighting import BrokenOff, Declared
from leuthen.rulesets.campaigns.model.forces import is_besieged, is_friendly, units_at
from leuthen.rulesets.campaigns.model.state import Draft, Position, Unit
from leuthen.rulesets.campaigns.rules.r05_movement.walk import is_starved
from leuthen.rulesets.campaigns.rules.r06_meeting.joining import why_none_joins
from leuthen.rulesets.campaigns.rules.r09_supply.supply import is_supplied, pay, stock
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Fight, current, fighters, hosts_of, revise, revise_host
from leuthen.wargame.board import Hex, hex_name

FREE: Final = 2
"""Concentration costs nothing within so many hexes of a fort (V3.3)."""


def price(pos: Position, side: Side) -> int:
    """The SP of concentration or high intensity (R12.2); V3.3: 1, and none within 2 hexes of an own fort."""
    here = current(pos).hex
    if not pos.options.einhorn:
        return -(-sum(unit.strength for unit in fighters(pos, here, side)) // 20)
    return 0 if has_fort_near(pos, here, side) else 1


def has_fort_near(pos: Position, here: Hex, side: Side) -> bool:
    """Whether a friendly fort or fortress that is not besieged is within 2 hexes (V3.3)."""
    away = pos.data.board.distances(here)
    return any(
        away.get(there, 99) <= FREE
        and is_friendly(pos, there, side)
        and pos.data.kind_at(there).inside
        and not is_besieged(pos, there, side)
        for there in pos.data.strongholds
    )


def purse(pos: Position, here: Hex, side: Side) -> list[Unit]:
    """Who pays for a side in the field of a hex: its leaders and wagons there (R9.5)."""
    return [unit for unit in units_at(pos, here, side) if not unit.inside]


class Declaring(Decision[Declare | Hold], rule="R12.2", name="Declaration", neutral=Hold()):
    """A side declares concentration, or in the base game high intensity (R12.2, V3.3)."""

    side: Side

    def choices(self, pos: Position) -> list[tuple[bool, bool]]:
        """What may be declared."""
        battle = current(pos)
        host = hosts_of(battle)[self.side]
        units = purse(pos, battle.hex, self.side)
        cost, have = price(pos, self.side), stock(units)
        found = [(False, False)]
        able = pos.options.einhorn or (
            bool(units) and is_supplied(pos, units) and not any(is_starved(pos, unit) for unit in units)
        )
        if able and not host.concentrated and have >= cost:
            found.append((True, False))
        if able and not pos.options.einhorn and have >= cost:
            found.append((False, True))
            if not host.concentrated and have >= 2 * cost:
                found.append((True, True))
        return found

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side, if it has a choice; with `hidden` nobody else hears whether it has."""
        return (self.side,) if pos.options.hidden or len(self.choices(pos)) > 1 else ()

    def script(self, pos: Position, actor: Side) -> Script[Declare | Hold]:
        choices = self.choices(pos)
        kind = yield Slot("do", ("hold", "declare"), lambda token: self._no_kind(pos, token))
        if kind == "hold":
            return Hold()
        first = sorted({int(a) for a, b in choices if a or b})
        a = yield Slot(
            "concentrate", first, lambda token: self._refuse(pos, "concentration" if token else "high intensity")
        )
        second = sorted({int(b) for one, b in choices if one == bool(a) and (one or b)})
        b = yield Slot("intense", second, lambda token: self._refuse(pos, "high intensity"))
        return Declare(bool(a), bool(b))

    def _no_kind(self, pos: Position, token: Token) -> Refusal:
        if token == "join" and current(pos).round == 1:
            return why_none_joins(pos, self.side)
        return Refusal("R12.2", "declare something, or hold")

    def _refuse(self, pos: Position, what: str) -> Refusal:
        if what == "high intensity" and pos.options.einhorn:
            return Refusal("V1", "there is no high intensity")
        battle = current(pos)
        if what == "concentration" and hosts_of(battle)[self.side].concentrated:
            return Refusal("R12.2", "it has been declared in this battle")
        cost, have = price(pos, self.side), stock(purse(pos, battle.hex, self.side))
        rule = "V3.3" if pos.options.einhorn else "R12.2"
        return Refusal(
            rule, "{} SP for {} cannot be paid: {} are there, or the force is out of supply", (cost, what, have)
        )

    def answer(self, draft: Draft, actor: Side, action: Declare | Hold) -> None:
        draft.pop()
        if isinstance(action, Hold):
            return
        battle = current(draft)
        host = hosts_of(battle)[self.side]
        points = price(draft, self.side) * (action.concentrate + action.intense)
        revise_host(draft, self.side, concentrated=host.concentrated or action.concentrate, intense=action.intense)
        pay(draft, [unit.number for unit in purse(draft, battle.hex, self.side)], points)
        draft.emit(
            Declared(
                side=self.side,
                round=battle.round,
                concentrate=action.concentrate,
                intense=action.intense,
                points=points,
                by="V3.3" if draft.options.einhorn else self.RULE,
            )
        )

    def prompt(self, pos: Position, actor: Side) -> str:
        battle = current(pos)
        where, cost = f"Battle at {hex_name(battle.hex)}, round {battle.round}", price(pos, self.side)
        return f"{where}: declare concentration for {cost} SP, or hold"


class Leaving(Decision[Withdraw | Hold], rule="R12.8", name="Breaking off", neutral=Hold()):
    """A side may retreat from a battle of its own will (R12.8)."""

    side: Side

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The side, unless the other has left already."""
        return () if current(pos).retreating >= 0 else (self.side,)

    def script(self, pos: Position, actor: Side) -> Script[Withdraw | Hold]:
        kind = yield Slot("do", ("hold", "withdraw"), lambda token: Refusal("R12.8", "withdraw, or hold"))
        return Withdraw() if kind == "withdraw" else Hold()

    def answer(self, draft: Draft, actor: Side, action: Withdraw | Hold) -> None:
        draft.pop()
        if isinstance(action, Withdraw):
            leave(draft, self.side, forced=False)

    def prompt(self, pos: Position, actor: Side) -> str:
        battle = current(pos)
        return f"Battle at {hex_name(battle.hex)}, after round {battle.round}: withdraw, or hold"


def leave(draft: Draft, side: Side, *, forced: bool) -> None:
    """A side retreats: in the variant after one last round (R12.8, V6.3)."""
    draft.emit(BrokenOff(side=side, forced=forced))
    for each in (0, 1):
        revise_host(draft, each, hit=0, roll=-1, intense=False)
    revise(draft, retreating=side, stage="last" if draft.options.einhorn else "end")


def worse(battle: Fight) -> Side:
    """The side that has lost the larger share of its TP; equal: the attacker (R12.8)."""
    shares = [Fraction(host.lost, host.began) for host in hosts_of(battle)]
    if shares[0] == shares[1]:
        return battle.attacker
    return 0 if shares[0] > shares[1] else 1

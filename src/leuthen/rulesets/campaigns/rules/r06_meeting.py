"""R6: sharing a hex with the enemy, at the end of a march."""

from __future__ import annotations

from typing import Final, Self

from leuthen.engine.choice import Refusal, Script, Slot, script_of
from leuthen.engine.ruleset import OTHER, ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Attack, Hold
from leuthen.rulesets.campaigns.model.events import AttackDeclined, Roused
from leuthen.rulesets.campaigns.model.forces import commander, field_tp, force_at
from leuthen.rulesets.campaigns.model.state import Draft, Position, SideDecision, SideRoll
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r05_hex_actions import why_stopped
from leuthen.rulesets.campaigns.rules.r12_battle import open_battle
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.strength import LeaderId

ONWARD: Final = ("go", "march", "out")  # not open to a group that the enemy has stopped (R5.3)


def why_not_attack(pos: Position, here: Hex, side: Side, *, against_mover: bool = False) -> Refusal | None:
    """Return the rule that keeps a side from opening a battle in a hex, or None (R6.1, R13.3, V8.2)."""
    number = commander(pos, force_at(pos, here, side, False))
    if number < 0 or not field_tp(pos, here, OTHER[side]):
        return Refusal("R6.3", "a battle needs field TP of both sides in the hex", (), here)
    unit = pos.units[number]
    rule, is_barred = ("V8.2", unit.daunted and not against_mover) if pos.options.einhorn else ("R13.3", unit.shaken)
    reason = "{} is demoralized and opens no battle"
    return Refusal(rule, reason, (pos.leader(number).name,), here) if is_barred else None


class Meeting(SideDecision[Attack | Hold], rule="R6.1", name="Attack", neutral=Hold()):
    """A move has ended in a hex with an enemy field force: the mover may attack (R6.1)."""

    lead: LeaderId
    group: tuple[LeaderId, ...]
    came: Hex = NOWHERE

    def _here(self, pos: Position) -> Hex:
        """The hex of the group with TP in the field beside enemies; -1 if elsewhere, or if it has fought."""
        unit = pos.units.get(self.lead)
        if unit is None or unit.inside or self.lead in Activation.members_fought(pos):
            return NOWHERE
        led = [pos.units[n] for n in self.group if n in pos.units and pos.units[n].hex == unit.hex]
        if not any(one.tp for one in led) or not field_tp(pos, unit.hex, OTHER[self.side]):
            return NOWHERE
        return unit.hex

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        here = self._here(pos)
        return (self.side,) if here >= 0 and not why_not_attack(pos, here, self.side) else ()

    def step(self, draft: Draft) -> None:
        """Ask the other side if the mover has not attacked."""
        here = self._here(draft)
        draft.pop()
        if here >= 0:
            draft.push(Rousing(OTHER[self.side], here))

    def script(self, pos: Position, actor: Side) -> Script[Attack | Hold]:
        other = Refusal("R6.1", "choose attack or hold")
        kind = yield Slot("do", ("hold", "attack"), lambda t: why_stopped(self._here(pos)) if t in ONWARD else other)
        return Attack() if kind == "attack" else Hold()

    def answer(self, draft: Draft, actor: Side, action: Attack | Hold) -> None:
        here = self._here(draft)
        draft.pop()
        if isinstance(action, Attack):
            open_battle(draft, here, self.side, how="march", came=self.came)
        else:
            draft.emit(AttackDeclined(side=self.side, hex=here))
            draft.push(Rousing(OTHER[self.side], here))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"The enemy is at {hex_name(self._here(pos))}: attack or share the hex"


class Rousing(SideDecision[Attack | Hold], rule="R6.1", name="Attack of the other side", neutral=Hold()):
    """The other side may roll once to attack (R6.1)."""

    hex: Hex

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return () if why_not_attack(pos, self.hex, self.side, against_mover=True) else (self.side,)

    def script(self, pos: Position, actor: Side) -> Script[Attack | Hold]:
        return script_of((Hold(), Attack()), "R6.1", "choose attack or hold")

    def answer(self, draft: Draft, actor: Side, action: Attack | Hold) -> None:
        draft.pop()
        if isinstance(action, Attack):
            draft.push(RouseRoll(self.side, self.hex))
        else:
            draft.emit(AttackDeclined(side=self.side, hex=self.hex))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"The enemy has not attacked at {hex_name(self.hex)}: try to attack or share the hex"


class RouseRoll(SideRoll, rule="R6.1", name="Initiative"):
    """The commander attacks at his initiative or less (R6.1)."""

    hex: Hex

    def after_removal(self, pos: Position) -> Self | None:
        return None if why_not_attack(pos, self.hex, self.side, against_mover=True) else self

    def rolled(self, draft: Draft, die: int) -> None:
        number = commander(draft, force_at(draft, self.hex, self.side, False))
        initiative = draft.leader(number).initiative
        success = die <= initiative
        draft.emit(Roused(side=self.side, leader=number, die=die, initiative=initiative, success=success))
        if success:
            open_battle(draft, self.hex, self.side, how="rousing")

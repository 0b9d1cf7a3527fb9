"""R8: forced marches."""

from __future__ import annotations

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import OTHER, ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Force
from leuthen.rulesets.campaigns.model.events import ForcedMarch
from leuthen.rulesets.campaigns.model.forces import field_tp, is_besieged, percent_of
from leuthen.rulesets.campaigns.model.pieces import HUNGRY
from leuthen.rulesets.campaigns.model.state import Draft, Position, SideDecision, SideRoll
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching, why_left_hungry
from leuthen.rulesets.campaigns.rules.r05_hex_actions import why_stopped
from leuthen.rulesets.campaigns.rules.r05_walk import allowance
from leuthen.rulesets.campaigns.rules.r06_meeting import ONWARD, Meeting
from leuthen.rulesets.campaigns.rules.r09_supply import MOST_MOVES, owed_by
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import LeaderId, as_leader, bag

TOLL = 5  # per cent of his TP for a strained march (R8)


def why_not_force(pos: Position, number: LeaderId, fought: tuple[LeaderId, ...]) -> Refusal | None:
    """Return the rule that forbids a leader a forced march, or None (R8, R4.4, R10.6, V3.5, V4, V8.1)."""
    unit = pos.units.get(number)
    if unit is None or pos.data.is_wagon(number):
        return Refusal("R8.1", "wagons cannot force their march")
    name, is_variant = pos.leader(number).name, pos.options.einhorn
    is_hungry = unit.fodder == HUNGRY or (not is_variant and unit.hunger)
    return first_refusal(
        unit.hex,
        (number in fought, "R4.4", "{} has fought in this activation", name),
        (unit.forced, "R8.1", "{} has already tried a forced march this turn", name),
        (unit.shaken, "V8.1" if is_variant else "R13.3", "{} is demoralized", name),
        (is_hungry, "V3.5" if is_variant else "R9.8", "{} is out of supply", name),
        (is_variant and unit.moves >= MOST_MOVES, "V4", "{} has moved twice", name),
        (unit.sp < owed_by(pos, [unit]).least, "V3.5", "{} is out of depot range and cannot pay", name),
        (unit.inside and is_besieged(pos, unit.hex, pos.side(number)), "R10.6", "{} is besieged", name),
    )


class ForcedMarches(
    SideDecision[Force | Done],
    rule="R8.1",
    name="Forced march",
    prompt="Forced marches: a leader of the group may march on alone",
    neutral=Done(),
    leaderless=True,
):
    """Leaders of the group may force their march in turn, each alone (R8)."""

    group: tuple[LeaderId, ...]
    origin: Hex = NOWHERE  # where the group set out

    def able(self, pos: Position) -> list[LeaderId]:
        return [number for number in self.group if not self.why_not(pos, number)]

    def why_not(self, pos: Position, number: LeaderId) -> Refusal | None:
        """Return the rule against it, or None: a leader does not leave followers out of supply (V3.1)."""
        if refusal := why_not_force(pos, number, Activation.members_fought(pos)):
            return refusal
        here = pos.units[number].hex
        if number != self.group[0] or here == self.origin:
            return None
        others = [pos.units[n] for n in self.group[1:] if n in pos.units]
        left = [unit for unit in others if (unit.hex, unit.inside) == (here, pos.units[number].inside)]
        return why_left_hungry(pos, here, pos.units[number].inside, left) if left else None

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the owner while a leader may try; with `hidden` always."""
        return (self.side,) if pos.options.hidden or self.able(pos) else ()

    def script(self, pos: Position, actor: Side) -> Script[Force | Done]:
        if (yield Slot("do", ("done", "force"), lambda token: self._no_kind(pos, token))) == "done":
            return Done()

        def refuse(token: Token) -> Refusal:
            known = self.why_not(pos, as_leader(token)) if token in self.group else None
            return known or Refusal("R8.1", "that leader is not in the group")

        return Force(as_leader((yield Slot("leader", self.able(pos), refuse))))

    def _no_kind(self, pos: Position, token: Token) -> Refusal:
        lead = pos.units.get(self.group[0]) if self.group else None
        if token in ONWARD and lead is not None and field_tp(pos, lead.hex, OTHER[self.side]):
            return why_stopped(lead.hex)
        return Refusal("R8.1", "the march is over: choose force or done")

    def answer(self, draft: Draft, actor: Side, action: Force | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
            return
        draft.change(action.leader, forced=True)
        draft.push(ForcedRoll(self.side, action.leader))


class ForcedRoll(SideRoll, rule="R8.1", name="Forced march"):
    leader: LeaderId

    def rolled(self, draft: Draft, die: int) -> None:
        """Up to 4 MP at his command or less; at one more he loses 5 % first; a 6 fails."""
        unit, command = draft.units[self.leader], draft.leader(self.leader).command
        lost = percent_of(TOLL, unit.strength) if die == command + 1 and die != 6 else 0
        success = die <= command + 1 and die != 6
        draft.give_away(self.side)  # whether he has TP
        if die == command + 1:
            draft.widen_sight(unit.hex, self.side, unit.inside, TOLL)
        points = allowance(draft, [unit], forced=True) if success else 0
        draft.emit(ForcedMarch(side=self.side, leader=self.leader, die=die, command=command, points=points, lost=lost))
        if not success:
            return
        if lost:
            part = bag(draft.leader(self.leader).nation, lost)
            draft.change(self.leader, tp=unit.tp - part)
            draft.dead += part
        draft.push(Meeting(self.side, self.leader, (self.leader,)))
        group, origin = (self.leader,), (unit.hex, unit.inside)
        draft.push(Marching(self.side, self.leader, group, points, True, *origin))

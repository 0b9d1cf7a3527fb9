"""R6.3: leaders inside a place join in a battle before its doors."""

from collections.abc import Sequence

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token, ask_members
from leuthen.engine.ruleset import ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Hold, Join
from leuthen.rulesets.campaigns.model.events import Joined
from leuthen.rulesets.campaigns.model.forces import troops_at
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position, SideDecision
from leuthen.rulesets.campaigns.rules.r02_leaders import can_complete, why_not_part
from leuthen.rulesets.campaigns.rules.r12_fight import current
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import LeaderId


def inside(pos: Position, side: Side) -> list[Unit]:
    return troops_at(pos, current(pos).hex, side, True)


def why_not_join(pos: Position, unit: Unit, side: Side) -> Refusal | None:
    """Return the rule that keeps a leader inside from joining, or None: not demoralized in an own attack (V8.2)."""
    if current(pos).attacker != side or not unit.daunted:
        return None
    name = pos.leader(unit.number).name
    return Refusal("V8.2", "{} is demoralized and joins no attack of his own side", (name,), unit.hex)


def why_none_joins(pos: Position, side: Side) -> Refusal:
    """Return the reason why no leader may join: that of the first leader inside, if any."""
    for unit in inside(pos, side):
        if refusal := why_not_join(pos, unit, side) or _why_not(pos, (unit.number,)):
            return refusal
    return Refusal("R6.3", "no leader with TP is inside, or the battle has begun")


def _why_not(pos: Position, numbers: Sequence[LeaderId]) -> Refusal | None:
    return why_not_part(pos, numbers, (current(pos).hex, False))


class Joining(SideDecision[Join | Hold], rule="R6.3", name="Joining in", neutral=Hold()):
    """Leaders inside may join in a battle before its first round (R6.3)."""

    def able(self, pos: Position) -> list[LeaderId]:
        """Return the leaders inside with TP who may join, some perhaps only with others (V8.2, V2.2)."""
        free = [unit.number for unit in inside(pos, self.side) if not why_not_join(pos, unit, self.side)]
        return free if can_complete((), free, lambda numbers: _why_not(pos, numbers)) else []

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """Return the side if a leader may join; with `hidden`, if any leader with TP is inside."""
        return (self.side,) if (inside(pos, self.side) if pos.options.hidden else self.able(pos)) else ()

    def script(self, pos: Position, actor: Side) -> Script[Join | Hold]:
        left = self.able(pos)
        kinds = ("hold", "join") if left else ("hold",)
        other = Refusal("R6.3", "choose join or hold")
        if (yield Slot("do", kinds, lambda t: why_none_joins(pos, self.side) if t == "join" else other)) == "hold":
            return Hold()
        leaders = yield from ask_members(
            "leaders",
            left,
            lambda before, token: self._not_able(pos, token, before),
            can_add=lambda chosen, later: can_complete(chosen, later, lambda numbers: _why_not(pos, numbers)),
            can_stop=lambda chosen: bool(chosen) and _why_not(pos, chosen) is None,
        )
        return Join(leaders)

    def _not_able(self, pos: Position, token: Token, before: Sequence[LeaderId]) -> Refusal:
        if token == STOP:
            return (_why_not(pos, before) if before else None) or Refusal("R6.3", "name the leaders who join in")
        unit = next((unit for unit in inside(pos, self.side) if unit.number == token), None)
        if unit is None:
            return Refusal("R6.3", "only leaders inside may join in")
        refusal = why_not_join(pos, unit, self.side) or _why_not(pos, (*before, unit.number))
        name = pos.leader(unit.number).name
        return refusal or Refusal("R6.3", "{} is named twice or out of order", (name,), unit.hex)

    def answer(self, draft: Draft, actor: Side, action: Join | Hold) -> None:
        draft.pop()
        if isinstance(action, Join):
            for number in action.leaders:
                draft.change(number, inside=False)
            draft.emit(Joined(side=self.side, leaders=action.leaders))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Battle at {hex_name(current(pos).hex)}: your leaders inside may join in"

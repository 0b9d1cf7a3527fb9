"""R6.3: leaders inside a place join in a battle before its doors."""

from __future__ import annotations

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Hold, Join
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.fighting import Joined
from leuthen.rulesets.campaigns.model.forces import force_at
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r12_battle.fight import current
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import LeaderId, as_leader


class Joining(Decision[Join | Hold], rule="R6.3", name="Joining in"):
    """Leaders inside may join in a battle before its first round (R6.3)."""

    side: Side

    def able(self, pos: Position) -> list[LeaderId]:
        """The leaders with TP inside."""
        here = current(pos).hex
        return [unit.number for unit in force_at(pos, here, self.side, True) if unit.tp]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if self.able(pos) else ()

    def script(self, pos: Position, actor: Side) -> Script[Join | Hold]:
        kind = yield Slot("do", ("hold", "join"), lambda token: Refusal("R6.3", "join in, or hold"))
        if kind == "hold":
            return Hold()
        left, chosen = self.able(pos), list[LeaderId]()
        while True:
            values: list[Token] = [*left, *([STOP] if chosen else [])]
            token = yield Slot(
                "leaders", values, lambda token: Refusal("R6.3", "only leaders inside may join in"), index=len(chosen)
            )
            if token == STOP:
                return Join(tuple(chosen))
            chosen.append(as_leader(token))
            left = left[left.index(as_leader(token)) + 1 :]

    def answer(self, draft: Draft, actor: Side, action: Join | Hold) -> None:
        draft.pop()
        if isinstance(action, Join):
            for number in action.leaders:
                draft.change(number, inside=False)
            draft.emit(Joined(side=self.side, leaders=action.leaders))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Battle at {hex_name(current(pos).hex)}: leaders inside may join in, or hold"

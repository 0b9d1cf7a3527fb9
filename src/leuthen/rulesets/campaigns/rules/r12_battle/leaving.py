"""R12.8, V6.3: who leaves a battle, of his own will or because he broke."""

from __future__ import annotations

from fractions import Fraction

from leuthen.engine.choice import Script, Slot
from leuthen.engine.refusal import Refusal
from leuthen.engine.ruleset import ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Hold, Withdraw
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.fighting import BrokenOff
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Fight, current, hosts_of, revise, revise_host
from leuthen.wargame.board import hex_name


class Leaving(Decision[Withdraw | Hold], rule="R12.8", name="Breaking off"):
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

"""What is asked of a side, as it sees it, and what its clauses say of the enemy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import OTHER, as_side
from leuthen.engine.standing import Clause, Surprise
from leuthen.rulesets.campaigns.knowledge.view import SeenForce, View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.forces import field_tp
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.rulesets.campaigns.model.pieces import UNKNOWN
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.odds.battle import battle_odds
from leuthen.rulesets.campaigns.screen.report import band
from leuthen.rulesets.campaigns.standing.clauses import (
    AgainstForce,
    AttackClause,
    HoldClause,
    JoinClause,
    ReactClause,
    format_clause,
)
from leuthen.rulesets.campaigns.standing.parts import ANY
from leuthen.rulesets.campaigns.standing.script import why_unsound
from leuthen.screen.basics import begun
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId, bag

Said = Action | Surprise | None


C = TypeVar("C", bound=Clause)


class AskedDecision:
    """A decision that is asked of a side, as it sees it. `pos` is a position that shows as much as the view."""

    def __init__(self, data: GameData, view: View, pos: Position, legal: LegalSet, clauses: Sequence[Clause]) -> None:
        self.data = data
        self.view = view
        self.pos = pos
        self.side = as_side(view.viewer)
        self.legal = legal
        self.clauses = clauses
        self.names = Names(data)

    def find(self, kind: type[C]) -> C | None:
        """The first clause of a kind, or None."""
        return next((clause for clause in self.clauses if isinstance(clause, kind)), None)

    def quote(self, clause: Clause) -> str:
        """A clause as it is written."""
        return f"«{format_clause(self.data, clause)}»"

    def otherwise(self, reason: str) -> Said:
        """What is answered where no clause is about it: that all stays as it is, if that was said and is an answer.

        Else it is a surprise: what decides something for good the owner answers himself.
        """
        neutral = self.pos.frames[-1].neutral(self.pos, self.side) if self.find(HoldClause) else None
        if neutral is None or neutral not in self.legal:
            return Surprise(reason)
        return neutral

    def force(self, here: Hex) -> SeenForce | None:
        """The enemy in the field of a hex, as it is seen."""
        for force in self.view.stacks:
            if (force.hex, force.side, force.inside) == (here, OTHER[self.side], False):
                return force
        return None


def unsound(question: AskedDecision) -> Surprise | None:
    """A leader who is named is no longer what he was when the instruction was given."""
    for clause in question.clauses:
        for number in named(clause):
            unit = question.pos.units.get(number)
            if unit is None:
                name = begun(question.names.unit(number))
                return Surprise(f"{name} is gone, whom {question.quote(clause)} names (R2.5)")
            if question.data.is_wagon(number):
                continue
            if refusal := why_unsound(question.pos, unit):
                return Surprise(refusal.text)
    return None


def named(clause: Clause) -> tuple[LeaderId, ...]:
    """One's own leaders and wagons whom a clause names."""
    if isinstance(clause, ReactClause):
        return (clause.leader, *clause.companions)
    return clause.leaders if isinstance(clause, JoinClause) else ()


def is_named(clause: AgainstForce, here: Hex, leaders: Sequence[LeaderId]) -> bool:
    """Whether a clause is about one of these leaders in this hex."""
    is_he = not clause.movers or any(leader in clause.movers for leader in leaders)
    return is_he and (not clause.hexes or here in clause.hexes)


def too_strong(question: AskedDecision, clause: AgainstForce, here: Hex) -> Surprise | None:
    """An enemy who may be stronger than the clause says."""
    force = question.force(here)
    if force is None or clause.most == ANY or force.most <= clause.most:
        return None
    where, seen = question.names.hex(here), band(force.least, force.most)
    return Surprise(f"At {where} the enemy has {seen} TP, and {question.quote(clause)} foresees {clause.most} at most")


def fits(question: AskedDecision, clause: ReactClause | AttackClause, here: Hex) -> bool:
    """Whether the odds are good enough for an attack, if the enemy is as strong as he may be."""
    force = question.force(here)
    if not clause.odds or force is None:
        return True
    if force.most >= UNKNOWN:
        return False
    draft = Draft(question.pos)
    for number in named(clause):
        draft.change(number, hex=here, inside=False)
    chief = draft.units[force.commander]
    more = force.most - field_tp(draft, here, OTHER[question.side])
    nation = draft.leader(force.commander).nation
    draft.change(force.commander, tp=chief.tp - bag(nation, -more) if more < 0 else chief.tp + bag(nation, more))
    wins = battle_odds(draft, here, question.side).wins[question.side]
    return 100 * wins >= clause.odds

"""What this rule set has for standing instructions (`engine.standing.Standing`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.events import Event
from leuthen.engine.ruleset import as_side
from leuthen.engine.standing import Clause, Surprise
from leuthen.rulesets.campaigns.knowledge.view import MIDDLE, View, complete_view
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.standing.answers import alarm, answer
from leuthen.rulesets.campaigns.standing.clauses import (
    GRAMMAR,
    HoldClause,
    SaidClause,
    clause_script,
    covers,
    format_clause,
    parse_clause,
)
from leuthen.rulesets.campaigns.standing.parts import ClauseReader
from leuthen.rulesets.campaigns.standing.question import AskedDecision
from leuthen.rulesets.campaigns.standing.wording import ClauseForm
from leuthen.screen import Form, PartialOrder
from leuthen.screen.forms import fill_form
from leuthen.wargame.completion import complete_line
from leuthen.wargame.strength import LeaderId

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.ruleset import Campaigns


class CampaignsStanding:
    """Clauses for all that the other side's activity asks of a side."""

    def __init__(self, game: Campaigns) -> None:
        self.game = game
        self.data = game.data

    def _position(self, view: View) -> Position:
        """A position that shows as much as the view, always the same."""
        return complete_view(self.data, view, MIDDLE)

    def _known(self, view: View) -> tuple[list[LeaderId], list[LeaderId]]:
        """One's own leaders and wagons, and the enemy leaders whom one sees."""
        own = [n for force in view.stacks if force.side == view.viewer for n in force.units]
        foes = [n for force in view.stacks if force.side != view.viewer for n in force.units]
        return own, [number for number in foes if not self.data.is_wagon(number)]

    def clauses(self, view: View) -> LegalSet[Clause]:
        """The clauses that the viewer may give now."""
        return self._clauses(view, self._position(view))

    def _clauses(self, view: View, pos: Position) -> LegalSet[Clause]:
        _, foes = self._known(view)
        return LegalSet(lambda: clause_script(pos, as_side(view.viewer), foes), self.game.NOT_THERE)

    def parse(self, view: View, text: str) -> Clause:
        """Reads a clause. Raises Invalid or Ambiguous."""
        clause: Clause = parse_clause(self.data, *self._known(view), text)
        return clause

    def format(self, clause: Clause) -> str:
        """The line of a clause."""
        return format_clause(self.data, clause)

    def in_order(self, clauses: Sequence[Clause]) -> Sequence[Clause]:
        """What answers all the rest comes last."""
        return sorted(clauses, key=lambda clause: isinstance(clause, HoldClause))

    def covered_by(self, clauses: Sequence[Clause]) -> Sequence[int]:
        """For each clause the number, from 0, of an earlier one that always answers in its place; -1 if none does."""
        return [
            next((number for number, before in enumerate(clauses[:place]) if covers(before, clause)), -1)
            for place, clause in enumerate(clauses)
        ]

    def explain(self, clause: Clause) -> str:
        """A clause as a sentence with its rule."""
        assert isinstance(clause, SaidClause)
        return clause.sentence(self.game.names)

    def complete(self, view: View, text: str) -> Sequence[str]:
        """What may come next in a clause that is being typed."""
        own, foes = self._known(view)
        return complete_line(GRAMMAR, self.clauses(view), text, partial(ClauseReader, self.data, own, foes))

    def form(self, view: View, partial_order: PartialOrder) -> Form:
        """A clause in the making. Never raises."""
        pos = self._position(view)
        asked = ClauseForm(self.data, view, pos)
        filled = fill_form(self._clauses(view, pos), asked, partial_order)
        if not isinstance(filled.action, Clause):
            return Form(filled.fields, "", filled.refused, (), asked.start)
        return Form(
            filled.fields, self.format(filled.action), filled.refused, (self.explain(filled.action),), asked.start
        )

    def answer(self, view: View, legal: LegalSet, clauses: Sequence[Clause]) -> Action | Surprise | None:
        """What the clauses answer to what the viewer is asked."""
        return answer(AskedDecision(self.data, view, self._position(view), legal, clauses))

    def alarm(self, side: int, event: Event) -> Surprise | None:
        """A battle that is lost, or a place that the enemy has taken."""
        return alarm(self.game.names, as_side(side), event)

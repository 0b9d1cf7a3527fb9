"""C13: the end of the war."""

from __future__ import annotations

from leuthen.engine.ruleset import NOBODY, Outcome
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events.grand import WarEnded
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.rulesets.frederick.rules.c12_victory import marginal_victor, silesian_fortresses, victory_points
from leuthen.rulesets.frederick.rules.c14_scenarios import end_scenario


class FinalVictory(Decision, rule="C13.1", name="End of the war"):
    """The end of the last year (C13.1); the option `last-year` says which that is (C13.2), or the scenario (C14.6)."""

    def step(self, draft: Draft) -> None:
        """After the last year the war ends in any case."""
        draft.pop()
        if draft.year < draft.options.last_year or draft.outcome is not None:  # C13.2
            return
        if draft.plan.par is not None:
            end_scenario(draft)
            return
        points, silesia = victory_points(draft), silesian_fortresses(draft)
        winner = marginal_victor(points, silesia)
        how = "draw" if winner == NOBODY else "marginal"
        draft.emit(WarEnded(winner=winner, how=how, points=points, silesia=silesia[:2]))
        draft.outcome = Outcome(None if winner == NOBODY else winner, how, self.RULE, draft.year)

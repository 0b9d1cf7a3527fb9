"""Orders in the making, as a table shows them: the questions of the legal set in good English.

A form is made from the legal set, which is the same in every world that the actor's view allows. What it says beside
is about the actor's own forces, and about the enemy's as they are seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Side
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.screen.order_odds import odds_of
from leuthen.rulesets.frederick.screen.order_summary import summary_of
from leuthen.rulesets.frederick.screen.questions import Questions
from leuthen.screen import Form, PartialOrder, form_builder

if TYPE_CHECKING:
    from leuthen.rulesets.frederick.ruleset import Frederick


def make_form(game: Frederick, state: State, actor: Side, partial_order: PartialOrder) -> Form:
    """The form of an order with what is chosen of it so far. Never raises."""
    return form_builder.make_form(game, state, actor, partial_order, Questions, summary_of, odds_of)


def choices_of(game: Frederick, state: State, actor: Side, action: Action) -> PartialOrder:
    """What is chosen in the form of an action."""
    return form_builder.choices_of(game, state, actor, action, Questions)

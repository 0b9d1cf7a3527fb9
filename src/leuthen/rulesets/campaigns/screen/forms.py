"""Orders in the making, as a table shows them: the questions of the legal set in good English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.screen.order_odds import odds_of
from leuthen.rulesets.campaigns.screen.order_summary import summary_of
from leuthen.rulesets.campaigns.screen.questions import Questions
from leuthen.screen import Form, PartialOrder, form_builder

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.ruleset import Campaigns


def make_form(game: Campaigns, state: State, actor: Side, partial_order: PartialOrder) -> Form:
    """The form of an order with what is chosen of it so far. Never raises."""
    return form_builder.make_form(game, state, actor, partial_order, Questions, summary_of, odds_of)


def choices_of(game: Campaigns, state: State, actor: Side, action: Action) -> PartialOrder:
    """What is chosen in the form of an action."""
    return form_builder.choices_of(game, state, actor, action, Questions)

"""Orders in the making, as a table shows them: the questions of the legal set in good English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leuthen.campaigns.showing.formodds import odds_of
from leuthen.campaigns.showing.formtext import summary_of
from leuthen.campaigns.showing.questions import Questions
from leuthen.campaigns.showing.reach import show_reach
from leuthen.campaigns.state import SIDES, State
from leuthen.core.forms import fill_form, reason_of
from leuthen.core.refusal import Refusal
from leuthen.core.showing import Form, Wishes

if TYPE_CHECKING:
    from leuthen.campaigns.game import Campaigns


def make_form(game: Campaigns, state: State, actor: int, wishes: Wishes) -> Form:
    """The form of an order with what is wished of it so far. Never raises."""
    refusal = _not_asked(state, actor)
    if refusal is not None:
        return Form((), refused=(reason_of(refusal),))
    asked = Questions(game.data, state, actor)
    filled = fill_form(game.legal_actions(state, actor), asked, wishes)
    return Form(
        filled.fields,
        "" if filled.action is None else game.format_action(state, actor, filled.action),
        filled.refused,
        summary_of(asked, filled.action),
        asked.start,
        show_reach(asked.pace) if asked.pace is not None else {},
        odds_of(asked, filled.action) if filled.action is not None else None,
    )


def _not_asked(state: State, actor: int) -> Refusal | None:
    """Why there is nothing to fill in."""
    if state.outcome is not None:
        return Refusal(state.outcome.rule, "the game has ended")
    if actor in SIDES and actor in state.frames[-1].actors(state):
        return None
    return Refusal("R4.6", "you are not asked now")

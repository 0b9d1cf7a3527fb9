"""Orders in the making, as a table shows them: the questions of the legal set in good English.

A form is made from the legal set, which is the same in every world that the actor's view allows. What it says beside
is about the actor's own forces, and about the enemy's as they are seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from leuthen.core.forms import fill_form, reason_of
from leuthen.core.refusal import Refusal
from leuthen.core.showing import Form, Wishes
from leuthen.frederick.showing.formodds import odds_of
from leuthen.frederick.showing.formtext import summary_of
from leuthen.frederick.showing.questions import Questions
from leuthen.frederick.showing.reach import show_reach
from leuthen.frederick.state import SIDES, State

if TYPE_CHECKING:
    from leuthen.frederick.game import Frederick


def make_form(game: Frederick, state: State, actor: int, wishes: Wishes) -> Form:
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
        show_reach(asked.walk) if asked.walk is not None else {},
        odds_of(asked, filled.action) if filled.action is not None else None,
    )


def _not_asked(state: State, actor: int) -> Refusal | None:
    """Why there is nothing to fill in."""
    if state.outcome is not None:
        return Refusal(state.outcome.rule, "the game has ended")
    frame = state.frames[-1]
    if actor in SIDES and (actor in frame.actors(state) or frame.is_open_to(state, actor)):
        return None
    return Refusal("O4.2", "you are not asked now")

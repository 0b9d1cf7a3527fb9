"""Orders in the making, as a table shows them: the questions of the legal set in good English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leuthen.campaigns.showing.formodds import odds_of
from leuthen.campaigns.showing.formtext import summary_of
from leuthen.campaigns.showing.questions import Questions
from leuthen.campaigns.state import State
from leuthen.core import asking
from leuthen.core.showing import Form, Wishes

if TYPE_CHECKING:
    from leuthen.campaigns.game import Campaigns


def make_form(game: Campaigns, state: State, actor: int, wishes: Wishes) -> Form:
    """The form of an order with what is wished of it so far. Never raises."""
    return asking.make_form(game, state, actor, wishes, Questions, summary_of, odds_of)

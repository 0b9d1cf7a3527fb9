"""1756's question: Saxony or not. Whoever means to invade thinks of it as the enemy that it will be (C3.3)."""

from __future__ import annotations

from typing import Final

from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.data import NOBODY, SAXONY
from leuthen.rulesets.frederick.model.state import PRUSSIAN, Draft
from leuthen.rulesets.frederick.rules.c01_joining import join

FIRST_YEAR: Final = 1756
NAME: Final = "saxony"
"""Of the decision in a plan's council: 1 to invade."""


def means_to_invade(s: Situation) -> bool:
    """Whether it is 1756, Saxony is neutral, and this side would gain by its fall: Prussia, whose border it is."""
    return s.side == PRUSSIAN and s.pos.year == FIRST_YEAR and s.pos.side_of(SAXONY) == NOBODY


def think_of_war(s: Situation) -> None:
    """Saxony stands on the other side, in thought."""
    draft = Draft(s.pos)
    join(draft, SAXONY, s.foe)
    s.rethink(draft.freeze())

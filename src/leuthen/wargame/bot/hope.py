"""What a machine does where there is little to hope for: it resigns in the end, and takes a draw that is offered.

Both follow from its side's view and its thought alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from leuthen.engine.choice import Chooser
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.wargame.bot.value import Value
from leuthen.wargame.plans import Thought, date_number
from leuthen.wargame.search import Stream, seed_of

Draw: TypeAlias = Callable[[Ruleset, Any, Chooser], Any]
"""Draws a world of a view."""
WORLDS: Final = 8
"""In so many worlds of a view a side's chance is looked at."""
HOPELESS: Final = 0.02
"""Below this chance a turn counts as hopeless: of 102 sides of whom that held for some turns, one did not lose."""
TURNS: Final = 4
"""Hopeless turns in a row after which a general resigns."""
DRAWN: Final = 0.1
"""Whoever expects to score less than this takes a draw: it is worth a half, but nobody gives an open war away."""
_JUDGED: Final = "judged"
_IN_A_ROW: Final = "hopeless"
NOTES: Final = (_JUDGED, _IN_A_ROW)
"""What a thought notes of it, and a general must not forget."""


def hope(rules: Ruleset, draw: Draw, value: Value, view: bytes, side: Side) -> float:
    """What a side may expect to score, by what it knows: the mean over worlds of its view, the same ones always."""
    seen, found = rules.decode_view(view), 0.0
    for number in range(WORLDS):
        found += value.chance(draw(rules, seen, Stream(seed_of("hope", number, view))))
    return found / WORLDS if side == 0 else 1 - found / WORLDS


def judged(mind: Thought, chance: float, date: tuple[int, int]) -> Thought:
    """The thought of a general who expects so much now; he counts every turn once."""
    today = date_number(*date)
    if mind.notes.get(_JUDGED) == today:
        return mind
    in_a_row = mind.notes.get(_IN_A_ROW, 0) + 1 if chance < HOPELESS else 0
    return msgspec.structs.replace(mind, notes={**mind.notes, _JUDGED: today, _IN_A_ROW: in_a_row})


def is_judged(mind: Thought, date: tuple[int, int]) -> bool:
    """Whether he has counted this turn already."""
    return mind.notes.get(_JUDGED) == date_number(*date)


def resigns(mind: Thought) -> bool:
    """Whether a general gives the war up."""
    return mind.notes.get(_IN_A_ROW, 0) >= TURNS


def accepts_draw(chance: float) -> bool:
    """Whether a machine that expects so much takes a draw."""
    return chance < DRAWN

"""Resigning and accepting draws, by the estimated chance to win.

Both follow from the side's view and thought alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from leuthen.engine.choice import RandomSource
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.wargame.bot.value import Value
from leuthen.wargame.plans import Thought, date_number
from leuthen.wargame.search import Stream, seed_of

Draw: TypeAlias = Callable[[Ruleset, Any, RandomSource], Any]
WORLDS: Final = 8  # sampled worlds of a view
HOPELESS: Final = 0.02
"""Chance below which a turn counts as hopeless: of 102 sides with such a run of turns one did not lose."""
TURNS: Final = 4  # hopeless turns in a row after which a bot resigns
DRAWN: Final = 0.1  # expected score below which a bot accepts a draw: half a win, but an open war is not given away
_JUDGED: Final = "judged"
_IN_A_ROW: Final = "hopeless"
NOTES: Final = (_JUDGED, _IN_A_ROW)  # the notes of a thought that a bot must not forget


def estimate_win_chance(rules: Ruleset, draw: Draw, value: Value, view: bytes, side: Side) -> float:
    """Return a side's expected score: the mean over sampled worlds of its view, always the same ones."""
    seen, found = rules.decode_view(view), 0.0
    for number in range(WORLDS):
        found += value.chance(draw(rules, seen, Stream(seed_of("hope", number, view))))
    return found / WORLDS if side == 0 else 1 - found / WORLDS


def note_win_chance(mind: Thought, chance: float, date: tuple[int, int]) -> Thought:
    """Return the thought with this turn counted as hopeless or not, once."""
    today = date_number(*date)
    if mind.notes.get(_JUDGED) == today:
        return mind
    in_a_row = mind.notes.get(_IN_A_ROW, 0) + 1 if chance < HOPELESS else 0
    return msgspec.structs.replace(mind, notes={**mind.notes, _JUDGED: today, _IN_A_ROW: in_a_row})


def is_judged(mind: Thought, date: tuple[int, int]) -> bool:
    return mind.notes.get(_JUDGED) == date_number(*date)


def resigns(mind: Thought) -> bool:
    return mind.notes.get(_IN_A_ROW, 0) >= TURNS


def accepts_draw(chance: float) -> bool:
    return chance < DRAWN

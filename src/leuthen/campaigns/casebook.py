"""The words of this rule set's cases (`core.casework.CaseBook`)."""

from __future__ import annotations

from leuthen.campaigns.casefacts import check
from leuthen.campaigns.caseposition import build_position
from leuthen.campaigns.casewords import CHIT, SIDE_WORDS, Words
from leuthen.campaigns.gamedata import GameData
from leuthen.core.casework import TWO_DICE, die_of
from leuthen.core.refusal import Invalid

__all__ = ["answers", "build_position", "check"]


def answers(data: GameData, text: str) -> list[str]:
    """Dice, or the sums of two, and chits: `4 9 prussia-3`. Raises Invalid."""
    words, found = Words(data, text), list[str]()
    while words.words:
        number = words.maybe_number()
        if number is not None:
            found.append(f"roll {die_of(str(number), TWO_DICE)}")
        elif "-" in words.words[0]:
            side, command = divmod(words.chit(), CHIT)
            found.append(f"chit {SIDE_WORDS[side]} {command}")
        else:
            raise Invalid(f"«{words.words[0]}» is neither a die nor a chit")
    return found

"""The words of this rule set's cases (`wargame.case_words.CaseBook`)."""

from __future__ import annotations

from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.cases.facts import check
from leuthen.rulesets.campaigns.cases.position import build_position
from leuthen.rulesets.campaigns.cases.words import CHIT, SIDE_WORDS, Words
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.wargame.case_words import TWO_DICE, die_of

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

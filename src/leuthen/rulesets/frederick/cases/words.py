"""The words of a case's lines: sides, powers, hexes, leaders, strengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from leuthen.rulesets.frederick.model.data import NOBODY, GameData
from leuthen.rulesets.frederick.model.fields import ROSTER_WORDS as ROSTER_WORDS
from leuthen.rulesets.frederick.model.state import State
from leuthen.wargame import case_words
from leuthen.wargame.case_words import CaseWords
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, bag, of, powers

CaseMoment: TypeAlias = case_words.CaseMoment[GameData, State]
"""A position that is checked, with what led to it."""
SIDE_WORDS: Final = ("prussia", "austria", "neutral", "nobody")


class Words(CaseWords):
    """A line of this rule set, word by word."""

    def __init__(self, data: GameData, text: str) -> None:
        super().__init__(data.book, text)
        self.data = data

    def side(self) -> Any:
        """A side, or NOBODY for `neutral` and `nobody`. Raises Invalid."""
        return min(self.choose(SIDE_WORDS, "side"), NOBODY)

    def men(self) -> tuple[Bag, tuple[LeaderId, ...]]:
        """`3 Austria 2 Russia Browne`: SP with their power, and leaders. Raises Invalid."""
        sp, leaders = EMPTY, list[LeaderId]()
        while self.words:
            points = self.maybe_number()
            if points is None:
                leaders.append(self.leader())
            else:
                sp += bag(self.power(), points)
        return sp, tuple(leaders)


def names_text(data: GameData, leaders: Sequence[LeaderId]) -> str:
    """Leaders by name."""
    return ", ".join(data.leaders[number].name for number in leaders)


def bag_text(data: GameData, sp: Bag) -> str:
    """`3 Austria 2 Russia`."""
    return " ".join(f"{of(sp, power)} {data.powers[power].name}" for power in powers(sp)) or "0 SP"


def men_text(data: GameData, sp: Bag, leaders: Sequence[LeaderId]) -> str:
    """SP by power, and leaders in the order of the data."""
    return " ".join(part for part in (bag_text(data, sp), names_text(data, sorted(leaders))) if part)

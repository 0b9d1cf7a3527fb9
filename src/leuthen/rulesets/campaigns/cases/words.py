"""The words of a case's lines: sides, nations, units, TP (docs/cases.md)."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.events import turns
from leuthen.rulesets.campaigns.model.fields import ROSTER_WORDS as ROSTER_WORDS
from leuthen.rulesets.campaigns.model.fields import STATUS_WORDS as STATUS_WORDS
from leuthen.rulesets.campaigns.model.state import State
from leuthen.wargame import case_words
from leuthen.wargame.case_words import CaseWords
from leuthen.wargame.strength import EMPTY, Bag, bag, of, powers

CaseMoment: TypeAlias = case_words.CaseMoment[GameData, State]
"""A position that is checked, with what led to it."""
SIDE_WORDS: Final = ("prussia", "coalition", "nobody")
STEPS: Final = "".join(turns.STEPS)
CHIT: Final = 8
"""Of a side and a command in one number (R4.1)."""


class Words(CaseWords):
    """A line of this rule set, word by word."""

    def __init__(self, data: GameData, text: str) -> None:
        super().__init__(data.book, text)
        self.data = data

    def side(self) -> Any:
        """A side, or NOBODY. Raises Invalid."""
        return self.choose(SIDE_WORDS, "side")

    def is_unit(self) -> bool:
        """Whether a leader or a wagon comes next."""
        return bool(self.words) and not self.words[0][:1].isdigit() and self.book.leaders.take(self.words) is not None

    def chit(self) -> int:
        """A chit: `prussia-3`. Raises Invalid."""
        side, _, command = self.next("a chit").partition("-")
        if side not in SIDE_WORDS[:2] or not command.isdecimal():
            raise Invalid(f"«{side}-{command}» is no chit: prussia-3 is expected")
        return SIDE_WORDS.index(side) * CHIT + int(command)

    def tp(self) -> Bag:
        """`3 Austria 2 Russia`: all further words. Raises Invalid."""
        found = EMPTY
        while self.words:
            points = self.number("a number of TP")
            found += bag(self.power(), points)
        return found


def tp_text(data: GameData, tp: Bag) -> str:
    """`3 Austria 2 Russia`."""
    return " ".join(f"{of(tp, nation)} {data.nations[nation].name}" for nation in powers(tp)) or "0 TP"


def chit_text(chit: int) -> str:
    """`prussia-3`."""
    side, command = divmod(chit, CHIT)
    return f"{SIDE_WORDS[side]}-{command}"

"""The words of a case's lines: sides, powers, hexes, leaders, strengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from leuthen.core.casework import CaseWords
from leuthen.core.refusal import Invalid
from leuthen.core.strength import EMPTY, Bag, bag, of, powers
from leuthen.frederick.gamedata import NOBODY, GameData
from leuthen.frederick.lookup import name_book
from leuthen.frederick.state import UNKNOWN

SIDE_WORDS: Final = ("prussia", "austria", "neutral", "nobody")
ROSTER_WORDS: Final = ("map", "pool", "waiting", "captive", "gone", "absent")
"""Where a leader is, by the numbers of `state`."""


class Words(CaseWords):
    """A line of this rule set, word by word."""

    def __init__(self, data: GameData, text: str) -> None:
        super().__init__(name_book(data), text)
        self.data = data

    def side(self) -> int:
        """A side, or NOBODY for `neutral` and `nobody`. Raises Invalid."""
        return min(self.choose(SIDE_WORDS, "side"), NOBODY)

    def men(self) -> tuple[Bag, tuple[int, ...]]:
        """`3 Austria 2 Russia Browne`: SP with their power, and leaders. Raises Invalid."""
        sp, leaders = EMPTY, list[int]()
        while self.words:
            points = self.maybe_number()
            if points is None:
                leaders.append(self.leader())
            else:
                sp += bag(self.power(), points)
        return sp, tuple(leaders)


def read_band(text: str) -> tuple[int, int]:
    """What is known of a strength: `8`, `3-8`, `3+`. Raises Invalid."""
    low, dash, high = text.rstrip("+").partition("-")
    if not low.isdecimal() or not (high.isdecimal() or not dash):
        raise Invalid(f"«{text}» is no strength: 8, 3-8 or 3+ is expected")
    return int(low), UNKNOWN if text.endswith("+") else int(high if dash else low)


def names_text(data: GameData, leaders: Sequence[int]) -> str:
    """Leaders by name."""
    return ", ".join(data.leaders[number].name for number in leaders)


def bag_text(data: GameData, sp: Bag) -> str:
    """`3 Austria 2 Russia`."""
    return " ".join(f"{of(sp, power)} {data.powers[power].name}" for power in powers(sp)) or "0 SP"


def men_text(data: GameData, sp: Bag, leaders: Sequence[int]) -> str:
    """SP by power, and leaders in the order of the data."""
    return " ".join(part for part in (bag_text(data, sp), names_text(data, sorted(leaders))) if part)


def band_text(low: int, high: int) -> str:
    """What is known of a strength: `8`, `3-8`, `3+`."""
    if low == high:
        return str(low)
    return f"{low}+" if high == UNKNOWN else f"{low}-{high}"

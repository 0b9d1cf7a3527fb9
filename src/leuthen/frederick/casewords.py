"""The words of a case's lines: sides, powers, hexes, leaders, strengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from leuthen.core.board import Hex
from leuthen.core.refusal import Invalid
from leuthen.core.strength import EMPTY, Bag, bag
from leuthen.frederick.gamedata import NOBODY, GameData
from leuthen.frederick.lookup import NameBook, name_book
from leuthen.frederick.state import UNKNOWN

SIDE_WORDS: Final = ("prussia", "austria", "neutral", "nobody")
ROSTER_WORDS: Final = ("map", "pool", "waiting", "captive", "gone", "absent")
"""Where a leader is, by the numbers of `state`."""


class Words:
    """A line, word by word."""

    def __init__(self, data: GameData, text: str) -> None:
        self.data = data
        self.book: NameBook = name_book(data)
        self.words = text.split()

    def next(self, what: str) -> str:
        """The next word. Raises Invalid if there is none."""
        if not self.words:
            raise Invalid(f"{what} is missing at the end")
        return self.words.pop(0)

    def has(self, *words: str) -> str:
        """The next word if it is one of these, and then it is taken; else nothing."""
        return self.words.pop(0) if self.words and self.words[0] in words else ""

    def end(self) -> None:
        """Nothing may follow. Raises Invalid."""
        if self.words:
            raise Invalid(f"«{self.words[0]}» is not understood here")

    def choose(self, words: Sequence[str], what: str) -> int:
        """The number of the next word among these. Raises Invalid."""
        text = self.next(what)
        if text not in words:
            raise Invalid(f"«{text}» is no {what}: {', '.join(words)}")
        return words.index(text)

    def side(self) -> int:
        """A side, or NOBODY for `neutral` and `nobody`. Raises Invalid."""
        return min(self.choose(SIDE_WORDS, "side"), NOBODY)

    def number(self, what: str) -> int:
        """A whole number. Raises Invalid."""
        text = self.next(what)
        if not text.removeprefix("-").isdecimal():
            raise Invalid(f"«{text}» is no number: {what} is expected")
        return int(text)

    def maybe_number(self) -> int | None:
        """A number if one comes next."""
        return int(self.words.pop(0)) if self.words and self.words[0].isdecimal() else None

    def power(self) -> int:
        """A power. Raises Invalid."""
        return self.book.powers.find(self.next("a power"))

    def is_power(self) -> bool:
        """Whether a power comes next."""
        return bool(self.words and self.book.powers.exact(self.words[0]))

    def hex(self) -> Hex:
        """A hex or a town. Raises Invalid."""
        if not self.words or self.words[0][:1].isdigit():
            return self.book.hex(self.next("a hex"))
        taken = self.book.towns.take(self.words)
        if taken is None:
            raise Invalid(f"«{self.words[0]}» is no hex or town")
        del self.words[: taken[1]]
        return taken[0]

    def leader(self) -> int:
        """A leader. Raises Invalid."""
        taken = self.book.leaders.take(self.words)
        if taken is None:
            raise Invalid(f"«{self.next('a leader')}» is not understood: no leader of this game, and no word for here")
        del self.words[: taken[1]]
        return taken[0]

    def leaders(self) -> tuple[int, ...]:
        """All further words are leaders. Raises Invalid."""
        found: list[int] = []
        while self.words:
            found.append(self.leader())
        return tuple(found)

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

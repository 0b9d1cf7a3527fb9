"""The position that a case has come to, and how its facts are put into words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from leuthen.core.ruleset import Ruleset
from leuthen.core.strength import Bag, of, powers
from leuthen.frederick.gamedata import GameData
from leuthen.frederick.state import UNKNOWN, State


class Unexpected(Exception):
    """A fact is not as expected; the text says what was expected, and what is."""


def expect(expected: str, found: str) -> None:
    """Raises Unexpected if these two texts differ."""
    if expected != found:
        raise Unexpected(f"expected {expected or 'nothing'}; it is {found or 'nothing'}")


class Scene(NamedTuple):
    """A position, the events since the last action, and a bit mask of who learned something hidden by it."""

    ruleset: Ruleset
    data: GameData
    state: State
    events: Sequence[Any]
    learned: int

    def names(self, leaders: Sequence[int]) -> str:
        """Leaders by name."""
        return ", ".join(self.data.leaders[number].name for number in leaders)

    def bag_text(self, sp: Bag) -> str:
        """`3 Austria 2 Russia`."""
        return " ".join(f"{of(sp, power)} {self.data.powers[power].name}" for power in powers(sp)) or "0 SP"

    def men_text(self, sp: Bag, leaders: Sequence[int]) -> str:
        """SP by power, and leaders in the order of the data."""
        return " ".join(part for part in (self.bag_text(sp), self.names(sorted(leaders))) if part)


def band_text(low: int, high: int) -> str:
    """What is known of a strength: `8`, `3-8`, `3+`."""
    if low == high:
        return str(low)
    return f"{low}+" if high == UNKNOWN else f"{low}-{high}"

"""Dice of the server's secret and both seats' links."""

from __future__ import annotations

from collections.abc import Callable

from leuthen.play.accountable.protocol import number_at
from leuthen.play.dice import Dice


class SharedDice(Dice):
    """The dice of a game that can be checked. `cases` has, by place, of how many cases each answer was one.

    `links_at` gives the links in force at a place, which are fixed when it is first asked for (`Ledger.links_at`).
    """

    __slots__ = ("_game", "_links_at", "cases")

    def __init__(self, secret: bytes, game: str, links_at: Callable[[int], tuple[str, str]]) -> None:
        super().__init__(secret)
        self._game = game
        self._links_at = links_at
        self.cases: dict[int, int] = {}

    def below(self, bound: int, place: int) -> int:
        """An even draw from 0 to `bound` - 1. Raises ValueError for a bound below 1."""
        self.cases[place] = bound
        return number_at(self._key, self._game, place, self._links_at(place), bound)

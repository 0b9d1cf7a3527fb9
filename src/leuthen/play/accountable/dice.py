"""Dice of the server's secret and both seats' links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, Ruleset
from leuthen.play.accountable.protocol import number_at
from leuthen.play.dice import Dice, Odds

DIE: Final = "roll"
"""The word of the record for a die, or two of which the sum counts."""
ONE: Final = 6
"""Cases of one die."""
TWO: Final = 36
"""Cases of two dice."""


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


def shown(cases: int, number: int) -> int:
    """The die that a number of so many cases makes, or the sum of two dice: 2 is one case, 3 two, and so on."""
    if cases == ONE:
        return number + 1
    return next(total for total in range(2, 13) if number < sum(6 - abs(7 - lower) for lower in range(2, total + 1)))


def answers_of(ruleset: Ruleset, state: object, odds: Odds[Action]) -> tuple[str, ...]:
    """All answers of a draw as the record would write them, in the order of the cases.

    None for dice, which need no list, and where one answer is more probable than another.
    """
    answers = tuple(ruleset.format_action(state, CHANCE, answer) for answer, _ in odds)
    is_even = len({chance for _, chance in odds}) == 1
    return answers if is_even and answers[0].split(" ")[0] != DIE else ()

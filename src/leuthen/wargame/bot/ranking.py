"""Ranking: hexes by a sum of terms, and a random choice among the best options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple, TypeVar

from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.search import Stream

T = TypeVar("T")


class Goal(NamedTuple):
    """The purpose and destination of an army; `value` compares goals of one army."""

    kind: str
    hex: Hex
    value: float


NO_GOAL: Final = Goal("none", NOWHERE, 0.0)


class Scorer(ABC):
    """Scores of hexes for a force: a sum of terms that a rule set defines."""

    @abstractmethod
    def score(self, here: Hex) -> float:
        """Return the score of a hex, in movement points nearer to the goal."""

    @abstractmethod
    def at_best(self, here: Hex) -> float:
        """Return an upper bound of the score, without expensive terms."""

    def better(self, places: Iterable[Hex], stay: float, margin: float) -> Iterator[tuple[float, Hex]]:
        """Yield the hexes that are better than staying by more than a margin, with the difference, best first.

        Ties: the lower number first. A hex is scored only when it may be next.
        """
        bounds = [(bound, here) for here in places if (bound := self.at_best(here)) - stay > margin]
        for score, here in best_first(bounds, self.score):
            if score - stay <= margin:
                return
            yield score - stay, here


def best_first(bounds: Iterable[tuple[float, Hex]], score: Callable[[Hex], float]) -> Iterator[tuple[float, Hex]]:
    """Yield hexes with their scores, the highest first; ties: the lower number first.

    `bounds` are upper limits of the scores, so that few scores are computed if few hexes are taken.
    """
    heap = [(-bound, here, False) for bound, here in bounds]
    heapify(heap)
    while heap:
        below, here, is_judged = heappop(heap)
        if is_judged:
            yield -below, here
        else:
            heappush(heap, (-score(here), here, True))


def pick_near_best(options: Iterable[T], score: Callable[[T], float], nearly: float, rng: Stream) -> T:
    """Return a random option among those that score at most `nearly` less than the best."""
    scored = [(score(option), option) for option in options]
    most = max(found for found, _ in scored)
    good = [option for found, option in scored if found >= most - nearly]
    return good[int(rng.random() * len(good))]

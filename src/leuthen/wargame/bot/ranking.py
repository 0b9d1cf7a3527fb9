"""The best first: hexes by the terms that speak for them, and one of several options that are nearly the best."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple, TypeVar

from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.search import Stream

T = TypeVar("T")


class Goal(NamedTuple):
    """Why and where an army goes; `value` compares goals of one army."""

    kind: str
    hex: Hex
    value: float


NO_GOAL: Final = Goal("none", NOWHERE, 0.0)


class Scorer(ABC):
    """How good it is for a force to stand in a hex: a sum of terms, of which a rule set says what each is worth."""

    @abstractmethod
    def score(self, here: Hex) -> float:
        """The sum of what speaks for a hex, in hexes or movement points nearer to the goal."""

    @abstractmethod
    def at_best(self, here: Hex) -> float:
        """A bound that the score of a hex does not exceed, without the terms that take long."""

    def better(self, places: Iterable[Hex], stay: float, margin: float) -> Iterator[tuple[float, Hex]]:
        """Places that are better than to stay by more than a margin, and by how much; the best first.

        Equal: the lower number first. A place is only scored in full when it may be the next.
        """
        bounds = [(bound, here) for here in places if (bound := self.at_best(here)) - stay > margin]
        for score, here in best_first(bounds, self.score):
            if score - stay <= margin:
                return
            yield score - stay, here


def best_first(bounds: Iterable[tuple[float, Hex]], score: Callable[[Hex], float]) -> Iterator[tuple[float, Hex]]:
    """Places with their scores, the highest first; equal: the lower number first.

    `bounds`: by place what it does not score more than. Whoever takes only a few spares himself the scores of most.
    """
    heap = [(-bound, here, False) for bound, here in bounds]
    heapify(heap)
    while heap:
        below, here, is_judged = heappop(heap)
        if is_judged:
            yield -below, here
        else:
            heappush(heap, (-score(here), here, True))


def any_of_the_best(options: Iterable[T], score: Callable[[T], float], nearly: float, rng: Stream) -> T:
    """One of the options that score at most `nearly` less than the best, each as likely as any other."""
    scored = [(score(option), option) for option in options]
    most = max(found for found, _ in scored)
    good = [option for found, option in scored if found >= most - nearly]
    return good[int(rng.random() * len(good))]

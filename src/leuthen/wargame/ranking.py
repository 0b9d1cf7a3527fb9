"""The best first, of which each is judged only when it may be next; and one of those that are nearly the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import TypeVar

from leuthen.wargame.board import Hex
from leuthen.wargame.search import Stream

T = TypeVar("T")


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

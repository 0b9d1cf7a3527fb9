"""The best places first, of which each is judged only when it may be next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heapify, heappop, heappush

from leuthen.wargame.board import Hex


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

"""Search over candidates: all are tried in the same worlds with the same dice, and the weaker half is dropped.

Also ranking: hexes by a sum of terms, and a random choice among the best options.
"""

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple, TypeAlias, TypeVar

from leuthen.wargame.board import NOWHERE, Hex

T = TypeVar("T")
Payoff: TypeAlias = Callable[[int, int], float]
"""The result of a candidate in a numbered world: `payoff(candidate, world)`; all candidates get the same dice."""
_WORD: Final = 1 << 64
_STEP: Final = 0x9E3779B97F4A7C15


class Stream:
    """Random numbers in [0, 1) that follow from a seed alone: SplitMix64 by Steele and Vigna."""

    def __init__(self, seed: int) -> None:
        self._state = seed % _WORD

    def random(self) -> float:
        self._state = (self._state + _STEP) % _WORD
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % _WORD
        return ((mixed ^ mixed >> 31) >> 11) / 9007199254740992.0

    def pick(self, chances: Sequence[tuple[T, Fraction]]) -> T:
        left = self.random()
        for answer, chance in chances:
            left -= float(chance)
            if left < 0:
                return answer
        return chances[-1][0]


def seed_of(*parts: bytes | int | str) -> int:
    encoded = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    text = b"".join(len(part).to_bytes(8, "big") + part for part in encoded)
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


class Verdict(NamedTuple):
    """The best candidate, its gain over the first with standard error and number of worlds, and the candidates' means.

    A candidate that was not tried has no mean.
    """

    best: int
    gain: float
    error: float
    worlds: int
    means: tuple[float | None, ...]


def sequential_halving(candidates: int, rollouts: int, payoff: Payoff) -> Verdict:
    """Return the best candidate by sequential halving (Karnin, Koren, Somekh 2013) with common dice.

    At most `rollouts` payoffs are computed. The first candidate is never dropped, and wins unless another beats it by
    more than one standard error of their difference.
    """
    table: list[list[float]] = [[] for _ in range(candidates)]
    alive = list(range(candidates))
    rounds = max(1, math.ceil(math.log2(max(2, candidates))))
    for _ in range(rounds if candidates > 1 else 0):
        share = max(1, rollouts // rounds // len(alive))
        if sum(map(len, table)) + len(alive) > rollouts:
            break
        begun = len(table[0])
        for world in range(begun, begun + share):
            for candidate in alive:
                table[candidate].append(payoff(candidate, world))
        others = sorted((one for one in alive if one), key=lambda one: (-mean(table[one]), one))
        alive = [0, *others[: max(1, len(alive) // 2)]]
    means = tuple([mean(row) if row else None for row in table])
    rival = max((one for one in alive if one and table[one]), key=lambda one: (mean(table[one]), -one), default=0)
    if not rival:
        return Verdict(0, 0.0, 0.0, len(table[0]) if table else 0, means)
    gains = [mine - first for mine, first in zip(table[rival], table[0], strict=True)]
    gain, error = mean(gains), standard_error(gains)
    return Verdict(rival if gain > error else 0, gain, error, len(gains), means)


def mean(row: Sequence[float]) -> float:
    return sum(row) / len(row)


def standard_error(row: Sequence[float]) -> float:
    """Return the standard error of the mean; infinite for a single number."""
    if len(row) < 2:
        return math.inf
    middle = mean(row)
    return math.sqrt(sum((one - middle) ** 2 for one in row) / (len(row) - 1) / len(row))


# --- ranking ----------------------------------------------------------------------------------------------------------


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
        heap = [(-bound, here, False) for here in places if (bound := self.at_best(here)) - stay > margin]
        heapify(heap)
        while heap:
            below, here, is_judged = heappop(heap)
            if not is_judged:
                heappush(heap, (-self.score(here), here, True))
            elif -below - stay <= margin:
                return
            else:
                yield -below - stay, here


def pick_near_best(options: Iterable[T], score: Callable[[T], float], nearly: float, rng: Stream) -> T:
    """Return a random option among those that score at most `nearly` less than the best."""
    scored = [(score(option), option) for option in options]
    most = max(found for found, _ in scored)
    good = [option for found, option in scored if found >= most - nearly]
    return good[int(rng.random() * len(good))]

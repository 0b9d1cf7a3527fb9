"""Search over candidates: all are tried in the same worlds with the same dice, and the weaker half is dropped."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias, TypeVar

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
        """Return the next number."""
        self._state = (self._state + _STEP) % _WORD
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % _WORD
        return ((mixed ^ mixed >> 31) >> 11) / 9007199254740992.0

    def pick(self, chances: Sequence[tuple[T, Fraction]]) -> T:
        """Return one of some answers, by their chances."""
        left = self.random()
        for answer, chance in chances:
            left -= float(chance)
            if left < 0:
                return answer
        return chances[-1][0]


def seed_of(*parts: bytes | int | str) -> int:
    """Return a seed that follows from some parts and their order."""
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
    return _judge(table, alive)


def _judge(table: Sequence[Sequence[float]], alive: Sequence[int]) -> Verdict:
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

"""Honest dice: each belongs to its place in a game, and a secret key decides it.

The n-th answer of chance among the actions that stand is a function of the key and of n. So what is taken back, tried
again, loaded again or ordered otherwise rolls the same at the same place: nobody can shop for another die. The key
stands in no record and in no view: who has seen every die of a game cannot tell the next one. Streams with different
labels under one key do not touch each other, so a machine player's thinking never shifts the dice.

A game without a seed draws its key from the system's own source, and keeps it. A seed gives the same dice again: for
tests and bulk play, not for a game with somebody whom you do not trust.
"""

from __future__ import annotations

import hashlib
import secrets
import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, count
from math import lcm
from typing import Final, TypeVar

T = TypeVar("T")
Odds = Sequence[tuple[T, Fraction]]

KEY_BYTES: Final = 32
_WORD: Final = 64
_TABLES: Final = 512
_unpack = struct.Struct("<8Q").unpack


class Key:
    """The secret that a game's dice are made of. It shows itself to nobody: `repr` hides it."""

    __slots__ = ("_bytes",)

    def __init__(self, key: bytes) -> None:
        self._bytes = key

    @classmethod
    def fresh(cls) -> Key:
        """A key that nobody knows."""
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def from_seed(cls, *seed: str | int) -> Key:
        """The key of a seed; several parts (a seed and a game's number) make one seed."""
        text = "\x1f".join(str(part) for part in seed)
        return cls(hashlib.blake2b(text.encode(), digest_size=KEY_BYTES, person=b"leuthen seed").digest())

    @property
    def secret(self) -> bytes:
        """What is kept with the game, and told to nobody."""
        return self._bytes

    def of_game(self, game: str) -> Key:
        """The key of one game among all that this one is kept for."""
        return Key(self._derive(f"game {game}"))

    def mark(self) -> str:
        """By what a record knows the key again that it was played with. It tells nothing of the key."""
        return self._derive("mark")[:8].hex()

    def dice(self) -> Dice:
        """The dice that answer for chance."""
        return Dice(self._derive("dice"))

    def thinking(self, seat: str) -> int:
        """The seed of one seat's own stream, for whatever it thinks with."""
        return int.from_bytes(self._derive(f"thinking {seat}")[:8], "little")

    def _derive(self, label: str) -> bytes:
        return hashlib.blake2b(
            label.encode(), key=self._bytes, digest_size=KEY_BYTES, person=b"leuthen stream"
        ).digest()

    def __repr__(self) -> str:
        return "Key(hidden)"


def words_at(material: bytes, place: int) -> Iterator[int]:
    """The even words of 64 bits from which the die of a place is read, as many as it needs.

    The one way from key and place to a die: whoever makes dice of more than the server's key changes `material`.
    """
    for counter in count():
        numbers = place.to_bytes(8, "little") + counter.to_bytes(8, "little")
        yield from _unpack(hashlib.blake2b(numbers, key=material, person=b"leuthen die").digest())


class Dice:
    """The dice of a game. Asking is the only way to learn what falls at a place."""

    __slots__ = ("_key", "_place", "_tables")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._place = 0
        self._tables: dict[int, _Table] = {}

    def at(self, place: int, odds: Odds[T]) -> T:
        """The answer of chance at a place, each exactly with its probability: the same whenever it is asked for.

        Raises ValueError unless the probabilities sum to one.
        """
        table = self._tables.get(id(odds))
        if table is None or table.odds is not odds:
            table = self._remember(odds)
        return odds[bisect_right(table.bounds, self.below(table.total, place))][0]

    def waits(self, place: int) -> bool:
        """Whether nothing can fall at a place yet: one key waits for nobody."""
        return False

    def pick(self, odds: Odds[T]) -> T:
        """The answer at the next place, where nothing is ever taken back."""
        self._place += 1
        return self.at(self._place - 1, odds)

    def below(self, bound: int, place: int) -> int:
        """An even draw from 0 to `bound` - 1. Raises ValueError for a bound below 1."""
        if bound < 1:
            raise ValueError(f"cannot draw below {bound}")
        size = 1
        while bound >> _WORD * size:
            size += 1
        limit = (1 << _WORD * size) // bound * bound
        words = words_at(self._key, place)
        while True:
            number = 0
            for _ in range(size):
                number = number << _WORD | next(words)
            if number < limit:
                return number % bound

    def _remember(self, odds: Odds[T]) -> _Table:
        if len(self._tables) >= _TABLES:
            self._tables.clear()
        table = self._tables[id(odds)] = _Table(odds)
        return table

    def __repr__(self) -> str:
        return "Dice(hidden)"


class _Table:
    """The odds as whole numbers. It holds on to `odds`, so that no other object can come by the same id."""

    __slots__ = ("bounds", "odds", "total")

    def __init__(self, odds: Odds[T]) -> None:
        total = lcm(*(chance.denominator for _, chance in odds))
        self.odds: object = odds
        self.bounds = list(accumulate(chance.numerator * (total // chance.denominator) for _, chance in odds))
        self.total = total
        if not odds or self.bounds[-1] != total or any(chance < 0 for _, chance in odds):
            raise ValueError("the probabilities of chance do not sum to one")

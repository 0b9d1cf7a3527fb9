"""Honest dice: a keyed cryptographic stream, read without bias.

The stream is BLAKE2b, keyed, of a counter. Its key stands in no record and in no view: who has seen every die of a game
cannot tell the next one. Streams with different labels under one key do not touch each other, so a machine player's
thinking never shifts the dice.

A game without a seed draws its key from the system's own source. A seed gives the same dice again: for tests and bulk
play, not for a game with somebody whom you do not trust.
"""

from __future__ import annotations

import hashlib
import secrets
import struct
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Final, TypeVar

T = TypeVar("T")
Odds = Sequence[tuple[T, Fraction]]

KEY_BYTES: Final = 32
_WORD: Final = 64
_TABLES: Final = 512
_unpack = struct.Struct("<8Q").unpack


class Key:
    """The secret that a game's streams are read from. It shows itself to nobody: `repr` hides it."""

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

    def dice(self) -> Dice:
        """The stream that answers for chance."""
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


class Dice:
    """A stream of even draws. Reading it is the only way to learn what comes next."""

    __slots__ = ("_counter", "_key", "_tables", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._words: list[int] = []
        self._tables: dict[int, _Table] = {}

    def below(self, bound: int) -> int:
        """An even draw from 0 to `bound` - 1. Raises ValueError for a bound below 1."""
        if bound < 1:
            raise ValueError(f"cannot draw below {bound}")
        size = 1
        while bound >> _WORD * size:
            size += 1
        limit = (1 << _WORD * size) // bound * bound
        while True:
            number = self._number(size)
            if number < limit:
                return number % bound

    def pick(self, odds: Odds[T]) -> T:
        """Draws one answer, each exactly with its probability. Raises ValueError unless they sum to one."""
        table = self._tables.get(id(odds))
        if table is None or table.odds is not odds:
            table = self._remember(odds)
        return odds[bisect_right(table.bounds, self.below(table.total))][0]

    def _remember(self, odds: Odds[T]) -> _Table:
        if len(self._tables) >= _TABLES:
            self._tables.clear()
        table = self._tables[id(odds)] = _Table(odds)
        return table

    def _number(self, size: int) -> int:
        number = 0
        for _ in range(size):
            number = number << _WORD | self._word()
        return number

    def _word(self) -> int:
        if not self._words:
            block = hashlib.blake2b(self._counter.to_bytes(8, "little"), key=self._key)
            self._counter += 1
            self._words.extend(_unpack(block.digest()))
        return self._words.pop()

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

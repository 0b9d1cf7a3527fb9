"""Dice that depend only on a secret key and their place in the game.

The n-th answer of chance among the actions that count is a function of the key and of n. So taking back, reloading or
ordering something else does not change the roll at a place. The key appears in no record or view, and seen dice do not
reveal later ones. Streams with different labels are independent, so a bot's thinking never changes the dice.

Without a seed the key is drawn from the system's random source and stored. A seed repeats the dice: use it for tests
and bulk play, not against a player whom you do not trust.
"""

import hashlib
import secrets
import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, count
from math import lcm
from typing import Final, Self, TypeVar

T = TypeVar("T")
Odds = Sequence[tuple[T, Fraction]]

KEY_BYTES: Final = 32
_WORD: Final = 64
_TABLES: Final = 512
_unpack = struct.Struct("<8Q").unpack


def random_words_at(material: bytes, place: int) -> Iterator[int]:
    """Yield uniform words of 64 bits for the die at a place.

    This is the only derivation of dice: dice of several secrets pass other `material`.
    """
    for counter in count():
        numbers = place.to_bytes(8, "little") + counter.to_bytes(8, "little")
        yield from _unpack(hashlib.blake2b(numbers, key=material, person=b"leuthen die").digest())


class _Table:
    """Odds as integers. It references `odds`, so that no other object can get the same id."""

    def __init__(self, odds: Odds[T]) -> None:
        total = lcm(*(chance.denominator for _, chance in odds))
        self.odds: object = odds
        self.bounds = list(accumulate(chance.numerator * (total // chance.denominator) for _, chance in odds))
        self.total = total
        if not odds or self.bounds[-1] != total or any(chance < 0 for _, chance in odds):
            raise ValueError("the probabilities of chance do not sum to one")


class Dice:
    """The dice of a game."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._place = 0
        self._tables: dict[int, _Table] = {}

    def outcome_at(self, place: int, odds: Odds[T]) -> T:
        """Return the outcome at a place, each with its exact probability; repeated calls return the same one.

        Raise ValueError unless the probabilities sum to one.
        """
        table = self._tables.get(id(odds))
        if table is None or table.odds is not odds:
            if len(self._tables) >= _TABLES:
                self._tables.clear()
            table = self._tables[id(odds)] = _Table(odds)
        return odds[bisect_right(table.bounds, self.uniform_below(table.total, place))][0]

    def is_pending(self, place: int) -> bool:
        """Return whether the outcome at a place is not available yet; never for a single key."""
        return False

    def pick(self, odds: Odds[T]) -> T:
        """Return the outcome at the next place, for games without takebacks."""
        self._place += 1
        return self.outcome_at(self._place - 1, odds)

    def uniform_below(self, bound: int, place: int) -> int:
        """Return a uniform number from 0 to `bound` - 1. Raise ValueError for a bound below 1."""
        if bound < 1:
            raise ValueError(f"cannot draw below {bound}")
        size = -(-bound.bit_length() // _WORD)
        limit = (1 << _WORD * size) // bound * bound
        words = random_words_at(self._key, place)
        while True:
            number = 0
            for _ in range(size):
                number = number << _WORD | next(words)
            if number < limit:
                return number % bound

    def __repr__(self) -> str:
        return "Dice(hidden)"


class Key:
    """The secret from which a game's dice are made. `repr` hides it."""

    def __init__(self, key: bytes) -> None:
        self.secret = key

    @classmethod
    def fresh(cls) -> Self:
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def from_seed(cls, *seed: str | int) -> Self:
        """Return the key of a seed, which may have several parts."""
        text = "\x1f".join(str(part) for part in seed)
        return cls(hashlib.blake2b(text.encode(), digest_size=KEY_BYTES, person=b"leuthen seed").digest())

    def for_game(self, game: str) -> Self:
        return type(self)(self._derive(f"game {game}"))

    def game_id(self) -> str:
        """Return the game id of a record, which identifies its key without revealing it."""
        return self._derive("mark")[:8].hex()

    def dice(self) -> Dice:
        return Dice(self._derive("dice"))

    def bot_seed(self, seat: str) -> int:
        return int.from_bytes(self._derive(f"thinking {seat}")[:8], "little")

    def _derive(self, label: str) -> bytes:
        return hashlib.blake2b(
            label.encode(), key=self.secret, digest_size=KEY_BYTES, person=b"leuthen stream"
        ).digest()

    def __repr__(self) -> str:
        return "Key(hidden)"

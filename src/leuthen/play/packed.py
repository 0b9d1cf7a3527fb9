"""A list of what has happened in a game, of which the older part lies packed: it is long, and seldom looked at."""

from __future__ import annotations

import pickle
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeVar, cast, overload

T = TypeVar("T")
PART: Final = 64
"""Values that are packed together; so many of the newest, and at most twice as many, are not."""
_OPEN: Final = 64
"""Parts that stay unpacked after they were looked at, of all lists together."""


def pack(value: object) -> bytes:
    """A value in few bytes."""
    return zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)


@lru_cache(_OPEN)
def unpack(data: bytes) -> object:
    """The value that `pack` has put into bytes. Others may have the same one: nothing of it is changed."""
    return pickle.loads(zlib.decompress(data))


class Packed(Sequence[T]):
    """Values that never change, in the order in which they came; what is taken away again lies at the end."""

    def __init__(self, values: Iterable[T] = ()) -> None:
        self._parts: list[bytes] = []
        self._ends = array("I")
        """By part, how many values there are up to its end."""
        self._packed = 0
        """How many lie packed."""
        self._newest: list[T] = []
        if values:
            self.extend(values)

    def append(self, value: T) -> None:
        """One more."""
        self._newest.append(value)
        if len(self._newest) >= 2 * PART:
            self._pack(PART)

    def extend(self, values: Iterable[T]) -> None:
        """Some more."""
        self._newest.extend(values)
        while len(self._newest) >= 2 * PART:
            self._pack(PART)

    def copy(self) -> Packed[T]:
        """The same values, to go on with apart."""
        twin = type(self)()
        twin._parts, twin._ends, twin._newest = self._parts.copy(), self._ends[:], self._newest.copy()
        twin._packed = self._packed
        return twin

    def shut(self) -> None:
        """Packs the newest too: nobody will look at them soon."""
        if self._newest:
            self._pack(len(self._newest))

    def _pack(self, count: int) -> None:
        self._packed += count
        self._ends.append(self._packed)
        self._parts.append(pack(self._newest[:count]))
        del self._newest[:count]

    def _values(self, part: bytes) -> Sequence[T]:
        return cast("Sequence[T]", unpack(part))

    def _open(self, first: int) -> None:
        """Unpacks what comes from a place on."""
        while first < self._packed:
            self._newest = [*self._values(self._parts.pop()), *self._newest]
            self._ends.pop()
            self._packed = self._ends[-1] if self._ends else 0

    def __delitem__(self, index: int | slice) -> None:
        numbers = range(len(self))[index]
        self._open(numbers if isinstance(numbers, int) else min(numbers, default=len(self)))
        gone = {numbers} if isinstance(numbers, int) else set(numbers)
        self._newest = [value for at, value in enumerate(self._newest, self._packed) if at not in gone]

    def __len__(self) -> int:
        return self._packed + len(self._newest)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(self._packed + len(self._newest))[index]
        if at >= self._packed:
            return self._newest[at - self._packed]
        part = bisect_right(self._ends, at)
        return self._values(self._parts[part])[at - self._ends[part]]

    def __iter__(self) -> Iterator[T]:
        for part in self._parts.copy():
            yield from self._values(part)
        yield from self._newest.copy()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

"""How far the records have come that are being brought in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from leuthen.server.session.messages import ImportProgress


class Progress:
    """How many steps were taken, and of how many."""

    def __init__(self) -> None:
        self.done = self.total = 0

    def through(self, steps: Iterable[object], total: int) -> Iterator[None]:
        """Counts the steps as they are taken."""
        self.total = total
        for _ in steps:
            self.done += 1
            yield


class Imports:
    """The imports that are under way, as few as have a place in their lane, each by address and key of who began it."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[str, str], Progress] = {}

    @contextmanager
    def under(self, address: str, key: str) -> Iterator[Progress]:
        """The progress of an import; without a key nobody can ask for it, and afterwards nobody."""
        progress, asked = Progress(), (address, key)
        if key:
            self._under_way[asked] = progress
        try:
            yield progress
        finally:
            if self._under_way.get(asked) is progress:
                del self._under_way[asked]

    def of(self, address: str, key: str) -> ImportProgress:
        """How far the import has come that was begun from that address under that key; 0 of 0 if there is none."""
        found = self._under_way.get((address, key), Progress())
        return ImportProgress(found.done, found.total)

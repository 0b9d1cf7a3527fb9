"""Whose machine thinks next, where several games wait for few processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final, NamedTuple

SLOW: Final = 1.0
"""Seconds: a game whose machine thinks longer is slow."""
_FORGET: Final = 0.05
"""Seconds: below this a game is like one that is new."""


class _Waiting(NamedTuple):
    is_behind: bool
    spent: float
    number: int
    game: str
    future: asyncio.Future[None]


class FairScheduler:
    """Gives turns to think: first to the game that thought least lately, and never all of them to slow games.

    A game that ranks behind waits for all others, and takes no place that is kept free of slow games.
    """

    def __init__(self, places: int, clock: Callable[[], float] = monotonic) -> None:
        self._free = places
        self._for_slow = max(1, places - 1)
        self._clock = clock
        self._spent: dict[str, float] = {}
        self._waiting: list[_Waiting] = []
        self._number = 0

    @asynccontextmanager
    async def turn(self, game: str, *, is_behind: bool = False) -> AsyncIterator[None]:
        """Waits for a turn, and gives it back at the end."""
        self._number += 1
        future = asyncio.get_running_loop().create_future()
        waiting = _Waiting(is_behind, self._spent.get(game, 0.0), self._number, game, future)
        self._waiting.append(waiting)
        self._let_in()
        try:
            await future
        except asyncio.CancelledError:
            self._give_up(waiting)
            raise
        start = self._clock()
        try:
            yield
        finally:
            self._spent[game] = (waiting.spent + self._clock() - start) / 2
            if self._spent[game] < _FORGET:
                del self._spent[game]
            self._release(waiting)

    def _let_in(self) -> None:
        for waiting in sorted(self._waiting):
            if not self._free:
                return
            has_gone = waiting.future.cancelled()  # though it has not yet said so
            is_slow = waiting.is_behind or _is_slow(waiting.spent)
            if not has_gone and (self._for_slow or not is_slow):
                self._free -= 1
                self._for_slow -= is_slow
                self._waiting.remove(waiting)
                waiting.future.set_result(None)

    def _give_up(self, waiting: _Waiting) -> None:
        """Somebody who waited, or was just let in, has gone."""
        if waiting in self._waiting:
            self._waiting.remove(waiting)
        else:
            self._release(waiting)

    def _release(self, waiting: _Waiting) -> None:
        self._free += 1
        self._for_slow += waiting.is_behind or _is_slow(waiting.spent)
        self._let_in()


def _is_slow(spent: float) -> bool:
    return spent > SLOW

"""Answers that are dear to make and are asked for again: each is made once for the same content."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final

ROOM: Final = 16 * 1024**2
"""Bytes of answers that are kept; those that were asked for longest ago go first."""


class MadeAnswers:
    """The last answers by what they are about."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._made: OrderedDict[Hashable, tuple[Hashable, bytes]] = OrderedDict()
        self._size = 0

    async def get(self, about: Hashable, content: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return the answer about something; it is made again when the content is another than it was, or None."""
        kept = self._made.get(about)
        if kept is not None and kept[0] == content:
            self._made.move_to_end(about)
            return kept[1]
        answer = await make()
        self._forget(about)
        if content is None:
            return answer
        self._made[about] = content, answer
        self._size += len(answer)
        while self._size > self._room:
            self._forget(next(iter(self._made)))
        return answer

    def _forget(self, about: Hashable) -> None:
        if about in self._made:
            self._size -= len(self._made.pop(about)[1])

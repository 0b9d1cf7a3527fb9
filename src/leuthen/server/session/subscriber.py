"""Somebody who listens to a seat's stream: a short queue, and whether he fell behind."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from leuthen.engine.ruleset import SeatSide
from leuthen.server.session.requests import Sitter

DEPTH: Final = 64
"""Changes that may wait for a reader; one who is slower gets a fresh view instead."""


def message(event: str, data: object, n: int | None = None) -> bytes:
    """A server-sent event."""
    mark = b"" if n is None else b"id: %d\n" % n
    return b"event: %b\n%bdata: %b\n\n" % (event.encode(), mark, msgspec.json.encode(data))


class Subscriber:
    """One open stream of a seat. `side` is 2 for the gallery; `own` are the public ids that its browser knows.

    `device` is the browser, or the program on this seat, that has it; `address` where it comes from.
    """

    watcher: Sitter | None = None
    """How who listens calls himself, if he watches and has a name."""

    def __init__(self, seat: str, side: SeatSide, device: str, own: frozenset[str], address: str = "") -> None:
        self.seat = seat
        self.side = side
        self.device = device
        self.address = address
        self.own = own
        self.fell_behind = False
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, data: bytes) -> None:
        """Hands him a message, or notes that he needs a fresh view."""
        if self.fell_behind:
            return
        if self._queue.qsize() < DEPTH:
            self._queue.put_nowait(data)
            return
        self.fell_behind = True
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(b"")

    def caught_up(self, data: bytes) -> bytes:
        """He gets this fresh view, and then goes on."""
        self.fell_behind = False
        return data

    def end(self, data: bytes = b"") -> None:
        """Ends the stream after a last message."""
        if data:
            self.fell_behind = False
            self._queue.put_nowait(data)
        self._queue.put_nowait(None)

    def cut(self, data: bytes) -> None:
        """Ends the stream at once with this message: whatever waited to be sent is dropped."""
        self.fell_behind = False
        while not self._queue.empty():
            self._queue.get_nowait()
        self.end(data)

    async def next(self, patience: float) -> bytes | None:
        """The next message; None if the stream is to end. Raises TimeoutError when nothing came for so many seconds."""
        return await asyncio.wait_for(self._queue.get(), patience)

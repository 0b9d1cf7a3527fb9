"""The stream of a seat: server-sent events, from the number that the client has on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from litestar import get
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from leuthen.server.browser import Asked, browser_of, hall_of, in_session
from leuthen.server.gate import Gate
from leuthen.server.listener import Listener
from leuthen.server.room import Room
from leuthen.server.seats import own_seats
from leuthen.server.session import Session

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment says that the line still stands."""
_OPENING: Final = b"retry: 2000\n\n"
"""Milliseconds after which a browser that lost the line comes back."""
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@get("/api/seats/{seat:str}/stream")
async def stream(request: Asked, seat: FromPath[str], after: FromQuery[int] = -1) -> Stream:
    """The news of a seat, live. The header Last-Event-ID wins over `after`."""
    session, room = await in_session(request, seat)
    row = session.seat
    last = request.headers.get("last-event-id", "")
    listener = Listener(row.id, row.side, browser_of(request), await own_seats(request, seat))
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else after
    return Stream(
        listen(hall_of(request).gate, session, room, listener, after), media_type="text/event-stream", headers=_HEADERS
    )


async def listen(gate: Gate, session: Session, room: Room, listener: Listener, after: int) -> AsyncIterator[bytes]:
    """What a listener is sent. He joins before what he missed is gathered, so nothing falls in between."""
    if session.is_over:
        return
    if refusal := gate.enter(listener):
        yield refusal
        return
    session.listeners.add(listener)
    try:
        yield b"".join((_OPENING, *room.feed.join(listener, after)))
        while True:
            try:
                data = await listener.next(HEARTBEAT)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            if data is None:
                return
            yield listener.caught_up(room.feed.fresh(listener)) if listener.fell_behind else data
    finally:
        session.listeners.discard(listener)
        gate.leave(listener)
        room.feed.leave(listener)


ROUTES: list[Any] = [stream]

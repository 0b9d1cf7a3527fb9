"""The stream of a seat: server-sent events, from the number that the client has on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from leuthen.engine.texts import number_of
from leuthen.server.http.browser import Routes, browser_of, get, registry_of, seat_of
from leuthen.server.http.seats import own_seats
from leuthen.server.security.request_guard import Asked
from leuthen.server.session.limits import address_now, charged
from leuthen.server.session.seat import Seat
from leuthen.server.session.streams import ConnectionLimits, Subscriber

HEARTBEAT: Final = 15.0
"""Seconds of silence after which an event says that the line still stands."""
STILL: Final = b"event: still\ndata: {}\n\n"
_OPENING: Final = b"retry: 2000\n\n"
"""Milliseconds after which a browser that lost the line comes back."""
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@get("/api/seats/{seat:str}/stream", is_compressed=False)
async def stream(request: Asked, seat: FromPath[str], after: FromQuery[int] = -1) -> Stream:
    """The news of a seat, live. The header Last-Event-ID wins over `after`."""
    asker = await seat_of(request, seat)
    last = request.headers.get("last-event-id", "")
    device = browser_of(request) or f"{seat} {asker.device.row.lock}"
    subscriber = Subscriber(asker.id, asker.side, device, await own_seats(request, seat), address_now.get())
    number = number_of(last, 9)
    after = after if number is None else number
    is_head = request.method == "HEAD"
    events = () if is_head else listen(registry_of(request).connection_limits, asker, subscriber, after)
    return Stream(events, media_type="text/event-stream", headers=_HEADERS)


async def listen(limits: ConnectionLimits, seat: Seat, subscriber: Subscriber, after: int) -> AsyncIterator[bytes]:
    """What a subscriber is sent. He joins before what he missed is gathered, so nothing falls in between."""
    if seat.device.is_over:
        return
    if refusal := limits.enter(subscriber):
        yield refusal
        return
    try:
        with charged():  # the framework streams in a task of its own
            begun = b"".join((_OPENING, *seat.join(subscriber, after)))
        yield begun
        while True:
            try:
                data = await subscriber.next(HEARTBEAT)
            except TimeoutError:
                yield STILL
                continue
            if data is None:
                return
            yield seat.fresh_for(subscriber) if subscriber.fell_behind else data
    finally:
        limits.leave(subscriber)
        seat.leave(subscriber)


ROUTES: Final[Routes] = [stream]

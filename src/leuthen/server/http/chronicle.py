"""The routes that look back: chronicle and turns, the position as it was seen then, the record, the staff's report."""

from __future__ import annotations

from email.message import Message
from typing import Final

from litestar import Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery

from leuthen.screen.story import Story
from leuthen.server.http.browser import Routes, device_session_of, get, registry_of, seat_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import messages
from leuthen.server.session.messages import Reported
from leuthen.server.session.seat import MOST


@get("/api/seats/{seat:str}/chronicle")
async def chronicle(
    request: Asked,
    seat: FromPath[str],
    before: FromQuery[int | None] = None,
    count: FromQuery[int] = MOST,
    viewer: FromQuery[int | None] = None,
) -> messages.ChroniclePage:
    """Lines of the chronicle that came before number `before`, the last ones of them, oldest first.

    There are at most 200, and a few more where lines came with one number, which are never torn apart. After the end
    any viewer's chronicle may be read; the numbers are the seat's own all the same.
    """
    return (await seat_of(request, seat)).chronicle(before, count, viewer)


@get("/api/seats/{seat:str}/turns")
async def turns(request: Asked, seat: FromPath[str], viewer: FromQuery[int | None] = None) -> messages.Turns:
    """The turns so far, with the scores as the seat saw them then; after the end as any viewer did."""
    return await (await seat_of(request, seat)).turns(registry_of(request).replaying, viewer)


@get("/api/seats/{seat:str}/story", responses={200: ResponseSpec(Story)})
async def story(request: Asked, seat: FromPath[str], viewer: FromQuery[int | None] = None) -> Response[bytes]:
    """The war so far as a story, as the seat was told of it; after the end as any viewer was.

    Each year in three sentences with its news, and the records of the commanders.
    """
    asker, registry = await seat_of(request, seat), registry_of(request)
    told = await asker.story(registry.replaying, registry.made, viewer)
    return Response(told, media_type="application/json")


@get("/api/seats/{seat:str}/past")
async def past_scene(
    request: Asked, seat: FromPath[str], n: FromQuery[int], viewer: FromQuery[int | None] = None
) -> messages.Past:
    """The position as it stood after the seat's news number `n`; after the end with any viewer's eyes."""
    return await (await seat_of(request, seat)).past(registry_of(request).replaying, n, viewer)


@get("/api/seats/{seat:str}/record", media_type="text/plain")
async def record(request: Asked, seat: FromPath[str]) -> Response[bytes]:
    """The whole record once the game has ended; while it goes on, what the seat may know of it."""
    device = await device_session_of(request, seat)
    text = await registry_of(request).record(device)
    head = Message()
    head.add_header("Content-Disposition", "attachment", filename=f"leuthen-{device.seat.game}.txt")
    return Response(text, media_type="text/plain", headers=dict(head.items()))


@get("/api/seats/{seat:str}/report")
async def report(request: Asked, seat: FromPath[str]) -> Reported:
    """The staff's report on a game that has ended, or how far it is. While the game goes on it is refused."""
    asker = await seat_of(request, seat)
    return await registry_of(request).reports.of(asker.session, asker.side)


@post("/api/seats/{seat:str}/report", status_code=200)
async def begin_report(request: Asked, seat: FromPath[str]) -> Reported:
    """Has the staff's report made, in the background. Asked again it says how far it is; nothing is made twice."""
    asker = await seat_of(request, seat)
    return await registry_of(request).reports.begin(asker.session, asker.side)


ROUTES: Final[Routes] = [chronicle, turns, story, past_scene, record, report, begin_report]

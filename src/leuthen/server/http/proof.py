"""The routes by which a seat's devices take part in the dice, and compare what they were told of the proof."""

from __future__ import annotations

from typing import Final

from litestar import post
from litestar.params import FromPath, FromQuery

from leuthen.server.http.browser import Routes, get, read, seat_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import messages


@post("/api/seats/{seat:str}/chain", status_code=200)
async def give_chain(request: Asked, seat: FromPath[str]) -> messages.SealCard:
    """Begins to take part in the dice with a chain that the device has made. Sent again it is answered as before."""
    asker = await seat_of(request, seat)
    return await asker.session.give_chain(asker.device, await read(request, messages.NewChain))


@post("/api/seats/{seat:str}/share", status_code=200)
async def give_share(request: Asked, seat: FromPath[str]) -> messages.SealStatus:
    """Gives the link for which chance waits at a strict table: the die falls. Nothing is done if it waits for none."""
    asker = await seat_of(request, seat)
    return await asker.session.give_share(asker.device, await read(request, messages.Share))


@post("/api/seats/{seat:str}/seen", status_code=204)
async def note_seen(request: Asked, seat: FromPath[str]) -> None:
    """Tells the others at the table what this device has seen of the proof, so that they compare it with their own."""
    asker = await seat_of(request, seat)
    asker.session.note_seen(asker.device, await read(request, messages.SeenBlock))


@get("/api/seats/{seat:str}/blocks")
async def blocks(request: Asked, seat: FromPath[str], after: FromQuery[int] = 0) -> messages.Blocks:
    """The blocks of the proof after a number, from which a device computes the head that it is told."""
    return (await seat_of(request, seat)).blocks(after)


ROUTES: Final[Routes] = [give_chain, give_share, note_seen, blocks]

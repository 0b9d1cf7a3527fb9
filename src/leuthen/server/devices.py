"""The routes of a seat's devices: which there are, signing them out, and links to the seat."""

from __future__ import annotations

from typing import Any

from litestar import delete, get, post
from litestar.params import FromPath

from leuthen.server import wire
from leuthen.server.browser import Asked, hall_of, leave, read, session_of
from leuthen.server.hall import hash_of, new_secret
from leuthen.server.make import link_of


@get("/api/seats/{seat:str}/devices")
async def devices(request: Asked, seat: FromPath[str]) -> wire.Devices:
    """The devices that sit on the seat."""
    session = await session_of(request, seat)
    return await hall_of(request).sessions.devices(session)


@post("/api/seats/{seat:str}/devices/known", status_code=204)
async def know(request: Asked, seat: FromPath[str]) -> None:
    """Says that this device's owner has been shown the others up to a number."""
    session = await session_of(request, seat)
    await hall_of(request).sessions.note_told(session, (await read(request, wire.Acquainted)).number)


@delete("/api/seats/{seat:str}/devices/{number:int}", status_code=204)
async def sign_out(request: Asked, seat: FromPath[str], number: FromPath[int]) -> None:
    """Signs a device out of the seat: this one too, if something is left to come back by.

    Its streams end at once, and nothing that it has asked for is answered any more. If it is another device, a link to
    the seat that nobody has used yet is void as well: that device may know it.
    """
    session = await session_of(request, seat)
    await hall_of(request).sessions.sign_out(session, number)
    if number == session.number:
        leave(request)


@delete("/api/seats/{seat:str}/devices", status_code=204)
async def sign_out_others(request: Asked, seat: FromPath[str]) -> None:
    """Signs all other devices out of the seat. A link that nobody has used yet is void as well."""
    session = await session_of(request, seat)
    await hall_of(request).sessions.sign_out_others(session)


@post("/api/seats/{seat:str}/link", status_code=200)
async def link(request: Asked, seat: FromPath[str]) -> wire.Link:
    """Makes a link: to one's own seat, to one that nobody has taken yet, or for those who watch.

    It is for one device, except that any number may watch by one link. It takes the place of the one before.
    """
    session = await session_of(request, seat)
    wanted, secret = await read(request, wire.NewLink), new_secret()
    await hall_of(request).sessions.new_link(session, wanted, hash_of(secret))
    return wire.Link(link_of(secret))


ROUTES: list[Any] = [devices, know, sign_out, sign_out_others, link]

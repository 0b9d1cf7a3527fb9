"""The routes of a seat: what it sees, what it does, and what it asks."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import get, post
from litestar.params import FromPath, FromQuery

from leuthen.core.ruleset import WATCHER
from leuthen.core.showing import About, Form, Layer, Odds
from leuthen.server import wire
from leuthen.server.browser import Asked, browser_of, hall_of, in_session, read, sitting
from leuthen.server.offers import stranded
from leuthen.server.problems import FOREIGN, fault
from leuthen.storage import entries as kept


@get("/api/seats/{seat:str}")
async def fresh(request: Asked, seat: FromPath[str]) -> wire.Fresh:
    """All that the seat has to know."""
    row, room = await sitting(request, seat)
    return room.glance.fresh(row.side, room.feed.seats, await own_seats(request, seat))


async def own_seats(request: Asked, seat: str) -> frozenset[str]:
    """The public ids of the seats that whoever asks knows anyway."""
    browser = browser_of(request)
    if not browser:
        return frozenset((seat,))
    return frozenset(await hall_of(request).store.read(lambda connection: kept.seats_of(connection, browser)))


@post("/api/seats/{seat:str}/orders", status_code=200)
async def order(request: Asked, seat: FromPath[str]) -> wire.Acted:
    """Carries out an action; the answer comes when it is on disk."""
    session, room = await in_session(request, seat)
    return await room.order(session, await read(request, wire.Order))


@post("/api/seats/{seat:str}/moves", status_code=200)
async def move(request: Asked, seat: FromPath[str]) -> wire.Acted:
    """Undoes, resigns, offers, asks and answers."""
    session, room = await in_session(request, seat)
    return await room.move(session, await read(request, wire.Move))


@post("/api/seats/{seat:str}/form", status_code=200)
async def form(request: Asked, seat: FromPath[str]) -> Form:
    """An order in the making."""
    row, room = await sitting(request, seat)
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "This seat watches: it has no orders to give.")
    if room.course.stranded:
        raise stranded(room.course)
    wishes = (await read(request, wire.Ask)).wishes
    return room.ruleset.showing.form(room.course.position(row.side), row.side, wishes)


@get("/api/seats/{seat:str}/layer")
async def layer(request: Asked, seat: FromPath[str], name: FromQuery[str], place: FromQuery[str] = "") -> Layer:
    """A layer over the map."""
    row, room = await sitting(request, seat)
    return await asyncio.to_thread(room.ruleset.showing.layer, room.glance.view(row.side), name, place)


@get("/api/seats/{seat:str}/odds")
async def odds(request: Asked, seat: FromPath[str], of: FromQuery[str]) -> Odds:
    """The exact odds of what the words name."""
    row, room = await sitting(request, seat)
    return await asyncio.to_thread(room.ruleset.showing.odds, room.glance.view(row.side), of)


@get("/api/seats/{seat:str}/about")
async def about(request: Asked, seat: FromPath[str], place: FromQuery[str]) -> About:
    """All that the seat may know of a place."""
    row, room = await sitting(request, seat)
    return room.ruleset.showing.about(room.glance.view(row.side), place)


@get("/api/seats/{seat:str}/left")
async def left(request: Asked, seat: FromPath[str]) -> wire.LeftUndone:
    """What the seat leaves undone if it ends the phase now."""
    row, room = await sitting(request, seat)
    view = room.glance.view(row.side)
    return wire.LeftUndone(await asyncio.to_thread(room.ruleset.showing.left_undone, view))


ROUTES: list[Any] = [fresh, order, move, form, layer, odds, about, left]

"""The routes of a seat: what it sees, what it does, and what it asks."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery

from leuthen.engine.ruleset import WATCHER
from leuthen.screen import About, Form, Layer, Odds
from leuthen.server.bots.looking import expect_done, look
from leuthen.server.http.browser import Asked, browser_of, in_game, read, registry_of, sitting
from leuthen.server.session import schemas
from leuthen.server.session.problems import FOREIGN, fault
from leuthen.server.session.proposals import stranded
from leuthen.storage import seats as kept


@get("/api/seats/{seat:str}")
async def fresh(request: Asked, seat: FromPath[str]) -> schemas.Fresh:
    """All that the seat has to know."""
    row, session = await sitting(request, seat)
    return session.seat_view.fresh(row.side, session.broadcaster.seats, await own_seats(request, seat))


async def own_seats(request: Asked, seat: str) -> frozenset[str]:
    """The public ids of the seats that whoever asks knows anyway."""
    browser = browser_of(request)
    if not browser:
        return frozenset((seat,))
    return frozenset(await registry_of(request).storage.read(lambda rows: kept.seats_of(rows, browser)))


@post("/api/seats/{seat:str}/orders", status_code=200)
async def order(request: Asked, seat: FromPath[str]) -> schemas.Acted:
    """Carries out an action; the answer comes when it is on disk."""
    device, session = await in_game(request, seat)
    return await session.order(device, await read(request, schemas.Order))


@post("/api/seats/{seat:str}/moves", status_code=200)
async def move(request: Asked, seat: FromPath[str]) -> schemas.Acted:
    """Undoes, resigns, offers, asks and answers."""
    device, session = await in_game(request, seat)
    return await session.move(device, await read(request, schemas.Move))


@post("/api/seats/{seat:str}/form", status_code=200)
async def form(request: Asked, seat: FromPath[str]) -> Form:
    """An order in the making."""
    row, session = await sitting(request, seat)
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "This seat watches: it has no orders to give.")
    if session.history.stranded:
        raise stranded(session.history)
    partial_order = (await read(request, schemas.Ask)).partial_order
    return session.ruleset.presenter.form(session.history.position(row.side), row.side, partial_order)


@get("/api/seats/{seat:str}/layer", responses={200: ResponseSpec(Layer)})
async def layer(
    request: Asked, seat: FromPath[str], name: FromQuery[str], place: FromQuery[str] = ""
) -> Response[bytes]:
    """A layer over the map."""
    return await _looked(request, seat, "layer", name, place)


@get("/api/seats/{seat:str}/odds", responses={200: ResponseSpec(Odds)})
async def odds(request: Asked, seat: FromPath[str], of: FromQuery[str]) -> Response[bytes]:
    """The exact odds of what the words name."""
    return await _looked(request, seat, "odds", of)


@get("/api/seats/{seat:str}/about")
async def about(request: Asked, seat: FromPath[str], place: FromQuery[str]) -> About:
    """All that the seat may know of a place."""
    row, session = await sitting(request, seat)
    return session.ruleset.presenter.about(session.seat_view.view(row.side), place)


@get("/api/seats/{seat:str}/left", responses={200: ResponseSpec(schemas.LeftUndone)})
async def left(request: Asked, seat: FromPath[str]) -> Response[bytes]:
    """What the seat leaves undone if it ends the phase now."""
    return await _looked(request, seat, "left_undone")


async def _looked(request: Asked, seat: str, what: str, *words: str) -> Response[bytes]:
    """What a seat finds out from its view, in a process that has nothing else."""
    row, session = await sitting(request, seat)
    looking = registry_of(request).looking
    with looking.place(row.id):
        view = session.ruleset.encode_view(session.seat_view.view(row.side))
        found = await looking.do(row.id, look, session.ruleset.name, session.ruleset.digest, view, what, *words)
    return Response(expect_done(found), media_type="application/json")


ROUTES: list[Any] = [fresh, order, move, form, layer, odds, about, left]

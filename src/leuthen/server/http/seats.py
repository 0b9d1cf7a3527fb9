"""The routes of a seat: what it sees, what it does, and what it asks."""

from __future__ import annotations

from typing import Final

from litestar import Response, post, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery

from leuthen.screen import About, Form, Layer, Odds
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.looking import expect_done, look
from leuthen.server.bots.staffing import StaffBrief
from leuthen.server.http.browser import Routes, browser_of, device_session_of, get, read, registry_of, seat_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import messages
from leuthen.server.session.create import make_rematch
from leuthen.server.session.messages import Advice
from leuthen.server.session.staff import Served
from leuthen.storage import seats as kept


@get("/api/seats/{seat:str}")
async def see_table(request: Asked, seat: FromPath[str]) -> messages.Fresh:
    """All that the seat has to know."""
    return (await seat_of(request, seat)).fresh(await own_seats(request, seat))


async def own_seats(request: Asked, seat: str) -> frozenset[str]:
    """The public ids of the seats that whoever asks knows anyway."""
    browser = browser_of(request)
    if not browser:
        return frozenset((seat,))
    return frozenset(await registry_of(request).storage.read(lambda rows: kept.seats_of(rows, browser)))


@post("/api/seats/{seat:str}/orders", status_code=200)
async def give_order(request: Asked, seat: FromPath[str]) -> messages.Acted:
    """Carries out an action; the answer comes when it is on disk."""
    asker = await seat_of(request, seat)
    return await asker.session.submit(asker.device, await read(request, messages.Order))


@post("/api/seats/{seat:str}/moves", status_code=200)
async def make_move(request: Asked, seat: FromPath[str]) -> messages.Acted:
    """Undoes, resigns, offers, asks and answers."""
    asker = await seat_of(request, seat)
    return await asker.session.submit(asker.device, await read(request, messages.TableMove))


@post("/api/seats/{seat:str}/form", status_code=200)
async def order_form(request: Asked, seat: FromPath[str]) -> Form:
    """An order in the making."""
    asker = await seat_of(request, seat)
    return asker.form((await read(request, messages.Ask)).partial_order)


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
    return (await seat_of(request, seat)).about(place)


@get("/api/seats/{seat:str}/left", responses={200: ResponseSpec(messages.LeftUndone)})
async def left_undone(request: Asked, seat: FromPath[str]) -> Response[bytes]:
    """What the seat leaves undone if it ends the phase now."""
    return await _looked(request, seat, "left_undone")


async def _looked(request: Asked, seat: str, what: str, *words: str) -> Response[bytes]:
    """What a seat finds out from its view, in a process that has nothing else."""
    asker, looking = await seat_of(request, seat), registry_of(request).looking
    with looking.place(asker.id):
        found = await looking.do(asker.id, look, *asker.sight(), what, *words)
    return Response(expect_done(found), media_type="application/json")


@get("/api/seats/{seat:str}/advice")
async def advice(request: Asked, seat: FromPath[str]) -> Advice:
    """What the machine would order in the seat's place, from what the seat may know.

    The seat's staff says it, by the plan that it has.
    """
    asker = await seat_of(request, seat)
    side = asker.expect_advice()
    ruleset, data, view = asker.sight()
    drivers: BotDrivers = request.app.state.drivers
    staff, game = asker.staff, asker.session.id
    found: Served | None = None
    if staff is not None:
        with registry_of(request).advising.place(asker.id):
            found = await drivers.advise(game, StaffBrief(ruleset, data, side, view, staff.thought, explains=True))
    if found is None:
        return asker.advice(side, asker.session.least(side), "The staff found nothing; this commits least:")
    return asker.advice(side, found.order, "The staff would order:", found.reasons)


@get("/api/seats/{seat:str}/standing")
async def standing_instruction(request: Asked, seat: FromPath[str]) -> messages.StandingInstruction:
    """The seat's standing instruction, in force or stopped."""
    return (await seat_of(request, seat)).standing()


@put("/api/seats/{seat:str}/standing", status_code=200)
async def give_instruction(request: Asked, seat: FromPath[str]) -> messages.Acted:
    """Gives a standing instruction instead of the one there is, or takes it back."""
    return await (await seat_of(request, seat)).instruct(await read(request, messages.Instruct))


@post("/api/seats/{seat:str}/standing/form", status_code=200)
async def clause_form(request: Asked, seat: FromPath[str]) -> Form:
    """A clause in the making; its `order` is the clause's line."""
    asker = await seat_of(request, seat)
    return asker.clause_form((await read(request, messages.Ask)).partial_order)


@post("/api/seats/{seat:str}/rematch")
async def rematch(request: Asked, seat: FromPath[str]) -> messages.Made:
    """The same game again with the sides changed, once it has ended. Whoever sat here sits there too."""
    asker = await seat_of(request, seat)
    return await make_rematch(registry_of(request), asker.device, asker.session)


@put("/api/seats/{seat:str}/player", status_code=204)
async def change_name(request: Asked, seat: FromPath[str]) -> None:
    """Who sits here is called otherwise from now on; everybody at the table is told, of who watches those who play."""
    device = await device_session_of(request, seat)
    await registry_of(request).rename(device, await read(request, messages.Rename))


ROUTES: Final[Routes] = [
    change_name,
    see_table,
    give_order,
    make_move,
    order_form,
    layer,
    odds,
    about,
    left_undone,
    advice,
    standing_instruction,
    give_instruction,
    clause_form,
    rematch,
]

"""The routes of a seat: what it sees and does, looks back at, learns and says; its staff and devices."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from email.message import Message
from typing import Final, TypeVar

import msgspec
from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from leuthen.engine.ruleset import WATCHER
from leuthen.engine.texts import number_of
from leuthen.screen.values import About, Form, Layer, Odds, Story
from leuthen.server.bots import staffing
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.processes import expect_done, look
from leuthen.server.bots.staffing import StaffBrief
from leuthen.server.http.browser import (
    SeatAccess,
    browser_of,
    delete,
    device_session_of,
    get,
    leave,
    post,
    put,
    read,
    registry_of,
    routes_in,
    seat_of,
)
from leuthen.server.security.rate_limits import MAKE, Cost
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import lookback, messages, schooling
from leuthen.server.session.create import link_of, make_rematch
from leuthen.server.session.limits import address_now, charged
from leuthen.server.session.lookback import MOST
from leuthen.server.session.messages import Advice, Drilling, Reported, Schooling, StaffCard, StaffPlan
from leuthen.server.session.problems import FOREIGN, STALE, fault
from leuthen.server.session.registry import hash_of, new_secret
from leuthen.server.session.staff import StaffState
from leuthen.server.session.streams import ConnectionLimits, Subscriber
from leuthen.storage import games as kept
from leuthen.storage.rows import Rows

T = TypeVar("T")


@put("/api/seats/{seat:str}/player", cost=Cost("calling"), body=messages.Rename, status_code=204)
async def change_name(request: Asked, seat: FromPath[str]) -> None:
    """Who sits here is called otherwise from now on; everybody at the table is told, of who watches those who play."""
    device = await device_session_of(request, seat)
    await registry_of(request).rename(device, await read(request, messages.Rename))


@get("/api/seats/{seat:str}")
async def see_table(request: Asked, seat: FromPath[str]) -> messages.Fresh:
    """All that the seat has to know."""
    asker = await seat_of(request, seat)
    return asker.session.fresh(asker.side, await own_seats(request, seat))


async def own_seats(request: Asked, seat: str) -> frozenset[str]:
    """The public ids of the seats that whoever asks knows anyway."""
    browser = browser_of(request)
    if not browser:
        return frozenset((seat,))
    return frozenset(await registry_of(request).storage.read(lambda rows: kept.seats_of(rows, browser)))


@post("/api/seats/{seat:str}/orders", body=messages.Order, status_code=200)
async def give_order(request: Asked, seat: FromPath[str]) -> messages.Acted:
    """Carries out an action; the answer comes when it is on disk."""
    asker = await seat_of(request, seat)
    return await asker.session.submit(asker.device, await read(request, messages.Order))


@post("/api/seats/{seat:str}/moves", body=messages.TableMove, status_code=200)
async def make_move(request: Asked, seat: FromPath[str]) -> messages.Acted:
    """Undoes, resigns, offers, asks and answers."""
    asker = await seat_of(request, seat)
    return await asker.session.submit(asker.device, await read(request, messages.TableMove))


@post("/api/seats/{seat:str}/form", body=messages.Ask, status_code=200)
async def order_form(request: Asked, seat: FromPath[str]) -> Form:
    """An order in the making."""
    asker = await seat_of(request, seat)
    return asker.session.form(asker.device, (await read(request, messages.Ask)).partial_order)


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
    asker = await seat_of(request, seat)
    return asker.session.about(asker.side, place)


@get("/api/seats/{seat:str}/left", responses={200: ResponseSpec(messages.LeftUndone)})
async def left_undone(request: Asked, seat: FromPath[str]) -> Response[bytes]:
    """What the seat leaves undone if it ends the phase now."""
    return await _looked(request, seat, "left_undone")


async def _looked(request: Asked, seat: str, what: str, *words: str) -> Response[bytes]:
    """What a seat finds out from its view, in a process that has nothing else."""
    asker, looking = await seat_of(request, seat), registry_of(request).looking
    with looking.place(asker.id):
        found = await looking.do(asker.id, look, *asker.session.sight(asker.side), what, *words)
    return Response(expect_done(found), media_type="application/json")


@get("/api/seats/{seat:str}/advice")
async def advice(request: Asked, seat: FromPath[str]) -> Advice:
    """What the machine would order in the seat's place, from what the seat may know.

    The seat's staff says it, by the plan that it has.
    """
    asker = await seat_of(request, seat)
    session, found = asker.session, None
    side = session.expect_advice(asker.side)
    ruleset, data, view = session.sight(side)
    drivers: BotDrivers = request.app.state.drivers
    with registry_of(request).advising.place(asker.id):
        if (thought := session.staff_thought(side)) is not None:
            found = await drivers.advise(session.id, StaffBrief(ruleset, data, side, view, thought, explains=True))
    if found is None:
        return session.advice(side, session.least(side), "The staff found nothing; this commits least:")
    return session.advice(side, found.order, "The staff would order:", found.reasons)


@get("/api/seats/{seat:str}/standing")
async def standing_instruction(request: Asked, seat: FromPath[str]) -> messages.StandingInstruction:
    """The seat's standing instruction, in force or stopped."""
    asker = await seat_of(request, seat)
    return asker.session.standing(asker.device)


@put("/api/seats/{seat:str}/standing", body=messages.Instruct, status_code=200)
async def give_instruction(request: Asked, seat: FromPath[str]) -> messages.Acted:
    """Gives a standing instruction instead of the one there is, or takes it back."""
    asker = await seat_of(request, seat)
    return await asker.session.submit(asker.device, await read(request, messages.Instruct))


@post("/api/seats/{seat:str}/standing/form", body=messages.Ask, status_code=200)
async def clause_form(request: Asked, seat: FromPath[str]) -> Form:
    """A clause in the making; its `order` is the clause's line."""
    asker = await seat_of(request, seat)
    return asker.session.clause_form(asker.device, (await read(request, messages.Ask)).partial_order)


@post("/api/seats/{seat:str}/rematch", cost=MAKE)
async def rematch(request: Asked, seat: FromPath[str]) -> messages.Made:
    """The same game again with the sides changed, once it has ended. Whoever sat here sits there too."""
    asker = await seat_of(request, seat)
    return await make_rematch(registry_of(request), asker.device, asker.session)


# --- its stream -------------------------------------------------------------------------------------------------------


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


async def listen(
    limits: ConnectionLimits, seat: SeatAccess, subscriber: Subscriber, after: int
) -> AsyncIterator[bytes]:
    """What a subscriber is sent. He joins before what he missed is gathered, so nothing falls in between."""
    if seat.device.is_over:
        return
    if refusal := limits.enter(subscriber):
        yield refusal
        return
    try:
        with charged():  # the framework streams in a task of its own
            begun = b"".join((_OPENING, *seat.session.join(seat.device, subscriber, after)))
        yield begun
        while True:
            try:
                data = await subscriber.next(HEARTBEAT)
            except TimeoutError:
                yield STILL
                continue
            if data is None:
                return
            yield seat.session.fresh_for(subscriber) if subscriber.fell_behind else data
    finally:
        limits.leave(subscriber)
        seat.session.leave(seat.device, subscriber)


# --- looking back -----------------------------------------------------------------------------------------------------


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
    asker = await seat_of(request, seat)
    return lookback.chronicle(asker.session, asker.side, before, count, viewer)


@get("/api/seats/{seat:str}/turns")
async def turns(request: Asked, seat: FromPath[str], viewer: FromQuery[int | None] = None) -> messages.Turns:
    """The turns so far, with the scores as the seat saw them then; after the end as any viewer did."""
    asker = await seat_of(request, seat)
    return await lookback.turns(asker.session, asker.side, registry_of(request).replaying, viewer)


@get("/api/seats/{seat:str}/story", responses={200: ResponseSpec(Story)})
async def story(request: Asked, seat: FromPath[str], viewer: FromQuery[int | None] = None) -> Response[bytes]:
    """The war so far as a story, as the seat was told of it; after the end as any viewer was.

    Each year in three sentences with its news, and the records of the commanders.
    """
    asker = await seat_of(request, seat)
    told = await lookback.story(asker.session, asker.side, registry_of(request).replaying, viewer)
    return Response(told, media_type="application/json")


@get("/api/seats/{seat:str}/past")
async def past_scene(
    request: Asked, seat: FromPath[str], n: FromQuery[int], viewer: FromQuery[int | None] = None
) -> messages.Past:
    """The position as it stood after the seat's news number `n`; after the end with any viewer's eyes."""
    asker = await seat_of(request, seat)
    return await lookback.past(asker.session, asker.side, registry_of(request).replaying, n, viewer)


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


@post("/api/seats/{seat:str}/report", cost=MAKE, status_code=200)
async def begin_report(request: Asked, seat: FromPath[str]) -> Reported:
    """Has the staff's report made, in the background. Asked again it says how far it is; nothing is made twice."""
    asker = await seat_of(request, seat)
    return await registry_of(request).reports.begin(asker.session, asker.side)


# --- chat and notes ---------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/chat")
async def chat(request: Asked, seat: FromPath[str]) -> messages.Chat:
    """All that was said."""
    row = (await device_session_of(request, seat)).seat
    said = await registry_of(request).storage.read(lambda rows: kept.find_chat(rows, row.game))
    return messages.Chat(tuple(map(messages.chat_line, said)))


@post("/api/seats/{seat:str}/chat", cost=Cost("talking"), body=messages.Say, status_code=200)
async def say_in_chat(request: Asked, seat: FromPath[str]) -> messages.ChatLine:
    """Says something to all at the table. The gallery may speak once the game has ended."""
    asker = await seat_of(request, seat)
    return await asker.session.say(asker.device, await read(request, messages.Say))


@get("/api/seats/{seat:str}/notes")
async def notes(request: Asked, seat: FromPath[str]) -> messages.Notes:
    """The seat's own notes and plans. The gallery has none: all who watch would share them."""
    row = (await device_session_of(request, seat)).seat
    if row.side == WATCHER:
        return messages.Notes()
    return await registry_of(request).storage.read(lambda rows: _notes(rows, row.id))


def _notes(rows: Rows, seat: str) -> messages.Notes:
    text = kept.find_notes(rows, seat)
    return msgspec.json.decode(text, type=messages.Notes) if text else messages.Notes()


@put("/api/seats/{seat:str}/notes", body=messages.Notes, status_code=204)
async def save_notes(request: Asked, seat: FromPath[str]) -> None:
    """Stores them as the next version. Notes that were made from an older version are refused."""
    row = (await device_session_of(request, seat)).seat
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "Whoever watches has no notes that are kept.")
    new = await read(request, messages.Notes)
    text = msgspec.json.encode(msgspec.structs.replace(new, version=new.version + 1)).decode()

    def save(rows: Rows) -> None:
        if _notes(rows, row.id).version != new.version:
            raise fault(STALE, "The notes have changed", "Your notes were changed in another tab or on another device.")
        kept.set_notes(rows, row.id, text)

    await registry_of(request).storage.write(save)


# --- its part in the proof --------------------------------------------------------------------------------------------


@post("/api/seats/{seat:str}/chain", body=messages.NewChain, status_code=200)
async def give_chain(request: Asked, seat: FromPath[str]) -> messages.SealCard:
    """Begins to take part in the dice with a chain that the device has made. Sent again it is answered as before."""
    asker = await seat_of(request, seat)
    return await asker.session.give_chain(asker.device, await read(request, messages.NewChain))


@post("/api/seats/{seat:str}/share", body=messages.Share, status_code=200)
async def give_share(request: Asked, seat: FromPath[str]) -> messages.SealStatus:
    """Gives the link for which chance waits at a strict table: the die falls. Nothing is done if it waits for none."""
    asker = await seat_of(request, seat)
    return await asker.session.give_share(asker.device, await read(request, messages.Share))


@post("/api/seats/{seat:str}/seen", body=messages.SeenBlock, status_code=204)
async def note_seen(request: Asked, seat: FromPath[str]) -> None:
    """Tells the others at the table what this device has seen of the proof, so that they compare it with their own."""
    asker = await seat_of(request, seat)
    asker.session.note_seen(asker.device, await read(request, messages.SeenBlock))


@get("/api/seats/{seat:str}/blocks")
async def blocks(request: Asked, seat: FromPath[str], after: FromQuery[int] = 0) -> messages.Blocks:
    """The blocks of the proof after a number, from which a device computes the head that it is told."""
    return (await seat_of(request, seat)).session.blocks(after)


# --- its staff --------------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/staff")
async def staff_plan(request: Asked, seat: FromPath[str]) -> StaffPlan:
    """The staff's plan for the seat's turn."""
    asker = await seat_of(request, seat)
    return (await _worked(request, asker, asker.session.staff_of(asker.side))).plan


@post("/api/seats/{seat:str}/staff/missions", body=messages.GiveMission, status_code=200)
async def give_mission(request: Asked, seat: FromPath[str]) -> StaffPlan:
    """Gives an army a mission, or takes it away; the plan is the one after it."""
    asker, given = await seat_of(request, seat), await read(request, messages.GiveMission)
    before = asker.session.staff_of(asker.side)
    worked = await _worked(request, asker, before, given.mission)
    await asker.session.change_staff(asker.device, before, before.stopped(worked.thought))
    return worked.plan


@post("/api/seats/{seat:str}/staff/form", body=messages.Ask, status_code=200)
async def mission_form(request: Asked, seat: FromPath[str]) -> Form:
    """A mission in the making; its `order` is what gives it."""
    asker, asked = await seat_of(request, seat), await read(request, messages.Ask)
    return await _work_out(request, asker, asker.session.staff_of(asker.side), staffing.form, asked.partial_order)


@post("/api/seats/{seat:str}/staff/sign", body=messages.SignPlan, status_code=200)
async def sign_plan(request: Asked, seat: FromPath[str]) -> StaffCard:
    """Lets the staff carry out its plan, until something happens that it did not foresee."""
    asker = await seat_of(request, seat)
    await asker.session.sign_plan(asker.device, await read(request, messages.SignPlan))
    return asker.session.staff_of(asker.side).card


@delete("/api/seats/{seat:str}/staff/sign", status_code=200)
async def stop_staff(request: Asked, seat: FromPath[str]) -> StaffCard:
    """Stops the staff; its missions stand."""
    asker = await seat_of(request, seat)
    before = asker.session.staff_of(asker.side)
    await asker.session.change_staff(asker.device, before, before.stopped())
    return asker.session.staff_of(asker.side).card


async def _worked(request: Asked, asker: SeatAccess, state: StaffState, words: str = "") -> staffing.Worked:
    """What the staff makes of what its seat sees. Raises Fault."""
    return expect_done(await _work_out(request, asker, state, staffing.plan, words))


async def _work_out(request: Asked, asker: SeatAccess, state: StaffState, work: Callable[..., T], asked: object) -> T:
    """What a staff works out from what its seat sees, in a process that has nothing else."""
    sight, looking = asker.session.sight(asker.side), registry_of(request).looking
    case = staffing.StaffBrief(sight.ruleset, sight.data, asker.device.player("staff"), sight.view, state.thought)
    with looking.place(asker.id):
        return await looking.do(asker.id, work, case, asked)


# --- its devices ------------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/devices")
async def devices(request: Asked, seat: FromPath[str]) -> messages.Devices:
    """The devices that sit on the seat."""
    device = await device_session_of(request, seat)
    return await registry_of(request).devices.devices(device)


@post("/api/seats/{seat:str}/devices/known", body=messages.Acquainted, status_code=204)
async def mark_devices_known(request: Asked, seat: FromPath[str]) -> None:
    """Says that this device's owner has been shown the others up to a number."""
    device = await device_session_of(request, seat)
    await registry_of(request).devices.note_told(device, (await read(request, messages.Acquainted)).number)


@delete("/api/seats/{seat:str}/devices/{number:int}", status_code=204)
async def sign_out_device(request: Asked, seat: FromPath[str], number: FromPath[int]) -> None:
    """Signs a device out of the seat: this one too, if something is left to come back by.

    Its streams end at once, and nothing that it has asked for is answered any more. If it is another device, a link to
    the seat that nobody has used yet is void as well: that device may know it.
    """
    device = await device_session_of(request, seat)
    await registry_of(request).devices.sign_out(device, number)
    if number == device.number:
        leave(request)


@delete("/api/seats/{seat:str}/devices", status_code=204)
async def sign_out_other_devices(request: Asked, seat: FromPath[str]) -> None:
    """Signs all other devices out of the seat. A link that nobody has used yet is void as well."""
    device = await device_session_of(request, seat)
    await registry_of(request).devices.sign_out_others(device)


@post("/api/seats/{seat:str}/link", cost=MAKE, body=messages.NewLink, status_code=200)
async def new_link(request: Asked, seat: FromPath[str]) -> messages.Link:
    """Makes a link: to one's own seat, to one that nobody has taken yet, or for those who watch.

    It is for one device, except that any number may watch by one link. It takes the place of the one before.
    """
    device = await device_session_of(request, seat)
    wanted, secret = await read(request, messages.NewLink), new_secret()
    await registry_of(request).devices.new_link(device, wanted, hash_of(secret))
    return messages.Link(link_of(secret))


# --- lessons and drills -----------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/lesson")
async def see_lesson(request: Asked, seat: FromPath[str]) -> Schooling:
    """Where the seat stands in its lesson."""
    asker = await seat_of(request, seat)
    return await schooling.see_lesson(asker.session, asker.side)


@get("/api/seats/{seat:str}/drill")
async def see_drill(request: Asked, seat: FromPath[str], answer: FromQuery[str] = "") -> Drilling:
    """The drill that the seat is asked; with `answer=none` it says that none of the orders may be given."""
    asker = await seat_of(request, seat)
    return schooling.drilling(asker.session, asker.side, answer)


ROUTES: Final = routes_in(globals())

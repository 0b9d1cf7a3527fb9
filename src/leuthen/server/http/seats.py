"""The routes of a seat: the table, orders, looking back, lessons, chat, staff and devices."""

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
from leuthen.screen.values import About, Form, Layer, Odds, OrderLine, Story
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
from leuthen.server.security.request_guard import MAKE, Cost, HttpRequest
from leuthen.server.session import lookback, messages, schooling
from leuthen.server.session.create import link_of, make_rematch
from leuthen.server.session.limits import address_now, charge_block
from leuthen.server.session.lookback import MOST
from leuthen.server.session.messages import Advice, DrillProgress, LessonState, ReportStatus, StaffCard, StaffPlan
from leuthen.server.session.problems import FOREIGN, STALE, fault
from leuthen.server.session.registry import hash_of, new_secret
from leuthen.server.session.staff import StaffState
from leuthen.server.session.streams import ConnectionLimits, Subscriber
from leuthen.storage import games as game_rows
from leuthen.storage.rows import ChatRow, NotesRow, Rows, first

T = TypeVar("T")


@put("/api/seats/{seat:str}/player", cost=Cost("calling"), body=messages.Rename, status_code=204)
async def change_name(request: HttpRequest, seat: FromPath[str]) -> None:
    """Change the player's or spectator's name. Everyone sees a player's new name, players a spectator's."""
    device = await device_session_of(request, seat)
    await registry_of(request).rename(device, await read(request, messages.Rename))


@get("/api/seats/{seat:str}")
async def see_table(request: HttpRequest, seat: FromPath[str]) -> messages.SeatSnapshot:
    """Return the complete state for the seat."""
    asker = await seat_of(request, seat)
    return asker.session.seat_view.fresh(asker.side, await own_seats(request, seat))


async def own_seats(request: HttpRequest, seat: str) -> frozenset[str]:
    """Return the public seat ids that the caller knows anyway."""
    browser = browser_of(request)
    if not browser:
        return frozenset((seat,))
    return frozenset(await registry_of(request).storage.read(lambda rows: game_rows.seats_of(rows, browser)))


@post("/api/seats/{seat:str}/orders", body=messages.Order, status_code=200)
async def give_order(request: HttpRequest, seat: FromPath[str]) -> messages.OrderResult:
    """Carry out an action. The answer is sent when it is stored."""
    asker = await seat_of(request, seat)
    return await asker.session.submit(asker.device, await read(request, messages.Order))


@post("/api/seats/{seat:str}/moves", body=messages.TableMove, status_code=200)
async def make_move(request: HttpRequest, seat: FromPath[str]) -> messages.OrderResult:
    """Carry out an action outside the rules, such as undo or an offer."""
    asker = await seat_of(request, seat)
    return await asker.session.submit(asker.device, await read(request, messages.TableMove))


@post("/api/seats/{seat:str}/form", body=messages.FormRequest, status_code=200)
async def order_form(request: HttpRequest, seat: FromPath[str]) -> Form:
    """Return the form of a partial order."""
    asker = await seat_of(request, seat)
    return asker.session.form(asker.device, (await read(request, messages.FormRequest)).partial_order)


@get("/api/seats/{seat:str}/order-line")
async def order_line(request: HttpRequest, seat: FromPath[str], text: FromQuery[str] = "") -> OrderLine:
    """Return the completions and the meaning of a typed order line."""
    asker = await seat_of(request, seat)
    return asker.session.order_line(asker.device, text)


@get("/api/seats/{seat:str}/layer", responses={200: ResponseSpec(Layer)})
async def layer(
    request: HttpRequest, seat: FromPath[str], name: FromQuery[str], place: FromQuery[str] = ""
) -> Response[bytes]:
    """Return a layer over the map."""
    return await _worker_answer(request, seat, "layer", name, place)


@get("/api/seats/{seat:str}/odds", responses={200: ResponseSpec(Odds)})
async def odds(request: HttpRequest, seat: FromPath[str], of: FromQuery[str]) -> Response[bytes]:
    """Return the exact odds of the described event."""
    return await _worker_answer(request, seat, "odds", of)


@get("/api/seats/{seat:str}/about")
async def about(request: HttpRequest, seat: FromPath[str], place: FromQuery[str]) -> About:
    """Return everything that the seat may know of a place."""
    asker = await seat_of(request, seat)
    return asker.session.about(asker.side, place)


@get("/api/seats/{seat:str}/front")
async def front(request: HttpRequest, seat: FromPath[str]) -> messages.Front:
    """Describe in words the front that the seat knows."""
    asker = await seat_of(request, seat)
    return asker.session.front(asker.side)


@get("/api/seats/{seat:str}/left", responses={200: ResponseSpec(messages.LeftUndone)})
async def left_undone(request: HttpRequest, seat: FromPath[str]) -> Response[bytes]:
    """Return what the seat can still do in this phase."""
    return await _worker_answer(request, seat, "left_undone")


async def _worker_answer(request: HttpRequest, seat: str, what: str, *words: str) -> Response[bytes]:
    """Compute an answer from the seat's view in a worker process that has no other data."""
    asker, looking = await seat_of(request, seat), registry_of(request).looking
    with looking.place(asker.id):
        found = await looking.do(asker.id, look, *asker.session.worker_input(asker.side), what, *words)
    return Response(expect_done(found), media_type="application/json")


@get("/api/seats/{seat:str}/advice")
async def advice(request: HttpRequest, seat: FromPath[str]) -> Advice:
    """Return the order that the seat's staff recommends by its plan, from the seat's knowledge."""
    asker = await seat_of(request, seat)
    session, found = asker.session, None
    side = session.expect_advice(asker.side)
    ruleset, data, view = session.worker_input(side)
    drivers: BotDrivers = request.app.state.drivers
    with registry_of(request).advising.place(asker.id):
        if (thought := session.staff_thought(side)) is not None:
            found = await drivers.advise(session.id, StaffBrief(ruleset, data, side, view, thought, explains=True))
    if found is None:
        return session.advice(side, session.least(side), "The staff found no order. The safest one is:")
    return session.advice(side, found.order, "The staff would order:", found.reasons)


@get("/api/seats/{seat:str}/standing")
async def standing_instruction(request: HttpRequest, seat: FromPath[str]) -> messages.StandingInstruction:
    """Return the seat's standing instruction, in force or stopped."""
    asker = await seat_of(request, seat)
    return asker.session.standing(asker.device)


@put("/api/seats/{seat:str}/standing", body=messages.Instruct, status_code=200)
async def give_instruction(request: HttpRequest, seat: FromPath[str]) -> messages.OrderResult:
    """Replace the seat's standing instruction, or revoke it."""
    asker = await seat_of(request, seat)
    return await asker.session.submit(asker.device, await read(request, messages.Instruct))


@post("/api/seats/{seat:str}/standing/form", body=messages.FormRequest, status_code=200)
async def clause_form(request: HttpRequest, seat: FromPath[str]) -> Form:
    """Return the form of a partial clause; its `order` is the clause's line."""
    asker = await seat_of(request, seat)
    return asker.session.clause_form(asker.device, (await read(request, messages.FormRequest)).partial_order)


@post("/api/seats/{seat:str}/rematch", cost=MAKE)
async def rematch(request: HttpRequest, seat: FromPath[str]) -> messages.CreatedGame:
    """Create the same game with the sides changed, once it has ended. The players keep their seats."""
    asker = await seat_of(request, seat)
    return await make_rematch(registry_of(request), asker.device, asker.session)


# --- its stream -------------------------------------------------------------------------------------------------------


HEARTBEAT: Final = 15.0
"""Seconds of silence after which an event shows that the connection is alive."""
STILL: Final = b"event: still\ndata: {}\n\n"
_OPENING: Final = b"retry: 2000\n\n"
"""Milliseconds after which a browser reconnects."""
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@get("/api/seats/{seat:str}/stream", is_compressed=False)
async def stream(request: HttpRequest, seat: FromPath[str], after: FromQuery[int] = -1) -> Stream:
    """Return the seat's updates as a live stream. The header Last-Event-ID takes precedence over `after`."""
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
    """Yield a subscriber's messages. It joins before missed ones are collected, so none is lost in between."""
    if seat.device.is_over:
        return
    if refusal := limits.enter(subscriber):
        yield refusal
        return
    try:
        with charge_block():  # the framework streams in a task of its own
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
            yield seat.session.snapshot_for(subscriber) if subscriber.fell_behind else data
    finally:
        limits.leave(subscriber)
        seat.session.leave(seat.device, subscriber)


# --- looking back -----------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/chronicle")
async def chronicle(
    request: HttpRequest,
    seat: FromPath[str],
    before: FromQuery[int | None] = None,
    count: FromQuery[int] = MOST,
    viewer: FromQuery[int | None] = None,
) -> messages.ChroniclePage:
    """Return the last chronicle lines before number `before`, oldest first.

    There are at most 200, exceeded only to keep the lines of one number together. After the end, any viewer's chronicle
    can be read, with the seat's own numbers.
    """
    asker = await seat_of(request, seat)
    return lookback.chronicle(asker.session, asker.side, before, count, viewer)


@get("/api/seats/{seat:str}/turns")
async def turns(request: HttpRequest, seat: FromPath[str], viewer: FromQuery[int | None] = None) -> messages.Turns:
    """Return the turns so far with their scores, as the seat saw them; after the end, as any viewer did."""
    asker = await seat_of(request, seat)
    return await lookback.turns(asker.session, asker.side, registry_of(request).replaying, viewer)


@get("/api/seats/{seat:str}/story", responses={200: ResponseSpec(Story)})
async def story(request: HttpRequest, seat: FromPath[str], viewer: FromQuery[int | None] = None) -> Response[bytes]:
    """Return the war so far as a story, as the seat knew it; after the end, as any viewer did.

    Each year has three sentences and its log entries; the commanders have their records.
    """
    asker = await seat_of(request, seat)
    text = await lookback.story(asker.session, asker.side, registry_of(request).replaying, viewer)
    return Response(text, media_type="application/json")


@get("/api/seats/{seat:str}/past")
async def past_scene(
    request: HttpRequest, seat: FromPath[str], n: FromQuery[int], viewer: FromQuery[int | None] = None
) -> messages.PastScene:
    """Return the position after the seat's number `n`; after the end, with any viewer's knowledge."""
    asker = await seat_of(request, seat)
    return await lookback.past(asker.session, asker.side, registry_of(request).replaying, n, viewer)


@get("/api/seats/{seat:str}/record", media_type="text/plain")
async def record(request: HttpRequest, seat: FromPath[str]) -> Response[bytes]:
    """Return the whole record once the game has ended; before that, what the seat may know of it."""
    device = await device_session_of(request, seat)
    text = await registry_of(request).record(device)
    head = Message()
    head.add_header("Content-Disposition", "attachment", filename=f"leuthen-{device.seat.game}.txt")
    return Response(text, media_type="text/plain", headers=dict(head.items()))


@get("/api/seats/{seat:str}/report")
async def report(request: HttpRequest, seat: FromPath[str]) -> ReportStatus:
    """Return the staff's report on an ended game, or its progress. It is refused while the game goes on."""
    asker = await seat_of(request, seat)
    return await registry_of(request).reports.of(asker.session, asker.side)


@post("/api/seats/{seat:str}/report", cost=MAKE, status_code=200)
async def begin_report(request: HttpRequest, seat: FromPath[str]) -> ReportStatus:
    """Start the staff's report in the background, unless it exists; return its progress."""
    asker = await seat_of(request, seat)
    return await registry_of(request).reports.begin(asker.session, asker.side)


# --- chat and notes ---------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/chat")
async def chat(request: HttpRequest, seat: FromPath[str]) -> messages.Chat:
    """Return all chat lines."""
    row = (await device_session_of(request, seat)).seat
    said = await registry_of(request).storage.read(lambda rows: rows.find(ChatRow, game=row.game))
    return messages.Chat(tuple(map(messages.chat_line, said)))


@post("/api/seats/{seat:str}/chat", cost=Cost("talking"), body=messages.Say, status_code=200)
async def say_in_chat(request: HttpRequest, seat: FromPath[str]) -> messages.ChatLine:
    """Add a chat line. Spectators may write once the game has ended."""
    asker = await seat_of(request, seat)
    return await asker.session.say(asker.device, await read(request, messages.Say))


@get("/api/seats/{seat:str}/notes")
async def notes(request: HttpRequest, seat: FromPath[str]) -> messages.Notes:
    """Return the seat's private notes. Spectators have none, because they would share them."""
    row = (await device_session_of(request, seat)).seat
    if row.side == WATCHER:
        return messages.Notes()
    return await registry_of(request).storage.read(lambda rows: _notes(rows, row.id))


def _notes(rows: Rows, seat: str) -> messages.Notes:
    row = first(rows, NotesRow, seat=seat)
    return msgspec.json.decode(row.papers, type=messages.Notes) if row else messages.Notes()


@put("/api/seats/{seat:str}/notes", body=messages.Notes, status_code=204)
async def save_notes(request: HttpRequest, seat: FromPath[str]) -> None:
    """Store the notes as the next version. Notes made from an older version are refused."""
    row = (await device_session_of(request, seat)).seat
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "Spectators have no notes.")
    new = await read(request, messages.Notes)
    text = msgspec.json.encode(msgspec.structs.replace(new, version=new.version + 1)).decode()

    def save(rows: Rows) -> None:
        if _notes(rows, row.id).version != new.version:
            raise fault(STALE, "The notes have changed", "Your notes were changed in another tab or on another device.")
        rows.remove(NotesRow, seat=row.id)
        rows.add(NotesRow(text), seat=row.id)

    await registry_of(request).storage.write(save)


# --- its part in the proof --------------------------------------------------------------------------------------------


@post("/api/seats/{seat:str}/chain", body=messages.NewChain, status_code=200)
async def give_chain(request: HttpRequest, seat: FromPath[str]) -> messages.SealCard:
    """Register the device's chain for the dice. A repeated request gets the same answer."""
    asker = await seat_of(request, seat)
    return await asker.session.give_chain(asker.device, await read(request, messages.NewChain))


@post("/api/seats/{seat:str}/share", body=messages.Share, status_code=200)
async def give_share(request: HttpRequest, seat: FromPath[str]) -> messages.SealStatus:
    """Give the link for which a die is pending; the die is rolled. Without a pending die nothing happens."""
    asker = await seat_of(request, seat)
    return await asker.session.give_share(asker.device, await read(request, messages.Share))


@post("/api/seats/{seat:str}/seen", body=messages.SeenBlock, status_code=204)
async def note_seen(request: HttpRequest, seat: FromPath[str]) -> None:
    """Report the last block that this device has seen, so that the others can compare it."""
    asker = await seat_of(request, seat)
    asker.session.note_seen(asker.device, await read(request, messages.SeenBlock))


@get("/api/seats/{seat:str}/blocks")
async def blocks(request: HttpRequest, seat: FromPath[str], after: FromQuery[int] = 0) -> messages.Blocks:
    """Return the blocks of the proof after a number, from which a device can compute the head."""
    return (await seat_of(request, seat)).session.blocks(after)


# --- its staff --------------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/staff")
async def staff_plan(request: HttpRequest, seat: FromPath[str]) -> StaffPlan:
    """Return the staff's plan for the seat's turn."""
    asker = await seat_of(request, seat)
    return (await _staff_answer(request, asker, asker.session.staff_of(asker.side))).plan


@post("/api/seats/{seat:str}/staff/missions", body=messages.GiveMission, status_code=200)
async def give_mission(request: HttpRequest, seat: FromPath[str]) -> StaffPlan:
    """Give an army a mission or remove it; return the new plan."""
    asker, given = await seat_of(request, seat), await read(request, messages.GiveMission)
    before = asker.session.staff_of(asker.side)
    worked = await _staff_answer(request, asker, before, given.mission)
    await asker.session.change_staff(asker.device, before, before.stopped(worked.thought))
    return worked.plan


@post("/api/seats/{seat:str}/staff/form", body=messages.FormRequest, status_code=200)
async def mission_form(request: HttpRequest, seat: FromPath[str]) -> Form:
    """Return the form of a partial mission; its `order` gives the mission."""
    asker, asked = await seat_of(request, seat), await read(request, messages.FormRequest)
    return await _work_out(request, asker, asker.session.staff_of(asker.side), staffing.form, asked.partial_order)


@post("/api/seats/{seat:str}/staff/sign", body=messages.SignPlan, status_code=200)
async def sign_plan(request: HttpRequest, seat: FromPath[str]) -> StaffCard:
    """Let the staff carry out its plan until something unforeseen happens."""
    asker = await seat_of(request, seat)
    await asker.session.sign_plan(asker.device, await read(request, messages.SignPlan))
    return asker.session.staff_of(asker.side).card


@delete("/api/seats/{seat:str}/staff/sign", status_code=200)
async def stop_staff(request: HttpRequest, seat: FromPath[str]) -> StaffCard:
    """Stop the staff; its missions remain."""
    asker = await seat_of(request, seat)
    before = asker.session.staff_of(asker.side)
    await asker.session.change_staff(asker.device, before, before.stopped())
    return asker.session.staff_of(asker.side).card


async def _staff_answer(request: HttpRequest, asker: SeatAccess, state: StaffState, words: str = "") -> staffing.Worked:
    return expect_done(await _work_out(request, asker, state, staffing.plan, words))


async def _work_out(
    request: HttpRequest, asker: SeatAccess, state: StaffState, work: Callable[..., T], asked: object
) -> T:
    """Let a staff work on its seat's view in a worker process that has no other data."""
    looking, (ruleset, data, view) = registry_of(request).looking, asker.session.worker_input(asker.side)
    brief = staffing.StaffBrief(ruleset, data, asker.device.player("staff"), view, state.thought)
    with looking.place(asker.id):
        return await looking.do(asker.id, work, brief, asked)


# --- its devices ------------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/devices")
async def devices(request: HttpRequest, seat: FromPath[str]) -> messages.Devices:
    """Return the devices on the seat."""
    device = await device_session_of(request, seat)
    return await registry_of(request).devices.devices(device)


@post("/api/seats/{seat:str}/devices/known", body=messages.DevicesSeen, status_code=204)
async def mark_devices_known(request: HttpRequest, seat: FromPath[str]) -> None:
    """Mark the devices up to a number as seen by this device's owner."""
    device = await device_session_of(request, seat)
    await registry_of(request).devices.mark_devices_seen(device, (await read(request, messages.DevicesSeen)).number)


@delete("/api/seats/{seat:str}/devices/{number:int}", status_code=204)
async def sign_out_device(request: HttpRequest, seat: FromPath[str], number: FromPath[int]) -> None:
    """Sign a device out of the seat; the own device only if another way back remains.

    Its streams and pending requests end at once. Signing out another device also voids an unused invitation to the
    seat, because that device may know it.
    """
    device = await device_session_of(request, seat)
    await registry_of(request).devices.sign_out(device, number)
    if number == device.number:
        leave(request)


@delete("/api/seats/{seat:str}/devices", status_code=204)
async def sign_out_other_devices(request: HttpRequest, seat: FromPath[str]) -> None:
    """Sign out all other devices of the seat and void its unused invitation."""
    device = await device_session_of(request, seat)
    await registry_of(request).devices.sign_out_others(device)


@post("/api/seats/{seat:str}/link", cost=MAKE, body=messages.NewLink, status_code=200)
async def new_link(request: HttpRequest, seat: FromPath[str]) -> messages.Link:
    """Create an invitation: to one's own seat, to an open one, or for spectators.

    It replaces the previous one and works for one device; one for spectators works for any number.
    """
    device = await device_session_of(request, seat)
    wanted, secret = await read(request, messages.NewLink), new_secret()
    invited = await registry_of(request).devices.new_link(device, wanted, hash_of(secret))
    return messages.Link(link_of(secret, None if invited.id == seat else invited))


# --- lessons and drills -----------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/lesson")
async def see_lesson(request: HttpRequest, seat: FromPath[str]) -> LessonState:
    """Return the seat's progress in its lesson."""
    asker = await seat_of(request, seat)
    return await schooling.see_lesson(asker.session, asker.side)


@get("/api/seats/{seat:str}/drill")
async def see_drill(request: HttpRequest, seat: FromPath[str], answer: FromQuery[str] = "") -> DrillProgress:
    """Return the seat's drill; with `answer=none` it answers that no order is allowed."""
    asker = await seat_of(request, seat)
    return schooling.drill_progress(asker.session, asker.side, answer)


ROUTES: Final = routes_in(globals())

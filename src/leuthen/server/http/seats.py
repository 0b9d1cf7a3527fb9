"""The routes of a seat: the table, orders, looking back, lessons, chat, staff and devices."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from time import perf_counter
from typing import Final, TypeAlias, TypeVar

import msgspec
from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from leuthen.engine.refusal import Invalid, number_of
from leuthen.engine.ruleset import WATCHER, is_side
from leuthen.screen.forms import read_order_line
from leuthen.screen.front import front_in_words
from leuthen.screen.values import About, Form, Layer, Odds, OrderLine, PartialOrder, Story
from leuthen.server.bots import workers
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.workers import Brief, look
from leuthen.server.http.browser import SESSION, Device, Session, browser_of, delete, get, post, put, read, registry_of
from leuthen.server.security.request_guard import MAKE, HttpRequest
from leuthen.server.session import lookback, messages
from leuthen.server.session.device_sessions import DeviceSession
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.limits import address_now, charge_request_time
from leuthen.server.session.lookback import MOST
from leuthen.server.session.messages import FOREIGN, STALE, UNKNOWN, fault
from leuthen.server.session.registry import hash_of, link_of, make_rematch, new_secret
from leuthen.server.session.streams import ConnectionLimits, Subscriber
from leuthen.storage.rows import ChatRow, NotesRow, Rows, first, seats_of

T = TypeVar("T")
MOST_BLOCKS: Final = 2000
"""Maximum number of blocks in an answer."""
Viewer: TypeAlias = FromQuery[int | None]
"""Whose knowledge is asked for; none: the seat's own."""


@put("/api/seats/{seat:str}/player", cost="calling", body=messages.Rename, status_code=204)
async def change_name(request: HttpRequest, device: Device) -> None:
    """Change the player's or spectator's name. Everyone sees a player's new name, players a spectator's."""
    registry = registry_of(request)
    registry.update_seat(await registry.devices.rename(device, await read(request, messages.Rename)))


@get("/api/seats/{seat:str}")
async def see_table(request: HttpRequest, device: Device, session: Session) -> messages.SeatSnapshot:
    """Return the complete state for the seat."""
    return session.fresh(device.seat.side, await own_seats(request, device.seat.id))


async def own_seats(request: HttpRequest, seat: str) -> frozenset[str]:
    """Return the public seat ids that the caller knows anyway."""
    browser, read = browser_of(request), registry_of(request).storage.read
    return frozenset(await read(lambda rows: seats_of(rows, browser)) if browser else (seat,))


@post("/api/seats/{seat:str}/orders", body=messages.Order, status_code=200)
async def give_order(request: HttpRequest, device: Device, session: Session) -> messages.OrderResult:
    """Carry out an action. The answer is sent when it is stored."""
    return await session.submit(device, await read(request, messages.Order))


@post("/api/seats/{seat:str}/moves", body=messages.TableMove, status_code=200)
async def make_move(request: HttpRequest, device: Device, session: Session) -> messages.OrderResult:
    """Carry out an action outside the rules, such as undo or an offer."""
    return await session.submit(device, await read(request, messages.TableMove))


@post("/api/seats/{seat:str}/form", body=messages.FormRequest, status_code=200)
async def order_form(request: HttpRequest, device: Device, session: Session) -> Form:
    """Return the form of a partial order."""
    asked, side = await read(request, messages.FormRequest), session.player(device)
    return session.ruleset.presenter.form(session.history.position(side), side, asked.partial_order)


@get("/api/seats/{seat:str}/order-line")
async def order_line(device: Device, session: Session, text: FromQuery[str] = "") -> OrderLine:
    """Return the completions and the meaning of a typed order line."""
    side = session.player(device)
    return read_order_line(session.ruleset, session.history.position(side), side, text)


@get("/api/seats/{seat:str}/layer", responses={200: ResponseSpec(Layer)})
async def layer(
    request: HttpRequest, device: Device, session: Session, name: FromQuery[str], place: FromQuery[str] = ""
) -> Response[bytes]:
    """Return a layer over the map."""
    return await _worker_answer(request, device, session, "layer", name, place)


@get("/api/seats/{seat:str}/odds", responses={200: ResponseSpec(Odds)})
async def odds(request: HttpRequest, device: Device, session: Session, of: FromQuery[str]) -> Response[bytes]:
    """Return the exact odds of the described event."""
    return await _worker_answer(request, device, session, "odds", of)


@get("/api/seats/{seat:str}/about")
async def about(device: Device, session: Session, place: FromQuery[str]) -> About:
    """Return everything that the seat may know of a place."""
    return session.ruleset.presenter.about(session.view(device.seat.side), place)


@get("/api/seats/{seat:str}/front")
async def front(device: Device, session: Session) -> messages.Front:
    """Describe in words the front that the seat knows."""
    side = device.seat.side
    asked = (
        f"You are asked: {one.text}" if one.is_yours else f"{one.name.capitalize()} is asked: {one.decision}"
        for one in session.awaited(side)
    )
    setting = session.ruleset.presenter.setting()
    return messages.Front(front_in_words(setting, session.scene(side), "; ".join(asked)))


@get("/api/seats/{seat:str}/left", responses={200: ResponseSpec(messages.LeftUndone)})
async def left_undone(request: HttpRequest, device: Device, session: Session) -> Response[bytes]:
    """Return what the seat can still do in this phase."""
    return await _worker_answer(request, device, session, "left_undone")


async def _worker_answer(
    request: HttpRequest, device: DeviceSession, session: GameSession, what: str, *words: str
) -> Response[bytes]:
    """Compute an answer from the seat's view in a worker process that has no other data."""
    looking = registry_of(request).looking
    with looking.place(device.seat.id):
        found = await looking.do(device.seat.id, look, *session.worker_input(device.seat.side), what, *words)
    return Response(found, media_type="application/json")


@get("/api/seats/{seat:str}/advice")
async def advice(request: HttpRequest, device: Device, session: Session) -> messages.Advice:
    """Return the order that the seat's staff recommends by its plan, from the seat's knowledge."""
    drivers: BotDrivers = request.app.state.drivers
    side, found = device.seat.side, None
    if not session.row.helps:
        raise fault(FOREIGN, "No advice", "This game was created without advice.")
    if not is_side(side) or not session.is_asked(side):
        raise fault(STALE, "Nothing to decide", "Advice is available only when you have something to decide.")
    with registry_of(request).advising.place(device.seat.id):
        if (staff := session.staffs.get(side)) is not None:
            brief = Brief(*session.worker_input(side), side, staff.thought, explains=True)
            found = await drivers.think(session.id, workers.serve, brief)
    order = session.least(side) if found is None else found.order
    text = "The staff would order:" if found else "The staff found no order. The safest one is:"
    position = session.history.position(side)
    chosen: PartialOrder = {}
    with suppress(Invalid):  # else something has happened while the machine thought
        action = session.ruleset.parse_action(position, side, order)
        chosen = session.ruleset.presenter.choices(position, side, action)
    return messages.Advice(order, text, chosen, found.reasons if found else ())


@get("/api/seats/{seat:str}/standing")
async def standing_instruction(device: Device, session: Session) -> messages.StandingInstruction:
    """Return the seat's standing instruction, in force or stopped."""
    session.expect_standing(device)
    return session.standing(device.seat.side) or messages.StandingInstruction()


@put("/api/seats/{seat:str}/standing", body=messages.Instruct, status_code=200)
async def give_instruction(request: HttpRequest, device: Device, session: Session) -> messages.OrderResult:
    """Replace the seat's standing instruction, or revoke it."""
    return await session.submit(device, await read(request, messages.Instruct))


@post("/api/seats/{seat:str}/standing/form", body=messages.FormRequest, status_code=200)
async def clause_form(request: HttpRequest, device: Device, session: Session) -> Form:
    """Return the form of a partial clause; its `order` is the clause's line."""
    partial_order = (await read(request, messages.FormRequest)).partial_order
    return session.expect_standing(device).form(session.view(device.seat.side), partial_order)


@post("/api/seats/{seat:str}/rematch", cost=MAKE)
async def rematch(request: HttpRequest, device: Device, session: Session) -> messages.CreatedGame:
    """Create the same game with the sides changed, once it has ended. The players keep their seats."""
    return await make_rematch(registry_of(request), device, session)


# --- its stream -------------------------------------------------------------------------------------------------------


HEARTBEAT: Final = 15.0
"""Seconds of silence after which an event shows that the connection is alive."""
_RETRY: Final = b"retry: 2000\n\n"
"""Milliseconds after which a browser reconnects."""
STILL: Final = b"event: still\ndata: {}\n\n"


@get("/api/seats/{seat:str}/stream", is_compressed=False)
async def stream(request: HttpRequest, device: Device, session: Session, after: FromQuery[int] = -1) -> Stream:
    """Return the seat's updates as a live stream. The header Last-Event-ID takes precedence over `after`."""
    browser = browser_of(request) or f"{device.seat.id} {device.row.lock}"
    own = await own_seats(request, device.seat.id)
    subscriber = Subscriber(device.seat.id, device.seat.side, browser, own, address_now.get())
    number = number_of(request.headers.get("last-event-id", ""), 9)
    after = after if number is None else number
    limits = registry_of(request).connection_limits
    events = () if request.method == "HEAD" else listen(limits, device, session, subscriber, after)
    return Stream(
        events, media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


async def listen(
    limits: ConnectionLimits, device: DeviceSession, session: GameSession, subscriber: Subscriber, after: int
) -> AsyncIterator[bytes]:
    """Yield a subscriber's messages. It joins before missed ones are collected, so none is lost in between.

    A browser reconnects two seconds after the end.
    """
    if device.is_over:
        return
    if refusal := limits.enter(subscriber):
        yield refusal
        return
    try:
        start = perf_counter()
        begun = b"".join((_RETRY, *session.join(device, subscriber, after)))
        charge_request_time(perf_counter() - start)  # the framework streams in a task of its own
        yield begun
        while True:
            try:
                data = await subscriber.next(HEARTBEAT)
            except TimeoutError:
                yield STILL
                continue
            if data is None:
                return
            if subscriber.fell_behind:
                subscriber.fell_behind = False
                data = session.broadcaster.fresh(subscriber)
            yield data
    finally:
        limits.leave(subscriber)
        device.subscribers.discard(subscriber)
        session.broadcaster.leave(subscriber)


# --- looking back -----------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/chronicle")
async def chronicle(
    device: Device,
    session: Session,
    before: FromQuery[int | None] = None,
    count: FromQuery[int] = MOST,
    viewer: FromQuery[int | None] = None,
) -> messages.ChroniclePage:
    """Return the last chronicle lines before number `before`, oldest first.

    There are at most 200, exceeded only to keep the lines of one number together. After the end, any viewer's chronicle
    can be read, with the seat's own numbers.
    """
    return lookback.chronicle(session, device.seat.side, before, count, viewer)


@get("/api/seats/{seat:str}/turns")
async def turns(request: HttpRequest, device: Device, session: Session, viewer: Viewer = None) -> messages.Turns:
    """Return the turns so far with their scores, as the seat saw them; after the end, as any viewer did."""
    return await lookback.turns(session, device.seat.side, registry_of(request).replaying, viewer)


@get("/api/seats/{seat:str}/story", responses={200: ResponseSpec(Story)})
async def story(request: HttpRequest, device: Device, session: Session, viewer: Viewer = None) -> Response[bytes]:
    """Return the war so far as a story, as the seat knew it; after the end, as any viewer did.

    Each year has three sentences and its log entries; the commanders have their records.
    """
    text = await lookback.story(session, device.seat.side, registry_of(request).replaying, viewer)
    return Response(text, media_type="application/json")


@get("/api/seats/{seat:str}/past")
async def past_scene(
    request: HttpRequest, device: Device, session: Session, n: FromQuery[int], viewer: Viewer = None
) -> messages.PastScene:
    """Return the position after the seat's number `n`; after the end, with any viewer's knowledge."""
    return await lookback.past(session, device.seat.side, registry_of(request).replaying, n, viewer)


@get("/api/seats/{seat:str}/record", media_type="text/plain")
async def record(request: HttpRequest, device: Device) -> Response[bytes]:
    """Return the whole record once the game has ended; before that, what the seat may know of it."""
    text, name = await registry_of(request).record(device), f"leuthen-{device.seat.game}.txt"
    return Response(text, media_type="text/plain", headers={"Content-Disposition": f'attachment; filename="{name}"'})


@get("/api/seats/{seat:str}/report")
async def report(request: HttpRequest, device: Device, session: Session) -> messages.ReportStatus:
    """Return the staff's report on an ended game, or its progress. It is refused while the game goes on."""
    return await registry_of(request).reports.of(session, device.seat.side)


@post("/api/seats/{seat:str}/report", cost=MAKE, status_code=200)
async def begin_report(request: HttpRequest, device: Device, session: Session) -> messages.ReportStatus:
    """Start the staff's report in the background, unless it exists; return its progress."""
    return await registry_of(request).reports.begin(session, device.seat.side)


# --- chat and notes ---------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/chat")
async def chat(request: HttpRequest, device: Device) -> messages.Chat:
    """Return all chat lines."""
    row = device.seat
    said = await registry_of(request).storage.read(lambda rows: rows.find(ChatRow, game=row.game))
    return messages.Chat(tuple(map(messages.chat_line, said)))


@post("/api/seats/{seat:str}/chat", cost="talking", body=messages.Say, status_code=200)
async def say_in_chat(request: HttpRequest, device: Device, session: Session) -> messages.ChatLine:
    """Add a chat line. Spectators may write once the game has ended."""
    return await session.say(device, await read(request, messages.Say))


@get("/api/seats/{seat:str}/notes")
async def notes(request: HttpRequest, device: Device) -> messages.Notes:
    """Return the seat's private notes. Spectators have none, because they would share them."""
    row = device.seat
    if row.side == WATCHER:
        return messages.Notes()
    return await registry_of(request).storage.read(lambda rows: _notes(rows, row.id))


def _notes(rows: Rows, seat: str) -> messages.Notes:
    row = first(rows, NotesRow, seat=seat)
    return msgspec.json.decode(row.papers, type=messages.Notes) if row else messages.Notes()


@put("/api/seats/{seat:str}/notes", body=messages.Notes, status_code=204)
async def save_notes(request: HttpRequest, device: Device) -> None:
    """Store the notes as the next version. Notes made from an older version are refused."""
    row = device.seat
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
async def give_chain(request: HttpRequest, device: Device, session: Session) -> messages.SealCard:
    """Register the device's chain for the dice. A repeated request gets the same answer."""
    return await session.take_part(device, await read(request, messages.NewChain))


@post("/api/seats/{seat:str}/share", body=messages.Share, status_code=200)
async def give_share(request: HttpRequest, device: Device, session: Session) -> messages.SealStatus:
    """Give the link for which a die is pending; the die is rolled. Without a pending die nothing happens."""
    return (await session.take_part(device, await read(request, messages.Share))).now


@post("/api/seats/{seat:str}/seen", body=messages.SeenBlock, status_code=204)
async def note_seen(request: HttpRequest, device: Device, session: Session) -> None:
    """Report the last block that this device has seen, so that the others can compare it."""
    seen, side = await read(request, messages.SeenBlock), device.seat.side
    if session.seal is None or side == WATCHER:
        raise fault(UNKNOWN, "Nothing to compare", "This game has no seal that this seat could compare.")
    session.broadcaster.note_seen(messages.LastSeenBlock(side, seen.blocks, seen.head))


@get("/api/seats/{seat:str}/blocks")
async def blocks(session: Session, after: FromQuery[int] = 0) -> messages.Blocks:
    """Return the blocks of the proof after a number, from which a device can compute the head."""
    blocks = session.seal.blocks[max(after, 0) :] if session.seal is not None else []
    return messages.Blocks(tuple(blocks[:MOST_BLOCKS]))


# --- its staff --------------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/staff")
async def staff_plan(request: HttpRequest, device: Device, session: Session) -> messages.StaffPlan:
    """Return the staff's plan for the seat's turn."""
    return (await _work_out(request, device, session, workers.plan, ""))[1]


@post("/api/seats/{seat:str}/staff/missions", body=messages.GiveMission, status_code=200)
async def give_mission(request: HttpRequest, device: Device, session: Session) -> messages.StaffPlan:
    """Give an army a mission or remove it; return the new plan."""
    given = await read(request, messages.GiveMission)
    before = session.staff_of(device)
    thought, plan = await _work_out(request, device, session, workers.plan, given.mission)
    await session.change_staff(device, before, before.stopped(thought))
    return plan


@post("/api/seats/{seat:str}/staff/form", body=messages.FormRequest, status_code=200)
async def mission_form(request: HttpRequest, device: Device, session: Session) -> Form:
    """Return the form of a partial mission; its `order` gives the mission."""
    asked = await read(request, messages.FormRequest)
    return await _work_out(request, device, session, workers.form, asked.partial_order)


@post("/api/seats/{seat:str}/staff/sign", body=messages.SignPlan, status_code=200)
async def sign_plan(request: HttpRequest, device: Device, session: Session) -> messages.StaffCard:
    """Let the staff carry out its plan until something unforeseen happens."""
    await session.sign_plan(device, await read(request, messages.SignPlan))
    return session.staff_of(device).card


@delete("/api/seats/{seat:str}/staff/sign", status_code=200)
async def stop_staff(device: Device, session: Session) -> messages.StaffCard:
    """Stop the staff; its missions remain."""
    before = session.staff_of(device)
    await session.change_staff(device, before, before.stopped())
    return session.staff_of(device).card


async def _work_out(
    request: HttpRequest, device: DeviceSession, session: GameSession, work: Callable[..., T], asked: object
) -> T:
    """Let a staff work on its seat's view in a worker process that has no other data."""
    state, looking = session.staff_of(device), registry_of(request).looking
    side = device.player("staff")
    with looking.place(device.seat.id):
        brief = Brief(*session.worker_input(side), side, state.thought)
        return await looking.do(device.seat.id, work, brief, asked)


# --- its devices ------------------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/devices")
async def devices(request: HttpRequest, device: Device) -> messages.Devices:
    """Return the devices on the seat."""
    return await registry_of(request).devices.devices(device)


@post("/api/seats/{seat:str}/devices/known", body=messages.DevicesSeen, status_code=204)
async def mark_devices_known(request: HttpRequest, device: Device) -> None:
    """Mark the devices up to a number as seen by this device's owner."""
    await registry_of(request).devices.mark_devices_seen(device, (await read(request, messages.DevicesSeen)).number)


@delete("/api/seats/{seat:str}/devices/{number:int}", status_code=204)
async def sign_out_device(request: HttpRequest, device: Device, number: FromPath[int]) -> None:
    """Sign a device out of the seat; the own device only if another way back remains.

    Its streams and pending requests end at once. Signing out another device also voids an unused invitation to the
    seat, because that device may know it.
    """
    await registry_of(request).devices.sign_out(device, number)
    if number == device.row.number:  # the answer reaches it nevertheless
        del request.scope["state"][SESSION]


@delete("/api/seats/{seat:str}/devices", status_code=204)
async def sign_out_other_devices(request: HttpRequest, device: Device) -> None:
    """Sign out all other devices of the seat and void its unused invitation."""
    await registry_of(request).devices.sign_out_others(device)


@post("/api/seats/{seat:str}/link", cost=MAKE, body=messages.NewLink, status_code=200)
async def new_link(request: HttpRequest, device: Device) -> messages.Link:
    """Create an invitation: to one's own seat, to an open one, or for spectators.

    It replaces the previous one and works for one device; one for spectators works for any number.
    """
    wanted, secret = await read(request, messages.NewLink), new_secret()
    invited = await registry_of(request).devices.new_link(device, wanted, hash_of(secret))
    return messages.Link(link_of(secret, None if invited.id == device.seat.id else invited))


# --- lessons and drills -----------------------------------------------------------------------------------------------


@get("/api/seats/{seat:str}/lesson")
async def see_lesson(device: Device, session: Session) -> messages.LessonState:
    """Return the seat's progress in its lesson."""
    return await lookback.see_lesson(session, device.seat.side)


@get("/api/seats/{seat:str}/drill")
async def see_drill(device: Device, session: Session, answer: FromQuery[str] = "") -> messages.DrillProgress:
    """Return the seat's drill; with `answer=none` it answers that no order is allowed."""
    return lookback.drill_progress(session, device.seat.side, answer)

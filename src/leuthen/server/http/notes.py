"""The routes of what lies beside the map: papers, chat, the machine's advice, a rematch."""

from __future__ import annotations

import secrets
from typing import Any, Final

import msgspec
from litestar import get, post, put
from litestar.params import FromPath

from leuthen.engine.ruleset import WATCHER
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.thinking import Thought
from leuthen.server.http.browser import Asked, device_session_of, in_game, read, registry_of, sitting
from leuthen.server.session import schemas
from leuthen.server.session.create import make_rematch
from leuthen.server.session.idempotency import answered, fingerprint
from leuthen.server.session.problems import FOREIGN, STALE, TOO_MANY, fault
from leuthen.server.session.subscriber import message
from leuthen.storage import games as kept
from leuthen.storage.rows import AnswerRow, ChatRow, Rows

ADVISER: Final = "planner"
MOST_SAID: Final = 5000
"""Lines of chat in a game."""


@get("/api/seats/{seat:str}/papers")
async def papers(request: Asked, seat: FromPath[str]) -> schemas.Papers:
    """The seat's own notes and plans. The gallery has none: all who watch would share them."""
    row = (await device_session_of(request, seat)).seat
    if row.side == WATCHER:
        return schemas.Papers()
    text = await registry_of(request).storage.read(lambda rows: kept.find_notes(rows, row.id))
    return msgspec.json.decode(text, type=schemas.Papers) if text else schemas.Papers()


@put("/api/seats/{seat:str}/papers", status_code=204)
async def save_papers(request: Asked, seat: FromPath[str]) -> None:
    """Keeps them."""
    row = (await device_session_of(request, seat)).seat
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "Whoever watches has no notes that are kept.")
    text = msgspec.json.encode(await read(request, schemas.Papers)).decode()
    await registry_of(request).storage.write(lambda rows: kept.set_notes(rows, row.id, text))


@get("/api/seats/{seat:str}/chat")
async def chat(request: Asked, seat: FromPath[str]) -> schemas.Chat:
    """All that was said."""
    row = (await device_session_of(request, seat)).seat
    said = await registry_of(request).storage.read(lambda rows: kept.find_chat(rows, row.game))
    return schemas.Chat(tuple(map(_chat_line, said)))


@post("/api/seats/{seat:str}/chat", status_code=200)
async def say(request: Asked, seat: FromPath[str]) -> schemas.ChatLine:
    """Says something to all at the table. The gallery may speak once the game has ended."""
    row, session = await sitting(request, seat)
    said_now = await read(request, schemas.Say)
    if row.side == WATCHER and session.history.outcome is None:
        raise fault(FOREIGN, "You only watch", "Whoever watches may speak when the game has ended.")
    registry = registry_of(request)
    key, at = f"chat {said_now.key}", registry.clock()

    def write(rows: Rows) -> tuple[ChatRow, bool]:
        number = answered(kept.find_answer(rows, row.id, key), said_now)
        if number is not None:
            return kept.find_said(rows, row.game, number), False
        said = kept.add_chat(rows, row.game, row.side, at, said_now.text)
        if said.number > MOST_SAID:
            raise fault(TOO_MANY, "Enough said", "This table has no room for more words.")
        kept.add_answer(rows, row.id, key, AnswerRow(said.number, fingerprint(said_now)))
        return said, True

    said, is_new = await registry.storage.write(write)
    line = _chat_line(said)
    if is_new:
        session.broadcaster.broadcast(message("chat", line))
    return line


def _chat_line(said: ChatRow) -> schemas.ChatLine:
    return schemas.ChatLine(said.number, said.side, said.at, said.text)


@get("/api/seats/{seat:str}/advice")
async def advice(request: Asked, seat: FromPath[str]) -> schemas.Advice:
    """What the machine would order in the seat's place, from what the seat may know."""
    row, session = await sitting(request, seat)
    if not session.seat_view.game.helps:
        raise fault(FOREIGN, "No advice", "This table was made without the machine's advice.")
    if not session.seat_view.is_asked(row.side):
        raise fault(STALE, "You are not asked", "The machine has advice only when you have something to decide.")
    view = session.ruleset.encode_view(session.seat_view.view(row.side))
    thought = Thought(ADVISER, session.ruleset.name, row.side, view, secrets.randbits(63), session.ruleset.digest)
    drivers: BotDrivers = request.app.state.drivers
    with registry_of(request).advising.place(row.id):
        order = await drivers.think(session.id, thought)
    if order is None:
        return schemas.Advice(session.least(row.side), f"The {ADVISER} found nothing; this commits least:")
    return schemas.Advice(order, f"The {ADVISER} would order:")


@post("/api/seats/{seat:str}/rematch")
async def rematch(request: Asked, seat: FromPath[str]) -> schemas.Made:
    """The same game again with the sides changed, once it has ended. Whoever sat here sits there too."""
    device, session = await in_game(request, seat)
    return await make_rematch(registry_of(request), device, session)


ROUTES: list[Any] = [papers, save_papers, chat, say, advice, rematch]

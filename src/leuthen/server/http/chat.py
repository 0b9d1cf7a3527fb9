"""The routes of what is written at a seat: to all at the table, and for itself."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import post, put
from litestar.params import FromPath

from leuthen.engine.ruleset import WATCHER
from leuthen.server.http.browser import Routes, device_session_of, get, read, registry_of, seat_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import messages
from leuthen.server.session.problems import FOREIGN, STALE, fault
from leuthen.storage import games as kept
from leuthen.storage.rows import Rows


@get("/api/seats/{seat:str}/chat")
async def chat(request: Asked, seat: FromPath[str]) -> messages.Chat:
    """All that was said."""
    row = (await device_session_of(request, seat)).seat
    said = await registry_of(request).storage.read(lambda rows: kept.find_chat(rows, row.game))
    return messages.Chat(tuple(map(messages.chat_line, said)))


@post("/api/seats/{seat:str}/chat", status_code=200)
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


@put("/api/seats/{seat:str}/notes", status_code=204)
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


ROUTES: Final[Routes] = [chat, say_in_chat, notes, save_notes]

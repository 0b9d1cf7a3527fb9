"""The routes of the chat."""

from __future__ import annotations

from typing import Final

from litestar import get, post
from litestar.params import FromPath

from leuthen.server.http.browser import Routes, device_session_of, read, registry_of, seat_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import answers, requests
from leuthen.storage import games as kept


@get("/api/seats/{seat:str}/chat")
async def chat(request: Asked, seat: FromPath[str]) -> answers.Chat:
    """All that was said."""
    row = (await device_session_of(request, seat)).seat
    said = await registry_of(request).storage.read(lambda rows: kept.find_chat(rows, row.game))
    return answers.Chat(tuple(map(answers.chat_line, said)))


@post("/api/seats/{seat:str}/chat", status_code=200)
async def say(request: Asked, seat: FromPath[str]) -> answers.ChatLine:
    """Says something to all at the table. The gallery may speak once the game has ended."""
    asker = await seat_of(request, seat)
    return await asker.session.say(asker.device, await read(request, requests.Say))


ROUTES: Final[Routes] = [chat, say]

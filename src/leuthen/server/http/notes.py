"""The routes of a seat's own notes and plans."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import get, put
from litestar.params import FromPath

from leuthen.engine.ruleset import WATCHER
from leuthen.server.http.browser import Routes, device_session_of, read, registry_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import requests
from leuthen.server.session.problems import FOREIGN, fault
from leuthen.storage import games as kept


@get("/api/seats/{seat:str}/notes")
async def notes(request: Asked, seat: FromPath[str]) -> requests.Notes:
    """The seat's own notes and plans. The gallery has none: all who watch would share them."""
    row = (await device_session_of(request, seat)).seat
    if row.side == WATCHER:
        return requests.Notes()
    text = await registry_of(request).storage.read(lambda rows: kept.find_notes(rows, row.id))
    return msgspec.json.decode(text, type=requests.Notes) if text else requests.Notes()


@put("/api/seats/{seat:str}/notes", status_code=204)
async def save_notes(request: Asked, seat: FromPath[str]) -> None:
    """Keeps them."""
    row = (await device_session_of(request, seat)).seat
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "Whoever watches has no notes that are kept.")
    text = msgspec.json.encode(await read(request, requests.Notes)).decode()
    await registry_of(request).storage.write(lambda rows: kept.set_notes(rows, row.id, text))


ROUTES: Final[Routes] = [notes, save_notes]

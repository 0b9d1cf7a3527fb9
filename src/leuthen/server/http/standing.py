"""The routes of a seat's standing instruction: what is in force, what is given, a clause in the making."""

from __future__ import annotations

from typing import Final

from litestar import get, post, put
from litestar.params import FromPath

from leuthen.screen import Form
from leuthen.server.http.browser import Routes, read, seat_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import answers, requests


@get("/api/seats/{seat:str}/standing")
async def standing(request: Asked, seat: FromPath[str]) -> answers.Instruction:
    """The seat's standing instruction, in force or stopped."""
    return (await seat_of(request, seat)).standing()


@put("/api/seats/{seat:str}/standing", status_code=200)
async def instruct(request: Asked, seat: FromPath[str]) -> answers.Acted:
    """Gives a standing instruction instead of the one there is, or takes it back."""
    return await (await seat_of(request, seat)).instruct(await read(request, requests.Instruct))


@post("/api/seats/{seat:str}/standing/form", status_code=200)
async def clause_form(request: Asked, seat: FromPath[str]) -> Form:
    """A clause in the making; its `order` is the clause's line."""
    asker = await seat_of(request, seat)
    return asker.clause_form((await read(request, requests.Ask)).partial_order)


ROUTES: Final[Routes] = [standing, instruct, clause_form]

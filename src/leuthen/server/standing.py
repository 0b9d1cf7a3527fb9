"""The routes of a seat's standing instruction: what is in force, what is given, a clause in the making."""

from __future__ import annotations

from typing import Any

from litestar import get, post, put
from litestar.params import FromPath

from leuthen.engine.ruleset import WATCHER
from leuthen.engine.standing import Standing
from leuthen.screen import Form
from leuthen.server import wire
from leuthen.server.browser import Asked, in_session, read, sitting
from leuthen.server.problems import FOREIGN, UNKNOWN, fault
from leuthen.server.room import Room
from leuthen.storage.rows import SeatRow


@get("/api/seats/{seat:str}/standing")
async def standing(request: Asked, seat: FromPath[str]) -> wire.Instruction:
    """The seat's standing instruction, in force or stopped."""
    row, room = await sitting(request, seat)
    _rules(row, room)
    return room.glance.standing(row.side) or wire.Instruction()


@put("/api/seats/{seat:str}/standing", status_code=200)
async def instruct(request: Asked, seat: FromPath[str]) -> wire.Acted:
    """Gives a standing instruction instead of the one there is, or takes it back."""
    session, room = await in_session(request, seat)
    _rules(session.seat, room)
    return await room.instruct(session, await read(request, wire.Instruct))


@post("/api/seats/{seat:str}/standing/form", status_code=200)
async def clause_form(request: Asked, seat: FromPath[str]) -> Form:
    """A clause in the making; its `order` is the clause's line."""
    row, room = await sitting(request, seat)
    return _rules(row, room).form(room.glance.view(row.side), (await read(request, wire.Ask)).wishes)


def _rules(row: SeatRow, room: Room) -> Standing:
    """What the rule set has for them. Raises Fault for who only watches, and where there are none."""
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "This seat watches: it has no instructions to give.")
    if room.ruleset.standing is None:
        raise fault(UNKNOWN, "No standing instructions", "There are no standing instructions in this game.")
    return room.ruleset.standing


ROUTES: list[Any] = [standing, instruct, clause_form]

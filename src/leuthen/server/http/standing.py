"""The routes of a seat's standing instruction: what is in force, what is given, a clause in the making."""

from __future__ import annotations

from typing import Any

from litestar import get, post, put
from litestar.params import FromPath

from leuthen.engine.ruleset import WATCHER
from leuthen.engine.standing import Standing
from leuthen.screen import Form
from leuthen.server.http.browser import Asked, in_game, read, sitting
from leuthen.server.session import schemas
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.problems import FOREIGN, UNKNOWN, fault
from leuthen.storage.rows import SeatRow


@get("/api/seats/{seat:str}/standing")
async def standing(request: Asked, seat: FromPath[str]) -> schemas.Instruction:
    """The seat's standing instruction, in force or stopped."""
    row, session = await sitting(request, seat)
    _rules(row, session)
    return session.seat_view.standing(row.side) or schemas.Instruction()


@put("/api/seats/{seat:str}/standing", status_code=200)
async def instruct(request: Asked, seat: FromPath[str]) -> schemas.Acted:
    """Gives a standing instruction instead of the one there is, or takes it back."""
    device, session = await in_game(request, seat)
    _rules(device.seat, session)
    return await session.instruct(device, await read(request, schemas.Instruct))


@post("/api/seats/{seat:str}/standing/form", status_code=200)
async def clause_form(request: Asked, seat: FromPath[str]) -> Form:
    """A clause in the making; its `order` is the clause's line."""
    row, session = await sitting(request, seat)
    return _rules(row, session).form(session.seat_view.view(row.side), (await read(request, schemas.Ask)).partial_order)


def _rules(row: SeatRow, session: GameSession) -> Standing:
    """What the rule set has for them. Raises Fault for who only watches, and where there are none."""
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "This seat watches: it has no instructions to give.")
    if session.ruleset.standing is None:
        raise fault(UNKNOWN, "No standing instructions", "There are no standing instructions in this game.")
    return session.ruleset.standing


ROUTES: list[Any] = [standing, instruct, clause_form]

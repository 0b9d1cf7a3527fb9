"""What a player and the processes do with the staff of a seat: sign its plan, change it, carry out its orders."""

from __future__ import annotations

import logging
from typing import Final

import msgspec

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Side
from leuthen.server.session import requests
from leuthen.server.session.device_session import DeviceSession
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.problems import stale
from leuthen.server.session.staff_state import BEGUN, Served, StaffState, keeping

_log: Final = logging.getLogger(__name__)


async def sign(session: GameSession, device: DeviceSession, signed: requests.SignPlan) -> None:
    """The player lets his staff carry on. Raises Fault if he had not seen all, or not what it asks."""
    side = device.player("staff")
    state, n = session.staffs.of(side), session.history.logs[side].n
    if signed.seen != n or signed.asks != state.asks:
        raise stale(n)
    await change(session, device, state, state.signed())


async def change(session: GameSession, device: DeviceSession, before: StaffState, after: StaffState) -> None:
    """Another state in place of the one there was. Raises Fault if it is another one by now."""
    device.expect_open()
    side = device.player("staff")

    async def put() -> None:
        if session.staffs.of(side) is not before:
            raise stale(session.history.logs[side].n)
        await session.staffs.keep(side, after)

    await session.alone(put)
    session.on_change(session)


async def serve(session: GameSession, side: Side, before: StaffState, line: int, served: Served | None) -> None:
    """Carries out the order of a staff, or asks its player; nothing if something has happened since that line.

    `served` is None where its process has failed.
    """
    staffs = session.staffs

    async def carry_out() -> None:
        if len(session.history.record) != line or session.seat_view.staffs.get(side) is not before:
            return
        if served is None:
            await staffs.keep(side, before.failed("the staff found no order"))
            return
        state = msgspec.structs.replace(before, thought=served.thought, word=served.word or before.word)
        if before.turn not in (BEGUN, served.turn):
            await staffs.keep(side, state.stopped())
        elif served.doubt and not state.leaves(served):
            await staffs.keep(side, state.asking(served))
        else:
            await _act(session, side, state.after(served), served.order)

    await session.alone(carry_out)


async def _act(session: GameSession, side: Side, after: StaffState, order: str) -> None:
    staffs, number = session.staffs, len(session.history.table.log)
    try:
        await session.act_for(side, order, keeping(session.broadcaster.seats[side].id, number, after))
    except (Invalid, Illegal) as error:
        _log.exception("game %s: the order of a staff is refused", session.id)
        await staffs.keep(side, after.failed(f"its order was refused: {error}"))
        return
    staffs.put(side, after)

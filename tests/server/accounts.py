"""The account of a running game that a seat may download."""

from __future__ import annotations

from leuthen.engine.ruleset import SeatSide
from leuthen.server.session.device_sessions import DeviceSession
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.seat import Seat
from leuthen.storage.rows import DeviceRow


def account(session: GameSession, side: SeatSide) -> str:
    seat = next(seat for seat in session.seats if seat.side == side)
    asker = Seat(DeviceSession(seat, DeviceRow(seat.id, 0, "", "", "", "", 0)), session)
    lines = list[tuple[int, str]]()
    for _ in asker.account_in_steps(lines):
        pass
    return asker.account(lines)

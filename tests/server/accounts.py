"""The account of a running game that a seat may download."""

from leuthen.engine.ruleset import SeatSide
from leuthen.server.session import lookback
from leuthen.server.session.game_session import GameSession


def account(session: GameSession, side: SeatSide) -> str:
    lines = list[tuple[int, str]]()
    for _ in lookback.account_in_steps(session, side, lines):
        pass
    return lookback.account(session, lines)

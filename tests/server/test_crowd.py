from typing import Any

import pytest

from leuthen.engine.ruleset import SEATS, WATCHER, SeatSide
from leuthen.play.dice import Key
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory
from leuthen.server.session.streams import Broadcaster, ConnectionLimits, Subscriber
from leuthen.storage.rows import GameRow, SeatRow
from tests.server.memory import MemoryStorage
from tests.toy import Toy

CROWD = 50


@pytest.fixture
def session(toy: Toy) -> GameSession:
    history = GameHistory(toy, toy.new_game("parley", {"rounds": "1"}))
    game = GameRow("id", "frederick", "", "", "parley", {}, "", False, "", "", "", 0, "")
    seats = [SeatRow(f"seat {side}", "id", side, "random", True) for side in SEATS]
    return GameSession(MemoryStorage(), history, game, seats, str, Key.fresh())


@pytest.fixture
def broadcaster(session: GameSession) -> Broadcaster:
    return session.broadcaster


def subscriber(side: SeatSide = WATCHER, browser: str = "") -> Subscriber:
    return Subscriber("seat", side, browser, frozenset())


def heard(one: Subscriber) -> list[bytes]:
    found = []
    while not one._queue.empty():
        found.append((one._queue.get_nowait() or b"").partition(b"data: ")[2].strip())
    return found


def test_who_comes_and_goes_disturbs_only_where_a_side_was_empty(broadcaster: Broadcaster) -> None:
    player, crowd = subscriber(0), [subscriber() for _ in range(CROWD)]
    for one in (player, *crowd):
        broadcaster.join(one, -1)
    assert [len(heard(one)) for one in crowd] == [1] * CROWD, "who is there is told to each newcomer, and to no other"
    assert heard(player) == [b'{"sides":[0]}', b'{"sides":[0,2]}']
    for one in crowd:
        broadcaster.leave(one)
        broadcaster.leave(one)
    assert heard(player) == [b'{"sides":[0]}']
    assert broadcaster.present == (0,)


def test_the_gate_looks_at_no_more_than_a_browsers_own() -> None:
    connection_limits = ConnectionLimits(per_device=2, per_seat=10**6, in_all=10**6)
    for number in range(CROWD):
        connection_limits.enter(subscriber(browser=f"browser {number}"))
    mine: list[Any] = [subscriber(browser="mine") for _ in range(3)]
    for one in mine:
        assert connection_limits.enter(one) == b""
    assert list(connection_limits._devices["mine"]) == mine[1:]
    for one in list(connection_limits._subscribers):
        connection_limits.leave(one)
    left = [
        connection_limits._subscribers,
        connection_limits._seats,
        connection_limits._devices,
        connection_limits._addresses,
    ]
    assert not any(left)

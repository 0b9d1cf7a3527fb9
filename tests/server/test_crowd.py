"""A crowd that listens costs each newcomer the same, however many are there."""

from __future__ import annotations

from typing import Any

import pytest

from leuthen.engine.ruleset import WATCHER
from leuthen.server.course import Course
from leuthen.server.feed import Feed
from leuthen.server.gate import Gate
from leuthen.server.glance import Glance
from leuthen.server.listener import Listener
from leuthen.storage.rows import GameRow
from tests.toy import Toy

CROWD = 50


@pytest.fixture
def feed(toy: Toy) -> Feed:
    course = Course(toy, toy.new_game("parley", {"rounds": "1"}))
    game = GameRow("id", "toy", "", "", "parley", {}, "", False, "", "", "", 0, "")
    return Feed(Glance(course, game), ())


def listener(side: int = WATCHER, browser: str = "") -> Listener:
    return Listener("seat", side, browser, frozenset())


def heard(one: Listener) -> list[bytes]:
    """What waited for a listener, without its event's name."""
    found = []
    while not one._queue.empty():
        found.append((one._queue.get_nowait() or b"").partition(b"data: ")[2].strip())
    return found


def test_who_comes_and_goes_disturbs_only_where_a_side_was_empty(feed: Feed) -> None:
    player, crowd = listener(0), [listener() for _ in range(CROWD)]
    for one in (player, *crowd):
        feed.join(one, -1)
    assert [len(heard(one)) for one in crowd] == [1] * CROWD, "who is there is told to each newcomer, and to no other"
    assert heard(player) == [b'{"sides":[0]}', b'{"sides":[0,2]}']
    for one in crowd:
        feed.leave(one)
        feed.leave(one)
    assert heard(player) == [b'{"sides":[0]}']
    assert feed.present == (0,)


def test_the_gate_looks_at_no_more_than_a_browsers_own() -> None:
    gate = Gate(per_browser=2, per_seat=10**6, in_all=10**6)
    for number in range(CROWD):
        gate.enter(listener(browser=f"browser {number}"))
    mine: list[Any] = [listener(browser="mine") for _ in range(3)]
    for one in mine:
        assert gate.enter(one) == b""
    assert list(gate._browsers["mine"]) == mine[1:]
    for one in list(gate._listeners):
        gate.leave(one)
    left = [gate._listeners, gate._seats, gate._browsers]
    assert not any(left)

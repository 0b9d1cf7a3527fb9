"""Two servers allow an address no more than one does, however its requests are spread."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from leuthen.server.cluster import shared_limits
from leuthen.server.cluster.shared_limits import SharedLimits
from leuthen.server.security.rate_limits import Bucket, Rate, RateLimits, Rates
from leuthen.storage.postgres import Postgres
from tests.server.conftest import call, hang_up
from tests.server.house import House
from tests.servers.conftest import Pair, database_of
from tests.servers.test_failures import until
from tools.postgres import TempPostgres

RATES = Rates(anything=Rate(0.001, 40))
STRANGER = "203.0.113.7"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def taken(bucket: Bucket, rate: Rate) -> int:
    """How much is had until there is no more."""
    count = 0
    while not bucket.take("a", "x", rate):
        count += 1
    return count


def test_who_has_had_more_than_half_is_told_of_once() -> None:
    clock, rate = Clock(), Rate(1, 10)
    bucket = Bucket(clock)
    for _ in range(5):
        bucket.take("a", "x", rate)
    assert bucket.untold() == []
    bucket.take("a", "x", rate)
    assert bucket.untold() == [("a", "x", 6)]
    assert bucket.untold() == []
    bucket.take("a", "x", rate)
    assert bucket.untold() == [("a", "x", 1)]
    clock.now = 100
    for _ in range(6):
        bucket.take("a", "x", rate)
    assert bucket.untold() == [("a", "x", 6)], "what was had before it was full again is forgotten"


def test_what_is_had_elsewhere_is_not_to_be_had_here() -> None:
    rate = Rate(1, 10)
    bucket = Bucket(Clock())
    bucket.take_elsewhere("a", "x", rate, 7)
    assert taken(bucket, rate) == 3
    assert bucket.untold() == [("a", "x", 3)], "what another told is not told again"


def test_programs_on_this_machine_and_the_share_of_all_are_each_servers_own() -> None:
    limits = RateLimits(RATES, RATES, Clock())
    for who in ("127.0.0.1", "", STRANGER):
        for _ in range(30):
            limits._bucket.take(who, "anything", RATES.anything)
    assert limits.taken() == [(STRANGER, "anything", 30)]


@pytest.fixture
def pair(
    shelf: Path, tmp_path: Path, postgres: TempPostgres, address: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Pair]:
    """Two servers whose clocks for limits stand still."""
    monkeypatch.setattr(shared_limits, "EVERY", 0.05)
    limits = [RateLimits(RATES, clock=Clock()) for _ in range(2)]
    houses = [House(tmp_path / str(n), limits=limit, shared=Postgres(address)) for n, limit in enumerate(limits)]
    for house in houses:
        house.start()
    pair = Pair(houses[0], houses[1], database_of(address), postgres)
    wait_until_they_listen(pair)
    yield pair
    hang_up()
    for house in houses:
        house.stop()


def wait_until_they_listen(pair: Pair) -> None:
    """A server listens a moment after it has begun to answer; what it was told before is lost to it, by design."""
    somebody, number = "192.0.2.1", 0

    def have_both_heard() -> bool:
        nonlocal number
        number += 1
        pair.ask(f'SELECT pg_notify(\'{shared_limits.CHANNEL}\', \'["ready",{number},[["{somebody}","anything",1]]]\')')
        return all(
            house.limits._bucket.left(somebody, "anything", RATES.anything) < 40 for house in (pair.one, pair.other)
        )

    until(have_both_heard)


class Stranger:
    """Somebody on another machine, as a proxy tells of him."""

    def __init__(self, house: House) -> None:
        self._caller = call(house.port)
        self._caller.said["X-Forwarded-For"] = STRANGER

    def ask(self, times: int) -> list[int]:
        return [self._caller.get("/api/home").status for _ in range(times)]


def left_at(house: House) -> float:
    return house.limits._bucket.left(STRANGER, "anything", RATES.anything)


def test_two_servers_allow_no_more_than_one(pair: Pair) -> None:
    one, other = Stranger(pair.one), Stranger(pair.other)
    assert one.ask(30) == [200] * 30
    until(lambda: left_at(pair.other) == 10)
    found = other.ask(15)
    assert found == [200] * 10 + [429] * 5
    until(lambda: left_at(pair.one) == 0)
    assert one.ask(1) == [429]


def test_a_telling_that_comes_twice_counts_once_and_nonsense_not_at_all(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    hear = SharedLimits.hear

    def hear_and_note(self: SharedLimits, word: str) -> None:
        hear(self, word)
        heard.append(word)

    monkeypatch.setattr(SharedLimits, "hear", hear_and_note)
    told = f'["x",1,[["{STRANGER}","anything",7]]]'
    lie = f'["x",9,[["{STRANGER}","nothing",7],["{STRANGER}","abroad",7]]]'
    own = f'["{pair.id_of(pair.one)}",99,[["{STRANGER}","anything",7]]]'
    for word in (told, told, "", "[]", '["x","1"]', lie, own, "last"):
        pair.ask(f"SELECT pg_notify('{shared_limits.CHANNEL}', '{word}')")
    until(lambda: heard.count("last") == 2)
    assert left_at(pair.one) == 33
    assert left_at(pair.other) == 26, "only the server itself knows what it has told"


def test_a_telling_that_is_lost_lets_have_more_and_nothing_else(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SharedLimits, "hear", lambda *_: None)
    one, other = Stranger(pair.one), Stranger(pair.other)
    assert one.ask(41)[-2:] == [200, 429]
    assert other.ask(41)[-2:] == [200, 429]

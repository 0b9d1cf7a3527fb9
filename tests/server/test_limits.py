"""Who asks too much is told when to come back; everybody else goes on."""

from __future__ import annotations

import asyncio
from itertools import count
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest

from leuthen.server.security.rate_limits import Bucket, Rate, RateLimits, Rates, kind_of
from leuthen.server.session import addresses
from leuthen.server.session.addresses import bill, network_of
from leuthen.server.session.broadcaster import TELLING
from leuthen.server.session.connection_limits import ConnectionLimits
from leuthen.server.session.problems import Fault
from leuthen.server.session.subscriber import Subscriber
from tests.server.conftest import NewHouse, call, new_game, new_party


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_fills_at_an_even_pace() -> None:
    clock = Clock()
    bucket, rate = Bucket(clock), Rate(2, 3)
    assert [bucket.take("a", "x", rate) for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now = 0.5
    assert [bucket.take("a", "x", rate) for _ in range(2)] == [0, 0.5]
    clock.now = 100
    assert [bucket.take("a", "x", rate) for _ in range(4)] == [0, 0, 0, 0.5], "it holds no more than it holds"


def test_each_has_a_bucket_of_his_own() -> None:
    bucket, rate = Bucket(Clock()), Rate(1, 1)
    assert bucket.take("a", "x", rate) == bucket.take("b", "x", rate) == bucket.take("a", "y", rate) == 0
    assert bucket.take("a", "x", rate) == 1


def test_full_buckets_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.security.rate_limits.MOST_REMEMBERED", 3)
    clock = Clock()
    bucket, rate = Bucket(clock), Rate(1, 1)
    for who in "abc":
        bucket.take(who, "x", rate)
    clock.now = 0.5
    bucket.take("d", "x", rate)
    assert {who for who, _ in bucket._left} == {"c", "d"}, "none of them is full yet, and the oldest make room"
    clock.now = 1.2
    for who in "ef":
        bucket.take(who, "x", rate)
    assert {who for who, _ in bucket._left} == {"d", "e", "f"}


def test_who_asks_on_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.security.rate_limits.MOST_REMEMBERED", 4)
    bucket, rate = Bucket(Clock()), Rate(1, 9)
    for who in ("a", "b", "c", "a", "d", "e"):
        bucket.take(who, "x", rate)
    assert bucket._left["a", "x"].left == 7


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9%eth0", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::1"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_a_household_counts_as_one(address: str, network: str) -> None:
    assert network_of(address) == network


def test_what_has_a_limit_of_its_own() -> None:
    assert kind_of("POST", "/api/games") == kind_of("POST", "/api/seats/x/rematch") == "making"
    assert kind_of("POST", "/api/take") == "taking"
    assert kind_of("POST", "/api/import") == "bringing"
    assert kind_of("POST", "/api/import/") == "bringing", "a slash at the end leads to the same route"
    assert kind_of("POST", "/api/seats/x/chat") == "talking"
    assert {kind_of("POST", f"/api/seats/x/{last}") for last in ("orders", "moves", "form", "standing/form")} == {
        "work"
    }
    assert kind_of("PUT", "/api/seats/x/standing") == "work"
    assert kind_of("GET", "/api/seats/x/chat") == kind_of("PUT", "/api/seats/x/notes") == ""


def test_too_many_requests_are_refused_and_change_nothing(new_house: NewHouse) -> None:
    clock = Clock()
    rates = Rates(making=Rate(0.1, 2))
    house = new_house(RateLimits(rates, rates, clock))
    caller, _ = new_game(house, ("me", "link"))
    game = {"players": ["me", "link"], "ruleset": "toy", "scenario": "parley"}
    assert caller.post("/api/games", game).status == 201
    answer = caller.post("/api/games", game)
    assert (answer.status, answer.json["title"]) == (429, "Too many requests")
    assert dict(answer.headers)["retry-after"] == "10"
    assert len(caller.get("/api/home").json["games"]) == 2
    assert call(house.port).post("/api/games", game).status == 429, "another cookie does not help"
    clock.now = 10
    assert caller.post("/api/games", game).status == 201


def test_forms_and_orders_are_limited_by_what_they_cost(new_house: NewHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few they are: who has had too much of the server's time waits, and nobody else."""
    clock, rates = Clock(), Rates(work=Rate(0.25, 5))
    house = new_house(RateLimits(rates, rates, clock))
    party = new_party(house)
    monkeypatch.setattr(addresses, "perf_counter", count(0, 3).__next__)  # three seconds each
    asked = [party.prussia.post("/form", {}).status for _ in range(3)]
    assert asked == [200, 200, 429]
    refused = party.prussia.order("bid 1", seen=0)
    assert (refused.status, dict(refused.headers)["retry-after"]) == (429, "4"), "one second at a quarter of the time"
    assert party.prussia.get("").status == 200, "a look is not refused, but it is paid for"
    clock.now = 16
    assert party.prussia.order("bid 1", seen=0).status == 200


def test_every_request_counts(new_house: NewHouse) -> None:
    rates = Rates(anything=Rate(0.001, 3))
    caller = call(new_house(RateLimits(rates, rates, Clock())).port)
    statuses = [caller.get(path).status for path in ("/", "/api/home", "/api/seats/none", "/api/home", "/")]
    assert statuses == [200, 200, 404, 429, 429]


def test_programs_here_play_at_full_speed(new_house: NewHouse) -> None:
    """Far more than a stranger may ask for at once."""
    caller = call(new_house().port)
    assert {caller.get("/healthz").status for _ in range(700)} == {200}


def test_the_oldest_stream_of_a_browser_makes_room() -> None:
    connection_limits = ConnectionLimits(per_browser=2, per_seat=9, in_all=9)
    subscribers = [Subscriber("seat", 0, "browser", frozenset()) for _ in range(3)]
    assert [connection_limits.enter(subscriber) for subscriber in subscribers] == [b"", b"", b""]
    assert list(connection_limits._subscribers) == subscribers[1:]
    programs = [Subscriber("seat", 0, "", frozenset()) for _ in range(5)]
    assert [connection_limits.enter(subscriber) for subscriber in programs] == [b""] * 5, "programs have no browser"


def test_a_full_house_lets_nobody_in() -> None:
    connection_limits = ConnectionLimits(per_browser=2, per_seat=1, in_all=2)
    enter = [connection_limits.enter(Subscriber(seat, 0, "", frozenset())) for seat in ("a", "a", "b", "c")]
    assert [bool(refusal) for refusal in enter] == [False, True, False, True]


class From(NamedTuple):
    """A request for a form from somewhere, as far as limits look at it."""

    client: Any
    method: str = "POST"
    scope: Any = MappingProxyType({"path": "/api/seats/x/form"})


def ask(limits: RateLimits, address: str, cost: float) -> int:
    """The status of a request that costs so many seconds."""

    async def asked() -> int:
        try:
            await limits.check(cast("Any", From(SimpleNamespace(host=address))))
        except Fault as error:
            return error.problem.status
        bill(cost)
        return 200

    return asyncio.run(asked())


def test_however_many_ask_for_too_much_who_asks_for_little_is_let_through() -> None:
    clock = Clock()
    limits = RateLimits(clock=clock)
    many = [f"192.0.2.{number}" for number in range(1, 9)]
    found = [ask(limits, address, 0.4) for _ in range(4) for address in many]
    assert 0 < found.count(200) < len(found), "they are stopped long before each has had its own five seconds"
    assert {ask(limits, address, 0.1) for address in many} == {429}
    assert [ask(limits, "198.51.100.7", 0.004) for _ in range(50)] == [200] * 50
    clock.now = 60
    assert {ask(limits, address, 0.01) for address in many} == {200}


def test_who_brings_it_about_pays_for_what_all_are_told(new_house: NewHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    rates, costs = Rates(work=Rate(0.25, 5)), list[float]()
    limits = RateLimits(rates, rates, Clock())
    monkeypatch.setattr(limits, "_bill", lambda address, rate, seconds: costs.append(seconds))
    party = new_party(new_house(limits))
    ears = [party.watcher.listen() for _ in range(3)]
    for ear in ears:
        ear.wait_for(b"event: fresh")
    monkeypatch.setattr(addresses, "perf_counter", count(0, 3).__next__)  # three seconds each
    costs.clear()
    assert party.prussia.order("bid 1", seen=0).status == 200
    assert costs.count(3) == 2, "to try it, and to make what is told"
    assert sum(cost for cost in costs if cost < 1) == pytest.approx(3 * TELLING)

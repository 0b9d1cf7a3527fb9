"""What goes wrong among servers: a lease lost in the middle, a clock that jumps, a notification that is lost or comes
twice, a database that goes away. The answer is clear, nothing is lost, and nothing counts twice."""

from __future__ import annotations

import asyncio
import socket
from asyncio import StreamWriter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic
from typing import Any, cast

import pytest
from sqlalchemy import Connection

from leuthen.server.bots.thinking import Thinkers
from leuthen.server.cluster import entrance
from leuthen.server.cluster.cluster import Cluster
from leuthen.server.cluster.frames import Forwarded, Hello, pack
from leuthen.server.cluster.membership import Membership
from leuthen.storage import leads
from leuthen.storage.leads import KnownServer
from leuthen.storage.postgres import Postgres
from tests.server.caller import PATIENCE, Answer
from tests.server.conftest import Guest, Party, call, for_ever, new_game, new_key, take
from tests.server.hostile import Attacker
from tests.server.house import House
from tests.servers.conftest import Crossed, Pair, at, database_of
from tools.postgres import TempPostgres

REQUESTS = 300


def until(is_so: Callable[[], bool]) -> None:
    """Looks until it is so."""
    end = monotonic() + PATIENCE
    while not is_so():
        assert monotonic() < end, "it is not so after all that time"


def counted(guest: Guest, order: str, seen: int) -> Answer:
    """Sends the same order until it is taken, as whoever is told to try again does."""
    key = new_key()
    while (answer := guest.order(order, seen, key)).status == 503:
        assert dict(answer.headers)["retry-after"]
    return answer


@pytest.fixture
def silent(crossed: Crossed, monkeypatch: pytest.MonkeyPatch) -> Crossed:
    """The leader says no more that it is there, and does not know it."""
    beat, dead = leads.beat, crossed.pair.id_of(crossed.pair.one)

    def beat_but_one(connection: Connection, server: str) -> bool:
        return server == dead or beat(connection, server)

    monkeypatch.setattr(leads, "beat", beat_but_one)
    return crossed


@pytest.fixture
def zombie(silent: Crossed) -> Crossed:
    """The leader has been held for dead and does not know it."""
    pair = silent.pair
    until(lambda: pair.ask("SELECT id FROM servers") == [pair.id_of(pair.other)])
    return silent


def test_an_order_whose_lease_is_lost_changes_nothing_and_counts_where_it_is_sent_again(
    zombie: Crossed, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair, dead, key = zombie.pair, zombie.pair.id_of(zombie.pair.one), new_key()
    refused = zombie.prussia.order("bid 1", 0, key)
    assert (refused.status, refused.json["title"]) == (503, "The game moves")
    assert dict(refused.headers)["retry-after"] == "1"
    assert pair.ask("SELECT count(*) FROM actions") == ["0"]
    assert at(pair.other, zombie.prussia).order("bid 1", 0, key).status == 200
    assert pair.ask("SELECT server FROM leads") == [pair.id_of(pair.other)]
    ear = zombie.prussia.listen()
    ear.wait_for(b"event: fresh")
    monkeypatch.undo()
    until(lambda: pair.id_of(pair.one) != dead)
    ear._reader.join(60)
    assert not ear._reader.is_alive(), "what stood in its memory was told to nobody any more"
    assert zombie.prussia.order("bid 1", 0, key).status == 200
    zombie.austria.orders("bid 2")
    assert pair.ask("SELECT text FROM actions ORDER BY number")[:2] == ["bid 1", "bid 2"]


def test_nothing_else_is_written_by_who_lost_his_lease(zombie: Crossed) -> None:
    seat = zombie.prussia
    before = zombie.pair.postgres.dump(zombie.pair.database).partition("Data for Name: servers")[0]
    body = {"key": new_key(), "text": "hello"}
    answers = [
        seat.post("/chat", body),
        seat.post("/link", {"side": 0}),
        seat.caller.ask("DELETE", f"{seat.base}/devices"),
    ]
    assert [answer.status for answer in answers] == [503, 503, 503]
    assert new_game_at(zombie.pair.one) == 503
    assert zombie.pair.postgres.dump(zombie.pair.database).partition("Data for Name: servers")[0] == before


def test_who_had_no_turn_for_long_answers_when_he_has_begun_anew(
    crossed: Crossed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that comes when he wakes waits for that, and is not told to come again."""
    pair, beat, counts = crossed.pair, Membership._beat, Membership.is_there
    asleep, wakes, waits = pair.id_of(pair.one), Event(), Event()

    def beat_when_awake(self: Membership, *loop: Any) -> None:
        assert self.own.id != asleep or wakes.wait(PATIENCE)
        beat(self, *loop)

    def is_there(self: Membership, own: KnownServer) -> bool:
        found = counts(self, own)
        if own.id == asleep and not found:
            waits.set()
        return found

    monkeypatch.setattr(Membership, "_beat", beat_when_awake)
    monkeypatch.setattr(Membership, "is_there", is_there)
    until(lambda: pair.ask("SELECT id FROM servers") == [pair.id_of(pair.other)])
    with ThreadPoolExecutor() as threads:
        answer = threads.submit(crossed.prussia.order, "bid 1", 0, new_key())
        assert waits.wait(PATIENCE)
        wakes.set()
        assert answer.result(PATIENCE).status == 200
    assert pair.ask("SELECT server FROM leads") == [pair.id_of(pair.one)] != [asleep]


def new_game_at(house: House) -> int:
    body = {"players": ("link", "link"), "ruleset": "toy", "scenario": "parley"}
    return call(house.port).post("/api/games", body).status


@pytest.mark.parametrize("jump", ["- interval '1 hour'", "+ interval '1 hour'"])
def test_the_databases_clock_may_jump(crossed: Crossed, jump: str) -> None:
    """A time that it set before the jump is in the past after it, or far in the future."""
    for order, guest in (("bid 1", crossed.prussia), ("bid 2", crossed.austria), ("step north 1", crossed.prussia)):
        crossed.pair.ask(f"UPDATE servers SET until = until {jump}")
        assert counted(guest, order, there_n(guest)).status == 200
    texts = crossed.pair.ask("SELECT text FROM actions WHERE actor <> 'chance' ORDER BY number")
    assert texts == ["bid 1", "bid 2", "step north 1"]


def test_a_server_that_died_before_the_clock_was_put_back_is_not_waited_for(silent: Crossed) -> None:
    pair = silent.pair
    pair.ask(f"UPDATE servers SET until = until + interval '1 hour' WHERE id = '{pair.id_of(pair.one)}'")
    until(lambda: pair.ask("SELECT id FROM servers") == [pair.id_of(pair.other)])
    assert counted(at(pair.other, silent.prussia), "bid 1", 0).status == 200


def there_n(guest: Guest) -> int:
    """The number of the last news, as soon as it is told."""
    while (answer := guest.get("")).status == 503:
        pass
    n: int = answer.json["n"]
    return n


def test_a_servers_own_clock_may_jump(crossed: Crossed) -> None:
    for seconds in (10**8, -(10**8)):
        crossed.pair.one.tick(seconds)
        crossed.pair.other.tick(-seconds)
        assert at(crossed.pair.other, crossed.prussia).get("").status == 200
    crossed.prussia.orders("bid 1")
    crossed.austria.orders("bid 2")
    assert crossed.pair.ask("SELECT count(*) FROM servers") == ["2"]


def test_a_notification_may_be_lost(crossed: Crossed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cluster, "others_went", lambda *_: None)
    crossed.prussia.orders("bid 1")
    assert crossed.austria.get("").status == 200
    crossed.pair.one.stop()
    crossed.austria.orders("bid 2")
    assert crossed.pair.ask("SELECT server FROM leads") == [crossed.pair.id_of(crossed.pair.other)]


def test_a_notification_may_come_twice_or_lie(crossed: Crossed) -> None:
    pair = crossed.pair
    for word in (pair.id_of(pair.one), pair.id_of(pair.one), pair.id_of(pair.other), "nobody", ""):
        pair.ask(f"SELECT pg_notify('{leads.CHANNEL}', '{word}')")
    crossed.austria.orders("bid 2")
    crossed.prussia.orders("bid 1")
    assert pair.ask("SELECT server FROM leads") == [pair.id_of(pair.one)]


def test_a_database_that_goes_away_and_comes_back(crossed: Crossed) -> None:
    pair, key = crossed.pair, new_key()
    crossed.prussia.orders("bid 1")
    n = crossed.austria.n
    pair.postgres.stop()
    try:
        for guest in (crossed.austria, at(pair.one, crossed.austria)):
            assert guest.order("bid 2", n, key).status == 503
        until(lambda: crossed.prussia.get("").status == 503)
    finally:
        pair.postgres.start()
    until(lambda: crossed.austria.order("bid 2", n, key).status == 200)
    assert crossed.pair.ask("SELECT text FROM actions ORDER BY number")[:2] == ["bid 1", "bid 2"]
    assert counted(at(pair.other, crossed.prussia), "step north 1", there_n(crossed.prussia)).status == 200


REFUSE = """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON actions FOR EACH ROW EXECUTE FUNCTION refuse()"""
"""The database says what it says when a file cannot grow."""


def test_a_full_disk_is_told_through_both_and_the_same_order_counts_when_there_is_room(crossed: Crossed) -> None:
    pair, key = crossed.pair, new_key()
    pair.ask(REFUSE)
    for guest in (crossed.austria, at(pair.one, crossed.austria)):
        refused = guest.order("bid 2", 0, key)
        assert (refused.status, refused.json["title"]) == (507, "The disk is full")
    assert (pair.ask("SELECT count(*) FROM actions"), crossed.austria.n) == (["0"], 0)
    pair.ask("DROP TRIGGER refuse ON actions")
    assert [crossed.austria.order("bid 2", 0, key).status for _ in range(2)] == [200, 200]
    assert pair.ask("SELECT text FROM actions") == ["bid 2"]


def test_a_machine_that_was_thinking_thinks_on_at_the_other(
    shelf: Path, tmp_path: Path, postgres: TempPostgres, address: str
) -> None:
    one = House(tmp_path / "one", Thinkers(for_ever), shared=Postgres(address))
    other = House(tmp_path / "other", shared=Postgres(address))
    for house in (one, other):
        house.start()
    _, made = new_game(one, ("link", "random"))
    guest = take(one, made["seats"][0]["link"], 0)
    guest.orders("bid 1")
    guest.caller.close()
    one.stop()
    until(lambda: postgres.ask(database_of(address), "SELECT count(*) FROM actions WHERE actor = 'chance'") != ["0"])
    other.stop()


def test_hostile_requests_through_the_other_change_nothing(crossed: Crossed) -> None:
    party = Party(crossed.game, crossed.prussia, crossed.austria, crossed.watcher, crossed.pair.other)
    attacker = Attacker(party)
    try:
        found = attacker.attack(Random(7), REQUESTS)
    finally:
        attacker.close()
    assert set(found) >= {200, 400, 403, 404, 405, 409, 415, 421}, found


# --- who calls where the servers call each other ----------------------------------------------------------------------


def entrance_of(pair: Pair) -> KnownServer:
    assert pair.one.cluster is not None
    return pair.one.cluster.directory.own


def asked(address: str, data: bytes) -> bytes:
    """All that comes back."""
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=30) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(65536), b""))


def test_only_servers_of_this_database_are_answered(crossed: Crossed) -> None:
    own = entrance_of(crossed.pair)
    path = crossed.prussia.base
    cookie = "; ".join(f"{name}={value}" for name, value in crossed.prussia.caller.cookies.items())
    headers = [(b"host", b"localhost"), (b"cookie", cookie.encode())]
    question = pack(
        Forwarded(crossed.game, "GET", "http", path, path.encode(), b"", headers, ("1.2.3.4", 1), None, b"")
    )
    assert b'"n":0' in asked(own.address, pack(Hello(own.secret)) + question)
    for hello in (b"", pack(Hello("x" * 43)), question, b"\xff" * 100, b"GET / HTTP/1.1\r\n\r\n", pack(Hello("ü"))):
        assert asked(own.address, hello + question) == b""


def test_who_says_nothing_is_hung_up_on(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "HELLO_SECONDS", 0.01)
    host, _, port = entrance_of(pair).address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=30) as line:
        assert line.recv(1) == b""


def test_who_hangs_up_while_he_is_answered_is_no_fault_of_the_server(
    crossed: Crossed, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, answered = entrance_of(crossed.pair), Event()
    drain = StreamWriter.drain

    async def drain_into_nothing(self: StreamWriter) -> None:
        await drain(self)
        answered.set()
        raise ConnectionResetError

    monkeypatch.setattr(StreamWriter, "drain", drain_into_nothing)
    question = Forwarded(
        crossed.game, "GET", "http", "/", b"/", b"", [(b"host", b"localhost")], ("1.2.3.4", 1), None, b""
    )
    asked(own.address, pack(Hello(own.secret)) + pack(question))
    assert answered.is_set()
    assert not [record for record in caplog.records if record.exc_info]


def test_who_has_hung_up_is_written_to_no_more() -> None:
    class Gone:
        def is_closing(self) -> bool:
            return True

        def write(self, data: bytes) -> None:
            raise RuntimeError("closed")

    async def answer() -> str:
        app = entrance._Answer(b"", asyncio.StreamReader(), cast("StreamWriter", Gone()))
        assert (await app.receive())["type"] == "http.request"
        await app.send({"type": "http.response.start", "status": 200, "headers": []})
        await app.send({"type": "http.response.body", "body": b"", "more_body": False})
        return (await app.receive())["type"]

    assert asyncio.run(answer()) == "http.disconnect"

import asyncio
import contextlib
import resource
import socket
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from uvicorn.server import ServerState

from leuthen.engine.ruleset import SEATS, WATCHER, SeatSide
from leuthen.play.dice import Key
from leuthen.server.http import seats, serve
from leuthen.server.http.serve import Caps, Config, Connection, Connections, caps_for, raise_file_limit
from leuthen.server.session import streams
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory
from leuthen.server.session.streams import Broadcaster, Subscriber
from leuthen.storage.rows import GameRow, SeatRow, StoredGame
from tests.server.conftest import GameClients, SeatClient, creator_of, events, new_caller, start_game
from tests.server.harness import TIMEOUT, StreamClient, TestServer, wait_until
from tests.server.memory import MemoryStorage
from tests.server.test_orders import reconnect
from tests.toy import Toy

HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
LOST = (ConnectionResetError, BrokenPipeError)


class Timer:
    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self.seconds = seconds
        self.act = act
        self.is_off = False

    def cancel(self) -> None:
        self.is_off = True


class Loop:
    def __init__(self) -> None:
        self.timers: list[Timer] = []

    def call_later(self, seconds: float, act: Callable[[], None]) -> Timer:
        self.timers.append(Timer(seconds, act))
        return self.timers[-1]

    def create_task(self, work: Any) -> Any:
        work.close()
        return Mock()

    @property
    def waiting(self) -> list[Timer]:
        return [timer for timer in self.timers if not timer.is_off]


class Transport(asyncio.Transport):
    def __init__(self, address: str = "127.0.0.1") -> None:
        super().__init__()
        self.address = address
        self.is_closed = False
        self.is_aborted = False
        self.sent = b""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self.address, 1) if name == "peername" else default

    def is_closing(self) -> bool:
        return self.is_closed

    def write(self, data: Any) -> None:
        self.sent += data

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = self.is_aborted = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def app(scope: Any, receive: Any, send: Any) -> None:
    raise NotImplementedError


def connect(
    registry: Connections | None = None, address: str = "127.0.0.1", loop: Any = None
) -> tuple[Connection, Transport, Loop]:
    config = Config(app, registry or Connections(), lifespan="off")
    loop, transport = loop or Loop(), Transport(address)
    connection = Connection(config, ServerState(), {}, loop)
    connection.connection_made(transport)
    return connection, transport, loop


def test_a_request_head_has_one_deadline() -> None:
    connection, transport, loop = connect()
    for byte in HEAD:
        connection.data_received(bytes([byte]))
    (timer,) = loop.timers
    assert loop.waiting == [timer]
    assert timer.seconds == serve.HEAD_SECONDS
    timer.act()
    assert transport.is_aborted
    connection.data_received(b"\r\n")
    assert loop.waiting == [], "a complete request has no deadline"


def test_the_next_request_head_has_its_own_deadline() -> None:
    connection, _, loop = connect()
    connection.data_received(HEAD + b"\r\n")
    connection.cycle.response_complete = True
    connection.on_response_complete()
    (idle,) = loop.waiting
    assert idle.seconds == connection.timeout_keep_alive
    for part in (b"\r\n", b"\r\n"):
        connection.data_received(part)
    assert [timer.seconds for timer in loop.waiting] == [serve.HEAD_SECONDS], "empty lines are not a request"


def test_the_size_of_a_request_head_is_limited() -> None:
    connection, transport, _ = connect()
    connection.data_received(HEAD)
    assert not transport.is_aborted
    for _ in range(20):
        if not transport.is_aborted:
            connection.data_received(b"x-more: " + b"x" * 4000 + b"\r\n")
    assert transport.is_aborted


def test_a_client_that_does_not_read_is_disconnected() -> None:
    connection, transport, loop = connect()
    connection.data_received(HEAD + b"\r\n")
    connection.pause_writing()
    connection.resume_writing()
    assert loop.waiting == []
    connection.pause_writing()
    (timer,) = loop.waiting
    assert timer.seconds == serve.STALL_SECONDS
    timer.act()
    assert transport.is_aborted


def test_a_closed_connection_leaves_no_state() -> None:
    registry = Connections()
    connection, transport, loop = connect(registry)
    connection.connection_lost(None)
    assert loop.waiting == []
    assert transport.is_closed
    left = [registry._open, registry._count, registry._resting]
    assert not any(left)


def test_the_oldest_idle_connection_makes_room() -> None:
    registry = Connections(Caps(in_all=3, abroad=3, at_home=3))
    (asking, first), (_, second), (_, third) = (connect(registry)[:2] for _ in range(3))
    asking.data_received(HEAD + b"\r\n")
    _, fourth, _ = connect(registry)
    assert [one.is_aborted for one in (first, second, third, fourth)] == [False, True, False, False]


def test_a_new_connection_is_refused_if_all_are_busy() -> None:
    registry = Connections(Caps(in_all=2, abroad=2, at_home=2))
    for _ in range(2):
        connect(registry)[0].data_received(HEAD + b"\r\n")
    _, refused, loop = connect(registry)
    assert refused.sent.startswith(b"HTTP/1.1 503")
    assert b"retry-after" in refused.sent
    assert refused.is_closed
    assert loop.waiting == []


@pytest.mark.parametrize("addresses", [["203.0.113.5"] * 9, [f"2001:db8::{number}" for number in range(1, 10)]])
def test_the_connections_of_one_address_are_limited(addresses: list[str]) -> None:
    registry = Connections(Caps(in_all=8, abroad=2, at_home=6))
    flood = [connect(registry, address) for address in addresses]
    assert [transport.is_aborted for _, transport, _ in flood] == [True] * 7 + [False] * 2
    for connection, _, _ in flood[7:]:
        connection.data_received(HEAD + b"\r\n")
    assert connect(registry, addresses[0])[1].sent.startswith(b"HTTP/1.1 503")
    assert connect(registry, "203.0.113.6")[1].sent == b""
    assert [connect(registry)[1].sent for _ in range(5)] == [b""] * 5


def test_a_full_server_makes_room_for_another_address() -> None:
    registry = Connections(Caps(in_all=2, abroad=2, at_home=2))
    first, second = (connect(registry, f"203.0.113.{number}")[1] for number in (5, 6))
    third = connect(registry, "203.0.113.7")[1]
    assert [one.is_aborted for one in (first, second, third)] == [True, False, False]
    connect(registry, "203.0.113.7")
    assert [second.is_aborted, third.is_aborted] == [False, True], "a newcomer replaces one of its own address"


def test_the_connection_limit_follows_the_file_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert caps_for(1024).in_all == 1024 - serve.RESERVE
    assert caps_for(10**6).in_all == serve.MOST
    assert caps_for(10).in_all == serve.FEWEST
    limits = {"now": (256, 4096)}
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits["now"])
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: limits.update(now=wanted))
    assert raise_file_limit() == 4096
    assert limits["now"] == (4096, 4096), "the hard limit"


@pytest.fixture
def small_server(toy_data: Path, tmp_path: Path) -> Iterator[TestServer]:
    server = TestServer(tmp_path / "games", connections=Connections(Caps(in_all=12, abroad=12, at_home=12)))
    server.start()
    yield server
    server.stop()


def test_a_player_is_served_among_many_idle_sockets(small_server: TestServer) -> None:
    idle = [socket.create_connection(("127.0.0.1", small_server.port), TIMEOUT) for _ in range(60)]
    caller = new_caller(small_server.port)
    assert {caller.get("/api/home").status for _ in range(20)} == {200}
    for one in idle[:40]:
        with contextlib.suppress(*LOST):
            assert one.recv(100) == b"", "the oldest silent connections are closed"
    for one in idle:
        one.close()


def test_a_missing_body_times_out(small_server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.security.request_guard.BODY_SECONDS", 0.0)
    with socket.create_connection(("127.0.0.1", small_server.port), TIMEOUT) as one:
        one.sendall(b"POST /api/take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        one.sendall(b"Content-Length: 9\r\n\r\n{")
        received = b""
        while data := one.recv(4096):
            received += data
    assert received.startswith(b"HTTP/1.1 408"), "the connection is closed after the answer"


SPECTATORS = 50


@pytest.fixture
def session(toy: Toy) -> GameSession:
    history = GameHistory(toy, toy.new_game("parley", {"rounds": "1"}))
    game = GameRow("id", "frederick", "", "", "parley", {}, "", False, "", "", "", 0, "")
    seats = tuple(SeatRow(f"seat {side}", "id", side, "random", True) for side in SEATS)
    return GameSession(MemoryStorage(), history, StoredGame(game, seats, (), (), Key.fresh().secret), str)


@pytest.fixture
def broadcaster(session: GameSession) -> Broadcaster:
    return session.broadcaster


def subscriber(side: SeatSide = WATCHER, browser: str = "") -> Subscriber:
    return Subscriber("seat", side, browser, frozenset())


def read_queue(one: Subscriber) -> list[bytes]:
    found = []
    while not one._queue.empty():
        found.append((one._queue.get_nowait() or b"").partition(b"data: ")[2].strip())
    return found


def test_presence_is_sent_only_when_a_side_changes(broadcaster: Broadcaster) -> None:
    player, crowd = subscriber(0), [subscriber() for _ in range(SPECTATORS)]
    for one in (player, *crowd):
        broadcaster.join(one, -1)
    assert [len(read_queue(one)) for one in crowd] == [1] * SPECTATORS, "only a newcomer is sent who is present"
    assert read_queue(player) == [b'{"sides":[0]}', b'{"sides":[0,2]}']
    for one in crowd:
        broadcaster.leave(one)
        broadcaster.leave(one)
    assert read_queue(player) == [b'{"sides":[0]}']
    assert broadcaster.present == (0,)


def apply_patch(target: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = apply_patch(result.get(name), value)
    return result


def follow(table: dict[str, Any], received: bytes, before: Sequence[str] = ()) -> tuple[dict[str, Any], list[str]]:
    entries = list(before)
    for event, data in events(received):
        if event == "fresh":
            table = data
        elif event == "news":
            assert data["n"] in (table["n"], table["n"] + 1), "no gap"
            assert not (data["n"] == table["n"] and data["entries"]), "no double"
            entries = entries[: len(entries) - data["dropped"]] + [line["text"] for line in data["entries"]]
            rest = {name: data[name] for name in ("n", "awaited", "can_undo", "proposals")}
            table = {**table, **rest, "scene": apply_patch(table["scene"], data["patch"])}
    return table, entries


def expect_same(table: dict[str, Any], client: SeatClient) -> None:
    keys, snapshot = ("n", "scene", "awaited", "can_undo", "proposals"), client.snapshot
    assert {key: table[key] for key in keys} == {key: snapshot[key] for key in keys}


def play_a_round(game: GameClients) -> None:
    game.prussia.orders("bid 1")
    game.austria.orders("bid 3")
    game.prussia.orders("step north 2", "step south 1")
    assert game.prussia.move("undo").status == 200
    game.prussia.orders("peek", "done")
    game.austria.orders("step north 1", "done")


def test_a_stream_keeps_a_page_complete(server: TestServer) -> None:
    game = start_game(server, "3")
    before = [client.snapshot for client in game.clients]
    streams = [client.subscribe(0) for client in game.clients]
    play_a_round(game)
    for client, table, stream in zip(game.clients, before, streams, strict=True):
        table, entries = follow(table, stream.wait_for(b'"phase":"bid"'))
        expect_same(table, client)
        assert entries == client.entries()


@pytest.mark.parametrize("after", [0, 2, 5])
def test_a_reconnected_stream_resumes_at_the_last_event(server: TestServer, after: int) -> None:
    game = start_game(server, "3")
    table = game.prussia.snapshot
    stream = game.prussia.subscribe(0)
    play_a_round(game)
    whole = stream.wait_for(b'"phase":"bid"')
    stream.close()
    blocks = whole.split(b"\n\n")
    last = max(at for at, block in enumerate(blocks) if b"id: %d\n" % after in block)
    table, entries = follow(table, b"\n\n".join(blocks[: last + 1]) + b"\n\n")
    table, entries = follow(table, resume(game.prussia, after).wait_for(b"event: fresh"), entries)
    expect_same(table, game.prussia)
    assert entries == game.prussia.entries()


def resume(client: SeatClient, last: int) -> StreamClient:
    caller = reconnect(client).caller
    caller.extra_headers["Last-Event-ID"] = str(last)
    return SeatClient(caller, client.seat, client.side).subscribe(0)


def test_a_stream_that_missed_nothing_repeats_nothing(after_bids: GameClients) -> None:
    table = after_bids.austria.snapshot
    stream = resume(after_bids.austria, table["n"])
    found = events(stream.wait_for(b"event: news"))
    assert [(event, data["entries"], data["patch"]) for event, data in found if event == "news"] == [("news", [], {})]
    assert "fresh" not in dict(found)


def test_a_reconnected_stream_shows_no_drafts_of_others(after_bids: GameClients) -> None:
    n = after_bids.austria.n

    def updates() -> list[Any]:
        received = resume(after_bids.austria, n).wait_for(b"event: news")
        return [data for event, data in events(received) if event == "news"]

    before = updates()
    after_bids.prussia.orders("step north 1")
    after_bids.prussia.move("undo")
    after_bids.prussia.orders("step north 2")
    assert updates() == before


def test_a_stream_that_missed_too_much_gets_a_snapshot(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_MISSED", 3)
    game = start_game(server, "3")
    play_a_round(game)
    for after in (0, 1000, -5):
        received = game.prussia.subscribe(after).wait_for(b"event: fresh")
        assert [event for event, _ in events(received) if event != "presence"] == ["fresh"], after


def test_a_slow_reader_gets_a_snapshot(after_bids: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "DEPTH", 0)
    table = after_bids.austria.snapshot
    stream = after_bids.austria.subscribe(table["n"])
    after_bids.prussia.orders("step north 2", "done")
    received = stream.wait_for(b'"is_yours":true')
    while b"event: fresh" not in received:
        received = stream.wait_for(b"event: fresh")
    table = [data for event, data in events(received) if event == "fresh"][-1]
    expect_same(table, after_bids.austria)


def test_a_quiet_stream_sends_heartbeats(game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "HEARTBEAT", 0.02)
    stream = game.prussia.subscribe(0)
    wait_until(lambda: stream._data.count(b"event: still\ndata: {}\n\n") > 2)
    assert [data for event, data in events(stream.received) if event == "still"][:2] == [{}, {}]


def test_the_newest_streams_of_a_browser_stay_open(server: TestServer) -> None:
    client = creator_of(server, ("me", "link"))
    streams = [client.subscribe(0) for _ in range(10)]
    for stream in streams[:6]:
        assert events(stream.wait_for(b"Open elsewhere"))[-1][1]["status"] == 429
    client.orders("bid 1")
    for stream in streams[6:]:
        stream.wait_for(b"bids 1")
    assert all(b"bids 1" not in stream.received for stream in streams[:6])


def test_a_stream_beyond_the_limit_is_refused(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.registry.connection_limits = streams.ConnectionLimits(seat=2)
    game = start_game(server)
    others = [reconnect(game.spectator) for _ in range(2)]
    for other in others:
        other.subscribe(0).wait_for(b"event: news")
    received = game.spectator.subscribe(0).wait_for(b"event: problem")
    assert events(received)[-1][1]["title"] == "Too many connections"
    assert b"retry: 30000" in received


def test_a_closed_stream_leaves_no_subscriber(game: GameClients) -> None:
    streams = [game.prussia.subscribe(0) for _ in range(3)]
    for stream in streams:
        stream.wait_for(b"event: news")
    session = game.server.session(game.id)
    assert len(session.broadcaster.subscribers) == 3
    for stream in streams:
        stream.close()
    wait_until(lambda: not session.broadcaster.subscribers and not game.server.registry.connection_limits.count)


def test_the_end_of_a_game_reveals_everything_to_spectators(game: GameClients) -> None:
    game.prussia.orders("bid 3")
    table = game.spectator.snapshot
    stream = game.spectator.subscribe(table["n"])
    game.prussia.move("resign")
    table, entries = follow(table, stream.wait_for(b'"result"'))
    assert entries[-1] == "Prussia resigns."
    assert "sealed (3, 0)" in table["scene"]["notes"]
    expect_same(table, game.spectator)

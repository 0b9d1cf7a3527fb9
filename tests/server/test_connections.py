import asyncio
import resource
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from uvicorn.server import ServerState

from leuthen.engine.ruleset import SEATS, WATCHER, SeatSide
from leuthen.play.dice import Key
from leuthen.server.security import connections
from leuthen.server.security.connections import (
    Caps,
    Config,
    Connection,
    Connections,
    Gathering,
    caps_for,
    raise_file_limit,
)
from leuthen.server.session import streams
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory
from leuthen.server.session.streams import Broadcaster, ConnectionLimits, Subscriber
from leuthen.storage.rows import GameRow, SeatRow
from tests.server.conftest import NewServer, Party, SeatClient, call, events, new_game, new_party
from tests.server.harness import PATIENCE, StreamClient, TestServer
from tests.server.memory import MemoryStorage
from tests.server.test_orders import as_it_is
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


class Task:
    def add_done_callback(self, _: object) -> None:
        pass


class Loop:
    def __init__(self) -> None:
        self.timers: list[Timer] = []

    def call_later(self, seconds: float, act: Callable[[], None]) -> Timer:
        self.timers.append(Timer(seconds, act))
        return self.timers[-1]

    def create_task(self, work: Any) -> Task:
        work.close()
        return Task()

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
    config = Config(app, registry or Connections(), log_config=None, lifespan="off")
    loop, transport = loop or Loop(), Transport(address)
    connection = Connection(config, ServerState(), {}, loop)
    connection.connection_made(transport)
    return connection, transport, loop


def test_who_says_nothing_is_not_waited_for() -> None:
    _, transport, loop = connect()
    (timer,) = loop.waiting
    assert timer.seconds == connections.HEAD_SECONDS
    timer.act()
    assert transport.is_aborted


def test_a_head_that_trickles_in_gets_no_more_time() -> None:
    connection, _, loop = connect()
    for byte in HEAD:
        connection.data_received(bytes([byte]))
    assert len(loop.timers) == 1
    assert len(loop.waiting) == 1
    connection.data_received(b"\r\n")
    assert loop.waiting == [], "a request that is whole is the server's to answer, however long it takes"


def test_after_an_answer_a_head_has_its_time_again() -> None:
    connection, _, loop = connect()
    connection.data_received(HEAD + b"\r\n")
    connection.cycle.response_complete = True
    connection.on_response_complete()
    (idle,) = loop.waiting
    assert idle.seconds == connection.timeout_keep_alive
    for part in (b"\r\n", b"\r\n"):
        connection.data_received(part)
    assert [timer.seconds for timer in loop.waiting] == [connections.HEAD_SECONDS], "empty lines are no request"


def test_a_head_has_an_end() -> None:
    connection, transport, _ = connect()
    connection.data_received(HEAD)
    assert not transport.is_aborted
    for _ in range(20):
        if not transport.is_aborted:
            connection.data_received(b"x-more: " + b"x" * 4000 + b"\r\n")
    assert transport.is_aborted


def test_who_takes_nothing_is_not_written_to_for_ever() -> None:
    connection, transport, loop = connect()
    connection.data_received(HEAD + b"\r\n")
    connection.pause_writing()
    connection.resume_writing()
    assert loop.waiting == []
    connection.pause_writing()
    (timer,) = loop.waiting
    assert timer.seconds == connections.STALL_SECONDS
    timer.act()
    assert transport.is_aborted


def test_a_connection_that_ends_leaves_nothing_behind() -> None:
    registry = Connections()
    connection, transport, loop = connect(registry)
    connection.connection_lost(None)
    assert loop.waiting == []
    assert transport.is_closed
    left = [registry._open, registry._count, registry._resting, registry._order]
    assert not any(left)


def test_the_oldest_that_rests_makes_room_and_no_request_does() -> None:
    registry = Connections(Caps(in_all=3, abroad=3, at_home=3))
    (asking, first), (_, second), (_, third) = (connect(registry)[:2] for _ in range(3))
    asking.data_received(HEAD + b"\r\n")
    _, fourth, _ = connect(registry)
    assert [one.is_aborted for one in (first, second, third, fourth)] == [False, True, False, False]


def test_where_all_are_asking_the_newest_is_told_to_come_back() -> None:
    registry = Connections(Caps(in_all=2, abroad=2, at_home=2))
    for _ in range(2):
        connect(registry)[0].data_received(HEAD + b"\r\n")
    _, refused, loop = connect(registry)
    assert refused.sent.startswith(b"HTTP/1.1 503")
    assert b"retry-after" in refused.sent
    assert refused.is_closed
    assert loop.waiting == []


def test_one_address_cannot_take_all_the_room() -> None:
    registry = Connections(Caps(in_all=8, abroad=2, at_home=6))
    flood = [connect(registry, "203.0.113.5") for _ in range(9)]
    assert [transport.is_aborted for _, transport, _ in flood] == [True] * 7 + [False] * 2
    for connection, _, _ in flood[7:]:
        connection.data_received(HEAD + b"\r\n")
    assert connect(registry, "203.0.113.5")[1].sent.startswith(b"HTTP/1.1 503")
    assert connect(registry, "203.0.113.6")[1].sent == b""
    assert [connect(registry)[1].sent for _ in range(5)] == [b""] * 5


def test_a_household_is_one_address() -> None:
    registry = Connections(Caps(in_all=8, abroad=2, at_home=6))
    flood = [connect(registry, f"2001:db8::{number}")[1] for number in range(1, 6)]
    assert [transport.is_aborted for transport in flood] == [True] * 3 + [False] * 2


def test_a_full_house_has_room_for_another_address() -> None:
    registry = Connections(Caps(in_all=2, abroad=2, at_home=2))
    first, second = (connect(registry, f"203.0.113.{number}")[1] for number in (5, 6))
    third = connect(registry, "203.0.113.7")[1]
    assert [one.is_aborted for one in (first, second, third)] == [True, False, False]
    connect(registry, "203.0.113.7")
    assert [second.is_aborted, third.is_aborted] == [False, True], "an address makes room for itself first"


def test_there_is_room_within_the_limit_of_files() -> None:
    assert caps_for(1024).in_all == 1024 - connections.RESERVE
    assert caps_for(10**6).in_all == connections.MOST
    assert caps_for(10).in_all == connections.FEWEST


def test_the_limit_of_files_is_raised_as_far_as_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"now": (256, 4096)}
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits["now"])
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: limits.update(now=wanted))
    assert raise_file_limit() == 4096
    assert limits["now"] == (4096, 4096)


@pytest.fixture
def small_server(toy_data: Path, tmp_path: Path) -> Iterator[TestServer]:
    server = TestServer(tmp_path / "games", connections=Connections(Caps(in_all=12, abroad=12, at_home=12)))
    server.start()
    yield server
    server.stop()


def test_a_player_is_answered_among_many_idle_sockets(small_server: TestServer) -> None:
    idle = [socket.create_connection(("127.0.0.1", small_server.port), PATIENCE) for _ in range(60)]
    caller = call(small_server.port)
    assert {caller.get("/api/home").status for _ in range(20)} == {200}
    gone = 0
    for one in idle[:40]:
        try:
            gone += one.recv(100) == b""
        except LOST:
            gone += 1
    assert gone == 40, "those that said nothing longest have gone"
    for one in idle:
        one.close()


def test_a_body_that_does_not_come_is_not_waited_for(small_server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.security.request_guard.BODY_SECONDS", 0.0)
    with socket.create_connection(("127.0.0.1", small_server.port), PATIENCE) as one:
        one.sendall(b"POST /api/take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        one.sendall(b"Content-Length: 9\r\n\r\n{")
        heard = b""
        while data := one.recv(4096):
            heard += data
    assert heard.startswith(b"HTTP/1.1 408"), "and the line is closed behind it"


def test_what_is_written_in_one_turn_goes_out_as_one() -> None:
    sent = list[bytes]()

    class Parts(Transport):
        def write(self, data: Any) -> None:
            sent.append(data)

    async def answer() -> None:
        there = Parts()
        transport = Gathering(there, asyncio.get_running_loop())
        transport.write(b"head ")
        transport.write(b"body")
        assert not sent
        await asyncio.sleep(0)
        assert sent == [b"head body"]
        transport.write(b"the last")
        transport.close()
        assert there.is_closed
        assert sent[1:] == [b"the last"]
        await asyncio.sleep(0)
        assert sent[2:] == []

    asyncio.run(answer())


def test_who_has_gone_is_sent_nothing() -> None:
    class Gone(Transport):
        def write(self, data: Any) -> None:
            raise RuntimeError("closed")

    async def answer() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context))
        there = Gone()
        Gathering(there, asyncio.get_running_loop()).write(b"head")
        there.close()
        await asyncio.sleep(0)

    failed = list[dict[str, Any]]()
    asyncio.run(answer())
    assert not failed


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


def merged(target: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def follow(table: dict[str, Any], heard: bytes, said: Sequence[str] = ()) -> tuple[dict[str, Any], list[str]]:
    told = list(said)
    for event, data in events(heard):
        if event == "fresh":
            table = data
        elif event == "news":
            assert data["n"] in (table["n"], table["n"] + 1), "no gap"
            assert not (data["n"] == table["n"] and data["entries"]), "no double"
            told = told[: len(told) - data["dropped"]] + [line["text"] for line in data["entries"]]
            rest = {name: data[name] for name in ("n", "awaited", "can_undo", "proposals")}
            table = {**table, **rest, "scene": merged(table["scene"], data["patch"])}
    return table, told


def same(table: dict[str, Any], guest: SeatClient) -> None:
    fresh = guest.fresh
    assert {key: table[key] for key in ("n", "scene", "awaited", "can_undo", "proposals")} == {
        key: fresh[key] for key in ("n", "scene", "awaited", "can_undo", "proposals")
    }


def play_a_round(party: Party) -> None:
    party.prussia.orders("bid 1")
    party.austria.orders("bid 3")
    party.prussia.orders("step north 2", "step south 1")
    assert party.prussia.move("undo").status == 200
    party.prussia.orders("peek", "done")
    party.austria.orders("step north 1", "done")


def test_a_page_that_listens_knows_the_table(server: TestServer) -> None:
    party = new_party(server, "3")
    before = [guest.fresh for guest in party.guests]
    ears = [guest.listen(0) for guest in party.guests]
    play_a_round(party)
    for guest, table, ear in zip(party.guests, before, ears, strict=True):
        heard = ear.wait_for(b'"phase":"bid"')
        table, told = follow(table, heard)
        same(table, guest)
        assert told == guest.told()


@pytest.mark.parametrize("after", [0, 2, 5])
def test_who_was_away_goes_on_where_he_was(server: TestServer, after: int) -> None:
    party = new_party(server, "3")
    table = party.prussia.fresh
    ear = party.prussia.listen(0)
    play_a_round(party)
    whole = ear.wait_for(b'"phase":"bid"')
    ear.close()
    table, told = follow(table, part(whole, after))
    table, told = follow(table, resume(party.prussia, after).wait_for(b"event: fresh"), told)
    same(table, party.prussia)
    assert told == party.prussia.told()


def part(heard: bytes, n: int) -> bytes:
    blocks = heard.split(b"\n\n")
    last = max(at for at, block in enumerate(blocks) if b"id: %d\n" % n in block)
    return b"\n\n".join(blocks[: last + 1]) + b"\n\n"


def resume(guest: SeatClient, last: int) -> StreamClient:
    ear = StreamClient(
        guest.caller.port, f"{guest.base}/stream?after=0", guest.caller.headers() | {"Last-Event-ID": str(last)}
    )
    from tests.server import conftest

    conftest._open.append(ear)
    return ear


def test_who_missed_nothing_is_told_nothing_twice(in_move: Party) -> None:
    table = in_move.austria.fresh
    ear = resume(in_move.austria, table["n"])
    found = events(ear.wait_for(b"event: news"))
    assert [(event, data["entries"], data["patch"]) for event, data in found if event == "news"] == [("news", [], {})]
    assert "fresh" not in dict(found)


def test_drafts_of_others_leave_no_trace_in_a_stream_that_comes_back(in_move: Party) -> None:
    n = in_move.austria.n
    before = news(resume(in_move.austria, n).wait_for(b"event: news"))
    in_move.prussia.orders("step north 1")
    in_move.prussia.move("undo")
    in_move.prussia.orders("step north 2")
    assert news(resume(in_move.austria, n).wait_for(b"event: news")) == before


def news(heard: bytes) -> list[Any]:
    return [data for event, data in events(heard) if event == "news"]


def test_after_a_restart_nothing_is_missing(new_server: NewServer) -> None:
    party = new_party(new_server(), "3")
    table = party.austria.fresh
    play_a_round(party)
    told = party.austria.told()
    party.austria.caller.port = new_server().port
    guest = as_it_is(party.austria)
    table, heard = follow(table, resume(guest, 0).wait_for(b"event: fresh"))
    same(table, guest)
    assert heard == told


def test_who_missed_too_much_gets_a_fresh_view(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_MISSED", 3)
    party = new_party(server, "3")
    play_a_round(party)
    for after in (0, 1000, -5):
        heard = party.prussia.listen(after).wait_for(b"event: fresh")
        assert [event for event, _ in events(heard) if event != "presence"] == ["fresh"], after


def test_who_reads_too_slowly_gets_a_fresh_view(in_move: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "DEPTH", 0)
    table = in_move.austria.fresh
    ear = in_move.austria.listen(table["n"])
    in_move.prussia.orders("step north 2", "done")
    heard = ear.wait_for(b'"is_yours":true')
    while b"event: fresh" not in heard:
        heard = ear.wait_for(b"event: fresh")
    table = [data for event, data in events(heard) if event == "fresh"][-1]
    same(table, in_move.austria)


def test_who_is_at_the_table_is_reported(party: Party) -> None:
    ear = party.prussia.listen(0)
    ear.wait_for(b'{"sides":[0]}')
    other = party.austria.listen(0)
    ear.wait_for(b'{"sides":[0,1]}')
    other.close()
    wait_for(lambda: ear.heard.endswith(b'{"sides":[0]}\n\n'))
    seen = [data["sides"] for event, data in events(ear.heard) if event == "presence"]
    assert [sides for sides, before in zip(seen, [None, *seen], strict=False) if sides != before] == [[0], [0, 1], [0]]


def wait_for(is_so: Any) -> None:
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.05)
    raise TimeoutError


def test_silence_is_broken_by_an_event_that_a_page_hears(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    from leuthen.server.http import seats

    monkeypatch.setattr(seats, "HEARTBEAT", 0.02)
    ear = party.prussia.listen(0)
    wait_for(lambda: ear._data.count(b"event: still\ndata: {}\n\n") > 2)
    assert [data for event, data in events(ear.heard) if event == "still"][:2] == [{}, {}]


def test_ten_pages_of_a_browser_still_load(server: TestServer) -> None:
    caller, made = new_game(server, ("me", "link"))
    guest = SeatClient(caller, made["seats"][0]["seat"], 0)
    ears = [guest.listen(0) for _ in range(10)]
    for ear in ears[:6]:
        assert events(ear.wait_for(b"Open elsewhere"))[-1][1]["status"] == 429
    guest.orders("bid 1")
    for ear in ears[6:]:
        ear.wait_for(b"bids 1")
    assert all(b"bids 1" not in ear.heard for ear in ears[:6])


def test_another_browser_has_streams_of_its_own(party: Party) -> None:
    ears = [guest.listen(0) for guest in party.guests for _ in range(4)]
    for ear in ears:
        assert b"problem" not in ear.wait_for(b"event: news")


def test_a_full_server_says_so(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.registry.connection_limits = streams.ConnectionLimits(per_seat=2)
    party = new_party(server)
    others = [as_it_is(party.watcher) for _ in range(2)]
    for other in others:
        other.listen(0).wait_for(b"event: news")
    heard = party.watcher.listen(0).wait_for(b"event: problem")
    assert events(heard)[-1][1]["title"] == "Too many connections"
    assert b"retry: 30000" in heard


def test_an_end_of_the_server_ends_its_streams(server: TestServer) -> None:
    party = new_party(server)
    ears = [guest.listen(0) for guest in party.guests]
    for ear in ears:
        ear.wait_for(b"event: news")
    start = time.monotonic()
    server.stop()
    for ear in ears:
        ear._reader.join(10)
        assert not ear._reader.is_alive()
    assert not server.is_alive()
    assert time.monotonic() - start < 30, "it does not wait for them for ever"


def test_a_closed_page_leaves_no_listener(party: Party) -> None:
    ears = [party.prussia.listen(0) for _ in range(3)]
    for ear in ears:
        ear.wait_for(b"event: news")
    session = party.server.session(party.game)
    assert len(session.broadcaster.subscribers) == 3
    for ear in ears:
        ear.close()
    wait_for(lambda: not session.broadcaster.subscribers and not party.server.registry.connection_limits._subscribers)


def test_a_watcher_sees_all_after_the_end(party: Party) -> None:
    party.prussia.orders("bid 3")
    table = party.watcher.fresh
    ear = party.watcher.listen(table["n"])
    party.prussia.move("resign")
    heard = ear.wait_for(b'"result"')
    table, told = follow(table, heard)
    assert told[-1] == "Prussia resigns."
    assert "sealed (3, 0)" in table["scene"]["notes"]
    same(table, party.watcher)


def test_a_new_face_is_reported(server: TestServer) -> None:
    caller, made = new_game(server, ("me", "link"))
    guest = SeatClient(caller, made["seats"][0]["seat"], 0)
    ear = guest.listen(0)
    ear.wait_for(b"event: news")
    call(server.port).post("/api/take", {"secret": made["seats"][1]["link"].removeprefix("/seat#")})
    heard = ear.wait_for(b"event: fresh")
    assert events(heard)[-1][1]["seats"][1]["who"] == "person"

import asyncio
import resource
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from uvicorn.server import ServerState

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
from tests.server.caller import PATIENCE
from tests.server.conftest import call
from tests.server.house import House

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
    for _ in range(20):
        connection.data_received(b"x-more: " + b"x" * 4000 + b"\r\n")
        if transport.is_aborted:
            return
    raise AssertionError("a head without an end was read on")


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
def small_house(shelf: Path, tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "games", connections=Connections(Caps(in_all=12, abroad=12, at_home=12)))
    house.start()
    yield house
    house.stop()


def test_a_player_is_answered_among_many_idle_sockets(small_house: House) -> None:
    idle = [socket.create_connection(("127.0.0.1", small_house.port), PATIENCE) for _ in range(60)]
    caller = call(small_house.port)
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


def test_a_body_that_does_not_come_is_not_waited_for(small_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.security.request_guard.BODY_SECONDS", 0.0)
    with socket.create_connection(("127.0.0.1", small_house.port), PATIENCE) as one:
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

"""A server with the toy rule set, and clients at its tables."""

import asyncio
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest

from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.security.request_guard import RateLimits
from leuthen.server.session.limits import Run
from leuthen.server.session.registry import MEMORY
from leuthen.storage.postgres import Postgres
from tests.server.harness import DATABASES, Answer, HttpClient, Servers, StreamClient, TestServer, two_servers
from tests.server.memory import run_inline
from tools.postgres import TempPostgres

T = TypeVar("T")
_request_numbers = count(1)
_open: list[HttpClient | StreamClient] = []


def new_caller(port: int, secret: str = "") -> HttpClient:
    caller = HttpClient(port, secret)
    _open.append(caller)
    return caller


def close_clients() -> None:
    while _open:
        _open.pop().close()


def new_key() -> str:
    return f"request-{next(_request_numbers):08}"


class SeatClient:
    def __init__(self, caller: HttpClient, seat: str, side: int) -> None:
        self.caller = caller
        self.seat = seat
        self.side = side
        self.base = f"/api/seats/{seat}"

    @property
    def snapshot(self) -> Any:
        answer = self.get("")
        assert answer.status == 200, answer
        return answer.json

    @property
    def n(self) -> int:
        n: int = self.snapshot["n"]
        return n

    def get(self, path: str) -> Answer:
        return self.caller.get(self.base + path)

    def post(self, path: str, body: object) -> Answer:
        return self.caller.post(self.base + path, body)

    def put(self, path: str, body: object) -> Answer:
        return self.caller.ask("PUT", self.base + path, body)

    def delete(self, path: str) -> Answer:
        return self.caller.ask("DELETE", self.base + path)

    def order(self, text: str, seen: int | None = None, key: str = "") -> Answer:
        n = self.n if seen is None else seen
        return self.post("/orders", {"seen": n, "key": key or new_key(), "order": text})

    def orders(self, *texts: str) -> None:
        for text in texts:
            answer = self.order(text)
            assert answer.status == 200, answer.body

    def move(self, do: str, to: int = 0, seen: int | None = None, key: str = "") -> Answer:
        n = self.n if seen is None else seen
        return self.post("/moves", {"seen": n, "key": key or new_key(), "do": do, "to": to})

    def subscribe(self, after: int | None = None) -> StreamClient:
        stream = self.caller.subscribe(f"{self.base}/stream" + ("" if after is None else f"?after={after}"))
        _open.append(stream)
        return stream

    def entries(self) -> list[str]:
        return [line["entry"]["text"] for line in self.get("/chronicle").json["lines"]]


class GameClients(NamedTuple):
    id: str
    prussia: SeatClient
    austria: SeatClient
    spectator: SeatClient
    server: TestServer

    def move_to(self, server: TestServer) -> "GameClients":
        for client in self.clients:
            client.caller.connect_to(server.port)
        return self._replace(server=server)

    @property
    def clients(self) -> tuple[SeatClient, SeatClient, SeatClient]:
        return self.prussia, self.austria, self.spectator


NewServer = Callable[..., TestServer]


@pytest.fixture(autouse=True)
def postgres_databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    if os.environ.get("LEUTHEN_TESTED_ON") != "postgres":
        yield
        return
    database: TempPostgres = request.getfixturevalue("postgres")
    for name in ("games", "one", "other"):
        DATABASES[tmp_path / name] = Postgres(database.new_database(like="games_1"))
    yield
    DATABASES.clear()


async def never_finish(work: Callable[..., T], /, *_: Any) -> T:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.fixture
def new_server(toy_data: Path, tmp_path: Path) -> Iterator[NewServer]:
    servers: list[TestServer] = []

    def make(limits: RateLimits | None = None, run: Run = run_inline, memory: int = MEMORY) -> TestServer:
        for server in servers:
            server.stop()
        servers[:] = [TestServer(tmp_path / "games", BotDrivers(run), limits, memory=memory)]
        servers[0].start()
        return servers[0]

    yield make
    close_clients()
    for server in servers:
        server.stop()


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    with two_servers(tmp_path, monkeypatch) as both:
        yield both


@pytest.fixture
def server(new_server: NewServer) -> TestServer:
    return new_server()


TOY_GAME = {"players": ["me", "link"], "ruleset": "toy", "scenario": "parley"}


def create_game(server: TestServer, players: tuple[str, str], rounds: str = "1", **more: Any) -> Any:
    caller = new_caller(server.port)
    answer = caller.post("/api/games", {**TOY_GAME, "players": players, "options": {"rounds": rounds}, **more})
    assert answer.status == 201, answer.body
    return caller, answer.json


def creator_of(server: TestServer, players: tuple[str, str], rounds: str = "1", **more: Any) -> SeatClient:
    caller, made = create_game(server, players, rounds, **more)
    side = players.index("me")
    return SeatClient(caller, made["seats"][side]["seat"], side)


def secret_of(link: str) -> str:
    return link.partition("#")[2]


def take_seat(server: TestServer, link: str, side: int, caller: HttpClient | None = None) -> SeatClient:
    caller = caller or new_caller(server.port)
    answer = caller.post("/api/take", {"secret": secret_of(link)})
    assert answer.status == 200, answer.body
    return SeatClient(caller, answer.json["seat"], side)


def start_game(server: TestServer, rounds: str = "1", **more: Any) -> GameClients:
    _, made = create_game(server, ("link", "link"), rounds, **more)
    links = [*(seat["link"] for seat in made["seats"]), made["watch"]]
    prussia, austria, spectator = (take_seat(server, link, side) for side, link in enumerate(links))
    return GameClients(made["game"], prussia, austria, spectator, server)


@pytest.fixture
def game(server: TestServer) -> GameClients:
    return start_game(server)


@pytest.fixture
def after_bids(game: GameClients) -> GameClients:
    game.prussia.orders("bid 1")
    game.austria.orders("bid 2")
    return game


def entry_texts(received: bytes) -> list[str]:
    return [entry["text"] for event, data in events(received) if event == "news" for entry in data["entries"]]


def events(received: bytes) -> list[tuple[str, Any]]:
    import msgspec

    found = []
    for block in received.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            found.append((fields["event"], msgspec.json.decode(fields["data"])))
    return found

"""A server with the toy rule set, and clients at its tables."""

import asyncio
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest

from leuthen.server.bots.thinking import Thinkers
from leuthen.server.security.request_guard import RateLimits
from leuthen.server.session.limits import Run
from leuthen.server.session.registry import MEMORY
from leuthen.storage.postgres import Postgres
from tests.server.harness import DATABASES, Answer, HttpClient, StreamClient, TestServer
from tests.server.memory import here
from tools.postgres import TempPostgres

T = TypeVar("T")
_keys = count(1)
_open: list[HttpClient | StreamClient] = []


def call(port: int, secret: str = "") -> HttpClient:
    caller = HttpClient(port, secret)
    _open.append(caller)
    return caller


def close_clients() -> None:
    while _open:
        _open.pop().close()


def new_key() -> str:
    return f"request-{next(_keys):08}"


class SeatClient:
    def __init__(self, caller: HttpClient, seat: str, side: int) -> None:
        self.caller = caller
        self.seat = seat
        self.side = side
        self.base = f"/api/seats/{seat}"

    @property
    def fresh(self) -> Any:
        answer = self.get("")
        assert answer.status == 200, answer
        return answer.json

    @property
    def n(self) -> int:
        n: int = self.fresh["n"]
        return n

    def get(self, path: str) -> Answer:
        return self.caller.get(self.base + path)

    def post(self, path: str, body: object) -> Answer:
        return self.caller.post(self.base + path, body)

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

    def listen(self, after: int | None = None) -> StreamClient:
        ear = self.caller.listen(f"{self.base}/stream" + ("" if after is None else f"?after={after}"))
        _open.append(ear)
        return ear

    def told(self) -> list[str]:
        return [line["entry"]["text"] for line in self.get("/chronicle").json["lines"]]


class Party(NamedTuple):
    game: str
    prussia: SeatClient
    austria: SeatClient
    watcher: SeatClient
    server: TestServer

    @property
    def guests(self) -> tuple[SeatClient, SeatClient, SeatClient]:
        return self.prussia, self.austria, self.watcher


NewServer = Callable[..., TestServer]


@pytest.fixture(autouse=True)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    if os.environ.get("LEUTHEN_TESTED_ON") != "postgres":
        yield
        return
    database: TempPostgres = request.getfixturevalue("postgres")
    for name in ("games", "one", "other"):
        DATABASES[tmp_path / name] = Postgres(database.new_database(like="games_1"))
    yield
    DATABASES.clear()


async def for_ever(work: Callable[..., T], /, *_: Any) -> T:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.fixture
def new_server(toy_data: Path, tmp_path: Path) -> Iterator[NewServer]:
    servers: list[TestServer] = []

    def make(limits: RateLimits | None = None, run: Run = here, memory: int = MEMORY) -> TestServer:
        for server in servers:
            server.stop()
        servers[:] = [TestServer(tmp_path / "games", Thinkers(run=run), limits, memory=memory)]
        servers[0].start()
        return servers[0]

    yield make
    close_clients()
    for server in servers:
        server.stop()


@pytest.fixture
def server(new_server: NewServer) -> TestServer:
    return new_server()


def new_game(server: TestServer, players: tuple[str, str], rounds: str = "1", **more: Any) -> Any:
    caller = call(server.port)
    options = {"rounds": rounds}
    answer = caller.post(
        "/api/games", {"players": players, "ruleset": "toy", "scenario": "parley", "options": options, **more}
    )
    assert answer.status == 201, answer.body
    return caller, answer.json


def secret_of(link: str) -> str:
    return link.removeprefix("/seat#")


def take(server: TestServer, link: str, side: int, caller: HttpClient | None = None) -> SeatClient:
    caller = caller or call(server.port)
    answer = caller.post("/api/take", {"secret": secret_of(link)})
    assert answer.status == 200, answer.body
    return SeatClient(caller, answer.json["seat"], side)


def new_party(server: TestServer, rounds: str = "1") -> Party:
    _, made = new_game(server, ("link", "link"), rounds)
    links = [seat["link"] for seat in made["seats"]]
    guests = [take(server, link, side) for side, link in enumerate((*links, made["watch"]))]
    return Party(made["game"], guests[0], guests[1], guests[2], server)


@pytest.fixture
def party(server: TestServer) -> Party:
    return new_party(server)


@pytest.fixture
def in_move(party: Party) -> Party:
    party.prussia.orders("bid 1")
    party.austria.orders("bid 2")
    return party


def sentences(heard: bytes) -> list[str]:
    return [told["text"] for event, data in events(heard) if event == "news" for told in data["entries"]]


def events(heard: bytes) -> list[tuple[str, Any]]:
    import msgspec

    found = []
    for block in heard.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            found.append((fields["event"], msgspec.json.decode(fields["data"])))
    return found

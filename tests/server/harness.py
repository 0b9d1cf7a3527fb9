from __future__ import annotations

import asyncio
import http.client
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Condition, Thread, current_thread
from time import monotonic, sleep
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
import pytest
import uvicorn.server
from litestar import Litestar

from leuthen.play.dice import Key
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.http import browser, home, seats
from leuthen.server.http.app import make_app
from leuthen.server.http.serve import GRACE, Config, Connections, Server
from leuthen.server.security.request_guard import LOCAL, RateLimits
from leuthen.server.session import registry, streams
from leuthen.server.session.registry import MEMORY, GameRegistry
from leuthen.storage.sqlite import FILE
from leuthen.storage.store import Store
from leuthen.storage.tables import Database
from tests.server.memory import run_inline

TIMEOUT = 60
COMMENTS = re.compile(rb"^:.*\n\n?", re.MULTILINE)


class Answer(NamedTuple):
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class HttpClient:
    def __init__(self, port: int, secret: str = "") -> None:
        self.port = port
        self.secret = secret
        self.cookies: dict[str, str] = {}
        self.extra_headers: dict[str, str] = {}
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, body: object) -> Answer:
        return self.ask("POST", path, body)

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        data = body if isinstance(body, bytes) else b"" if body is None else msgspec.json.encode(body)
        try:
            return self._ask(method, path, data)
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            self._line.close()  # the server closes connections that were idle for long
            return self._ask(method, path, data)

    def _ask(self, method: str, path: str, data: bytes) -> Answer:
        self._line.request(method, path, data or None, self.headers(bool(data)))
        return self._answer(self._line.getresponse())

    def headers(self, has_body: bool = False) -> dict[str, str]:
        headers = self.extra_headers | ({"Content-Type": "application/json"} if has_body else {})
        if self.secret:
            headers["Authorization"] = f"Bearer {self.secret}"
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return headers

    def _answer(self, response: http.client.HTTPResponse) -> Answer:
        for cookie in response.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        headers = tuple(field for field in response.getheaders() if field[0].lower() != "date")
        return Answer(response.status, headers, response.read())

    def subscribe(self, path: str) -> StreamClient:
        return StreamClient(self.port, path, self.headers())

    def connect_to(self, port: int) -> None:
        self.close()
        self.port = self._line.port = port

    def close(self) -> None:
        self._line.close()


class StreamClient:
    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        self._line.request("GET", path, headers=headers)
        self._response = self._line.getresponse()
        self._data = b""
        self._arrival = Condition()
        self.headers = tuple(field for field in self._response.getheaders() if field[0].lower() != "date")
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def received(self) -> bytes:
        with self._arrival:
            return COMMENTS.sub(b"", self._data)

    def wait_for(self, what: bytes) -> bytes:
        with self._arrival:
            if not self._arrival.wait_for(lambda: what in self._data and self._data.endswith(b"\n\n"), TIMEOUT):
                raise TimeoutError(f"{what!r} did not come: {self._data[-500:]!r}")
            return COMMENTS.sub(b"", self._data)

    def _read(self) -> None:
        try:
            while data := self._response.read1():
                with self._arrival:
                    self._data += data
                    self._arrival.notify_all()
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            return  # the server was killed, or the test is over

    def close(self) -> None:
        if self._line.sock is not None:
            self._line.sock.shutdown(socket.SHUT_RDWR)
        self._reader.join(TIMEOUT)
        self._response.close()
        self._line.close()


START_TIME = datetime(2026, 1, 1, tzinfo=UTC)
DATABASES: dict[Path, Database] = {}
_spare: list[Litestar] = []


class _FastTimer:
    FACTOR: Final = 20

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.FACTOR)


vars(uvicorn.server)["asyncio"] = _FastTimer()


@cache
def empty_database() -> bytes:
    with TemporaryDirectory() as folder:
        Store(Path(folder)).close()
        return (Path(folder) / FILE).read_bytes()


def prepare(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / FILE).exists():
        (folder / FILE).write_bytes(empty_database())
    return folder


class TestServer(Thread):
    __test__ = False

    def __init__(
        self,
        folder: Path,
        drivers: BotDrivers | None = None,
        limits: RateLimits | None = None,
        connections: Connections | None = None,
        memory: int = MEMORY,
    ) -> None:
        super().__init__(daemon=True)
        self.store = Store(DATABASES.get(folder) or prepare(folder))
        self.now = START_TIME
        self.dice_seed = ""
        clock, key = lambda: self.now.isoformat(timespec="seconds"), lambda: Key.from_seed(self.dice_seed)
        self.drivers = drivers or BotDrivers(run_inline)
        self.registry = GameRegistry(self.store, self.drivers, run_inline, clock, key, memory)
        self.numbers = count(1)
        listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = listening.getsockname()[1]
        self._socket = listening
        self.connections = connections or Connections()
        self.limits = limits or RateLimits()
        routes = _spare.pop() if _spare else None
        self.app = make_app(self.registry, self.drivers, self.store, (LOCAL, ()), self.limits, routes)
        config = Config(self.app, self.connections, log_level="warning", timeout_graceful_shutdown=GRACE)
        self._server = Server(config, lambda: self.store.is_lost, lambda: None, self.registry)

    def run(self) -> None:
        self._server.run([self._socket])
        _spare.append(self.app.app)

    def tick(self, seconds: int) -> None:
        self.now = START_TIME + timedelta(seconds=seconds)

    def session(self, game: str) -> Any:
        return self.registry.sessions[game]

    def seed(self, game: str, *seed: str | int) -> None:
        self.session(game).seal = None
        self.session(game)._dice = Key.from_seed(*seed).dice()

    def stop(self) -> None:
        self._server.should_exit = True
        self.join(30)
        self.store.close()


Servers = tuple[TestServer, TestServer]


@contextmanager
def two_servers(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Servers]:
    for module in (registry, browser, home, seats):
        patch.setattr(module, "new_secret", _counted("secret"))
    patch.setattr(registry, "new_id", _counted("id"))
    patch.setattr(streams, "PAUSE", 0.0)  # messages do not depend on the time
    servers = TestServer(folder / "one"), TestServer(folder / "other")
    for server in servers:
        server.start()
    try:
        yield servers
    finally:
        for server in servers:
            server.stop()


def _counted(word: str) -> Any:
    def made() -> str:
        server = current_thread()
        assert isinstance(server, TestServer)
        return f"{word}-{next(server.numbers):06}-0123456789"

    return made


HASH = re.compile(rb'"(commit|key|head|body|own_head|signature)":"([0-9a-f]{128}|[0-9a-f]{64})"')
"""Fixed-length hashes and signatures of the proof. They cover hidden facts and a secret, so they differ between two
worlds without revealing anything. Everything else in the proof is compared."""


def without_hashes(data: bytes) -> bytes:
    found: dict[bytes, int] = {}
    return HASH.sub(lambda word: b'"%s":"#%d"' % (word[1], found.setdefault(word[2], len(found))), data)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


def wait_until(is_true: Callable[[], bool]) -> None:
    end = monotonic() + TIMEOUT
    while not is_true():
        assert monotonic() < end
        sleep(0.01)


def first_difference(one: bytes, other: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    near = slice(max(0, at - 200), at + 200)
    return f"at byte {at}:\n  {one[near]!r}\n  {other[near]!r}"


REVERTING = ("clear", "reopen", "remove")


class SeatKey(NamedTuple):
    side: int
    seat: str
    secret: str


def create_seats(port: int, *players: str, last_year: str = "1756") -> list[SeatKey]:
    caller = HttpClient(port)
    made = caller.post("/api/games", {"players": players, "options": {"last-year": last_year}})
    assert made.status < 300, made.body
    seat_keys = [take_seat(caller, seat["side"], seat["link"]) for seat in made.json["seats"] if seat["link"]]
    caller.close()
    return seat_keys


def take_seat(caller: HttpClient, side: int, link: str) -> SeatKey:
    secret = urlsplit(link).fragment
    key = f"{secret}-own"
    return SeatKey(side, caller.post("/api/take", {"secret": secret, "key": key}).json["seat"], key)


class Player:
    def __init__(self, port: int, seat_key: SeatKey, seed: int = 0) -> None:
        self.seat_key = seat_key
        self.base = f"/api/seats/{seat_key.seat}"
        self.caller = HttpClient(port, seat_key.secret)
        self.rng = Random(seed)

    def snapshot(self) -> dict[str, Any]:
        snapshot: dict[str, Any] = self.caller.get(self.base).json
        return snapshot

    def is_asked(self) -> bool:
        return any(awaited["is_yours"] for awaited in self.snapshot()["awaited"])

    def random_order(self) -> str:
        partial_order: dict[str, str] = {}
        while True:
            answer = self.caller.post(f"{self.base}/form", {"partial_order": partial_order})
            if answer.status >= 300 or not answer.json["fields"]:
                return ""
            form = answer.json
            if form.get("order"):
                return str(form["order"])
            field = form["fields"][-1]
            tokens = [] if field.get("value") else [choice["token"] for choice in field["choices"]]
            forward = [token for token in tokens if token not in REVERTING]
            partial_order = {**partial_order, field["key"]: self.rng.choice(forward or tokens)} if tokens else {}

    def post(self, order: str, key: str, seen: int) -> Answer:
        return self.caller.post(f"{self.base}/orders", {"seen": seen, "key": key, "order": order})

    def move(self, what: str, key: str, seen: int) -> Answer:
        return self.caller.post(f"{self.base}/moves", {"seen": seen, "key": key, "do": what})

    def close(self) -> None:
        self.caller.close()

"""A server inside the test's process, on a real socket. Its clock stands still, and its secrets and dice are known."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread, current_thread
from typing import Any, Final

import pytest
import uvicorn.server
from litestar import Litestar

from leuthen.play.dice import Key
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.thinking import Thinkers
from leuthen.server.http import browser, home, seats
from leuthen.server.http.app import make_app
from leuthen.server.http.serve import GRACE, Server
from leuthen.server.security.connections import Config, Connections
from leuthen.server.security.rate_limits import RateLimits
from leuthen.server.security.request_guard import LOCAL, RequestGuard
from leuthen.server.session import create, streams
from leuthen.server.session.registry import MEMORY, GameRegistry
from leuthen.storage.sqlite import FILE
from leuthen.storage.store import Database, Store
from tests.server.alone import here

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
DATABASES: dict[Path, Database] = {}
_spare: list[Litestar] = []


class _Awake:
    OFTEN: Final = 20

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.OFTEN)


vars(uvicorn.server)["asyncio"] = _Awake()


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


class House(Thread):
    def __init__(
        self,
        folder: Path,
        thinkers: Thinkers | None = None,
        limits: RateLimits | None = None,
        connections: Connections | None = None,
        memory: int = MEMORY,
    ) -> None:
        super().__init__(daemon=True)
        self.store = Store(DATABASES.get(folder) or prepare(folder))
        self.now = BEGINNING
        self.dice_seed = ""
        clock, key = lambda: self.now.isoformat(timespec="seconds"), lambda: Key.from_seed(self.dice_seed)
        self.drivers = BotDrivers(thinkers or Thinkers(here))
        self.registry = GameRegistry(self.store, self.drivers, here, clock, key, memory)
        self.numbers = count(1)
        listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = listening.getsockname()[1]
        self._socket = listening
        self.connections = connections or Connections()
        self.limits = limits or RateLimits()
        self.app = make_app(self.registry, self.drivers, self.store, self.limits, _spare.pop() if _spare else None)
        config = Config(
            RequestGuard(self.app, LOCAL),
            self.connections,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        self._server = Server(config, self.registry, lambda: self.store.is_lost, lambda: None)

    def run(self) -> None:
        self._server.run([self._socket])
        _spare.append(self.app.app)

    def tick(self, seconds: int) -> None:
        self.now = BEGINNING + timedelta(seconds=seconds)

    def session(self, game: str) -> Any:
        return self.registry.sessions[game]

    def seed(self, game: str, *seed: str | int) -> None:
        self.session(game).seal = None
        self.session(game)._dice = Key.from_seed(*seed).dice()

    def stop(self) -> None:
        self._server.should_exit = True
        self.join(30)
        self.store.close()


@contextmanager
def two_houses(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[tuple[House, House]]:
    for module in (create, browser, home, seats):
        patch.setattr(module, "new_secret", _counted("secret"))
    patch.setattr(create, "new_id", _counted("id"))
    patch.setattr(streams, "PAUSE", 0.0)  # what is sent does not depend on the time
    houses = House(folder / "one"), House(folder / "other")
    for house in houses:
        house.start()
    try:
        yield houses
    finally:
        for house in houses:
            house.stop()


def _counted(word: str) -> Any:
    def made() -> str:
        house = current_thread()
        assert isinstance(house, House)
        return f"{word}-{next(house.numbers):06}-0123456789"

    return made

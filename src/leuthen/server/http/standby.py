"""A standby server: it answers 503 until the games of another server are free."""

from __future__ import annotations

import socket
from collections.abc import Callable
from threading import Event, Thread
from typing import Final, cast

import uvicorn
from litestar.types import HTTPScope, LifeSpanScope, Receive, Scope, Send
from msgspec.json import encode

from leuthen.load import load, of_each
from leuthen.server.http import logs
from leuthen.server.security.connections import Config, Connections, caps_for, raise_file_limit
from leuthen.server.security.request_guard import guarded, send_json
from leuthen.server.session.messages import Problem
from leuthen.storage.faults import GamesTaken, Unreachable
from leuthen.storage.store import Store

POLL: Final = 0.25
"""Seconds between attempts to take the games."""
WAIT: Final = 1
"""Seconds after which a client may retry."""
_HEALTH: Final = encode({"status": "standby"})
_PROBLEM: Final = encode(
    Problem(503, "This server stands by", "Another server has the games. Nothing was changed; ask again.")
)


class Standby(uvicorn.Server):
    """Waits for the games and answers requests with 503."""

    def __init__(self, take: Callable[[], Store], ends: Event, on_start: Callable[[], None]) -> None:
        """`take` opens the games if they are free; `ends` is set to stop this server; `on_start` is called once it
        listens."""
        connections = Connections(caps_for(raise_file_limit()))
        super().__init__(
            Config(answer, connections, log_config=None, access_log=False, server_header=False, lifespan="off")
        )
        self._take = take
        self._on_start = on_start
        self._store: Store | None = None
        self._failed: BaseException | None = None
        self._ends = ends
        self._has_looked = False

    def wait(self, listening: socket.socket, *, is_patient: bool) -> Store | None:
        """Return the games as soon as they are free; None if this server is stopped first.

        Raise Invalid if they cannot be opened, GamesTaken if they are taken and this server is not `is_patient`.
        """
        looking = Thread(target=self._look, args=(is_patient,), name="leuthen standby", daemon=True)
        looking.start()
        self.run([listening.dup()])
        looking.join()
        if self._failed is not None:
            raise self._failed
        return self._store

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self._has_looked or self._ends.is_set()

    def _look(self, is_patient: bool) -> None:
        """Load what every game needs, then try to take the games until they are free."""
        said = ""
        try:
            of_each(load)
            while not self._ends.is_set():
                try:
                    self._store = self._take()
                    break
                except (GamesTaken, Unreachable) as error:
                    if isinstance(error, GamesTaken) and not is_patient:
                        raise
                    if said != (said := str(error)):
                        logs.SERVER.info("this server stands by: %s", said)
                self._ends.wait(POLL)
        except BaseException as error:
            self._failed = error
        self._has_looked = True


async def answer(scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
    """Answer 503 to every request."""
    request = cast("HTTPScope", scope)
    is_health = request["path"] == "/healthz"
    kind = "application/json" if is_health else "application/problem+json"
    await send_json(503, _HEALTH if is_health else _PROBLEM, kind, guarded(send, request["scheme"]), WAIT)

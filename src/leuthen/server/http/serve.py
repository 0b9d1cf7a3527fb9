"""The server process, from its start to Ctrl-C, including the time on standby."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Final, cast

import uvicorn
from litestar import Litestar
from litestar.types import HTTPScope, LifeSpanScope, Receive, Scope, Send
from msgspec.json import encode

from leuthen.engine.refusal import Invalid
from leuthen.load import for_each_ruleset, load
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.processes import in_process
from leuthen.server.bots.thinking import WORKERS, Thinkers
from leuthen.server.http import logs
from leuthen.server.http.app import make_app, make_routes
from leuthen.server.http.metrics import Metrics
from leuthen.server.security.connections import Config, Connections, caps_for, raise_file_limit
from leuthen.server.security.request_guard import HostNames, RequestGuard, guarded, names_of, send_json
from leuthen.server.session.messages import Problem
from leuthen.server.session.registry import MEMORY, GameRegistry
from leuthen.storage.faults import GamesTaken, Unreachable
from leuthen.storage.postgres import Postgres
from leuthen.storage.sqlite import Sqlite
from leuthen.storage.store import Store

PORT: Final = 8756
_SWITCH: Final = 0.001
"""Thread switch interval in seconds, so that computing threads do not delay answers."""
_POLL: Final = 1.0
"""Seconds between checks of the lock; a signal ends the server at once."""
_PRIVATE: Final = 0o077
"""The umask of the games' files: no access for others."""
GRACE: Final = 5
"""Seconds for running requests when the server stops: an order that has begun is completed and answered."""


class Server(uvicorn.Server):
    """A server that ends its streams before it waits for its connections."""

    def __init__(
        self, config: uvicorn.Config, registry: GameRegistry, is_over: Callable[[], bool], on_start: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._registry = registry
        self._is_over = is_over
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()
            self._looking = asyncio.ensure_future(self._poll())

    async def _poll(self) -> None:
        while not self._is_over():
            await asyncio.sleep(_POLL)
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._looking.cancel()
        self._registry.end_slow_work()
        self._registry.connection_limits.close()
        await super().shutdown(sockets)
        logs.SERVER.info("the server has stopped")


def serve(
    where: Path | Postgres,
    host: str,
    port: int,
    on_start: Callable[[str, bool], None],
    public: Sequence[str] = (),
    *,
    is_standby: bool = False,
    memory: int | None = None,
    workers: int = WORKERS,
    figures: tuple[str, int] | None = None,
) -> None:
    """Serve the games of a folder or a database until told to end.

    `on_start` gets the address, and whether this server is on standby because another one has the games; `public` are
    addresses of a proxy. `memory` is the limit in MB for idle games, `workers` the number of thinking bots, `figures`
    the address of the metrics. Raise Invalid if it cannot serve, GamesTaken if another server has the games and this
    one is no standby.
    """
    os.umask(_PRIVATE)
    names = names_of(host, public)
    sys.setswitchinterval(_SWITCH)
    gc.callbacks.append(spare)
    ends = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ends.set())
    database, routes = Sqlite(where) if isinstance(where, Path) else where, make_routes()
    try:
        listening = listen(host, port)
    except Invalid:
        if not is_standby:
            database.hold("")  # a server that has these games already is the better reason, and says where it is
            database.release()
        raise
    with listening:
        address = address_of(listening, host)
        is_waiting = is_standby
        while not ends.is_set():
            if is_waiting:
                standby = Standby(lambda: Store(database, address), ends, lambda: on_start(address, True))
                store = standby.wait(listening, is_patient=is_standby)
            else:
                store = Store(database, address)
            if store is not None:
                with closing(store):
                    started = partial(on_start, address, False)
                    _play(store, routes, ends, memory, workers, listening, names, started, figures)
                if not store.is_lost:
                    return
                is_waiting = True
                logs.SERVER.warning(
                    "the connection that holds the lock of the games was lost: this server is now on standby"
                )


def _play(
    store: Store,
    routes: Litestar,
    ends: Event,
    memory: int | None,
    workers: int,
    listening: socket.socket,
    names: HostNames,
    on_start: Callable[[], None],
    figures: tuple[str, int] | None,
) -> None:
    """Serve the games of a store until told to end, or until its lock is lost."""
    drivers = BotDrivers(Thinkers(in_process, workers))
    registry = GameRegistry(store, drivers, in_process, memory=MEMORY if memory is None else memory * 1024**2)
    metrics = Metrics(registry, drivers, store.database.folder)
    app = RequestGuard(make_app(registry, drivers, store, routes=routes), names.hosts, names.origins)
    config = Config(
        logs.RequestLog(app, observe=metrics.observe if figures else None),
        Connections(caps_for(raise_file_limit())),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    with metrics.serve_metrics(*figures) if figures else nullcontext():
        Server(config, registry, lambda: ends.is_set() or store.is_lost, on_start).run([listening.dup()])


def spare(phase: str, info: Mapping[str, int]) -> None:
    """Exclude survivors of a full collection (games and rule sets) from later ones.

    Unloading a game includes them again (`GameRegistry`).
    """
    if phase == "stop" and info["generation"] == 2:
        gc.freeze()


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that the address is known early and a port in use is reported. Raise Invalid."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return _bound(socket.socket(family, kind, number), address)
    except OSError as error:
        raise Invalid(f"cannot listen at {host}, port {port}: {error.strerror}") from error
    except UnicodeError as error:
        raise Invalid(f'--host: "{host}" is not a host name') from error


def _bound(listening: socket.socket, address: tuple[object, ...]) -> socket.socket:
    try:
        if sys.platform == "win32":  # there SO_REUSEADDR would let two servers listen at one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError:
        listening.close()
        raise
    return listening


def address_of(listening: socket.socket, host: str) -> str:
    port = listening.getsockname()[1]
    name = "localhost" if host in ("", "0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def open_page(address: str) -> bool:
    """Open the browser; return False if there is none."""
    import webbrowser

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


# --- on standby until the games of another server are free ------------------------------------------------------------

POLL: Final = 0.25
"""Seconds between attempts to take the games."""
WAIT: Final = 1
"""Seconds after which a client may retry."""
_HEALTH: Final = encode({"status": "standby"})
_PROBLEM: Final = encode(
    Problem(503, "Server on standby", "Another server is running these games. Nothing was changed. Try again.")
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
        looking = Thread(target=self._poll, args=(is_patient,), name="leuthen standby", daemon=True)
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

    def _poll(self, is_patient: bool) -> None:
        """Load what every game needs, then try to take the games until they are free."""
        said = ""
        try:
            for_each_ruleset(load)
            while not self._ends.is_set():
                try:
                    self._store = self._take()
                    break
                except (GamesTaken, Unreachable) as error:
                    if isinstance(error, GamesTaken) and not is_patient:
                        raise
                    if said != (said := str(error)):
                        logs.SERVER.info("this server is on standby: %s", said)
                self._ends.wait(POLL)
        except BaseException as error:
            self._failed = error
        self._has_looked = True


async def answer(scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
    request = cast("HTTPScope", scope)
    is_health = request["path"] == "/healthz"
    kind = "application/json" if is_health else "application/problem+json"
    await send_json(503, _HEALTH if is_health else _PROBLEM, kind, guarded(send, request["scheme"]), WAIT)

"""The server process, from its start to Ctrl-C, including the time on standby, and its connections.

Connections that are idle or stalled are closed first, so that players find room.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final, cast

import msgspec
import uvicorn
from litestar.types import ASGIApp, HTTPScope, LifeSpanScope, Receive, Scope, Send
from msgspec.json import encode
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from leuthen.engine.codec import JSON
from leuthen.engine.refusal import Invalid
from leuthen.load import for_each_ruleset, load
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.workers import WORKERS, in_process
from leuthen.server.http import logs
from leuthen.server.http.app import make_app, make_routes
from leuthen.server.http.logs import Metrics
from leuthen.server.security.request_guard import guarded, names_of, send_json
from leuthen.server.session.limits import is_local_address, network_of
from leuthen.server.session.messages import Problem
from leuthen.server.session.registry import MEMORY, GameRegistry
from leuthen.storage.postgres import Postgres
from leuthen.storage.rows import GamesTaken, Unreachable
from leuthen.storage.sqlite import Sqlite
from leuthen.storage.store import Store

PORT: Final = 8756
GRACE: Final = 5
"""Seconds for running requests when the server stops: an order that has begun is completed and answered."""


class Server(uvicorn.Server):
    """A server that stops when it is over, and ends its games' streams before it waits for its connections."""

    def __init__(
        self,
        config: uvicorn.Config,
        is_over: Callable[[], bool],
        on_start: Callable[[], None],
        registry: GameRegistry | None = None,
    ) -> None:
        super().__init__(config)
        self._is_over = is_over
        self._on_start = on_start
        self._registry = registry

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self._is_over()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._registry is not None:
            self._registry.end_slow_work()
            self._registry.connection_limits.close()
        await super().shutdown(sockets)
        if self._registry is not None:
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
    os.umask(0o077)  # no access for others to the files of the games
    names = names_of(host, public)
    sys.setswitchinterval(0.001)  # so that computing threads do not delay answers
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

    def play(store: Store) -> None:
        """Serve the games of a store until told to end, or until its lock is lost."""
        drivers = BotDrivers(in_process, workers)
        registry = GameRegistry(store, drivers, in_process, memory=MEMORY if memory is None else memory * 1024**2)
        metrics = Metrics(registry, drivers, store.database.folder)
        app = make_app(registry, drivers, store, names, routes=routes)
        log = logs.RequestLog(app, observe=metrics.observe if figures else None)
        config = Config(log, log_level="warning", timeout_graceful_shutdown=GRACE)
        started = partial(on_start, address, False)
        with metrics.serve_metrics(*figures) if figures else nullcontext():
            Server(config, lambda: ends.is_set() or store.is_lost, started, registry).run([listening.dup()])

    with listening:
        address = address_of(listening, host)
        is_waiting = is_standby
        while not ends.is_set():
            take, waiting = partial(Store, database, address), partial(on_start, address, True)
            store = stand_by(take, ends, waiting, listening, is_patient=is_standby) if is_waiting else take()
            if store is not None:
                with closing(store):
                    play(store)
                if not store.is_lost:
                    return
                is_waiting = True
                logs.SERVER.warning(
                    "the connection that holds the lock of the games was lost: this server is now on standby"
                )


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
        listening = socket.socket(family, kind, number)
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
    except OSError as error:
        raise Invalid(f"cannot listen at {host}, port {port}: {error.strerror}") from error
    except UnicodeError as error:
        raise Invalid(f'--host: "{host}" is not a host name') from error


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

WAIT: Final = 1
"""Seconds after which a client may retry."""
_PROBLEM: Final = encode(
    Problem(503, "Server on standby", "Another server is running these games. Nothing was changed. Try again.")
)


def stand_by(
    take: Callable[[], Store], ends: Event, on_start: Callable[[], None], listening: socket.socket, *, is_patient: bool
) -> Store | None:
    """Answer requests with 503 until the games are free; return them, or None if this server is stopped first.

    `take` opens the games if they are free; `ends` is set to stop this server; `on_start` is called once it listens.
    Raise Invalid if the games cannot be opened, GamesTaken if they are taken and this server is not `is_patient`.
    """
    found: Future[Store] = Future()

    def look() -> None:
        """Load what every game needs, then try to take the games until they are free."""
        said = ""
        try:
            for_each_ruleset(load)
            while not (found.done() or ends.is_set()):
                try:
                    found.set_result(take())
                except (GamesTaken, Unreachable) as error:
                    if isinstance(error, GamesTaken) and not is_patient:
                        raise
                    if said != (said := str(error)):
                        logs.SERVER.info("this server is on standby: %s", said)
                    ends.wait(0.25)
        except BaseException as error:
            found.set_exception(error)

    looking = Thread(target=look, name="leuthen standby", daemon=True)
    looking.start()
    config = Config(answer, lifespan="off")
    Server(config, lambda: ends.is_set() or not looking.is_alive(), on_start).run([listening.dup()])
    looking.join()
    return found.result() if found.done() else None


async def answer(scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
    request = cast("HTTPScope", scope)
    body, kind = _PROBLEM, "application/problem+json"
    if request["path"] == "/healthz":
        body, kind = encode({"status": "standby"}), "application/json"
    await send_json(503, body, kind, guarded(send, request["scheme"]), WAIT)


# --- connections ------------------------------------------------------------------------------------------------------


HEAD_SECONDS: Final = 10.0
"""Time limit for the head of a request, from its first byte or from the start of the connection."""
STALL_SECONDS: Final = 30.0
"""Time limit for a client to read what was sent."""
HEAD_BYTES: Final = 64 * 1024
MOST: Final = 8192
"""Maximum number of connections, if the system allows it."""
FEWEST: Final = 64
RESERVE: Final = 200
"""File descriptors for the database, worker processes and the log."""
_BUSY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 10\r\n"
    b"connection: close\r\ncontent-length: 35\r\n\r\nThe server is full. Try again soon."
)


class Caps(msgspec.Struct, frozen=True):
    """The maximum number of connections: in all, per address, and per address of this machine."""

    in_all: int = MOST
    abroad: int = MOST // 4
    at_home: int = MOST * 7 // 8


def caps_for(files: int) -> Caps:
    """Return the limits for a number of file descriptors. A proxy on this machine may use most of them."""
    in_all = min(MOST, max(FEWEST, files - RESERVE))
    return Caps(in_all, in_all // 4, in_all * 7 // 8)


def raise_file_limit() -> int:
    """Raise this process's limit of open files to what the server can use; return the limit."""
    try:
        import resource
    except ImportError:
        return MOST + RESERVE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + RESERVE
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


class Connections:
    """All open connections. If there is no room, the one that has been idle longest is closed."""

    def __init__(self, caps: Caps | None = None) -> None:
        self.caps = caps or Caps()
        self._open: dict[Connection, str] = {}
        self._count: Counter[str] = Counter()
        self._resting: dict[Connection, None] = {}
        """Idle connections, oldest first."""

    def enter(self, one: Connection, address: str) -> bool:
        """Admit a connection, if need be in place of an idle one; return False if there is no room."""
        address = network_of(address)
        most = self.caps.at_home if is_local_address(address) else self.caps.abroad
        if self._count[address] >= most and not self._make_room(address):
            return False
        if len(self._open) >= self.caps.in_all and not (self._make_room(address) or self._make_room()):
            return False
        self._open[one] = address
        self._count[address] += 1
        self.rest(one)
        return True

    def rest(self, one: Connection) -> None:
        if one in self._open:
            self._resting[one] = None

    def work(self, one: Connection) -> None:
        self._resting.pop(one, None)

    def leave(self, one: Connection) -> None:
        self.work(one)
        address = self._open.pop(one, None)
        if address is not None:
            self._count[address] -= 1
            if not self._count[address]:
                del self._count[address]

    def _make_room(self, address: str | None = None) -> bool:
        """Close the longest idle connection of an address or of all; return False if there is none."""
        oldest = next((one for one in self._resting if address in (None, self._open[one])), None)
        if oldest is None:
            return False
        self.leave(oldest)
        oldest.give_up()
        return True


_QUIET: Final[dict[str, JSON]] = {"log_config": None, "access_log": False, "server_header": False}


class Config(uvicorn.Config):
    def __init__(self, app: ASGIApp, connections: Connections | None = None, **more: JSON) -> None:
        super().__init__(app, http=Connection, ws="none", interface="asgi3", **_QUIET, **more)
        self.registry = connections or Connections(caps_for(raise_file_limit()))


class Connection(HttpToolsProtocol):
    """A connection with time limits for reading and writing."""

    def __init__(self, config: Config, *args: Any, **more: Any) -> None:
        super().__init__(config, *args, **more)
        self._registry = config.registry
        self._timers: dict[str, asyncio.TimerHandle] = {}
        """They run out if the `head` of a request does not arrive, and if the client is not `reading`."""
        self._head = 0
        """Bytes of the current head so far."""
        self._reads_head = False
        self._asked = 0
        """Number of unanswered requests."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if not self._registry.enter(self, self.client[0] if self.client else ""):
            transport.write(_BUSY)
            transport.close()
            return
        self._limit("head", HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._registry.leave(self)
        self._lift("head", "reading")
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._head = self._head + len(data) if self._reads_head else 0
        if self._head > HEAD_BYTES:
            self.give_up()
        elif not self._asked and not self.transport.is_closing():
            self._limit("head", HEAD_SECONDS)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._reads_head = True

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._reads_head = False
        self._asked += 1
        self._registry.work(self)
        self._lift("head")

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._asked -= 1
        if not self._asked:
            self._registry.rest(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._limit("reading", STALL_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._lift("reading")

    def give_up(self) -> None:
        self._lift("head", "reading")
        self.transport.abort()

    def _limit(self, what: str, seconds: float) -> None:
        if what not in self._timers:
            self._timers[what] = self.loop.call_later(seconds, self.give_up)

    def _lift(self, *limits: str) -> None:
        for what in limits:
            if timer := self._timers.pop(what, None):
                timer.cancel()

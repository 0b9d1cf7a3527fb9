"""Serves a folder of games: the server process, from its start to Ctrl-C."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final

import uvicorn
from litestar.types import ASGIApp

from leuthen.engine.refusal import Invalid
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.pool import Pool
from leuthen.server.bots.processes import in_process
from leuthen.server.bots.thinking import WORKERS, Thinkers
from leuthen.server.cluster.cluster import Cluster
from leuthen.server.http import logs
from leuthen.server.http.app import make_app
from leuthen.server.http.metrics import Metrics
from leuthen.server.security.connections import Config, Connections, caps_for, raise_file_limit
from leuthen.server.security.names import HostNames, names_of
from leuthen.server.security.rate_limits import RateLimits
from leuthen.server.security.request_guard import RequestGuard
from leuthen.server.session.registry import MEMORY, GameRegistry
from leuthen.storage.lock import FolderLock
from leuthen.storage.postgres import Postgres
from leuthen.storage.store import SqlStorage, Store

PORT: Final = 8756
_SWITCH: Final = 0.001
"""Seconds for which a thread that reckons may keep the one that answers from going on."""
_PRIVATE: Final = 0o077
"""What the files of the games are not for others: everything."""
GRACE: Final = 5
"""Seconds for what is under way when the server is told to end: an order that it has begun it finishes, and answers."""


class Server(uvicorn.Server):
    """A server that ends its streams before it waits for its connections."""

    def __init__(self, config: uvicorn.Config, registry: GameRegistry, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._registry = registry
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens, and says so."""
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the streams and what takes long, and then everything else."""
        self._registry.end_slow_work()
        self._registry.connection_limits.close()
        await super().shutdown(sockets)
        logs.SERVER.info("the server has stopped")


def serve(
    where: Path | Postgres,
    host: str,
    port: int,
    on_start: Callable[[str], None],
    public: Sequence[str] = (),
    *,
    memory: int | None = None,
    workers: int = WORKERS,
    figures: tuple[str, int] | None = None,
    internal: tuple[str, int] = ("127.0.0.1", 0),
) -> None:
    """Serves the games of a folder or a database until it is told to end.

    `on_start` gets the address; `public` are those under which a proxy passes it on. `memory` is how many MB games may
    take at which nobody looks, `workers` how many machines think at once, `figures` where Prometheus finds them,
    `internal` where other servers of the same database find this one. Raises Invalid if it cannot serve, FolderTaken if
    another server has the folder.
    """
    os.umask(_PRIVATE)
    names = names_of(host, public)
    with _held(where) as tell, listen(host, port) as listening, closing(Store(where)) as store:
        address = address_of(listening, host)

        def started() -> None:
            tell(address)
            on_start(address)

        thinkers = Thinkers(in_process, workers)
        cluster = _shared(where, store, internal, thinkers)
        drivers = BotDrivers(cluster.pool if cluster else Pool(thinkers))
        with suppress(KeyboardInterrupt):
            _run(store, cluster, drivers, memory, listening, names, started, figures)


@contextmanager
def _held(where: Path | Postgres) -> Iterator[Callable[[str], None]]:
    """Holds a folder for this process alone. Gives what says there where the server is."""
    if isinstance(where, Postgres):
        yield lambda address: None
        return
    lock = FolderLock(where)
    try:
        yield lock.tell
    finally:
        lock.release()


def _shared(where: Path | Postgres, store: Store, internal: tuple[str, int], thinkers: Thinkers) -> Cluster | None:
    """This server among those of the same database, if it can have others. Raises Invalid."""
    if not isinstance(where, Postgres):
        return None
    calling = listen(*internal)
    return Cluster(store, where, calling, f"{internal[0]}:{calling.getsockname()[1]}", thinkers)


def _run(
    store: Store,
    cluster: Cluster | None,
    drivers: BotDrivers,
    memory: int | None,
    listening: socket.socket,
    names: HostNames,
    on_start: Callable[[], None],
    figures: tuple[str, int] | None,
) -> None:
    bytes_kept = MEMORY if memory is None else memory * 1024**2
    storage, leads = (cluster.storage, cluster.directory) if cluster else (SqlStorage(store), None)
    registry = GameRegistry(storage, drivers, in_process, memory=bytes_kept, leads=leads)
    sys.setswitchinterval(_SWITCH)
    gc.callbacks.append(spare)
    metrics = Metrics(registry, drivers, store.database.folder)
    limits = RateLimits()
    app: ASGIApp = make_app(registry, drivers, store, limits)
    app = RequestGuard(cluster.around(app, registry, limits) if cluster else app, names.hosts, names.origins)
    config = Config(
        logs.RequestLog(app, observe=metrics.observe if figures else None),
        Connections(caps_for(raise_file_limit())),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    with metrics.given_out(*figures) if figures else nullcontext():
        Server(config, registry, on_start).run([listening])


def spare(phase: str, info: Mapping[str, int]) -> None:
    """What has outlived a full collection is a game, or a rule set: no other full collection looks at it again.

    Games that are put away are looked at once more (`GameRegistry`).
    """
    if phase == "stop" and info["generation"] == 2:
        gc.freeze()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, so that the address is known and a port that is taken is told of."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return _bound(socket.socket(family, kind, number), address)
    except OSError as error:
        raise Invalid(f"cannot listen at {host}, port {port}: {error.strerror}") from error
    except UnicodeError as error:
        raise Invalid(f"--host: «{host}» is no name of a host") from error


def _bound(listening: socket.socket, address: tuple[object, ...]) -> socket.socket:
    """The socket at its address; closed if it cannot be there."""
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
    """The address to open in a browser."""
    port = listening.getsockname()[1]
    name = "localhost" if host in ("", "0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def open_page(address: str) -> bool:
    """Opens the browser; False where there is none."""
    import webbrowser

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False

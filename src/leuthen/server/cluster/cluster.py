"""A server among those that share its database: what it leads, what it passes on, and what happens if one dies."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Coroutine
from typing import cast

from litestar.types import ASGIApp, LifeSpanScope, Message, Receive, Scope, Send

from leuthen.bots import BOTS
from leuthen.server.bots.thinking import Thinkers
from leuthen.server.cluster import shared_limits
from leuthen.server.cluster.calls import Calls
from leuthen.server.cluster.directory import Directory
from leuthen.server.cluster.entrance import Entrance
from leuthen.server.cluster.membership import Membership
from leuthen.server.cluster.relay import Relay
from leuthen.server.cluster.shared_limits import SharedLimits
from leuthen.server.cluster.shared_pool import SharedPool
from leuthen.server.security.rate_limits import RateLimits
from leuthen.server.session.registry import GameRegistry
from leuthen.storage import jobs
from leuthen.storage.faults import StorageError
from leuthen.storage.leads import KnownServer, LedStorage
from leuthen.storage.postgres import Postgres
from leuthen.storage.store import Store

_log = logging.getLogger(__name__)


class Cluster:
    """This server among the others. It is there from the beginning, and beats while the app runs."""

    def __init__(
        self, store: Store, database: Postgres, listening: socket.socket, address: str, thinkers: Thinkers
    ) -> None:
        """`listening` is where the others call, by the name `address`; `thinkers` are this server's own."""
        self._store = store
        self._listening = listening
        self._membership = Membership(database, address, (jobs.CHANNEL, shared_limits.CHANNEL))
        self._calls = Calls()
        self._calling: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.directory = Directory(store, self._membership.own)
        self.pool = SharedPool(thinkers, store, self.directory)
        self._limits: SharedLimits | None = None
        self._registry: GameRegistry | None = None

    @property
    def storage(self) -> LedStorage:
        """The games, for this server under its present id."""
        return LedStorage(self._store, self.directory.own.id)

    def around(self, app: ASGIApp, registry: GameRegistry, limits: RateLimits) -> ASGIApp:
        """The app among the others: it answers for the games that it leads, and passes on the rest."""
        self._registry, self._limits = registry, SharedLimits(limits, self._store, self.directory)
        relay = Relay(app, self.directory, self._calls, lambda: self._membership.is_there(self.directory.own))
        entrance = Entrance(app, self.directory)

        async def around(scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
            kind: str = scope["type"]
            if kind != "lifespan":
                await relay(scope, receive, send)
                return

            async def send_when_left(message: Message) -> None:
                if str(message["type"]) != "lifespan.startup.complete":  # after this the server waits for nothing more
                    await self._stop(entrance)
                await send(message)

            await self._start(entrance)
            await app(cast("Scope", scope), receive, send_when_left)

        return cast("ASGIApp", around)

    async def _start(self, entrance: Entrance) -> None:
        self._calling = await asyncio.start_server(entrance.welcome, sock=self._listening)
        await self._membership.start(self)
        self.pool.start()
        if self._limits is not None:
            self._begin(self._limits.run())

    async def _stop(self, entrance: Entrance) -> None:
        if self._calling is not None:
            self._calling.close()
        await entrance.close()
        self._calls.close()
        await self.pool.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.to_thread(self._membership.close)

    # --- what the membership tells -----------------------------------------------------------------------------------

    def others_went(self, servers: frozenset[str]) -> None:
        """Others are no more: nobody leads their games, and those that wait for a machine are gone on with here."""
        self.directory.forget(lambda server: server.id in servers)
        for server in servers:
            self._calls.forget(server)
        self.pool.look()
        if self._limits is not None:
            self._limits.forget(servers)
        if self._registry is not None:
            self._begin(self._registry.resume(list(BOTS)))

    def told(self, channel: str, word: str) -> None:
        """Of the queue: something is to be thought, or was thought for the server of that id. Or of limits."""
        if channel == jobs.CHANNEL and word in ("", self.directory.own.id):
            self.pool.look()
        elif channel == shared_limits.CHANNEL and self._limits is not None:
            self._limits.hear(word)

    def begun_anew(self, own: KnownServer) -> None:
        """This server was held for dead: it leads nothing, and forgets what it remembers."""
        self.directory.own = own
        self.directory.forget(lambda server: True)
        if self._registry is not None:
            self._begin(self._registry.begin_anew(self.storage, list(BOTS)))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(_calmly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _calmly(work: Coroutine[None, None, None]) -> None:
    try:
        await work
    except StorageError as error:
        _log.warning("games that wait for a machine are not gone on with for now: %s", error)

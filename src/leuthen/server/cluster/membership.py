"""A server among those that share a database: it says now and then that it is there, and hears who is no more."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from leuthen.storage import leads
from leuthen.storage.faults import StorageAway
from leuthen.storage.leads import KnownServer
from leuthen.storage.postgres import Postgres

if TYPE_CHECKING:
    from leuthen.server.cluster.cluster import Cluster

BEAT: Final = 0.5
"""Seconds between two beats."""
STALL: Final = 30.0
"""Seconds without a turn of the server's loop after which it no longer says that it is there."""
_log = logging.getLogger(__name__)


class Membership:
    """The server's own row, kept by a thread with a connection of its own, so that nothing slow is taken for death.

    Whether the row counts is the database's to say, by its own clock; that this server should not answer from what it
    remembers is its own, by a clock that cannot be set.
    """

    def __init__(
        self, database: Postgres, address: str, channels: Sequence[str] = (), clock: Callable[[], float] = monotonic
    ) -> None:
        """`address` is where the others find this server, from when it starts; it listens to `channels` too."""
        self._engine = database.open(to_write=True).execution_options(isolation_level="AUTOCOMMIT")
        self._address = address
        self._channels = channels
        self._clock = clock
        self._ends = Event()
        self._turn = clock()
        self._thread: Thread | None = None
        self._until = 0.0
        self.own = self._new()

    def is_there(self, own: KnownServer) -> bool:
        """Whether the others count on this server under that id: nobody else leads its games."""
        return own is self.own and self._clock() < self._until

    async def start(self, hears: Cluster) -> None:
        """Enters this server, and begins to beat; `hears` lives in this loop. Raises DBAPIError."""
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._begin)
        self._thread = Thread(target=self._run, args=(loop, hears), name="leuthen membership", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Leaves: its games are free at once."""
        self._ends.set()
        if self._thread is not None:
            self._thread.join(STALL)
        try:
            with self._engine.connect() as connection:
                leads.leave(connection, self.own.id)
        except DBAPIError:
            _log.warning("the database is away: the others will find out that this server has ended")
        self._engine.dispose()

    def _new(self) -> KnownServer:
        return KnownServer(secrets.token_urlsafe(12), self._address, secrets.token_urlsafe(32))

    def _begin(self) -> None:
        with self._engine.connect() as connection:
            self._enter(connection)

    def _enter(self, connection: Connection) -> None:
        self._turn = at = self._clock()
        leads.enter(connection, self.own)
        self._until = at + leads.LEASE

    def _run(self, loop: asyncio.AbstractEventLoop, hears: Cluster) -> None:
        while not self._ends.is_set():
            try:
                with self._engine.connect() as connection:
                    connection.execute(text("SET synchronous_commit = off"))  # whatever builds on it waits for it too
                    for channel in (leads.CHANNEL, *self._channels):
                        connection.execute(text(f"LISTEN {channel}"))
                    while not self._ends.is_set():
                        self._beat(connection, loop, hears)
            except (DBAPIError, StorageAway):
                _log.warning("this server cannot say that it is there: the database is away")
                self._ends.wait(BEAT / 2)
            except RuntimeError:
                return  # the loop has gone

    def _beat(self, connection: Connection, loop: asyncio.AbstractEventLoop, hears: Cluster) -> None:
        """Says that this server is there, buries others, and listens until the next beat."""
        loop.call_soon_threadsafe(self._note_turn)
        at = self._clock()
        if at - self._turn < STALL and leads.beat(connection, self.own.id):
            self._until = at + leads.LEASE
        elif at - self._turn < STALL:
            self.own = self._new()
            self._enter(connection)
            _log.warning("this server was held for dead, and begins anew")
            loop.call_soon_threadsafe(hears.begun_anew, self.own)
        self._tell_gone(leads.bury(connection), loop, hears)
        for channel, word in _heard(connection, BEAT):
            if channel == leads.CHANNEL:
                self._tell_gone([word], loop, hears)
            else:
                loop.call_soon_threadsafe(hears.told, channel, word)

    def _tell_gone(self, servers: Iterable[str], loop: asyncio.AbstractEventLoop, hears: Cluster) -> None:
        if gone := frozenset(servers) - {self.own.id}:
            loop.call_soon_threadsafe(hears.others_went, gone)

    def _note_turn(self) -> None:
        self._turn = self._clock()


def _heard(connection: Connection, seconds: float) -> Iterator[tuple[str, str]]:
    """What the database tells within so many seconds: channel and word. Raises StorageAway."""
    raw = connection.connection.driver_connection
    assert raw is not None
    try:
        for notice in raw.notifies(timeout=seconds):
            yield notice.channel, notice.payload
    except connection.dialect.loaded_dbapi.Error as error:
        connection.invalidate()
        raise StorageAway("the connection was cut") from error

"""Which of the servers that share a PostgreSQL leads which game: functions of a connection, each in its transaction.

A server is a row with a time until which it counts as there, by the database's clock alone. Its id is a token that is
never given twice, and every commit of its server holds its row: whoever takes its games away takes the row away first,
and so waits for the last commit of the old leader and makes the next one impossible.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Connection, Transaction, bindparam, delete, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as insert_or_leave

from leuthen.storage import rows
from leuthen.storage.faults import LeadLost
from leuthen.storage.rows import GameRow
from leuthen.storage.schema import leads, servers
from leuthen.storage.store import SqlRows, SqlStorage, Store

T = TypeVar("T")
LEASE: Final = 3
"""Seconds for which a server counts as there after its last beat."""
CHANNEL: Final = "leuthen"
"""Where it is told that a server is no more: its id. Whoever misses it finds out by himself."""
_UNTIL: Final = text(f"clock_timestamp() + interval '{LEASE} s'")
_IS_LATE: Final = text(f"servers.until NOT BETWEEN clock_timestamp() AND clock_timestamp() + interval '{2 * LEASE} s'")
"""A time that is too far away was set before the clock was put back."""

_HELD: Final = (
    select(servers.c.id).where(servers.c.id == bindparam("server")).with_for_update(key_share=True, read=True)
)


class KnownServer(NamedTuple):
    """A server as the others know it."""

    id: str
    address: str
    secret: str


def enter(connection: Connection, server: KnownServer) -> None:
    """A server is there."""
    connection.execute(insert(servers).values(**server._asdict(), until=_UNTIL))


def beat(connection: Connection, server: str) -> bool:
    """A server is still there; False if the others hold it for dead."""
    return connection.execute(update(servers).where(servers.c.id == server).values(until=_UNTIL)).rowcount == 1


def leave(connection: Connection, server: str) -> None:
    """A server is no more, by its own word."""
    connection.execute(delete(servers).where(servers.c.id == server))
    connection.execute(select(func.pg_notify(CHANNEL, server)))


def bury(connection: Connection) -> list[str]:
    """Takes away the servers that have not beaten in time, unless they are committing just now; gives their ids."""
    late = select(servers.c.id).where(_IS_LATE).with_for_update(skip_locked=True)
    dead = connection.execute(delete(servers).where(servers.c.id.in_(late)).returning(servers.c.id)).scalars().all()
    for server in dead:
        connection.execute(select(func.pg_notify(CHANNEL, server)))
    return list(dead)


def expect_there(connection: Connection, server: str) -> None:
    """Holds a server's row until the transaction ends. Raises LeadLost if it is no more."""
    if connection.execute(_HELD, {"server": server}).first() is None:
        raise LeadLost("this server was held for dead")


def claim(connection: Connection, game: str, server: str) -> KnownServer:
    """Who leads a game: whoever did, if he is still there, else this server from now on. Raises LeadLost."""
    expect_there(connection, server)
    connection.execute(insert_or_leave(leads).values(game=game, server=server).on_conflict_do_nothing())
    holder = connection.execute(select(leads.c.server).where(leads.c.game == game).with_for_update()).scalar_one()
    found = _find(connection, holder)
    if found is None:
        connection.execute(update(leads).where(leads.c.game == game).values(server=server))
        found = _find(connection, server)
        assert found is not None
    return found


def _find(connection: Connection, server: str) -> KnownServer | None:
    query = select(servers.c.id, servers.c.address, servers.c.secret).where(servers.c.id == server)
    found = connection.execute(query).first()
    return None if found is None else KnownServer(*found)


def free_of(connection: Connection, games: Collection[str]) -> list[str]:
    """Those of some games that nobody leads."""
    led = select(leads.c.game).join(servers, servers.c.id == leads.c.server).where(leads.c.game.in_(games))
    return sorted(set(games) - set(connection.execute(led).scalars()))


class LedRows(SqlRows):
    """Rows of a database that several servers share: who makes a game leads it."""

    def __init__(self, connection: Connection, server: str) -> None:
        super().__init__(connection)
        self._server = server

    def add(self, *rows: msgspec.Struct, **beside: object) -> None:
        """As `SqlRows.add`."""
        super().add(*rows, **beside)
        made = [{"game": row.id, "server": self._server} for row in rows if isinstance(row, GameRow)]
        if made:
            self._connection.execute(insert(leads), made)


class LedStorage(SqlStorage):
    """Games in a database that several servers share, for one of them as long as it counts as there."""

    def __init__(self, store: Store, server: str) -> None:
        super().__init__(store)
        self._server = server
        self._held_in: Transaction | None = None
        """The transaction, or the savepoint, that holds the server's row; the writer's thread alone looks at it."""

    async def write(self, work: rows.Work[T]) -> T:
        """As `Store.write`. Raises LeadLost, and nothing is written then, if this server was held for dead."""

        def write(connection: Connection) -> T:
            transaction = connection.get_nested_transaction() or connection.get_transaction()
            if self._held_in is not transaction:
                expect_there(connection, self._server)
                self._held_in = transaction
            return work(LedRows(connection, self._server))

        return await self._store.write(write)

"""The store: a database, and the rows of games in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, Table, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from leuthen.engine.codec import JSON
from leuthen.storage import rows
from leuthen.storage.database import Database
from leuthen.storage.faults import StorageAway, StorageBroken
from leuthen.storage.in_folder import InFolder
from leuthen.storage.rows import Wanted
from leuthen.storage.schema import TABLES, about
from leuthen.storage.writer import Work, WriterThread

R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")
CHECKED: Final = "checked"
PROBE: Final = 64 * 1024
"""Bytes that must find room on the disk before a database that was full counts as sound again."""
READERS: Final = 4
"""Threads that read. Nothing else is done in them, so that nothing slow keeps a reader waiting."""


class Store:
    """A database. Reads go on beside the one writer."""

    def __init__(self, where: Path | Database, address: str = "") -> None:
        """Lock it for this server at `address`, and make or upgrade its tables.

        Raise GamesTaken while another server has it, Invalid if it cannot be opened.
        """
        self.database = InFolder(where) if isinstance(where, Path) else where
        self.database.hold(address)
        try:
            self.database.prepare()
        except BaseException:
            self.database.release()
            raise
        self._writer = WriterThread(self.database)
        self._reading = self.database.open(to_write=False)
        self._readers = ThreadPoolExecutor(READERS, "leuthen reader")

    async def write(self, work: Work[T]) -> T:
        """Does the work in the next commit and gives its result once it is on disk. Raises StorageError."""
        return await self._writer.write(work)

    async def read(self, work: Work[T]) -> T:
        """Does the work in a thread that only reads the database. Raises StorageError."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def check(self, mark: str) -> bool:
        """Whether what is written now can be read again: after a failed commit, much of it. Raises StorageError."""
        written = mark.ljust(PROBE if self.has_failed else 0)
        await self.write(lambda connection: set_mark(connection, CHECKED, written))
        if await self.read(lambda connection: find_mark(connection, CHECKED)) != written:
            return False
        self._writer.failure = None
        return True

    @property
    def is_lost(self) -> bool:
        """Whether another server may have the games: nothing is written any more."""
        return self._writer.is_lost

    @property
    def has_failed(self) -> bool:
        """Whether a commit has failed and no probe has been written since."""
        return self._writer.failure is not None

    def _read(self, work: Work[T]) -> T:
        """Does the work; once more if the database was away, because it may have come back since."""
        try:
            return self._read_once(work)
        except StorageAway:
            return self._read_once(work)

    def _read_once(self, work: Work[T]) -> T:
        try:
            with self._reading.connect() as connection:
                return work(connection)
        except DBAPIError as error:
            raise self.database.translate(error) from error

    def close(self) -> None:
        """Write what waits, close the database and release its lock."""
        self._writer.close()
        self._readers.shutdown(cancel_futures=True)
        self._reading.dispose()
        self.database.release()


# --- whether it works -------------------------------------------------------------------------------------------------


def set_mark(connection: Connection, name: str, mark: str) -> None:
    """Writes down a mark in place of the last one of that name."""
    connection.execute(delete(about).where(about.c.name == name))
    connection.execute(insert(about).values(name=name, value=mark))


def find_mark(connection: Connection, name: str) -> str | None:
    """The mark of that name that was written down last."""
    return connection.execute(select(about.c.value).where(about.c.name == name)).scalar()


# --- games ------------------------------------------------------------------------------------------------------------


class SqlStorage:
    """Games in a database, by the verbs of `Rows`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self, work: rows.Work[T]) -> T:
        """As `Store.read`."""
        return await self._store.read(lambda connection: work(SqlRows(connection)))

    async def write(self, work: rows.Work[T]) -> T:
        """As `Store.write`."""
        return await self._store.write(lambda connection: work(SqlRows(connection)))


class SqlRows:
    """Rows of a database, in the transaction of a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, kind: type[R], /, **where: Wanted) -> list[R]:
        """All such rows, by their keys."""
        table = TABLES[kind]
        query = _columns(kind).where(*_where(table, where)).order_by(*table.primary_key.columns)
        with _readable():
            return [kind(*row) for row in self._connection.execute(query)]

    def last(self, kind: type[R], by: str, /, **where: Wanted) -> R | None:
        """The one of them whose column `by` is highest."""
        table = TABLES[kind]
        query = _columns(kind).where(*_where(table, where)).order_by(table.c[by].desc()).limit(1)
        with _readable():
            return next((kind(*row) for row in self._connection.execute(query)), None)

    def add(self, *rows: msgspec.Struct, **beside: object) -> None:
        """Adds rows of one kind, or none."""
        if rows:
            table = TABLES[type(rows[0])]
            self._connection.execute(insert(table), [msgspec.structs.asdict(row) | beside for row in rows])

    def change(self, kind: type[msgspec.Struct], values: Mapping[str, object], /, **where: Wanted) -> None:
        """Gives such rows other values."""
        table = TABLES[kind]
        self._connection.execute(update(table).where(*_where(table, where)).values(values))

    def remove(self, kind: type[msgspec.Struct], /, **where: Wanted) -> None:
        """Takes such rows away."""
        table = TABLES[kind]
        self._connection.execute(delete(table).where(*_where(table, where)))


@contextmanager
def _readable() -> Iterator[None]:
    """Raises StorageBroken for rows that hold what was never written."""
    try:
        yield
    except (ValueError, TypeError, UnicodeError, msgspec.MsgspecError) as error:
        raise StorageBroken("the database cannot be used: a row of it cannot be read") from error


def _columns(kind: type[msgspec.Struct]) -> Select[*tuple[JSON, ...]]:
    return select(*(TABLES[kind].c[name] for name in kind.__struct_fields__))


def _where(table: Table, where: Mapping[str, Wanted]) -> Iterator[ColumnElement[bool]]:
    for name, value in where.items():
        yield table.c[name] == value if isinstance(value, str | int) else table.c[name].in_(value)

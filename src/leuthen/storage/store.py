"""The store: a database, the one thread that writes in it, and the rows of games."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, Engine, Select, Table, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from leuthen.engine.codec import JSON
from leuthen.storage import rows
from leuthen.storage.faults import LockLost, StorageAway, StorageBroken, StorageError
from leuthen.storage.folder import InFolder
from leuthen.storage.rows import Wanted
from leuthen.storage.schema import TABLES, about

R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")
Work: TypeAlias = Callable[[Connection], T]
MOST: Final = 256
"""Jobs in one commit."""
LOG_EVERY: Final = 60.0
"""Seconds between two lines of the log about writes that fail."""
_log = logging.getLogger(__name__)


class Database(Protocol):
    """A database of games: brought up to date, opened, and what its errors mean."""

    folder: Path | None
    """Where it lies on this machine; None if it lies elsewhere."""

    beat: float | None
    """Seconds without a write after which the writer looks whether the lock is still held; None: it cannot be lost."""

    def hold(self, address: str) -> None:
        """Take the lock of the games for this server, which is at `address`.

        Raise GamesTaken while another server has it, Unreachable, or Invalid.
        """
        ...

    def release(self) -> None:
        """Let go of the lock."""
        ...

    def prepare(self) -> None:
        """Make the tables, or bring them up to date. Raise Invalid, which names the place and what to do."""
        ...

    def open(self, *, to_write: bool) -> Engine:
        """Return its connections, each for one transaction; a commit is safe when it returns.

        Those to write are given only while the lock is held, and raise LockLost when it is lost.
        """
        ...

    def expect(self) -> None:
        """Looks before a transaction whether what is written will be kept. Raises StorageGone."""
        ...

    def expect_kept(self) -> None:
        """Looks after a commit whether it was. Raises StorageGone."""
        ...

    def is_fatal(self, error: BaseException) -> bool:
        """Whether nothing else can be written in this transaction either."""
        ...

    def translate(self, error: DBAPIError) -> StorageError:
        """The fault that an error of the driver means."""
        ...


# --- the writer -------------------------------------------------------------------------------------------------------


class _Job:
    """Something to be written, and who waits for it."""

    __slots__ = ("future", "loop", "outcome", "work")

    def __init__(self, work: Work[Any], loop: asyncio.AbstractEventLoop) -> None:
        self.work = work
        self.loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.outcome: object | BaseException = None

    def deliver(self) -> None:
        """Tells who waits, in his own thread."""
        if self.future.done():
            return
        if isinstance(self.outcome, BaseException):
            self.future.set_exception(self.outcome)
        else:
            self.future.set_result(self.outcome)


class WriterThread:
    """The thread that writes. A job's result is given when it is on disk; a job that fails spoils no other.

    Jobs only read and write the database: one may be done twice before it counts once.
    """

    def __init__(self, database: Database) -> None:
        self.failure: Exception | None = None
        """Why the last commit that failed did, until a probe of some size is on disk (`Store.check`)."""
        self.is_lost = False
        """Whether the lock was lost."""
        self._logged = -LOG_EVERY
        self._database = database
        self._engine = database.open(to_write=True)
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="leuthen writer", daemon=True)
        self._thread.start()

    async def write(self, work: Work[T]) -> T:
        """Does the work in a transaction; what it returns is given once it is on disk.

        Raises StorageError, or what the work raised; nothing of it is written then.
        """
        job = _Job(work, asyncio.get_running_loop())
        self._queue.put(job)
        result: T = await job.future
        return result

    def close(self) -> None:
        """Writes what waits, ends the thread and closes the database."""
        self._queue.put(None)
        self._thread.join()
        self._engine.dispose()

    def _run(self) -> None:
        while self._do_next():
            pass

    def _do_next(self) -> bool:
        """Writes all that waits, and holds on to nothing of it; False once there will be no more."""
        batch, is_open = self._gather()
        if batch:
            self._commit(batch)
            if self.failure is not None:
                self._beat()
            for job in batch:
                _deliver(job)
        return is_open

    def _gather(self) -> tuple[list[_Job], bool]:
        """Waits for a job and takes all others that are there; False once there will be no more."""
        batch: list[_Job] = []
        job = self._first()
        while job is not None:
            batch.append(job)
            if len(batch) == MOST or self._queue.empty():
                return batch, True
            job = self._queue.get()
        return batch, False

    def _first(self) -> _Job | None:
        """Wait for a job. Meanwhile look now and then whether the lock is still held."""
        while True:
            try:
                return self._queue.get(timeout=None if self.is_lost else self._database.beat)
            except queue.Empty:
                self._beat()

    def _beat(self) -> None:
        if self._database.beat is None or self.is_lost:
            return
        for _ in range(2):  # the first may find the line cut, the second that there is no other
            try:
                with self._engine.connect() as connection:
                    connection.execute(text("SELECT 1"))
            except LockLost:
                self.is_lost = True
            except DBAPIError:
                continue
            return

    def _commit(self, batch: Sequence[_Job]) -> None:
        """Does all jobs in one transaction. Only if one of them fails each is done again behind a savepoint."""
        try:
            if not self._do(batch, self._simply):
                self._do(batch, self._apart)
        except Exception as error:
            self.failure = self._fault(error)
            if (now := monotonic()) - self._logged >= LOG_EVERY:
                self._logged = now
                _log.error("a commit failed, and its orders were refused: %s", self.failure)
            for job in batch:
                job.outcome = self.failure

    def _do(self, batch: Sequence[_Job], how: Callable[[Connection, _Job], bool]) -> bool:
        """Whether all was done; if not, nothing was. Raises what spoils the whole transaction."""
        self._database.expect()
        with self._engine.connect() as connection:
            with connection.begin() as transaction:
                is_done = all(how(connection, job) for job in batch)
                if not is_done:
                    transaction.rollback()
            if is_done:
                self._database.expect_kept()
        return is_done

    def _simply(self, connection: Connection, job: _Job) -> bool:
        """Does a job; False if it failed."""
        try:
            job.outcome = job.work(connection)
        except Exception as error:
            if self._database.is_fatal(error):
                raise
            return False
        return True

    def _apart(self, connection: Connection, job: _Job) -> bool:
        """Does a job so that nothing of it is left if it fails; always goes on."""
        try:
            with connection.begin_nested():
                job.outcome = job.work(connection)
        except Exception as error:
            if self._database.is_fatal(error):
                raise
            job.outcome = self._database.translate(error) if isinstance(error, DBAPIError) else error
        return True

    def _fault(self, error: Exception) -> Exception:
        if isinstance(error, StorageError):
            return error
        if isinstance(error, DBAPIError):
            return self._database.translate(error)
        return StorageError(f"{type(error).__name__}: {error}")


def _deliver(job: _Job) -> None:
    try:
        job.loop.call_soon_threadsafe(job.deliver)
    except RuntimeError:
        return  # the loop has gone, and with it whoever waited


# --- the store --------------------------------------------------------------------------------------------------------


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

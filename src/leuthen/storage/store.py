"""The store: a database with one writing thread and several reading ones."""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeAlias, TypeVar

from sqlalchemy import text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from leuthen.storage.rows import LockLost, MarkRow, StorageAway, StorageError, first
from leuthen.storage.sqlite import Sqlite
from leuthen.storage.tables import Database, SqlRows

T = TypeVar("T")
Work: TypeAlias = Callable[[SqlRows], T]
_Job: TypeAlias = tuple[Work[Any], Future[Any]]
"""Work for the writer, and the future for which its request waits."""
MOST: Final = 256
"""Maximum number of jobs in a commit."""
LOG_EVERY: Final = 60.0
"""Minimum seconds between two log lines about failed writes."""
CHECKED: Final = "checked"
READERS: Final = 4
"""Reading threads. They do nothing else, so that readers never wait for slow work."""
_log = logging.getLogger(__name__)


class Store:
    """A database as a store of games. One thread commits for all waiting requests; reads run in parallel.

    A job's result is delivered when it is on disk; a failing job does not affect others. Jobs only read and write the
    database, and may run twice before they count once.
    """

    def __init__(self, where: Path | Database, address: str = "") -> None:
        """Lock the database for the server at `address`, and create or migrate its tables.

        Raise GamesTaken while another server has it, Invalid if it cannot be opened.
        """
        self.database: Database = Sqlite(where) if isinstance(where, Path) else where
        self.database.hold(address)
        try:
            self.database.prepare()
        except BaseException:
            self.database.release()
            raise
        self.is_lost = False
        """True once another server may have the games; then nothing is written."""
        self._failure: Exception | None = None
        """The error of the last failed commit, until `check` has written a probe."""
        self._logged = -LOG_EVERY
        self._writing = self.database.open(to_write=True)
        self._reading = self.database.open(to_write=False)
        self._readers = ThreadPoolExecutor(READERS, "leuthen reader")
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._run, name="leuthen writer", daemon=True)
        self._writer.start()

    async def write(self, work: Work[T]) -> T:
        """Do the work in the next commit, and return its result once it is on disk.

        Raise StorageError, or what the work raised; nothing of it is written then.
        """
        done = Future[T]()
        done.set_running_or_notify_cancel()  # it counts even if its request is cancelled
        self._queue.put((work, done))
        return await asyncio.wrap_future(done)

    async def read(self, work: Work[T]) -> T:
        """Do the work in a reading thread. Raise StorageError."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def check(self, mark: str) -> bool:
        """Return whether a write can be read back; after a failed commit it is a large one. Raise StorageError."""
        written = MarkRow(CHECKED, mark.ljust(64 * 1024 if self.has_failed else 0))

        def put(rows: SqlRows) -> None:
            rows.remove(MarkRow, name=CHECKED)
            rows.add(written)

        await self.write(put)
        if await self.read(lambda rows: first(rows, MarkRow, name=CHECKED)) != written:
            return False
        self._failure = None
        return True

    @property
    def has_failed(self) -> bool:
        return self._failure is not None

    def close(self) -> None:
        """Write waiting jobs, end the threads, close the database and release its lock."""
        self._queue.put(None)
        self._writer.join()
        self._writing.dispose()
        self._readers.shutdown(cancel_futures=True)
        self._reading.dispose()
        self.database.release()

    def _read(self, work: Work[T], *, is_retry: bool = False) -> T:
        """Retry once if the database was unreachable."""
        try:
            with self._reading.connect() as connection:
                return work(SqlRows(connection))
        except DBAPIError as error:
            fault = self.database.translate(error)
            if is_retry or not isinstance(fault, StorageAway):
                raise fault from error
        return self._read(work, is_retry=True)

    # --- the thread that writes --------------------------------------------------------------------------------------

    def _run(self) -> None:
        is_open = True
        while is_open:
            try:
                job = self._queue.get(timeout=None if self.is_lost else self.database.beat)
            except queue.Empty:
                self._check_connection()
                continue
            batch: list[_Job] = []
            while job is not None:
                batch.append(job)
                if len(batch) == MOST or self._queue.empty():
                    break
                job = self._queue.get()
            is_open = job is not None
            outcomes = self._commit(batch) if batch else ()
            if batch and self._failure is not None:
                self._check_connection()
            for (_, done), outcome in zip(batch, outcomes, strict=True):
                if isinstance(outcome, BaseException):
                    done.set_exception(outcome)
                else:
                    done.set_result(outcome)

    def _check_connection(self) -> None:
        if self.database.beat is None or self.is_lost:
            return
        for _ in range(2):  # the first may find the line cut, the second that there is no other
            try:
                with self._writing.connect() as connection:
                    connection.execute(text("SELECT 1"))
            except LockLost:
                self.is_lost = True
            except DBAPIError:
                continue
            return

    def _commit(self, batch: Sequence[_Job]) -> Sequence[object]:
        """Do all jobs in one transaction; return their outcomes. If one fails, redo each behind a savepoint."""
        try:
            return self._do(batch, is_apart=False) or self._do(batch, is_apart=True) or ()
        except Exception as error:
            known = self.database.translate(error) if isinstance(error, DBAPIError) else error
            is_known = isinstance(known, StorageError)
            self._failure = known if is_known else StorageError(f"{type(error).__name__}: {error}")
            if (now := monotonic()) - self._logged >= LOG_EVERY:
                self._logged = now
                _log.error("a commit failed, and its orders were refused: %s", self._failure)
            return [self._failure] * len(batch)

    def _do(self, batch: Sequence[_Job], *, is_apart: bool) -> list[object] | None:
        """Return the results or errors of all jobs; None if one failed that is not apart: then nothing was done.

        Raise fatal errors.
        """
        outcomes = list[object]()
        self.database.expect()
        with self._writing.connect() as connection:
            with connection.begin() as transaction:
                for work, _ in batch:
                    try:
                        with connection.begin_nested() if is_apart else nullcontext():
                            outcomes.append(work(SqlRows(connection)))
                    except Exception as error:
                        if isinstance(error, DBAPIError) and not isinstance(error, IntegrityError | DataError):
                            raise
                        if not is_apart:
                            transaction.rollback()
                            return None
                        outcomes.append(self.database.translate(error) if isinstance(error, DBAPIError) else error)
            self.database.expect(is_after=True)
        return outcomes

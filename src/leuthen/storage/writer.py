"""One thread writes. It commits once for all jobs that wait, so that the disk is asked once for many."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Final, TypeAlias, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from leuthen.storage.database import Database
from leuthen.storage.faults import LockLost, StorageError

T = TypeVar("T")
Work: TypeAlias = Callable[[Connection], T]
MOST: Final = 256
"""Jobs in one commit."""
LOG_EVERY: Final = 60.0
"""Seconds between two lines of the log about writes that fail."""
_log = logging.getLogger(__name__)


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

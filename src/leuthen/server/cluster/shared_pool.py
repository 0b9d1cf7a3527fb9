"""Servers think for each other: what one has no place for stands in the database, and any of them takes it.

What a server has a place for it thinks itself, as if it were alone, and no row is written. The answer is the same
whoever thinks, because all that it depends on stands in the job; it counts when the game's leader writes it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from math import inf
from typing import Final, TypeVar

import msgspec

from leuthen.server.bots.pool import DRAW, ORDER, SERVE, Pool, WorkKind
from leuthen.server.bots.thinking import Thinkers
from leuthen.server.cluster.directory import Directory
from leuthen.server.session.lanes import end_all
from leuthen.server.session.scheduler import SLOW
from leuthen.storage import jobs
from leuthen.storage.faults import StorageError
from leuthen.storage.jobs import Job, JobOutcome
from leuthen.storage.store import Store

C = TypeVar("C")
T = TypeVar("T")
POLL: float = 1.0
"""Seconds after which a server looks at the queue though nobody told it to."""
_KINDS: Final = {kind.name: kind for kind in (ORDER, DRAW, SERVE)}
_log = logging.getLogger(__name__)


class SharedPool(Pool):
    """The places of this server, and by the queue those of all others."""

    def __init__(self, thinkers: Thinkers, store: Store, directory: Directory) -> None:
        super().__init__(thinkers)
        self._store = store
        self._directory = directory
        self._awaited: dict[str, asyncio.Future[JobOutcome | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()

    def start(self) -> None:
        """Looks at the queue from now on, whenever there may be something in it."""
        self._begin(self._watch())

    async def close(self) -> None:
        """Thinks for nobody any more; what was begun for others is free as soon as this server has left."""
        await end_all(self._tasks)

    def look(self) -> None:
        """There may be something to be had, or done."""
        self._news.set()

    async def do(
        self, game: str, kind: WorkKind[C, T], case: C, patience: float, *, is_behind: bool = False
    ) -> T | None:
        """As `Pool.do`, at whichever server has a place first."""
        if is_behind:
            return await self.here(game, kind, case, patience, is_behind=True)
        spent = self._scheduler.spent(game)
        if not self._scheduler.has_room(spent):
            task = msgspec.msgpack.encode(case)
            outcome = await self._ask(Job(secrets.token_urlsafe(12), game, kind.name, task, patience, spent))
            if outcome is not None:
                self._scheduler.note(game, outcome.spent)
                if outcome.is_late:
                    raise TimeoutError
                with suppress(msgspec.MsgspecError):
                    return kind.read_found(outcome.found)
        try:
            return await self.here(game, kind, case, patience)
        finally:
            self.look()

    async def _ask(self, job: Job) -> JobOutcome | None:
        """What came of a job; None if nobody could do it, so that it is to be done here."""
        own, future = self._directory.own.id, asyncio.get_running_loop().create_future()
        self._awaited[job.id] = future
        try:
            await self._store.write(lambda connection: jobs.add(connection, own, job))
            self.look()
            outcome: JobOutcome | None = await future
        except StorageError:
            return None
        finally:
            del self._awaited[job.id]
        return outcome if outcome is not None and (outcome.found or outcome.is_late) else None

    async def _watch(self) -> None:
        while True:
            self._news.clear()
            try:
                await self._collect()
                while await self._take():
                    await asyncio.sleep(0)  # it has its place now
            except Exception as error:
                _log.warning("what the servers think for each other waits: %s", error)
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await self._news.wait()

    async def _collect(self) -> None:
        """Gives out what has come of the jobs of this server."""
        own, awaited = self._directory.own.id, dict(self._awaited)
        if not awaited:
            return
        found = await self._store.write(lambda connection: jobs.collect(connection, own, list(awaited)))
        for job, outcome in found.items():
            if not awaited[job].done():
                awaited[job].set_result(outcome)

    async def _take(self) -> bool:
        """Begins with a job that nobody thinks; False if there is none, or no place."""
        if not self._scheduler.has_room(0):
            return False
        own, most_spent = self._directory.own.id, inf if self._scheduler.has_room(inf) else SLOW
        job = await self._store.write(lambda connection: jobs.take(connection, own, most_spent))
        if job is not None:
            self._begin(self._help(own, job))
        return job is not None

    async def _help(self, own: str, job: Job) -> None:
        outcome = await self._outcome(job)
        while True:
            try:
                await self._store.write(lambda connection: jobs.finish(connection, own, job.id, outcome))
                break
            except StorageError as error:
                _log.warning("what was thought cannot be told: %s", error)
                await asyncio.sleep(POLL)
        self.look()

    async def _outcome(self, job: Job) -> JobOutcome:
        found, is_late = b"", False
        try:
            self._scheduler.note(job.game, job.spent)
            found = await _KINDS[job.kind].in_bytes(self, job.game, job.task, job.patience)
        except (KeyError, msgspec.MsgspecError):
            _log.warning("game %s: another server asks for what is not known here", job.game)
        except TimeoutError:
            is_late = True
        return JobOutcome(found, is_late, self._scheduler.spent(job.game))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

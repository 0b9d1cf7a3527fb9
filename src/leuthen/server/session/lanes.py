"""Slow work, so that nobody waits for it but who asked.

What rule sets find out from views and records that are brought in go to processes that are ended when they take too
long. Games that are played again from their records stay here, in slices of a few
milliseconds. Both stand in lanes: so many at once, the next from who has had least, and only so many waiting. No thread
of the server runs the code of a rule set.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import perf_counter
from typing import Final, Protocol, TypeVar

import msgspec

from leuthen.server.session.addresses import address_now, is_here
from leuthen.server.session.problems import TOO_MANY, Fault, fault
from leuthen.server.session.scheduler import FairScheduler

T = TypeVar("T")
SLICE: Final = 0.002
"""Seconds after which work in the server's own time lets others go on."""
_log = logging.getLogger(__name__)


async def end_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Ends what is on the way."""
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)


class WorkerDied(RuntimeError):
    """The process that did something elsewhere has died."""


class Run(Protocol):
    """Does something elsewhere. When it is cancelled, what it did there has ended."""

    def __call__(self, work: Callable[..., T], /, *args: object) -> Awaitable[T]:
        """What the work gives. Raises what it raises, WorkerDied if its process dies."""
        ...


class Places(msgspec.Struct, frozen=True):
    """How many may be at work or wait: of one asker, of one address, and in all."""

    per_asker: int = 4
    per_address: int = 16
    in_all: int = 64


class Waiting:
    """Those who are at work or wait for it."""

    def __init__(self, most: Places) -> None:
        self._most = most
        self._asked: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """How many they are."""
        return self._asked["all"]

    @contextmanager
    def place(self, asker: str) -> Iterator[None]:
        """Holds a place among them. Raises Fault where there is none, before anything was spent."""
        address, most = address_now.get(), self._most
        of_address = most.in_all * 3 // 4 if is_here(address) else most.per_address
        limits = {"all": most.in_all, f"address {address}": of_address, f"asker {asker}": most.per_asker}
        for key, limit in limits.items():
            if self._asked[key] >= limit:
                status = 503 if key == "all" else TOO_MANY
                raise fault(status, "Busy", "The server is busy with what was asked before. Try again in 2 s.", wait=2)
        self._asked.update(limits.keys())
        try:
            yield
        finally:
            self._asked.subtract(limits.keys())
            self._asked = +self._asked


class Lane(Waiting):
    """One kind of slow work. Whoever has it done holds a place."""

    def __init__(self, places: int, patience: float, most: Places, run: Run) -> None:
        """`places` at once; each is ended after `patience` seconds."""
        super().__init__(most)
        self._patience = patience
        self._run = run
        self._scheduler = FairScheduler(places)
        self._limits: set[asyncio.Timeout] = set()
        """When that ends which is at work."""

    def end(self) -> None:
        """Ends what is at work, and all that begins from now on."""
        self._patience = 0.0
        for limit in self._limits:
            limit.reschedule(0)

    async def do(self, asker: str, work: Callable[..., T], *args: object) -> T:
        """Does something elsewhere. Raises what it raises, or Fault if it takes too long or its process dies."""
        async with self._turn(asker):
            try:
                return await self._run(work, *args)
            except WorkerDied as error:
                _log.warning("a process that worked has died", exc_info=error)
                raise fault(503, "Not done", "The server could not finish this. Try again.", wait=2) from error

    async def gently(self, asker: str, steps: Iterable[object]) -> None:
        """Takes step after step here, and lets others go on in between. Raises Fault if it takes too long."""
        async with self._turn(asker):
            end = perf_counter() + SLICE
            for _ in steps:
                if perf_counter() > end:
                    await asyncio.sleep(0)
                    end = perf_counter() + SLICE

    @asynccontextmanager
    async def _turn(self, asker: str) -> AsyncIterator[None]:
        async with self._scheduler.turn(asker):
            try:
                async with asyncio.timeout(self._patience) as limit:
                    self._limits.add(limit)
                    try:
                        yield
                    finally:
                        self._limits.discard(limit)
            except TimeoutError as error:
                raise self._given_up() from error

    def _given_up(self) -> Fault:
        if not self._patience:
            return fault(503, "The server ends", "The server is being stopped. Try again when it is back.", wait=30)
        return fault(503, "Too much work", f"This took longer than {self._patience:.0f} s and was ended.", wait=30)

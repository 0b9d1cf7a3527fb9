"""Limits of use: server time per request, turns of bots to think, and slow work.

Slow work delays only its requester. Rule-set computations on views, record imports and map drawing run in processes
that are ended when they take too long. Replays of stored games run here, in slices of a few milliseconds. Both wait in
work queues with limited concurrency and length, served by least recent use. No server thread runs code of a rule set.
"""

import asyncio
import logging
import types
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from ipaddress import ip_address, ip_network
from time import monotonic, perf_counter
from typing import Final, NamedTuple, Protocol, TypeVar, cast

import msgspec

from leuthen.server.session.messages import TOO_MANY, fault

T = TypeVar("T")
_HOUSEHOLD: Final = 64
"""Prefix length of an IPv6 network that one customer of a provider has."""
_REMEMBERED: Final = 4096
"""Number of cached addresses."""
address_now: ContextVar[str] = ContextVar("address_now", default="")
"""The address of the current request."""
charge_callback: ContextVar[Callable[[float], None]] = ContextVar("charge_callback", default=lambda seconds: None)
"""Charges the current request for seconds of server time."""


@types.coroutine
def charge_steps(work: Coroutine[object, object, T]) -> Generator[object, object, T]:
    """Return the result of `work`, and charge the request for the time of each of its steps.

    The server has one thread: while a step runs, all other requests wait. Time spent waiting, and other tasks' time, is
    not charged.
    """
    step: Callable[[], object] = partial(work.send, None)
    spent = 0.0
    try:
        while True:
            start = perf_counter()
            try:
                awaited = step()
            finally:
                spent += perf_counter() - start
            if spent >= 0.001:
                charge_request_time(spent)
                spent = 0.0
            try:
                step = partial(work.send, (yield awaited))
            except BaseException as error:
                step = partial(work.throw, error)
    except StopIteration as end:
        return cast("T", end.value)
    finally:
        charge_request_time(spent)


def charge_request_time(seconds: float) -> None:
    """Charge the current request for work that it causes elsewhere, or later."""
    charge_callback.get()(seconds)


@lru_cache(_REMEMBERED)
def is_local_address(address: str) -> bool:
    """Return whether an address belongs to this machine; an empty one does (no network)."""
    try:
        return not address or ip_address(address).is_loopback
    except ValueError:
        return False


@lru_cache(_REMEMBERED)
def network_of(address: str) -> str:
    """Return the key under which an address is counted: for IPv6 its network, since a household has many addresses."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4 or found.is_loopback:
        return address
    return str(found.ipv4_mapped or ip_network((found, _HOUSEHOLD), strict=False))


SLOW: Final = 1.0
"""Seconds of thinking above which a game counts as slow."""
_FORGET: Final = 0.05
"""Seconds of thinking below which a game counts as new."""


class _Waiting(NamedTuple):
    is_behind: bool
    spent: float
    number: int
    game: str
    future: asyncio.Future[None]


class FairScheduler:
    """Assigns turns to think: least recent use first, with one place reserved for games that are not slow.

    A game that is `is_behind` waits for all others and never takes the reserved place.
    """

    def __init__(self, places: int, clock: Callable[[], float] = monotonic) -> None:
        self._free = places
        self._for_slow = max(1, places - 1)
        self._clock = clock
        self._spent: dict[str, float] = {}
        self._waiting: list[_Waiting] = []
        self._number = 0

    @asynccontextmanager
    async def turn(self, game: str, *, is_behind: bool = False) -> AsyncIterator[None]:
        self._number += 1
        future = asyncio.get_running_loop().create_future()
        waiting = _Waiting(is_behind, self._spent.get(game, 0.0), self._number, game, future)
        self._waiting.append(waiting)
        self._admit_waiting()
        try:
            await future
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._release(waiting)
            raise
        start = self._clock()
        try:
            yield
        finally:
            self._spent[game] = (waiting.spent + self._clock() - start) / 2
            if self._spent[game] < _FORGET:
                del self._spent[game]
            self._release(waiting)

    def _admit_waiting(self) -> None:
        for waiting in sorted(self._waiting):
            if not self._free:
                return
            has_gone = waiting.future.cancelled()  # though it has not yet said so
            is_slow = waiting.is_behind or waiting.spent > SLOW
            if not has_gone and (self._for_slow or not is_slow):
                self._free -= 1
                self._for_slow -= is_slow
                self._waiting.remove(waiting)
                waiting.future.set_result(None)

    def _release(self, waiting: _Waiting) -> None:
        self._free += 1
        self._for_slow += waiting.is_behind or waiting.spent > SLOW
        self._admit_waiting()


SLICE: Final = 0.002
"""Seconds after which a slice of work yields to other tasks."""
_log = logging.getLogger(__name__)


async def end_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    ended = list(tasks)
    for task in ended:
        task.cancel()
    await asyncio.gather(*ended, return_exceptions=True)


class WorkerDied(RuntimeError):
    """The worker process has died."""


class Run(Protocol):
    """Runs work in another process. Cancelling the call ends the work."""

    def __call__(self, work: Callable[..., T], /, *args: object) -> Awaitable[T]:
        """Return the result of `work`. Raise what it raises, WorkerDied if its process dies."""


class QueueLimits(msgspec.Struct, frozen=True):
    """The maximum number of requests at work or waiting, per requester, per address, and in all."""

    per_asker: int = 4
    per_address: int = 16
    in_all: int = 64


class WorkLimit:
    def __init__(self, most: QueueLimits) -> None:
        self._most = most
        self._asked: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._asked["all"]

    @contextmanager
    def place(self, asker: str) -> Iterator[None]:
        """Hold a place. Raise Fault if there is none."""
        address, most = address_now.get(), self._most
        of_address = most.in_all * 3 // 4 if is_local_address(address) else most.per_address
        limits = {"all": most.in_all, f"address {address}": of_address, f"asker {asker}": most.per_asker}
        for key, limit in limits.items():
            if self._asked[key] >= limit:
                status = 503 if key == "all" else TOO_MANY
                raise fault(status, "Busy", "The server is busy. Try again in 2 s.", wait=2)
        self._asked.update(limits.keys())
        try:
            yield
        finally:
            self._asked.subtract(limits.keys())
            self._asked = +self._asked


class WorkQueue(WorkLimit):
    def __init__(self, places: int, patience: float, most: QueueLimits, run: Run) -> None:
        """`places` is the concurrency; work is ended after `patience` seconds."""
        super().__init__(most)
        self._patience = patience
        self._run = run
        self._scheduler = FairScheduler(places)
        self._limits: set[asyncio.Timeout] = set()

    def end(self) -> None:
        self._patience = 0.0
        for limit in self._limits:
            limit.reschedule(0)

    async def do(self, asker: str, work: Callable[..., T], *args: object) -> T:
        """Run work in another process. Raise what it raises, or Fault if it takes too long or the process dies."""
        async with self._turn(asker):
            try:
                return await self._run(work, *args)
            except WorkerDied as error:
                _log.warning("a process that worked has died", exc_info=error)
                raise fault(503, "Not finished", "The server could not finish this. Try again.", wait=2) from error

    async def run_in_slices(self, asker: str, steps: Iterable[object]) -> None:
        """Run steps in this thread, yielding between slices. Raise Fault if they take too long."""
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
                title, detail = "Too much work", f"This took longer than {self._patience:.0f} s and was stopped."
                if not self._patience:
                    title, detail = "The server is stopping", "The server is stopping. Try again when it is back."
                raise fault(503, title, detail, wait=30) from error

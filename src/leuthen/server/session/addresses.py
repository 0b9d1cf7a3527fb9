"""The address that a request comes from, as limits count it, and the server time that the request costs."""

from __future__ import annotations

import types
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from ipaddress import ip_address, ip_network
from time import perf_counter
from typing import Final, TypeVar

T = TypeVar("T")
_HOUSEHOLD: Final = 64
"""Bits of an IPv6 address that one customer of a provider cannot change."""
_REMEMBERED: Final = 4096
"""Addresses of which it is known what they count as."""
address_now: ContextVar[str] = ContextVar("address_now", default="")
"""The address of the request that is being answered."""
bill_now: ContextVar[Callable[[float], None]] = ContextVar("bill_now", default=lambda seconds: None)
"""Charges the request that is being answered for seconds of server time."""


async def metered(work: Coroutine[object, object, T]) -> T:
    """Return the result of `work`, and charge the request for the time of each of its steps.

    The server answers everybody in one thread: while a step runs, all others wait. What the work only waits for, and
    what other tasks do meanwhile, is not charged.
    """
    return await _in_steps(work)


@types.coroutine
def _in_steps(work: Coroutine[object, object, T]) -> Generator[object, object, T]:
    step: Callable[[], object] = partial(work.send, None)
    while True:
        start = perf_counter()
        try:
            awaited = step()
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            bill(perf_counter() - start)
        try:
            step = partial(work.send, (yield awaited))
        except BaseException as error:
            step = partial(work.throw, error)


@contextmanager
def charged() -> Iterator[None]:
    """Charge the request for what is done here, in a task that is not metered."""
    start = perf_counter()
    try:
        yield
    finally:
        bill(perf_counter() - start)


def bill(seconds: float) -> None:
    """Charge the request for work that it causes elsewhere, or later."""
    bill_now.get()(seconds)


@lru_cache(_REMEMBERED)
def is_here(address: str) -> bool:
    """Whether an address is of this machine; none is: the connection has no network."""
    try:
        return not address or ip_address(address).is_loopback
    except ValueError:
        return False


@lru_cache(_REMEMBERED)
def network_of(address: str) -> str:
    """What counts as one address: of IPv6 the network, in which one household has more addresses than it can use."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4 or found.is_loopback:
        return address
    return str(found.ipv4_mapped or ip_network((found, _HOUSEHOLD), strict=False))

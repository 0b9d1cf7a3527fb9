"""Where a request comes from, as far as limits count it, and what it costs there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import ip_address, ip_network
from time import perf_counter
from typing import Final

_HOUSEHOLD: Final = 64
"""Bits of an IPv6 address that one customer of a provider cannot change."""
_REMEMBERED: Final = 4096
"""Addresses of which it is known what they count as."""
address_now: ContextVar[str] = ContextVar("address_now", default="")
"""The address from which the request came that is being answered."""
bill_now: ContextVar[Callable[[float], None]] = ContextVar("bill_now", default=lambda seconds: None)
"""Who is told how many seconds of the server's own turn the request took."""


@contextmanager
def billed() -> Iterator[None]:
    """What is done here is done in the server's own turn, while everybody else waits."""
    start = perf_counter()
    try:
        yield
    finally:
        bill_now.get()(perf_counter() - start)


def bill(seconds: float) -> None:
    """The request brings about that much work, by and by."""
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

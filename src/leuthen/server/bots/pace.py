"""How fast this machine is: bots have more time to think where it is slow."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Final

REFERENCE: Final = 0.004
"""Seconds that a piece of work takes on the machine for which patience was chosen."""
PIECES: Final = 5
"""The quickest of so many counts: others may be busy meanwhile."""


def measured(clock: Callable[[], float] = perf_counter) -> float:
    """How many times slower than the reference this machine is; at least 1."""
    return max(1.0, min(_piece(clock) for _ in range(PIECES)) / REFERENCE)


def _piece(clock: Callable[[], float]) -> float:
    begun, table, number = clock(), dict[int, int](), 0
    for step in range(20_000):
        number = (number * 31 + step) % 1_000_003
        table[number & 1023] = step
    return clock() - begun


slowness: Final = cache(measured)
"""The same, measured when it is first asked for."""

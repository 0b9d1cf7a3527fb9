"""Whether the server works: what it writes it can read again."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from time import monotonic
from typing import Final

from leuthen.server.session.problems import fault
from leuthen.storage.store import Store

FRESH: Final = 1.0
"""Seconds for which a finding holds: whoever asks more often costs nothing more."""


class Health:
    """Looks whether the store can be written and read, once for all who ask at the same time."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._lock = asyncio.Lock()
        self._good_until = 0.0

    async def check(self) -> None:
        """Raises StorageError, or Fault if something else was read than was written."""
        async with self._lock:
            if self._clock() < self._good_until and not self._store.has_failed:
                return
            if not await self._store.check(secrets.token_hex(8)):
                raise fault(503, "The database failed", "What was written could not be read again.")
            self._good_until = self._clock() + FRESH

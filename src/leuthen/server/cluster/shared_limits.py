"""What an address has had at one server counts at the others too, so that several servers allow no more than one.

Servers tell each other now and then what was taken by those who have had more than half of what they may. Nothing of it
is kept, and who asks for little costs nothing. What is told late or lost lets somebody have a little more.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import msgspec
from sqlalchemy import func, select

from leuthen.server.cluster.directory import Directory
from leuthen.server.security.rate_limits import RateLimits
from leuthen.storage.faults import StorageError
from leuthen.storage.store import Store

CHANNEL: Final = "leuthen_taken"
EVERY: float = 1.0
"""Seconds between two tellings."""
AT_ONCE: Final = 100
"""So many in one notification, which may have 8000 bytes."""
_log = logging.getLogger(__name__)


class Usage(msgspec.Struct, frozen=True, array_like=True):
    """What was taken at a server: address, what, how much; and the how-manieth telling of that server this is."""

    server: str
    number: int
    taken: list[tuple[str, str, float]]


_decoder: Final = msgspec.json.Decoder(Usage)


class SharedLimits:
    """Tells the other servers what was taken here, and heeds what they tell."""

    def __init__(self, limits: RateLimits, store: Store, directory: Directory) -> None:
        self._limits = limits
        self._store = store
        self._directory = directory
        self._told = 0
        self._heard: dict[str, int] = {}
        """The number of the last telling, by server."""

    async def run(self) -> None:
        """Tells, for ever."""
        while True:
            await asyncio.sleep(EVERY)
            taken = self._limits.taken()
            for first in range(0, len(taken), AT_ONCE):
                await self._tell(taken[first : first + AT_ONCE])

    async def _tell(self, taken: list[tuple[str, str, float]]) -> None:
        self._told += 1
        word = msgspec.json.encode(Usage(self._directory.own.id, self._told, taken)).decode()
        try:
            await self._store.write(lambda connection: connection.execute(select(func.pg_notify(CHANNEL, word))))
        except StorageError:
            _log.warning("the other servers were not told who has asked for much")

    def hear(self, word: str) -> None:
        """Another server has told something; what comes twice counts once."""
        try:
            told = _decoder.decode(word)
        except (msgspec.MsgspecError, UnicodeEncodeError):
            return
        if told.server == self._directory.own.id or told.number <= self._heard.get(told.server, 0):
            return
        self._heard[told.server] = told.number
        for address, what, cost in told.taken:
            self._limits.take_elsewhere(address, what, cost)

    def forget(self, servers: frozenset[str]) -> None:
        """Servers are no more."""
        for server in servers:
            self._heard.pop(server, None)

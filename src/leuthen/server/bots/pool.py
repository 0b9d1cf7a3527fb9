"""What bots work out, whose turn it is, and where: each kind has a name, so that another server can do it too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

import msgspec

from leuthen.server.bots import staffing
from leuthen.server.bots.thinking import Answer, BotTask, Thinkers
from leuthen.server.session.scheduler import FairScheduler
from leuthen.server.session.staff import OFFICER, Served

C = TypeVar("C")
T = TypeVar("T")


class WorkKind(Generic[C, T]):
    """A kind of thing that bots work out: its name, of what, what comes of it, and how."""

    def __init__(
        self, name: str, case: type[C], found: type[T], do: Callable[[Thinkers, C, float], Awaitable[T | None]]
    ) -> None:
        self.name = name
        self.do = do
        self._case = msgspec.msgpack.Decoder(case)
        self._found = msgspec.msgpack.Decoder(found)

    def read_found(self, data: bytes) -> T:
        """What was found. Raises MsgspecError."""
        return self._found.decode(data)

    async def in_bytes(self, pool: Pool, game: str, case: bytes, patience: float) -> bytes:
        """What a pool works out here, for another server; empty if the bot fails. Raises MsgspecError, TimeoutError."""
        found = await pool.here(game, self, self._case.decode(case), patience)
        return b"" if found is None else msgspec.msgpack.encode(found)


def _serve(thinkers: Thinkers, case: staffing.StaffBrief, patience: float) -> Awaitable[Served | None]:
    return thinkers.work(OFFICER, staffing.serve, case, patience)


ORDER: Final = WorkKind("order", BotTask, Answer, lambda thinkers, thought, patience: thinkers.think(thought, patience))
DRAW: Final = WorkKind(
    "draw", BotTask, bool, lambda thinkers, thought, patience: thinkers.accepts_draw(thought, patience)
)
SERVE: Final = WorkKind("serve", staffing.StaffBrief, Served, _serve)


class Pool:
    """The places of this server at which bots think, and whose turn it is."""

    def __init__(self, thinkers: Thinkers, scheduler: FairScheduler | None = None) -> None:
        self._thinkers = thinkers
        self._scheduler = scheduler or FairScheduler(thinkers.workers)

    async def do(
        self, game: str, kind: WorkKind[C, T], case: C, patience: float, *, is_behind: bool = False
    ) -> T | None:
        """What a bot works out for a game when it is its turn, behind all others if so said; None if it fails.

        Raises TimeoutError after `patience` seconds of thinking.
        """
        return await self.here(game, kind, case, patience, is_behind=is_behind)

    async def here(
        self, game: str, kind: WorkKind[C, T], case: C, patience: float, *, is_behind: bool = False
    ) -> T | None:
        """The same at one of these places."""
        async with self._scheduler.turn(game, is_behind=is_behind):
            return await kind.do(self._thinkers, case, patience)

"""Machines that lead a side: whoever is asked thinks in another process, and his order is played like any other."""

from __future__ import annotations

import asyncio
import logging
import secrets

from leuthen.server.problems import problem_of
from leuthen.server.room import Room
from leuthen.server.thinking import Thinkers, Thought

_log = logging.getLogger(__name__)
PAUSE: float = 2.0
"""Seconds before a machine's order is tried again that could not be written."""


class Drivers:
    """Drives the machines of all games: at most one thought a game at a time."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def is_busy(self, game: str) -> bool:
        """Whether a machine is at work in a game."""
        return game in self._tasks

    def wake(self, room: Room) -> None:
        """Looks whether a machine is asked in a game, and lets it think."""
        if room.id not in self._tasks and next_bot(room) is not None:
            task = self._tasks[room.id] = asyncio.ensure_future(self._drive(room))
            task.add_done_callback(lambda _: self._tasks.pop(room.id, None))

    async def _drive(self, room: Room) -> None:
        while (asked := next_bot(room)) is not None:
            side, bot = asked
            line = len(room.course.record)
            view = room.ruleset.encode_view(room.glance.view(side))
            thought = Thought(bot, room.ruleset.name, side, view, secrets.randbits(63))
            text = await self._thinkers.think(thought)
            try:
                await room.play(side, text, line)
            except Exception as error:
                fault = problem_of(error)
                _log.warning("game %s: the order of %s does not count: %s", room.id, bot, fault or type(error).__name__)
                if fault is None or fault.problem.status < 500:
                    return
                await asyncio.sleep(PAUSE)

    async def close(self) -> None:
        """Ends all thinking; it begins again when the games are needed again."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._thinkers.close()


def next_bot(room: Room) -> tuple[int, str] | None:
    """The side that a machine leads and that is asked now, and which machine."""
    bots = room.bots
    asked = (awaited.side for awaited in room.glance.awaited(2)) if bots else ()
    return next(((side, bots[side]) for side in asked if side in bots), None)

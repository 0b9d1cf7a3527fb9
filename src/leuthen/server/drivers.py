"""Who answers without a person: standing instructions, and machines that lead a side.

A machine that is asked thinks in another process, and its order is played like any other. A standing instruction
answers as its owner's hand would: each answer is on disk, and told, by itself.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import Final

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.server.fairness import Fairness
from leuthen.server.room import Room
from leuthen.server.thinking import Thinkers, Thought
from leuthen.storage.faults import StorageError

_log = logging.getLogger(__name__)
PAUSE: float = 2.0
"""Seconds before a machine's order is tried again that could not be written."""
SHORT: Final = 10.0
"""Seconds that a machine may think at first; whoever needs longer thinks again, behind all others that are quicker."""
LONG: Final = 120.0
"""Seconds after which it does what commits least."""


class Drivers:
    """Drives the machines of all games: at most one thought a game at a time."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._fairness = Fairness(thinkers.workers)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def is_busy(self, game: str) -> bool:
        """Whether a machine is at work in a game."""
        return game in self._tasks

    async def think(self, game: str, thought: Thought) -> str | None:
        """What a machine would order, when it is this game's turn to think; None if it fails or thinks for ever."""
        for patience in (SHORT, LONG):
            async with self._fairness.turn(game):
                try:
                    return await self._thinkers.think(thought, patience)
                except TimeoutError:
                    _log.warning("the bot %s has thought for more than %.0f s; it is ended", thought.bot, patience)
        return None

    def wake(self, room: Room) -> None:
        """Looks whether a machine or a standing instruction is asked in a game, and lets it answer."""
        if room.id not in self._tasks and (room.is_instructed or next_bot(room) is not None):
            self._tasks[room.id] = asyncio.ensure_future(self._drive(room))

    async def _drive(self, room: Room) -> None:
        try:
            await self._play_on(room)
        except Exception:
            _log.exception("game %s: its machine plays no more until somebody acts", room.id)
        finally:
            del self._tasks[room.id]

    async def _play_on(self, room: Room) -> None:
        """Lets instructions and machines answer as long as one is asked."""
        while True:
            try:
                if not (room.is_instructed and await room.stand_in()) and not await self._think_for(room):
                    return
            except StorageError as error:
                _log.warning("game %s: an answer could not be written: %s", room.id, type(error).__name__)
                await asyncio.sleep(PAUSE)

    async def _think_for(self, room: Room) -> bool:
        """Lets a machine answer; False if none is asked."""
        asked = next_bot(room)
        if asked is None:
            return False
        side, bot = asked
        line = len(room.course.record)
        view = room.ruleset.encode_view(room.glance.view(side))
        text = await self.think(
            room.id, Thought(bot, room.ruleset.name, side, view, secrets.randbits(63), room.ruleset.digest)
        )
        try:
            await room.play(side, text, line)
        except (Invalid, Illegal):
            _log.exception("game %s: the order of %s is refused; it does what commits least", room.id, bot)
            await room.play(side, None, line)
        return True

    async def close(self) -> None:
        """Ends all thinking; it begins again when the games are needed again."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def next_bot(room: Room) -> tuple[int, str] | None:
    """The side that a machine leads and that is asked now, and which machine."""
    return next(((side, bot) for side, bot in room.bots.items() if room.glance.is_asked(side)), None)

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
from leuthen.server.bots.thinking import Answer, Thinkers, Thought
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.scheduler import FairScheduler
from leuthen.storage.faults import StorageError

_log = logging.getLogger(__name__)
PAUSE: float = 2.0
"""Seconds before a machine's order is tried again that could not be written."""
SHORT: Final = 10.0
"""Seconds that a machine may think at first; whoever needs longer thinks again, behind all others that are quicker."""
LONG: Final = 120.0
"""Seconds after which it does what commits least."""


class BotDrivers:
    """Drives the machines of all games: at most one thought a game at a time."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._scheduler = FairScheduler(thinkers.workers)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def is_busy(self, game: str) -> bool:
        """Whether a machine is at work in a game."""
        return game in self._tasks

    async def think(self, game: str, thought: Thought) -> Answer | None:
        """What a machine would order, when it is this game's turn to think; None if it fails or thinks for ever."""
        for patience in (SHORT, LONG):
            async with self._scheduler.turn(game):
                try:
                    return await self._thinkers.think(thought, patience)
                except TimeoutError:
                    _log.warning("the bot %s has thought for more than %.0f s; it is ended", thought.bot, patience)
        return None

    def wake(self, session: GameSession) -> None:
        """Looks whether a machine or a standing instruction is asked in a game, and lets it answer."""
        if session.id not in self._tasks and (session.is_instructed or next_bot(session) is not None):
            self._tasks[session.id] = asyncio.ensure_future(self._drive(session))

    async def _drive(self, session: GameSession) -> None:
        try:
            await self._play_on(session)
        except Exception:
            _log.exception("game %s: its machine plays no more until somebody acts", session.id)
        finally:
            del self._tasks[session.id]

    async def _play_on(self, session: GameSession) -> None:
        """Lets instructions and machines answer as long as one is asked."""
        while True:
            try:
                if not (session.is_instructed and await session.stand_in()) and not await self._think_for(session):
                    return
            except StorageError as error:
                _log.warning("game %s: an answer could not be written: %s", session.id, type(error).__name__)
                await asyncio.sleep(PAUSE)

    async def _think_for(self, session: GameSession) -> bool:
        """Lets a machine answer; False if none is asked."""
        asked = next_bot(session)
        if asked is None:
            return False
        side, bot = asked
        line = len(session.history.record)
        view = session.ruleset.encode_view(session.seat_view.view(side))
        ruleset, before = session.ruleset, await session.thought_of(side)
        about = Thought(bot, ruleset.name, side, view, secrets.randbits(63), ruleset.digest, before)
        found = await self.think(session.id, about) or Answer("")
        if found.word:
            _log.info("game %s: %s", session.id, found.word)
        try:
            await session.play(side, found.order or None, line, found.after)
        except (Invalid, Illegal):
            _log.exception("game %s: the order of %s is refused; it does what commits least", session.id, bot)
            await session.play(side, None, line)
        return True

    async def close(self) -> None:
        """Ends all thinking; it begins again when the games are needed again."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def next_bot(session: GameSession) -> tuple[int, str] | None:
    """The side that a machine leads and that is asked now, and which machine."""
    return next(((side, bot) for side, bot in session.bots.items() if session.seat_view.is_asked(side)), None)

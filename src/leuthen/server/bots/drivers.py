"""Players that are not people: standing instructions, bots and staffs.

A bot thinks in another process, and its order is played like any other. A standing instruction answers as its owner
would: each answer is stored and published by itself.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, TypeAlias, TypeVar

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Side
from leuthen.play.record import RESIGN
from leuthen.school.lessons import SCRIPT
from leuthen.server.bots.workers import WORKERS, Answer, Brief, accepts, answer, serve
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.limits import FairScheduler, Run, WorkerDied, charge_callback, end_all
from leuthen.server.session.lookback import script_order
from leuthen.storage.rows import StorageError

T = TypeVar("T")
Say: TypeAlias = Callable[[str], Awaitable[None]]
_log = logging.getLogger(__name__)
PAUSE: float = 2.0
"""Seconds before a bot's order is retried after a failed write."""
SHORT: Final = 10.0
"""Seconds for a bot's first attempt; if it needs longer, it thinks again behind quicker ones."""
LONG: Final = 120.0
"""Seconds after which the order that commits least is given."""

ANEW: Final = "My plan no longer works. I am making a new one."
THINKS: Final = "This takes me longer than usual. You can look around, leave and come back, or resign."
NO_ORDER: Final = "I found no good order and chose the safest one."
RESIGNS: Final = "I have had no chance for some turns. I resign: you win."
ACCEPTS: Final = "I accept: I expect less than a draw."
DECLINES: Final = "I decline: I can still win this war."
"""Chat lines of bots."""


class BotDrivers:
    """Drives the bots of all games, one thought per game at a time; `run` does their work in other processes."""

    def __init__(self, run: Run, workers: int = WORKERS, scheduler: FairScheduler | None = None) -> None:
        self._run = run
        self._scheduler = scheduler or FairScheduler(workers)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def is_busy(self, game: str) -> bool:
        return game in self._tasks

    @property
    def count(self) -> int:
        return len(self._tasks)

    async def think(
        self,
        game: str,
        work: Callable[[Brief], T],
        brief: Brief,
        say: Say | None = None,
        *,
        is_behind: bool = False,
        patience: Sequence[float] = (SHORT, LONG),
    ) -> T | None:
        """Return the result of a bot's work when it is this game's turn; None if it fails or takes too long.

        Each attempt has its `patience` in seconds; `say` announces that the first was not enough. A game that
        `is_behind` waits for all others.
        """
        for seconds in patience:
            try:
                async with self._scheduler.turn(game, is_behind=is_behind):
                    return await self.attempt(work, brief, seconds)
            except TimeoutError:
                _log.warning("game %s: a bot has thought for more than %.0f s; it is ended", game, seconds)
            if say is not None:
                await say(THINKS)
                say = None
        return None

    async def attempt(self, work: Callable[[Brief], T], brief: Brief, seconds: float) -> T | None:
        """Return the result; None if the work fails, or its process dies twice. Raise TimeoutError."""
        for _ in range(2):
            try:
                async with asyncio.timeout(seconds):
                    return await self._run(work, brief)
            except WorkerDied:
                _log.warning("a thinking process of the bot %s has died", brief.bot)
            except TimeoutError:
                raise
            except Exception:
                _log.exception("the bot %s has failed", brief.bot)
                return None
        return None

    def wake(self, session: GameSession) -> None:
        if session.id not in self._tasks:
            self._tasks[session.id] = asyncio.ensure_future(self._drive(session))

    async def _drive(self, session: GameSession) -> None:
        if not session.is_of_machines:
            charge_callback.set(lambda seconds: None)  # a player does not pay for his opponent's work
        try:
            await self._play_on(session)
        except Exception:
            _log.exception("game %s: its bot stops until the next action", session.id)
        finally:
            del self._tasks[session.id]

    async def _play_on(self, session: GameSession) -> None:
        while session.is_attended:
            try:
                if session.is_instructed and await session.answer_by_instruction():
                    continue
                if (offered := session.draw_for_bot) is not None:
                    await self._settle_draw(session, *offered)
                elif (served := session.next_staff) is not None:
                    side, state = served
                    line, brief = len(session.history.record), Brief(*session.worker_input(side), side, state.thought)
                    await session.serve(side, state, line, await self.think(session.id, serve, brief))
                elif (asked := session.next_bot) is not None:
                    await self._think_for(session, *asked)
                else:
                    return
            except StorageError:  # the writer has logged it
                await asyncio.sleep(PAUSE)

    async def _think_for(self, session: GameSession, side: Side, bot: str) -> None:
        line = len(session.history.record)
        if bot == SCRIPT:
            await session.play(side, script_order(session, side), line)
            return
        brief, say = await make_brief(session, side, bot), partial(session.remark, side)
        answered = await self.think(session.id, answer, brief, say, is_behind=session.is_of_machines)
        found = answered or Answer("", word=NO_ORDER)
        try:
            is_played = await session.play(side, found.order or None, line, found.after)
        except (Invalid, Illegal):
            _log.exception("game %s: the order of %s is refused; it does what commits least", session.id, bot)
            if await session.play(side, None, line):
                await say(NO_ORDER)
            return
        if is_played and found.word:
            _log.info("game %s: %s", session.id, found.word)
            await say(NO_ORDER if found.word == NO_ORDER else ANEW)
        if is_played and found.order == RESIGN:
            await say(RESIGNS)

    async def _settle_draw(self, session: GameSession, side: Side, bot: str) -> None:
        is_accepted = False
        if bot != SCRIPT:
            brief = await make_brief(session, side, bot)
            is_accepted = bool(await self.think(session.id, accepts, brief, patience=(SHORT,)))
        if await session.settle_draw(side, is_accepted):
            await session.remark(side, ACCEPTS if is_accepted else DECLINES)

    async def close(self) -> None:
        await end_all(self._tasks.values())


async def make_brief(session: GameSession, side: Side, bot: str) -> Brief:
    """Return the brief of a bot: only what its side may know, and its own thought."""
    return Brief(*session.worker_input(side), side, await session.thought_of(side), bot, secrets.randbits(63))

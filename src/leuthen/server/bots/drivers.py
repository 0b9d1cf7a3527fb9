"""Players that are not people: standing instructions, bots and staffs.

A bot thinks in another process, and its order is played like any other. A standing instruction answers as its owner
would: each answer is stored and published by itself.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias, TypeVar

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Side
from leuthen.play.record import RESIGN
from leuthen.school.lessons import SCRIPT
from leuthen.server.bots.workers import Answer, BotTask, StaffBrief, Thinkers, serve
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.limits import FairScheduler, charge_callback, end_all
from leuthen.server.session.schooling import script_order
from leuthen.server.session.staff import OFFICER, StaffAnswer
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
    """Drives the bots of all games, one thought per game at a time."""

    def __init__(self, thinkers: Thinkers, scheduler: FairScheduler | None = None) -> None:
        self._thinkers = thinkers
        self._scheduler = scheduler or FairScheduler(thinkers.workers)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def is_busy(self, game: str) -> bool:
        return game in self._tasks

    @property
    def count(self) -> int:
        return len(self._tasks)

    async def think(
        self, game: str, thought: BotTask, say: Say | None = None, *, is_behind: bool = False
    ) -> Answer | None:
        """Return a bot's order when it is this game's turn; None if the bot fails or takes too long.

        `say` announces a long thought. A game that `is_behind` waits for all others.
        """
        return await self._run_with_patience(game, partial(self._thinkers.think, thought), say, is_behind=is_behind)

    async def advise(self, game: str, case: StaffBrief) -> StaffAnswer | None:
        """Return the order of a side's staff with reasons; None as `think` does."""
        return await self._run_with_patience(game, partial(self._thinkers.work, OFFICER, serve, case))

    async def _run_with_patience(
        self,
        game: str,
        work: Callable[[float], Awaitable[T | None]],
        say: Say | None = None,
        *,
        is_behind: bool = False,
    ) -> T | None:
        for patience in (SHORT, LONG):
            try:
                async with self._scheduler.turn(game, is_behind=is_behind):
                    return await work(patience)
            except TimeoutError:
                _log.warning("game %s: a bot has thought for more than %.0f s; it is ended", game, patience)
            if say is not None:
                await say(THINKS)
                say = None
        return None

    async def accepts_draw(self, game: str, thought: BotTask) -> bool:
        """Return whether a bot accepts a draw; False if it fails."""
        try:
            async with self._scheduler.turn(game):
                return await self._thinkers.accepts_draw(thought, SHORT)
        except TimeoutError:
            return False

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
                if not (
                    (session.is_instructed and await session.answer_by_instruction())
                    or await self._settle_draw(session)
                    or await self._serve(session)
                    or await self._think_for(session)
                ):
                    return
            except StorageError:  # the writer has logged it
                await asyncio.sleep(PAUSE)

    async def _serve(self, session: GameSession) -> bool:
        """Let a staff carry out its plan or ask its player; return False if none must answer."""
        asked = session.next_staff
        if asked is None:
            return False
        side, state = asked
        line, brief = len(session.history.record), StaffBrief(*session.worker_input(side), side, state.thought)
        await session.serve(side, state, line, await self.advise(session.id, brief))
        return True

    async def _think_for(self, session: GameSession) -> bool:
        """Let a bot answer; return False if none must."""
        asked = session.next_bot
        if asked is None:
            return False
        side, bot = asked
        line = len(session.history.record)
        if bot == SCRIPT:
            await session.play(side, script_order(session, side), line)
            return True
        thought = await make_bot_task(session, side, bot)
        answered = await self.think(
            session.id, thought, partial(session.remark, side), is_behind=session.is_of_machines
        )
        found = answered or Answer("", word=NO_ORDER)
        try:
            is_played = await session.play(side, found.order or None, line, found.after)
        except (Invalid, Illegal):
            _log.exception("game %s: the order of %s is refused; it does what commits least", session.id, bot)
            if await session.play(side, None, line):
                await session.remark(side, NO_ORDER)
            return True
        if is_played and found.word:
            _log.info("game %s: %s", session.id, found.word)
            await session.remark(side, NO_ORDER if found.word == NO_ORDER else ANEW)
        if is_played and found.order == RESIGN:
            await session.remark(side, RESIGNS)
        return True

    async def _settle_draw(self, session: GameSession) -> bool:
        """Let a bot answer an offered draw; return False if there is none."""
        asked = session.draw_for_bot
        if asked is None:
            return False
        side, bot = asked
        accepts = bot != SCRIPT and await self.accepts_draw(session.id, await make_bot_task(session, side, bot))
        if await session.settle_draw(side, accepts):
            await session.remark(side, ACCEPTS if accepts else DECLINES)
        return True

    async def close(self) -> None:
        await end_all(self._tasks.values())


async def make_bot_task(session: GameSession, side: Side, bot: str) -> BotTask:
    """Return the task of a bot: only what its side may know, and its own thought."""
    ruleset, data, view = session.worker_input(side)
    return BotTask(bot, ruleset, side, view, secrets.randbits(63), data, await session.thought_of(side))

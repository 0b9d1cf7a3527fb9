"""Bots think in processes of their own: a slow one holds up neither the server nor another game.

A worker gets the bytes of a view and nothing else, so a bot cannot know more than its side does. It draws a world from
the view; the legal set there is that of the true position.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from random import Random
from typing import Final, TypeVar

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.engine.seat import Player
from leuthen.load import believed_world, has_value, load_with, value_of
from leuthen.play.record import RESIGN
from leuthen.server.session.limits import Run, WorkerDied
from leuthen.wargame.bot.commander import Asked, Commander
from leuthen.wargame.bot.hope import accepts_draw, hope, is_judged, judged, resigns
from leuthen.wargame.bot.value import Value

C = TypeVar("C")
T = TypeVar("T")
WORKERS: Final = max(2, (os.cpu_count() or 2) - 1)
_log = logging.getLogger(__name__)


class BotTask(msgspec.Struct, frozen=True):
    """What a bot has to think about: its name, rule set and side, the bytes of its side's view, a seed of its own.

    `data` is the digest of the game's data, `before` the thought that the bot took along from its last decision.
    """

    bot: str
    ruleset: str
    side: Side
    view: bytes
    seed: int
    data: str = ""
    before: bytes = b""


class Answer(msgspec.Struct, frozen=True):
    """A bot's order in the record's notation, or `resign`; the thought that it takes along; a word for the log."""

    order: str
    after: bytes = b""
    word: str = ""


class Thinkers:
    """The worker processes that think."""

    def __init__(self, run: Run, workers: int = WORKERS) -> None:
        self.workers = workers
        self._run = run

    async def think(self, thought: BotTask, patience: float) -> Answer | None:
        """What the bot answers; None if it fails, or its process dies twice.

        Raises TimeoutError after `patience` seconds; its process is ended then.
        """
        return await self.work(thought.bot, answer, thought, patience)

    async def accepts_draw(self, thought: BotTask, patience: float) -> bool:
        """Whether the bot takes a draw that is offered. Raises TimeoutError as `think` does."""
        return bool(await self.work(thought.bot, accepts, thought, patience))

    async def work(self, bot: str, work: Callable[[C], T], case: C, patience: float) -> T | None:
        """What a bot works out of a case. Returns and raises as `think` does."""
        for _ in range(2):
            try:
                async with asyncio.timeout(patience):
                    return await self._run(work, case)
            except WorkerDied:
                _log.warning("a thinking process of the bot %s has died", bot)
            except TimeoutError:
                raise
            except Exception:
                _log.exception("the bot %s has failed", bot)
                return None
        return None


def answer(thought: BotTask) -> Answer:
    """What the bot answers to the decision that its side's view shows."""
    ruleset = load_with(thought.ruleset, thought.data)
    view = ruleset.decode_view(thought.view)
    rng = Random(thought.seed)
    world = ruleset.worlds(view, rng)
    pending = next(pending for pending in ruleset.pending(world) if pending.actor == thought.side)
    bot = _bot(thought, int(rng.random() * 2**32))
    if isinstance(bot, Commander):
        bot.thought = thought.before
    word = bot.word if isinstance(bot, Commander) else ""
    action = bot.choose(lambda: view, ruleset.legal_actions(world, thought.side), pending)
    if not isinstance(action, Action):
        raise TypeError(f"the bot {thought.bot} gives up")
    gives_up = isinstance(bot, Commander) and _gives_up(bot, ruleset, thought, ruleset.date(world))
    after = bot.thought if isinstance(bot, Commander) else b""
    order = RESIGN if gives_up else ruleset.format_action(world, thought.side, action)
    return Answer(order, after, word)


def accepts(thought: BotTask) -> bool:
    """Whether a bot takes a draw, by its side's view."""
    value = _value(thought.ruleset)
    if value is None:
        return False
    rules = load_with(thought.ruleset, thought.data)
    return accepts_draw(hope(rules, believed_world, value, thought.view, thought.side))


def _gives_up(bot: Commander[Asked, object], ruleset: Ruleset, thought: BotTask, date: tuple[int, int]) -> bool:
    """Whether a general resigns; once a turn he looks how his war stands, and remembers it."""
    value = None if is_judged(bot.mind, date) else _value(thought.ruleset)
    if value is not None:
        bot.take_up(judged(bot.mind, hope(ruleset, believed_world, value, thought.view, thought.side), date))
    return resigns(bot.mind)


def _value(ruleset: str) -> Value | None:
    """The learned value; None where there is none, or its file is of no use: the game goes on without."""
    try:
        return value_of(ruleset) if has_value(ruleset) else None
    except Invalid as error:
        _log.warning("machines neither resign nor draw: %s", error)
        return None


def _bot(thought: BotTask, seed: int) -> Player:
    from leuthen.bots import make_bot

    return make_bot(thought.bot, thought.ruleset, thought.side, seed)

"""Bots think in processes of their own, so that a slow one delays neither the server nor another game.

A worker gets only an encoded view, so a bot cannot know more than its side. It samples a world from the view; the legal
set there equals the real one.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from random import Random
from typing import Final, TypeVar

import msgspec

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.load import has_value, load_with, sample_likely_state, value_of
from leuthen.play.record import RESIGN
from leuthen.server.session.limits import Run, WorkerDied
from leuthen.wargame.bot.commander import Asked, Commander
from leuthen.wargame.bot.value import Value
from leuthen.wargame.bot.win_estimate import accepts_draw, estimate_win_chance, is_judged, note_win_chance, resigns

C = TypeVar("C")
T = TypeVar("T")
WORKERS: Final = max(2, (os.cpu_count() or 2) - 1)
_log = logging.getLogger(__name__)


class BotTask(msgspec.Struct, frozen=True):
    """The input of a bot.

    `data` is the digest of the game's data, `before` the bot's thought after its last decision.
    """

    bot: str
    ruleset: str
    side: Side
    view: bytes
    seed: int
    data: str = ""
    before: bytes = b""


class Answer(msgspec.Struct, frozen=True):
    """A bot's order in the record's notation, or `resign`; its new thought; a word for the log."""

    order: str
    after: bytes = b""
    word: str = ""


class Thinkers:
    """The worker processes of bots."""

    def __init__(self, run: Run, workers: int = WORKERS) -> None:
        self.workers = workers
        self._run = run

    async def think(self, thought: BotTask, patience: float) -> Answer | None:
        """Return the bot's answer; None if it fails, or its process dies twice.

        Raise TimeoutError after `patience` seconds; its process is ended then.
        """
        return await self.work(thought.bot, answer, thought, patience)

    async def accepts_draw(self, thought: BotTask, patience: float) -> bool:
        """Return whether the bot accepts a draw. Raise TimeoutError as `think` does."""
        return bool(await self.work(thought.bot, accepts, thought, patience))

    async def work(self, bot: str, work: Callable[[C], T], case: C, patience: float) -> T | None:
        """Run a bot's work. Return and raise as `think` does."""
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
    """Return the bot's answer to the decision in its side's view."""
    ruleset = load_with(thought.ruleset, thought.data)
    view = ruleset.decode_view(thought.view)
    rng = Random(thought.seed)
    world = ruleset.sample_state(view, rng)
    pending = next(pending for pending in ruleset.pending(world) if pending.actor == thought.side)
    bot = make_bot(thought.bot, thought.ruleset, thought.side, int(rng.random() * 2**32))
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
    value = _value(thought.ruleset)
    if value is None:
        return False
    rules = load_with(thought.ruleset, thought.data)
    return accepts_draw(estimate_win_chance(rules, sample_likely_state, value, thought.view, thought.side))


def _gives_up(bot: Commander[Asked, object], ruleset: Ruleset, thought: BotTask, date: tuple[int, int]) -> bool:
    """Return whether a bot resigns; it reviews its chances once a turn."""
    value = None if is_judged(bot.mind, date) else _value(thought.ruleset)
    if value is not None:
        bot.take_up(
            note_win_chance(
                bot.mind, estimate_win_chance(ruleset, sample_likely_state, value, thought.view, thought.side), date
            )
        )
    return resigns(bot.mind)


def _value(ruleset: str) -> Value | None:
    """Return the learned value function; None without a usable file, so that the game goes on without it."""
    try:
        return value_of(ruleset) if has_value(ruleset) else None
    except Invalid as error:
        _log.warning("machines neither resign nor draw: %s", error)
        return None

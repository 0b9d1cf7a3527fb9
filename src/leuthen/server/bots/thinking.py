"""Bots think in processes of their own: a slow one holds up neither the server nor another game.

A worker gets the bytes of a view and nothing else, so a bot cannot know more than its side does. It draws a world from
the view; the legal set there is that of the true position.
"""

from __future__ import annotations

import asyncio
import logging
import os
from random import Random
from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.seat import Seat
from leuthen.load import load_with
from leuthen.server.session.lanes import Run, WorkerDied
from leuthen.wargame.commander import Commander

WORKERS: Final = max(2, (os.cpu_count() or 2) - 1)
_log = logging.getLogger(__name__)


class Thought(msgspec.Struct, frozen=True):
    """What a bot has to think about: its name, rule set and side, the bytes of its side's view, a seed of its own.

    `data` is the digest of the game's data, `before` the thought that the bot took along from its last decision.
    """

    bot: str
    ruleset: str
    side: int
    view: bytes
    seed: int
    data: str = ""
    before: bytes = b""


class Answer(msgspec.Struct, frozen=True):
    """A bot's order in the record's notation, the thought that it takes along, and what is to be said of it, or ""."""

    order: str
    after: bytes = b""
    word: str = ""


class Thinkers:
    """The worker processes that think."""

    def __init__(self, run: Run, workers: int = WORKERS) -> None:
        self.workers = workers
        self._run = run

    async def think(self, thought: Thought, patience: float) -> Answer | None:
        """What the bot answers; None if it fails, or its process dies twice.

        Raises TimeoutError after `patience` seconds; its process is ended then.
        """
        for _ in range(2):
            try:
                async with asyncio.timeout(patience):
                    return await self._run(answer, thought)
            except WorkerDied:
                _log.warning("a thinking process of the bot %s has died", thought.bot)
            except TimeoutError:
                raise
            except Exception:
                _log.exception("the bot %s has failed", thought.bot)
                return None
        return None


def answer(thought: Thought) -> Answer:
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
    after = bot.thought if isinstance(bot, Commander) else b""
    return Answer(ruleset.format_action(world, thought.side, action), after, word)


def _bot(thought: Thought, seed: int) -> Seat:
    from leuthen.bots import make_bot

    return make_bot(thought.bot, thought.ruleset, thought.side, seed)

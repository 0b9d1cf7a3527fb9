"""Bots think in processes of their own: a slow one holds up neither the server nor another game.

A worker gets the bytes of a view and nothing else, so a bot cannot know more than its side does. It draws a world from
the view; the legal set there is that of the true position.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from random import Random
from typing import Final

import msgspec

from leuthen.core.choice import Action
from leuthen.load import load_with
from leuthen.play import Seat

WORKERS: Final = max(2, (os.cpu_count() or 2) - 1)
PATIENCE: Final = 120.0
"""Seconds after which a thought is given up."""
_log = logging.getLogger(__name__)


class Thought(msgspec.Struct, frozen=True):
    """What a bot has to think about: its name, rule set and side, the bytes of its side's view, a seed of its own.

    `data` is the digest of the game's data.
    """

    bot: str
    ruleset: str
    side: int
    view: bytes
    seed: int
    data: str = ""


class Thinkers:
    """The worker processes, first come first served. They are started with the first thought."""

    def __init__(self, workers: int = WORKERS, make: Callable[[int], Executor] | None = None) -> None:
        self.workers = workers
        self._make = make or _processes
        self._pool: Executor | None = None

    async def think(self, thought: Thought) -> str:
        """The bot's order in the record's notation.

        A bot that fails, thinks for ever, or whose process dies twice, gives the answer that commits least.
        """
        loop = asyncio.get_running_loop()
        for _ in range(2):
            pool = self._pool = self._pool or self._make(self.workers)
            try:
                return await asyncio.wait_for(loop.run_in_executor(pool, answer, thought), PATIENCE)
            except TimeoutError:
                _log.warning("the bot %s has thought for more than %.0f s; its process is ended", thought.bot, PATIENCE)
                self.close()
                break
            except BrokenProcessPool:
                _log.warning("a thinking process of the bot %s has died; it is started anew", thought.bot)
                if self._pool is pool:
                    self._pool = None
            except Exception:
                _log.exception("the bot %s has failed", thought.bot)
                break
        return await loop.run_in_executor(None, least, thought)

    def close(self) -> None:
        """Ends the processes; thoughts under way are lost, and thought again when they are asked for again."""
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)


def answer(thought: Thought) -> str:
    """What the bot answers to the decision that its side's view shows."""
    ruleset = load_with(thought.ruleset, thought.data)
    view = ruleset.decode_view(thought.view)
    rng = Random(thought.seed)
    world = ruleset.worlds(view, rng)
    pending = next(pending for pending in ruleset.pending(world) if pending.actor == thought.side)
    bot = _bot(thought, int(rng.random() * 2**32))
    action = bot.choose(lambda: view, ruleset.legal_actions(world, thought.side), pending)
    if not isinstance(action, Action):
        raise TypeError(f"the bot {thought.bot} gives up")
    return ruleset.format_action(world, thought.side, action)


def least(thought: Thought) -> str:
    """The answer that commits least."""
    ruleset = load_with(thought.ruleset, thought.data)
    world = ruleset.worlds(ruleset.decode_view(thought.view), Random(thought.seed))
    return ruleset.format_action(world, thought.side, ruleset.default(world, thought.side))


def _bot(thought: Thought, seed: int) -> Seat:
    from leuthen.bots import make_bot

    return make_bot(thought.bot, thought.ruleset, thought.side, seed)


def _processes(workers: int) -> Executor:
    return ProcessPoolExecutor(workers, get_context("spawn"), _prepare)


def _prepare() -> None:
    """A worker leaves Ctrl-C to the server, which ends it; and it does not outlive a server that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(1)

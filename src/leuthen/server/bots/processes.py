"""Worker processes: what is done there holds nobody up, and is ended when it takes too long.

What the asker did wrong comes back from there as a problem, not as an error: errors do not all survive the way.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import msgspec
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.load import Unreadable, add_ruleset, added_rulesets, load_with
from leuthen.server.session.limits import WorkerDied, end_all
from leuthen.server.session.messages import LeftUndone, Problem
from leuthen.server.session.problems import Fault, problem_of

T = TypeVar("T")
NICE: Final = 10
"""How far the processes stand back behind the server."""
MEMORY: Final = 2 * 1024**3
"""Bytes of addresses that a process may have."""
_WATCH: Final = 1.0
"""Seconds between two looks of a worker whether the server is still there."""
_ENDING: Final = "AnyIO process pool shutdown task"


async def in_process(work: Callable[..., T], /, *args: object) -> T:
    """Does something in a worker process, which is killed if this is cancelled. Lanes limit how many there are."""
    try:
        return await to_process.run_sync(
            _do, added_rulesets(), work, args, cancellable=True, limiter=CapacityLimiter(1)
        )
    except BrokenWorkerProcess as error:
        raise WorkerDied from error


async def end_processes() -> None:
    """Ends all worker processes, whatever they do. The library does so with the loop, which a signal forestalls."""
    await end_all(task for task in asyncio.all_tasks() if task.get_name() == _ENDING)


def expect_done(found: T | Problem) -> T:
    """What was found. Raises Fault if it was a problem."""
    if isinstance(found, Problem):
        raise Fault(found)
    return found


# --- in the worker process --------------------------------------------------------------------------------------------

_prepared: list[bool] = []


def _do(added: Sequence[str], work: Callable[..., T], args: tuple[object, ...]) -> T:
    """What a worker process is given to do. It fails with nothing but what the server may catch."""
    if not _prepared:
        _prepared.append(True)
        _prepare()
        for named in added:
            add_ruleset(named)
    try:
        return work(*args)
    except Exception:
        raise
    except BaseException as error:
        raise RuntimeError(type(error).__name__) from None


def _prepare() -> None:
    """A worker leaves Ctrl-C to the server, stands back behind it, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        return
    import resource

    os.nice(NICE)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard), hard))
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(server: int) -> None:
    while os.getppid() == server:
        time.sleep(_WATCH)
    os._exit(1)


def look(ruleset: str, data: str, view: bytes, what: str, *words: str) -> bytes | Problem:
    """A layer, odds, or what is left undone, as JSON, by the rule set with the data of that digest."""
    rules = load_with(ruleset, data)
    try:
        found: Any = getattr(rules.presenter, what)(rules.decode_view(view), *words)
    except (Invalid, Illegal) as error:
        return as_problem(error)
    return msgspec.json.encode(LeftUndone(found) if what == "left_undone" else found)


def as_problem(error: Exception) -> Problem:
    """An error of the asker's as a problem. Raises RuntimeError for one of the server's own."""
    fault = problem_of(error)
    if fault is None or isinstance(error, Unreadable):
        raise RuntimeError(str(error)) from error
    return fault.problem

"""Worker processes: their work delays no other request and is ended when it takes too long.

Errors of the requester return as problems, because not all exceptions can be pickled.
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
from leuthen.load import UnreadableFile, add_ruleset, added_rulesets, load_with
from leuthen.server.session.limits import WorkerDied, end_all
from leuthen.server.session.messages import LeftUndone, Problem
from leuthen.server.session.problems import Fault, problem_of

T = TypeVar("T")
NICE: Final = 10
"""Niceness of the processes."""
MEMORY: Final = 2 * 1024**3
"""Limit of a process's address space in bytes."""
_WATCH: Final = 1.0
"""Seconds between a worker's checks that the server is alive."""
_ENDING: Final = "AnyIO process pool shutdown task"


async def in_process(work: Callable[..., T], /, *args: object) -> T:
    """Run work in a worker process, which is killed if the call is cancelled. Work queues limit their number."""
    try:
        return await to_process.run_sync(
            _do, added_rulesets(), work, args, cancellable=True, limiter=CapacityLimiter(1)
        )
    except BrokenWorkerProcess as error:
        raise WorkerDied from error


async def end_processes() -> None:
    """End all worker processes. The library would do so with the loop, but a signal comes first."""
    await end_all(task for task in asyncio.all_tasks() if task.get_name() == _ENDING)


def expect_done(found: T | Problem) -> T:
    """Return the result. Raise Fault if it is a problem."""
    if isinstance(found, Problem):
        raise Fault(found)
    return found


# --- in the worker process --------------------------------------------------------------------------------------------

_prepared: list[bool] = []


def _do(added: Sequence[str], work: Callable[..., T], args: tuple[object, ...]) -> T:
    """Run work in the worker process. It raises only exceptions that the server can catch."""
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
    """Ignore Ctrl-C, lower the priority, limit the memory, and end with the server."""
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
    """Return a layer, odds, or the remaining tasks, as JSON."""
    rules = load_with(ruleset, data)
    try:
        found: Any = getattr(rules.presenter, what)(rules.decode_view(view), *words)
    except (Invalid, Illegal) as error:
        return as_problem(error)
    return msgspec.json.encode(LeftUndone(found) if what == "left_undone" else found)


def as_problem(error: Exception) -> Problem:
    """Return the problem of a requester's error. Raise RuntimeError for an error of the server."""
    fault = problem_of(error)
    if fault is None or isinstance(error, UnreadableFile):
        raise RuntimeError(str(error)) from error
    return fault.problem

"""A run of many games over several processes, in the order of the games whatever the number of processes."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterable, Iterator
from multiprocessing.pool import Pool
from typing import IO, Final

from leuthen.engine.ruleset import Ruleset
from leuthen.simulate.game import Line, Plan, play_one

_METHOD: Final = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
"""Forking shares the rule set with the workers; where there is none, it is pickled for them."""


def play_many(ruleset: Ruleset, plan: Plan, games: Iterable[int], jobs: int = 1) -> Iterator[Line]:
    """The lines of these games, in their order. Raises GameFailed when one breaks off."""
    if jobs == 1:
        return (play_one(ruleset, plan, index) for index in games)
    return _play_parallel(ruleset, plan, games, jobs)


def _play_parallel(ruleset: Ruleset, plan: Plan, games: Iterable[int], jobs: int) -> Iterator[Line]:
    """The workers begin at once, before the caller has threads of his own: a fork would not take those along."""
    return _lines(multiprocessing.get_context(_METHOD).Pool(jobs, _prepare, (ruleset, plan)), games)


def _lines(pool: Pool, games: Iterable[int]) -> Iterator[Line]:
    with pool:
        yield from pool.imap(_play_in_worker, games)


_worker: list[tuple[Ruleset, Plan]] = []
"""What a worker plays; set once, in the worker."""


def _prepare(ruleset: Ruleset, plan: Plan) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker[:] = [(ruleset, plan)]


def _play_in_worker(index: int) -> Line:
    return play_one(*_worker[0], index)


def report(lines: Iterable[Line], total: int, out: IO[str], err: IO[str]) -> None:
    """Writes the games as lines of JSON to `out`, and a progress bar to `err`."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=err), transient=False) as progress:
        task = progress.add_task("games", total=total)
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            out.flush()
            progress.advance(task)

"""Report tasks in several processes; the result does not depend on their number."""

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from leuthen.load import add_ruleset, added_rulesets
from leuthen.report.assemble import Work, work_here
from leuthen.report.sampling import Headquarters, TrialResult, WorldTask, compare_orders
from leuthen.screen.presenter import TableRuleset
from leuthen.ticking import ticking

_METHOD: Final = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"


@contextmanager
def open_workers(ruleset: TableRuleset, seed: str, jobs: int) -> Iterator[Work]:
    """Provide a worker for the tasks of a report: this process, or `jobs` others, which end with the block.

    They start at once, before the caller has threads of its own: a fork would not copy those.
    """
    if jobs == 1:
        yield work_here(Headquarters(ruleset), seed)
        return
    with multiprocessing.get_context(_METHOD).Pool(jobs, _prepare, (ruleset, seed, added_rulesets())) as pool:
        yield partial(pool.imap, _do)


_worker: list[tuple[Headquarters, str]] = []  # the state of a worker, set once in its process


def _prepare(ruleset: TableRuleset, seed: str, added: Sequence[str]) -> None:
    for named in added:
        add_ruleset(named)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker[:] = [(Headquarters(ruleset), seed)]


def _do(task: WorldTask) -> TrialResult:
    headquarters, seed = _worker[0]
    with ticking():
        return compare_orders(headquarters, task.question, task.worlds, seed, task.enough)

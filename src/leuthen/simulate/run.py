"""Many games, in their order, wherever and by however many processes they are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

from leuthen.screen.presenter import TableRuleset
from leuthen.simulate.game import GameTask, Line, play_one
from leuthen.simulate.on_ray import results_on_ray
from leuthen.simulate.processes import Workers

T = TypeVar("T")
R = TypeVar("R")
LOCAL: Final = "local"


def do_many(do: Callable[[T], R], tasks: Sequence[T], jobs: int = 1, on: str = LOCAL) -> Iterator[R]:
    """What comes of the tasks, in their order: done here, or `on` a cluster, "ray" or "ray://HOST:PORT".

    What is done must be picklable, and the same for the same task wherever it is done: it may be done again.
    Processes begin at once, before the caller has threads of his own: a fork would not take those along.
    Raises GameFailed when a task fails, Invalid where there is no such cluster.
    """
    if on != LOCAL:
        return results_on_ray(do, tasks, jobs, on)
    if jobs == 1:
        return map(do, tasks)
    return Workers(do, jobs).results(tasks)


def play_many(ruleset: TableRuleset, tasks: Sequence[GameTask], jobs: int = 1, on: str = LOCAL) -> Iterator[Line]:
    """The lines of these games, as by `do_many`."""
    return do_many(partial(play_one, ruleset), tasks, jobs, on)

"""Many games on a cluster of Ray (docs.ray.io), where one machine is outgrown: the same games for the same seed.

Ray begins a game anew whose process or machine was lost. It comes with the extra `cluster`; nothing else needs it.
"""

from __future__ import annotations

import importlib
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from types import ModuleType
from typing import Final, TypeAlias, TypeVar

from leuthen.engine.refusal import Invalid
from leuthen.simulate.game import GameFailed
from leuthen.simulate.processes import TRIES, attempt

T = TypeVar("T")
R = TypeVar("R")

Reference: TypeAlias = object
"""Ray's reference to a value that lies, or will lie, somewhere in the cluster."""
AHEAD: Final = 4
"""So many tasks are asked for ahead of the one that is waited for, for every processor."""


def results_on_ray(do: Callable[[T], R], tasks: Sequence[T], jobs: int, on: str) -> Iterator[R]:
    """What comes of the tasks, in their order. `on` is "ray", for `jobs` processes of this machine, or an address.

    Raises GameFailed when a game breaks off or kills its process; Invalid if Ray is not installed or not to be reached.
    """
    ray = _ray()
    try:
        with warnings.catch_warnings(action="ignore"):
            if on == "ray":
                ray.init(num_cpus=jobs, log_to_driver=False, include_dashboard=False)
            else:
                ray.init(on)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise Invalid(f"{on}: no cluster answers there: {error}") from error
    return _results(ray, do, tasks)


def _ray() -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # what is played here is nobody else's business
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise Invalid("Ray is not installed: pip install 'leuthen[cluster]'") from error


def _results(ray: ModuleType, do: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
    work = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_work)
    place = ray.put(do)
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    asked: deque[Reference] = deque()
    todo = iter(tasks)
    try:
        for task in tasks:
            asked.extend(work.remote([place], one) for one in islice(todo, most - len(asked)))
            result: R | GameFailed = _result(ray, asked.popleft(), task)
            if isinstance(result, GameFailed):
                raise result
            yield result
    finally:
        ray.shutdown()


def _result(ray: ModuleType, asked: Reference, task: T) -> R | GameFailed:
    try:
        result: R | GameFailed = ray.get(asked)
    except ray.exceptions.RayTaskError as error:
        reason = f"{error.cause}; has every machine of the cluster this version of Leuthen?"
        return GameFailed(f"{task} broke off before it began: {reason}")
    except ray.exceptions.RayError as error:
        reason = f"its process was lost {TRIES} times ({type(error).__name__})"
        return GameFailed(f"{task} broke off: {reason}")
    return result


# --- in a worker ------------------------------------------------------------------------------------------------------


def _work(place: list[Reference], task: T) -> R | GameFailed:
    """Does a task. What is to be done comes in a list, so that Ray does not fetch it for each one."""
    return attempt(_fetched(place[0]), task)


@lru_cache(maxsize=1)
def _fetched(place: Reference) -> Callable[[T], R]:
    do: Callable[[T], R] = _ray().get(place)
    return do

"""The games of a bulk run: one game, and many in this process, in several, or on a Ray cluster (docs.ray.io).

A task has the same result wherever it runs. A killed process costs time but no game.
"""

import importlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar, cast

import msgspec

from leuthen.bots import PATIENCE, GuardedBot, make_player
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, Player, PlayFailed, Side
from leuthen.load import add_ruleset, added_rulesets
from leuthen.play.dice import Key
from leuthen.play.record import Writer
from leuthen.play.table import LIMIT, Game, Table, make_header
from leuthen.screen.presenter import TableRuleset
from leuthen.simulate.isolated import IsolatedBot
from leuthen.ticking import ticking

Line = dict[str, object]
SLACK: Final = 30  # additional seconds for an isolated bot's process: to start, and to report a slow bot


class Match(msgspec.Struct, frozen=True):
    """The parameters of a run: rule set with data, scenario and options, both bots, the seed."""

    ruleset: str
    data: str
    scenario: str
    options: Mapping[str, str]
    bots: tuple[str, str]
    seed: str


class GameTask(NamedTuple):
    """A game of a run: its number, the folder for its record or None, and the limit of actions.

    `isolated`: each bot has its own process; `patience`: seconds for a decision.
    """

    match: Match
    game: int
    records: Path | None = None
    limit: int = LIMIT
    isolated: bool = False
    patience: float = PATIENCE

    def __str__(self) -> str:
        return f"game {self.game}"


class GameFailed(PlayFailed):
    """A game of a run that broke off. The message names it with the reason and place."""


def play_one(ruleset: TableRuleset, task: GameTask) -> Line:
    """Play a game of a run, the same one for the same number and match. Raise GameFailed."""
    start = time.process_time()
    try:
        line = _play(ruleset, task)
    except PlayFailed as error:
        raise GameFailed(f"{task} broke off: {error}", error.trace) from error
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise GameFailed(f"{task} broke off: {reason}", traceback.format_exc()) from error
    return {**line, "seconds": round(time.process_time() - start, 3)}


def _play(ruleset: TableRuleset, task: GameTask) -> Line:
    match, key, record = task.match, Key.from_seed(task.match.seed, task.game), None
    if task.records is not None:
        header = make_header(ruleset, match.scenario, match.options, match.bots, game=key.game_id())
        record = Writer.create(task.records / f"game-{task.game:05d}.leuthen", header, durable=False)
    table = Table(ruleset, ruleset.new_game(match.scenario, match.options), record=record)
    with _seat_bots(table, task, key) as players:
        Game(table, players, key.dice(), limit=task.limit).play()
    outcome = ruleset.outcome(table.state)
    assert outcome is not None, "a bot stopped playing"
    return {
        "game": task.game,
        "winner": None if outcome.winner is None else ruleset.sides[outcome.winner],
        "how": outcome.how,
        "year": outcome.year,
        **ruleset.summary(table.state),
        "actions": table.actions,
        "chances": table.chances,
    }


@contextmanager
def _seat_bots(table: Table, task: GameTask, key: Key) -> Iterator[list[GuardedBot]]:
    begun, is_over = list[IsolatedBot](), False

    def made(bot: str, side: Side) -> Player:
        seed = key.bot_seed(table.ruleset.sides[side])
        if not task.isolated:
            return make_player(bot, table.ruleset, side, seed)
        begun.append(IsolatedBot(bot, table.ruleset, side, seed, task.patience, lambda: table.state))
        return begun[-1]

    try:
        with ticking(task.patience + (SLACK if task.isolated else 0)):
            yield [GuardedBot(bot, partial(made, bot, side)) for side, bot in zip(SIDES, task.match.bots, strict=True)]
        is_over = True
    finally:
        for isolated in begun:
            isolated.close(is_over=is_over)
        if isinstance(table.record, Writer):
            table.record.close()


T = TypeVar("T")
R = TypeVar("R")
LOCAL: Final = "local"
METHOD: Final = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
"""Forked workers share the rule set; spawned ones get a pickled copy."""
TRIES: Final = 3  # processes that a game may lose before it is taken to be the cause
AHEAD: Final = 4  # tasks submitted to Ray ahead of the next result, for each processor


def play_many(ruleset: TableRuleset, tasks: Sequence[GameTask], jobs: int = 1, on: str = LOCAL) -> Iterator[Line]:
    """Return the lines of these games, as `run_tasks` does."""
    return run_tasks(partial(play_one, ruleset), tasks, jobs, on)


def run_tasks(do: Callable[[T], R], tasks: Sequence[T], jobs: int = 1, on: str = LOCAL) -> Iterator[R]:
    """Return the results of the tasks in order, computed here, or `on` a cluster: "ray" or "ray://HOST:PORT".

    `do` must be picklable and always return the same for the same task, because a task may run twice. Processes start
    at once, before the caller starts threads, which a fork would not copy. Raise PlayFailed when a task fails or kills
    its process, Invalid if there is no such cluster.
    """
    if on == LOCAL and jobs == 1:
        return map(do, tasks)
    work = partial(_attempt, added_rulesets(), do)
    return _results_on_ray(work, tasks, jobs, on) if on != LOCAL else _Processes(work, tasks, jobs).results()


def _attempt(added: Sequence[str], do: Callable[[T], R], task: T) -> R | PlayFailed:
    try:
        for named in added:
            add_ruleset(named)
        return do(task)
    except PlayFailed as error:
        return error
    except Exception as error:
        return GameFailed(f"{task} broke off: {type(error).__name__}: {error}", traceback.format_exc())


class _Processes(Generic[T, R]):
    """The worker processes of one run. If one dies, all are restarted and the lost games repeated."""

    def __init__(self, work: Callable[[T], R | PlayFailed], tasks: Sequence[T], jobs: int) -> None:
        self._work = work
        self._tasks = tasks
        self._jobs = jobs
        self._futures: dict[int, Future[R | PlayFailed]] = {}
        self._children: list[BaseProcess] = []
        self._begin(METHOD, range(len(tasks)))

    def _begin(self, method: str, places: Collection[int]) -> None:
        """Start processes for the tasks at these places, in place of those before."""
        self._end()
        if not places:
            return
        others = multiprocessing.active_children()
        context, jobs = multiprocessing.get_context(method), min(self._jobs, len(places))
        self._pool = ProcessPoolExecutor(jobs, context, initializer=_prepare, initargs=(self._work,))
        self._futures |= {place: self._pool.submit(_do_task, self._tasks[place]) for place in places}
        self._children = [child for child in multiprocessing.active_children() if child not in others]

    def _end(self) -> None:
        for child in self._children:
            child.terminate()
        if self._children:
            self._pool.shutdown(cancel_futures=True)
        self._children = []

    def results(self) -> Iterator[R]:
        """Yield the results in order. Raise PlayFailed."""
        try:
            for place in range(len(self._tasks)):
                yield _expect_success(self._result(place))
        finally:
            self._end()

    def _result(self, place: int) -> R | PlayFailed:
        for lost in range(TRIES + 1):
            try:
                result = self._futures.pop(place).result()
            except BrokenProcessPool:
                self._begin("spawn", [place])  # a fork would take along the locks of threads begun since
                continue
            if lost:
                futures = self._futures.items()
                self._begin("spawn", [one for one, future in futures if future.cancelled() or future.exception()])
            return result
        return GameFailed(f"{self._tasks[place]} broke off: its process was killed {TRIES} times")


def _expect_success(result: R | PlayFailed) -> R:
    if isinstance(result, PlayFailed):
        raise result
    return result


_prepared: Final[list[Callable[..., object]]] = []  # the worker's function, set once in the worker


def _do_task(task: T) -> R | PlayFailed:
    return cast("R | PlayFailed", _prepared[0](task))


def _prepare(work: Callable[[T], R | PlayFailed]) -> None:
    _prepared.append(work)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


# --- on Ray, which comes with the extra `cluster` ---------------------------------------------------------------------

Reference: TypeAlias = object  # Ray's reference to a value in the cluster


def _results_on_ray(work: Callable[[T], R | PlayFailed], tasks: Sequence[T], jobs: int, on: str) -> Iterator[R]:
    ray = _ray()
    try:
        with warnings.catch_warnings(action="ignore"):
            if on == "ray":
                ray.init(num_cpus=jobs, log_to_driver=False, include_dashboard=False)
            else:
                ray.init(on)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise Invalid(f"{on}: no cluster answers there: {error}") from error
    return _gather_results(ray, work, tasks)


def _ray() -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # what is played here is nobody else's business
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise Invalid("Ray is not installed: pip install 'leuthen[cluster]'") from error


def _gather_results(ray: ModuleType, work: Callable[[T], R | PlayFailed], tasks: Sequence[T]) -> Iterator[R]:
    remote = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_work)
    place = ray.put(work)
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    submitted: deque[Reference] = deque()
    todo = iter(tasks)
    try:
        for task in tasks:
            submitted.extend(remote.remote([place], one) for one in islice(todo, most - len(submitted)))
            try:
                result: R | PlayFailed = ray.get(submitted.popleft())
            except ray.exceptions.RayTaskError as error:
                reason = f"{error.cause}; does every machine of the cluster have this version of Leuthen?"
                raise GameFailed(f"{task} failed before it began: {reason}") from error
            except ray.exceptions.RayError as error:
                reason = f"its process was lost {TRIES} times ({type(error).__name__})"
                raise GameFailed(f"{task} broke off: {reason}") from error
            yield _expect_success(result)
    finally:
        ray.shutdown()


def _work(place: list[Reference], task: T) -> R | PlayFailed:
    return cast("R | PlayFailed", _fetch_task(place[0])(task))


@lru_cache(maxsize=1)
def _fetch_task(place: Reference) -> Callable[[T], R | PlayFailed]:
    return cast("Callable[[T], R | PlayFailed]", _ray().get(place))

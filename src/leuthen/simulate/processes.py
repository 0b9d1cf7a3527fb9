"""Work over several processes of this machine. A process that is killed costs time and no work."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final, Generic, NamedTuple, TypeVar

from leuthen.simulate.game import GameFailed

T = TypeVar("T")
R = TypeVar("R")

METHOD: Final = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
"""Forking shares the rule set with the workers; where there is none, it is pickled for them."""
TRIES: Final = 3
"""So often a game is begun whose process is killed; then it is taken to be the game that kills."""


class Worker(NamedTuple):
    """A process that does one task after another, and our end of the pipe: tasks go in, results come back."""

    process: BaseProcess
    pipe: Connection


class Workers(Generic[T, R]):
    """The processes of one run, each of which does the same with every task that it is given.

    One that dies is replaced, and its game is begun anew.
    """

    def __init__(self, do: Callable[[T], R], jobs: int) -> None:
        self._do = do
        self._idle = [self._begin(METHOD) for _ in range(jobs)]
        self._busy: dict[Worker, int] = {}
        self._deaths: Counter[int] = Counter()
        self._done: dict[int, R | GameFailed] = {}

    def _begin(self, method: str) -> Worker:
        ours, theirs = multiprocessing.Pipe()
        process = _process(method, (theirs, self._do))
        process.start()
        theirs.close()
        return Worker(process, ours)

    def results(self, tasks: Sequence[T]) -> Iterator[R]:
        """What came of the tasks, in their order, however it came in. Raises GameFailed."""
        todo = deque(range(len(tasks)))
        try:
            for place in range(len(tasks)):
                while place not in self._done:
                    self._give(tasks, todo)
                    assert self._busy or place in self._done, f"{tasks[place]} was lost"
                    self._take(tasks, todo)
                result = self._done.pop(place)
                if isinstance(result, GameFailed):
                    raise result
                yield result
        finally:
            self._end()

    def _give(self, tasks: Sequence[T], todo: deque[int]) -> None:
        while todo and self._idle:
            worker = self._idle.pop()
            self._busy[worker] = todo.popleft()
            try:
                worker.pipe.send(tasks[self._busy[worker]])
            except OSError:
                self._replace(worker, tasks, todo)

    def _take(self, tasks: Sequence[T], todo: deque[int]) -> None:
        """Takes what has come in, at least from one worker. A worker's end closes its pipe, which is noticed too."""
        ready = wait([worker.pipe for worker in self._busy])
        for worker in [worker for worker in self._busy if worker.pipe in ready]:
            try:
                result = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker, tasks, todo)
                continue
            self._done[self._busy.pop(worker)] = result
            self._idle.append(worker)

    def _replace(self, worker: Worker, tasks: Sequence[T], todo: deque[int]) -> None:
        place = self._busy.pop(worker)
        self._deaths[place] += 1
        if self._deaths[place] < TRIES:
            todo.appendleft(place)
        else:
            self._done[place] = GameFailed(f"{tasks[place]} broke off: its process was killed {TRIES} times")
        worker.process.join()
        self._idle.append(self._begin("spawn"))  # a fork would take along the locks of threads begun since

    def _end(self) -> None:
        for worker in (*self._idle, *self._busy):
            worker.process.terminate()
            worker.process.join()
            worker.pipe.close()


def _process(method: str, given: tuple[Connection, Callable[[T], R]]) -> BaseProcess:
    if sys.platform != "win32" and method == "fork":
        return multiprocessing.get_context("fork").Process(target=_work, args=given, daemon=True)
    return multiprocessing.get_context("spawn").Process(target=_work, args=given, daemon=True)


def _work(pipe: Connection, do: Callable[[T], R]) -> None:
    """What a process does, until the one that began it ends. Ctrl-C is for that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    while parent.sentinel not in wait([pipe, parent.sentinel]):
        try:
            task = pipe.recv()
        except EOFError:
            return
        pipe.send(attempt(do, task))


def attempt(do: Callable[[T], R], task: T) -> R | GameFailed:
    """What comes of a task, or why it failed."""
    try:
        return do(task)
    except GameFailed as error:
        return error
    except Exception as error:
        return GameFailed(f"{task} broke off: {type(error).__name__}: {error}", traceback.format_exc())

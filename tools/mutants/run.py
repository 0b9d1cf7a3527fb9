"""Tries breaks, each in a process of its own that imports the broken source instead of the file, and runs the tests."""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tools.mutants.breaks import Break

_PATIENCE = 5.0
"""How many times as long as usual the tests may take, and so many seconds on top."""
_NAP = 0.02


class Trial(NamedTuple):
    """A break, the module and file it is in, and the tests that enter the line."""

    module: str
    path: Path
    broken: Break
    tests: Sequence[str]
    seconds: float


class _Loader(importlib.abc.InspectLoader):
    """Loads the break of a module."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def get_source(self, fullname: str) -> str:
        return self._trial.broken.source.decode()

    def is_package(self, fullname: str) -> bool:
        return False

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self._trial.path)
        exec(compile(self._trial.broken.source, str(self._trial.path), "exec"), module.__dict__)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname != self._trial.module:
            return None
        return importlib.util.spec_from_loader(fullname, _Loader(self._trial))


def survivors(trials: Iterable[Trial], jobs: int, test: Callable[[Trial], int]) -> Iterator[tuple[Trial, bool]]:
    """Each trial with whether its break survived, as they come to an end. `test` runs in a fork, and gives its code."""
    running: dict[int, tuple[Trial, float]] = {}
    waiting = iter(trials)
    while True:
        while len(running) < jobs and (trial := next(waiting, None)) is not None:
            allowed = _PATIENCE * (trial.seconds + 1) + _PATIENCE
            running[_start(trial, test)] = trial, time.monotonic() + allowed
        if not running:
            return
        yield from _ended(running)


def _ended(running: dict[int, tuple[Trial, float]]) -> Iterator[tuple[Trial, bool]]:
    time.sleep(_NAP)
    for process, (trial, deadline) in list(running.items()):
        ended, status = os.waitpid(process, os.WNOHANG)
        if not ended and time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
            ended, status = os.waitpid(process, 0)
        if ended:
            del running[process]
            yield trial, status == 0


def _start(trial: Trial, test: Callable[[Trial], int]) -> int:
    """Forks a process that ends with 0 if all the tests pass."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        _be_quiet()
        code = test(trial)
    finally:
        os._exit(code)


def _be_quiet() -> None:
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)


def test_imported(trial: Trial) -> int:
    """Runs the tests of a trial in this process, which has imported nothing of the game."""
    import pytest

    sys.meta_path.insert(0, _Finder(trial))
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore:Module already imported"]
    return int(pytest.main([*options, *files_of([trial])], plugins=[_Only(trial.tests)]))


def files_of(trials: Sequence[Trial]) -> list[str]:
    """The files of all their tests."""
    return sorted({test.partition("::")[0] for trial in trials for test in trial.tests})


class _Only:
    """A plugin: runs these tests, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._place = {test: number for number, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self._place), key=lambda i: self._place[i.nodeid])

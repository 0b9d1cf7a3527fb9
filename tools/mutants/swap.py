"""Runs the tests against breaks inside functions, in forks of one process that has everything imported and collected.

A fork gives the functions of the broken module their broken code, and runs the tests that enter the line. So a trial
costs its tests and little more.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final

import pytest

from tools.mutants.run import Trial, files_of, survivors

Listener = Callable[[Trial, bool], None]
_OPTIONS: Final = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore:Module already imported")
_NEW_LOCALS: Final = 0x02
"""The flag of the codes of functions and comprehensions; those of classes do without."""


def is_in_function(trial: Trial) -> bool:
    """Whether the break leaves alone what runs at import."""
    before, after = (_compiled(trial.path, source) for source in (trial.path.read_bytes(), trial.broken.source))
    return list(_at_import(before)) == list(_at_import(after))


def try_breaks(trials: Sequence[Trial], jobs: int, listen: Listener) -> None:
    """Tries breaks inside functions; each is told as its tests come to an end."""
    if trials:
        pytest.main([*_OPTIONS, *files_of(trials)], plugins=[_Loop(trials, jobs, listen)])


class _Loop:
    """A plugin: instead of the tests themselves it runs the trials."""

    def __init__(self, trials: Sequence[Trial], jobs: int, listen: Listener) -> None:
        self._trials = trials
        self._jobs = jobs
        self._listen = listen

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for trial, survived in survivors(self._trials, self._jobs, lambda trial: _test(items, trial)):
            self._listen(trial, survived)
        return True


def _test(items: dict[str, pytest.Item], trial: Trial) -> int:
    """1 as soon as a test fails, 0 if none does."""
    break_functions(trial.path, trial.broken.source)
    _silence(next(iter(items.values())).config)
    chosen = [items[test] for test in trial.tests if test in items]
    failures = _Failures()
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        failures.listen(item)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failures.count:
            return 1
    return 0


def _silence(config: pytest.Config) -> None:
    """Nobody is to read what becomes of the tests."""
    config.pluginmanager.unregister(name="terminalreporter")


class _Failures:
    """A plugin that counts them."""

    def __init__(self) -> None:
        self.count = 0

    def listen(self, item: pytest.Item) -> None:
        manager = item.config.pluginmanager
        if not manager.is_registered(self):
            manager.register(self)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.count += report.failed


def break_functions(path: Path, source: bytes) -> None:
    """Gives all functions of a file the code of another source of it."""
    whole, broken = (list(_within(_compiled(path, text))) for text in (path.read_bytes(), source))
    instead = dict(zip(whole, broken, strict=True))
    for function in [each for each in gc.get_objects() if isinstance(each, FunctionType)]:
        if function.__code__.co_filename == str(path):
            function.__code__ = instead.get(function.__code__, function.__code__)


def _compiled(path: Path, source: bytes) -> CodeType:
    return compile(source, str(path), "exec", dont_inherit=True)


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _within(code: CodeType) -> Iterator[CodeType]:
    """All codes within a code, in the order of the source."""
    for each in _inner(code):
        yield each
        yield from _within(each)


def _at_import(code: CodeType) -> Iterator[tuple[object, ...]]:
    """What the code does that runs when its module is imported: its own, and that of its classes."""
    own = tuple(repr(each) for each in code.co_consts if not isinstance(each, CodeType))
    yield code.co_code, own, code.co_names
    for each in _inner(code):
        if not each.co_flags & _NEW_LOCALS or each.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"):
            yield from _at_import(each)

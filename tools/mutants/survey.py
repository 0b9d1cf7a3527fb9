"""Which tests enter which line, found by one run of all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

_OUT = "LEUTHEN_SURVEY"


class Survey(NamedTuple):
    """The tests by file and line, and how many seconds each took of those that enter any file and pass."""

    tests: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    def tests_at(self, path: Path, line: int) -> list[str]:
        """The tests that enter a line, the quickest first; of a line that runs at import, all that enter any file."""
        found = [test for test in self.tests.get(str(path), {}).get(line, []) if test in self.seconds]
        return sorted(found or self.seconds, key=self.seconds.__getitem__)


def survey(paths: Sequence[Path], arguments: Sequence[str]) -> Survey:
    """Runs all tests once. Those that fail as they are say nothing of a break, and are passed over."""
    with TemporaryDirectory() as folder:
        settings = Path(folder) / "coveragerc"
        include = "\n    ".join(str(path) for path in paths)
        settings.write_text(f"[run]\ndata_file = {folder}/data\ninclude =\n    {include}\n")
        env = {**os.environ, _OUT: f"{folder}/seconds"}
        command = ["-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q", "-p", "tools.mutants.survey"]
        done = subprocess.run([sys.executable, *command, "-p", "no:cacheprovider", *arguments], env=env, check=False)
        if done.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            raise SystemExit("mutants: the tests do not run")
        return _survey(_read(f"{folder}/data"), json.loads(Path(f"{folder}/seconds").read_text()))


def _survey(tests: dict[str, dict[int, list[str]]], seconds: dict[str, float]) -> Survey:
    """Without the tests that enter no file."""
    entering = {test for lines in tests.values() for found in lines.values() for test in found}
    return Survey(tests, {test: each for test, each in seconds.items() if test in entering})


def _read(data_file: str) -> dict[str, dict[int, list[str]]]:
    from coverage import CoverageData

    data = CoverageData(data_file)
    data.read()
    return {path: _without_imports(data.contexts_by_lineno(path)) for path in data.measured_files()}


def _without_imports(lines: dict[int, list[str]]) -> dict[int, list[str]]:
    return {line: [test for test in tests if test] for line, tests in lines.items()}


_seconds: dict[str, float] = {}
_failed: set[str] = set()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """As a plugin of the run: tells coverage which test is on."""
    from coverage import Coverage

    running = Coverage.current()
    assert running is not None
    running.switch_context(item.nodeid)
    try:
        return (yield)
    finally:
        running.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """As a plugin of the run: notes how long each test took, and which failed."""
    if report.failed:
        _failed.add(report.nodeid)
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    """As a plugin of the run: writes it down."""
    passed = {test: seconds for test, seconds in _seconds.items() if test not in _failed}
    Path(os.environ[_OUT]).write_text(json.dumps(passed))

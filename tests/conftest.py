"""Shared fixtures: the toy rule set, and a registry that contains only it."""

import asyncio
import os
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest
from hypothesis import settings

from leuthen import load
from leuthen.storage.postgres import Postgres
from leuthen.storage.store import Store
from tests.prove.sample import describe_seed
from tests.slow import skipped_tests
from tests.toy import Toy, ToyPlugin
from tools.postgres import TempPostgres

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
"""Every test run draws the same examples; HYPOTHESIS_PROFILE=search draws new ones."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    gone = skipped_tests([item.nodeid for item in items], config.args)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in gone])
    items[:] = [item for item in items if item.nodeid not in gone]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(describe_seed())


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test on a new event loop."""
    if not asyncio.iscoroutinefunction(pyfuncitem.obj):
        return None
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in signature(pyfuncitem.obj).parameters}))
    return True


RULEBOOK = """# T1 Bids

**T1** (S) Each side seals a bid of 1 to 3.

# T3 Moves

**T3.2** (S) A step goes 2 far at most:

| way | far |
|---|---|
| north | 2 |

**T3.3** Each side peeks once a game.
"""


@pytest.fixture
def toy() -> Toy:
    return Toy()


@pytest.fixture
def toy_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    data, rulebook = tmp_path / "toy" / "data", tmp_path / "toy" / "rulebook"
    data.mkdir(parents=True)
    rulebook.mkdir()
    (data / "toy.csv").write_text("digest,abcd\n")
    (rulebook / "t.md").write_text(RULEBOOK)
    monkeypatch.setattr(load, "RULESETS", {"toy": ToyPlugin(data, rulebook=rulebook)})
    load.load.cache_clear()
    yield data
    load.load.cache_clear()


@pytest.fixture(scope="session")
def postgres() -> Iterator[TempPostgres]:
    with TempPostgres() as database:
        Store(Postgres(database.new_database())).close()
        yield database


@pytest.fixture
def address(postgres: TempPostgres) -> str:
    return postgres.new_database(like="games_1")

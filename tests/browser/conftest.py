"""A real server and a real browser. Whatever goes wrong in a page (console, requests, foreign hosts) fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.mapdesk import Desk, sit
from tests.browser.watch import Watch
from tools.chromium import FLAGS, find_chromium
from tools.serving import Served

PATIENCE = 30_000
"""Milliseconds after which something that does not appear is missing."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server of a module's tests; each makes its own games."""
    with Served(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Of a module, because it holds an event loop that other tests would trip over."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def watch(browser: Browser, served: Served, tmp_path: Path) -> Iterator[Watch]:
    """Opens browser contexts (each a person's browser) and watches all their pages."""
    watch = Watch(browser, served.url, PATIENCE)
    yield watch
    watch.close()
    assert not watch.faults, "\n".join(watch.faults)


@pytest.fixture
def desk(watch: Watch) -> Desk:
    """The map alone, in the middle of the action."""
    desk = sit(watch)
    desk.look_at("2019", 1.5)
    return desk

"""A real server and a real browser. Any error in a page (console, requests, foreign hosts) fails the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browser.games import Games, Watch
from tests.browser.mapdesk import Desk, sit
from tools.chromium import FLAGS, find_shell
from tools.serving import Served

PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)
LATE = "(?i)timeout"
PLAIN = {
    f"test_{name}"
    for name in (
        "buttons", "campaign", "hotseat", "keyboard", "lines", "pages", "panels", "playback", "results", "school",
        "seal", "showing", "staff", "touch", "two", "war",
    )
}  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=[LATE]))


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=find_shell(), args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def games(browser: Browser, served: Served) -> Games:
    return Games(browser, served.url)


@pytest.fixture
def watch(games: Games, request: pytest.FixtureRequest) -> Iterator[Watch]:
    watch = Watch(games, PATIENCE, plain=request.path.stem in PLAIN)
    yield watch
    watch.close()
    watch.demand_peace()


@pytest.fixture(scope="package")
def laid_map(games: Games) -> Iterator[tuple[Watch, Desk]]:
    watch = Watch(games, PATIENCE)
    yield watch, sit(watch)
    watch.close()


@pytest.fixture
def desk(laid_map: tuple[Watch, Desk]) -> Iterator[Desk]:
    watch, desk = laid_map
    desk.clear()
    desk.look_at("2019", 1.5)
    yield desk
    watch.demand_peace()

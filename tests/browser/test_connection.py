from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE
from tests.browser.games import Games
from tests.browser.lobby import begin, sit_down
from tests.browser.person import Person
from tests.browser.watch import Watch
from tools.serving import Served

DROPPED = "ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_NETWORK|Failed to load"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path) as server:
        yield server


@pytest.fixture
def page(browser: Browser, own: Served) -> Iterator[Page]:
    watch = Watch(Games(browser, own.url), PATIENCE, plain=True)
    with watch.forgiving(DROPPED):
        page = watch.page()
        begin(page, "machine")
        sit_down(page)
        yield page
        watch.close()
    watch.demand_peace()


def record(page: Page) -> list[str]:
    seat = page.url.rpartition("/")[2]
    text = page.request.get(f"/api/seats/{seat}/record").text()
    return [line for line in text.splitlines() if line[6:].startswith("prussia")]


def order_depot(page: Page) -> None:
    person = Person(page, Random(0))
    person.is_asked()
    person.do(page.locator("#order [data-token=depot-at]").click)
    chosen = page.locator('#order [data-field="hex"]')
    select = chosen.locator("select")
    if select.count():
        person.do(lambda: select.select_option(index=1))
    else:
        person.do(chosen.locator("[data-token]").first.click)


def test_a_dropped_line_comes_back_and_the_order_counts_once(page: Page) -> None:
    order_depot(page)
    page.context.set_offline(True)
    page.click("#order [data-do=send]")
    expect(page.locator("#offline")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#offline")).to_be_hidden()
    page.wait_for_function("() => document.body.dataset.line === 'live' && Number(document.body.dataset.n) > 1")
    expect(
        page.locator("#order [data-token=depot-at][aria-disabled=true], #order [data-token=place]").first
    ).to_be_visible()
    assert len(record(page)) == 1


def test_a_server_that_was_killed_and_started_anew_goes_on(page: Page, own: Served) -> None:
    order_depot(page)
    own.kill()
    expect(page.locator("#offline")).to_be_visible()
    page.click("#order [data-do=send]")
    own.start()
    expect(page.locator("#offline")).to_be_hidden()
    page.wait_for_function("() => document.body.dataset.line === 'live' && Number(document.body.dataset.n) > 1")
    person = Person(page, Random(1))
    while "seal" not in person.given:
        assert person.is_asked()
        person.order()
    orders = record(page)
    assert sum("depot-at" in order for order in orders) == 1
    assert person.is_asked(), "the machine, which was thinking, thinks again"

import re
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.games import Games, Watch
from tests.browser.person import Person
from tests.plugins import FORDS, install
from tools.serving import Served

ORDERS = 10 + 8
MIDDLE = """area => {
  const sheet = document.querySelector('#map [data-areas]');
  const at = sheet.dataset.areas.split(' ').map(part => part.split(':')).find(([name]) => name === area)[1];
  const {x, y} = new DOMPoint(...at.split(',').map(Number)).matrixTransform(sheet.getScreenCTM());
  return [x, y];
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    site = install(tmp_path_factory.mktemp("site"), "fords.plugin:PLUGIN")
    with Served(tmp_path_factory.mktemp("fords"), env={"PYTHONPATH": f"{site}:{FORDS}"}) as server:
        yield server


@pytest.fixture(scope="module")
def games(browser: Browser, served: Served) -> Games:
    return Games(browser, served.url)


def begin(page: Page) -> None:
    page.click("[data-way=machine]")
    page.check("input[name=ruleset][value=fords]")
    page.check("input[name=bot][value=random]")
    page.click("[data-do=begin]")
    page.wait_for_selector("#map [data-areas]")


def test_it_is_played_by_click_and_on_the_map(watch: Watch) -> None:
    page = watch.page(viewport={"width": 1300, "height": 850})
    begin(page)
    person = Person(page, Random(1), zeal=0.9)
    assert person.is_asked()
    person.do(lambda: person.press(page.locator('#order [data-token="4"]')))
    x, y = page.evaluate(MIDDLE, "Garth")
    person.do(lambda: person.press_at(x, y))
    expect(page.locator("#map .counter")).to_have_count(1)
    assert person.play(ORDERS) == ORDERS
    assert {"move"} <= set(person.given)
    assert re.search(r"\?", page.locator("#map .counters").inner_html()), "the enemy's blocks are hidden"

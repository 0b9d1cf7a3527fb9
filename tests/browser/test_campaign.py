import os
from random import Random
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.games import WAR, Watch, begin, bring_in, lines_of, sit, sit_down
from tests.browser.person import Person

ORDERS: Final = int(os.environ.get("LEUTHEN_CLICKED_ORDERS", "24"))
MOST: Final = 10_000


def test_a_campaign_is_clicked_through(watch: Watch) -> None:
    page = watch.page(viewport={"width": 1440, "height": 900})
    begin(page, "machine")
    seat = sit_down(page)
    person = Person(page, Random(1))
    given = person.play(ORDERS)
    assert {"place", "depot-at", "seal", "march"} <= set(person.given)
    assert person.on_map > 1
    if ORDERS == MOST:
        assert given > 60
        shows_the_end(page, seat)


def test_a_campaign_ends_with_its_last_order(watch: Watch) -> None:
    person = watch.person(viewport={"width": 1440, "height": 900})
    seat, _ = bring_in(person.request, watch.url, lines_of(WAR, 0, -2))
    page = sit(person, seat)
    assert Person(page, Random(1), zeal=0).play(5) < 5
    shows_the_end(page, seat)


def shows_the_end(page: Page, seat: str) -> None:
    expect(page.locator("#prompt")).to_contain_text("The war is over")
    record = page.request.get(f"/api/seats/{seat}/record").text()
    assert record.startswith("leuthen record")
    assert record.splitlines()[-1].startswith("end ")
    page.goto(f"/campaign/{seat}")
    expect(page.locator("main svg").first).to_be_visible()
    page.goto("/")
    expect(page.locator("#list")).to_contain_text("Finished games (1)")

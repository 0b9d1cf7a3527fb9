"""A whole yearly campaign against the machine, clicked through by somebody who goes by what the page shows."""

from __future__ import annotations

from random import Random

from playwright.sync_api import expect

from tests.browser.lobby import begin, sit_down
from tests.browser.person import Person
from tests.browser.watch import Watch


def test_a_campaign_is_played_to_its_end(watch: Watch) -> None:
    page = watch.page(viewport={"width": 1440, "height": 900})
    begin(page, "machine")
    seat = sit_down(page)
    person = Person(page, Random(1))
    assert person.play() > 60
    assert {"place", "depot-at", "seal", "march", "done"} <= set(person.given)
    assert person.on_map > 5
    expect(page.locator("#prompt")).to_contain_text("The war is over")
    record = page.request.get(f"/api/seats/{seat}/record").text()
    assert record.startswith("leuthen record")
    assert record.splitlines()[-1].startswith("end ")
    page.goto(f"/campaign/{seat}")
    expect(page.locator("main svg").first).to_be_visible()
    page.goto("/")
    expect(page.locator("#list")).to_contain_text("Ended (1)")

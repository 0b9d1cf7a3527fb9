from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.axe import scan
from tests.browser.games import bring_in
from tests.browser.test_story import DESK, SHOTS
from tests.browser.wars import sit
from tests.browser.watch import Watch
from tests.report import wars

MAKING = 120_000


def shot(section: Locator, name: str) -> None:
    if SHOTS:
        section.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def test_the_staff_reports_when_it_is_asked_and_its_moments_open_on_the_board(watch: Watch) -> None:
    person = watch.person(**DESK)
    seat, _ = bring_in(person.request, watch.url, wars.given_up(110))
    page = sit(person, seat)
    page.locator(".ending-card").get_by_text("The staff's report").click()
    section = page.locator(".staff-report")
    section.get_by_role("button", name="Have the staff report").click()
    expect(section.locator(".staff-moments li").first).to_be_visible(timeout=MAKING)
    expect(section.locator("svg")).to_be_visible()
    expect(section.get_by_role("rowheader", name="The war")).to_be_visible()
    expect(section).to_contain_text("Prussia:")
    shot(section, "report-desk")
    assert scan(page, "the staff's report", ".staff-report") == []
    page.set_viewport_size({"width": 390, "height": 844})
    shot(section, "report-phone")
    page.reload()
    expect(section.locator(".staff-moments li").first).to_be_visible()
    section.get_by_text("See it on the board").first.click()
    expect(page.locator("#timeline")).to_contain_text("Back to the end")

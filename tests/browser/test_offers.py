import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import IN_MARCH
from tests.browser.lobby import sit_down
from tests.browser.watch import Watch


@pytest.fixture
def pair(watch: Watch) -> tuple[Page, Page]:
    person = watch.person()
    headers = {"Content-Type": "text/plain", "Origin": watch.url}
    answer = person.request.post("/api/import?first=me&second=link", data=IN_MARCH.encode(), headers=headers)
    assert answer.ok, answer.text()
    own, other = answer.json()["seats"][:2]
    prussia = person.new_page()
    prussia.goto(f"/table/{own['seat']}")
    sit_down(prussia)
    austria = watch.page(other["link"])
    austria.click("[data-do=take]")
    austria.click("[data-do=go]")
    sit_down(austria)
    return prussia, austria


def choose(page: Page, item: str, answer: str) -> None:
    page.click("[data-do=menu]")
    page.click(f"dialog [data-do={item}]")
    page.click(f"dialog button[value={answer}]")


def test_a_takeback_lists_what_goes_and_its_refusal_is_told(pair: tuple[Page, Page]) -> None:
    prussia, austria = pair
    prussia.click("[data-do=menu]")
    prussia.click("dialog [data-do=ask-takeback]")
    prussia.locator("dialog .takeback-list input").nth(5).check()
    prussia.click("dialog button[value=ask]")
    offer = austria.locator(".proposal")
    expect(offer).to_contain_text("asks to take back")
    expect(offer.locator("li")).not_to_have_count(0)
    offer.locator("[data-do=decline]").click()
    expect(offer).to_have_count(0)
    told = prussia.locator(".proposal")
    expect(told).to_contain_text("Austria declines your takeback.")
    prussia.reload()
    expect(told).to_contain_text("Austria declines your takeback.")
    told.locator("button").click()
    expect(told).to_have_count(0)


def test_a_draw_asks_once_more_before_it_ends_the_game(pair: tuple[Page, Page]) -> None:
    prussia, austria = pair
    choose(prussia, "offer-draw", "yes")
    austria.locator(".proposal [data-do=accept]").click()
    expect(austria.locator("dialog[open]")).to_contain_text("The game ends")
    austria.keyboard.press("Escape")
    expect(austria.locator("#prompt h2")).not_to_have_text("The war is over")
    austria.locator(".proposal [data-do=accept]").click()
    austria.click("dialog button[value=yes]")
    expect(prussia.locator("#prompt h2")).to_have_text("The war is over")

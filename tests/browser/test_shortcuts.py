from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import order, set_up
from tests.browser.lobby import begin, sit_down
from tests.browser.test_connection import record
from tests.browser.watch import Watch

PRESS = """init => document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...init}))"""


@pytest.fixture
def page(watch: Watch) -> Page:
    page = watch.page()
    begin(page, "machine")
    sit_down(page)
    return page


def press(page: Page, key: str, code: str, **how: bool) -> None:
    page.evaluate("document.activeElement.blur()")
    page.evaluate(PRESS, {"key": key, "code": code, **how})


def n_of(page: Page) -> int:
    return int(page.evaluate("Number(document.body.dataset.n)"))


def wait_for_news(page: Page, n: int) -> None:
    page.wait_for_function("n => Number(document.body.dataset.n) > n && calls.open === 0", arg=n)


def give_orders(page: Page, count: int) -> None:
    seat = page.url.rpartition("/")[2]
    for what in set_up("prussia")[:count]:
        order(page.request, page.url.partition("/table/")[0], seat, what)
    n = page.request.get(f"/api/seats/{seat}").json()["n"]
    page.wait_for_function("n => Number(document.body.dataset.n) >= n && calls.open === 0", arg=n)


@pytest.mark.parametrize("caps", [("U", "KeyU"), ("г", "KeyU"), ("Г", "KeyU")], ids=["caps lock", "Cyrillic", "both"])
def test_undo_is_the_same_key_on_every_keyboard(page: Page, caps: tuple[str, str]) -> None:
    give_orders(page, 1)
    n = n_of(page)
    press(page, *caps)
    wait_for_news(page, n)
    expect(page.locator("[data-do=redo]")).to_be_visible()


def test_a_held_key_undoes_one_order(page: Page) -> None:
    give_orders(page, 3)
    n = n_of(page)
    press(page, "u", "KeyU")
    wait_for_news(page, n)
    for _ in range(5):
        press(page, "u", "KeyU", repeat=True)
        page.wait_for_function("() => calls.open === 0")
    assert n_of(page) == n + 1


def test_what_was_undone_is_redone(page: Page) -> None:
    give_orders(page, 2)
    n = n_of(page)
    press(page, "u", "KeyU")
    wait_for_news(page, n)
    page.reload()
    sit_down(page)
    expect(page.locator("[data-do=redo]")).to_be_visible()
    n = n_of(page)
    press(page, "U", "KeyU", shiftKey=True)
    wait_for_news(page, n)
    words = [line.partition(" prussia ")[2].partition("  #")[0] for line in record(page)]
    assert words[:2] == set_up("prussia")[:2]
    assert words[2:] == ["undo", set_up("prussia")[1]]
    expect(page.locator("[data-do=redo]")).to_be_hidden()


def test_a_held_enter_presses_a_button_once(page: Page) -> None:
    give_orders(page, 3)
    n = n_of(page)
    page.evaluate("document.querySelector('[data-do=undo]').focus()")
    page.keyboard.down("Enter")
    wait_for_news(page, n)
    for _ in range(5):
        page.keyboard.down("Enter")  # as the keyboard repeats it
        page.wait_for_function("() => calls.open === 0")
    page.keyboard.up("Enter")
    assert n_of(page) == n + 1


@pytest.mark.parametrize("ruleset", ["frederick", "campaigns"])
def test_no_key_stands_twice_in_the_list(watch: Watch, ruleset: str) -> None:
    person = watch.person()
    game = {"players": ["me", "cadet"], "ruleset": ruleset, "scenario": scenario_of(person.new_page(), ruleset)}
    made = person.request.post("/api/games", data=game, headers={"Origin": watch.url})
    assert made.ok, made.text()
    page = person.pages[0]
    page.goto(f"/table/{made.json()['seats'][0]['seat']}")
    sit_down(page)
    page.keyboard.press("?")
    caps = page.locator("dialog[open] kbd").all_text_contents()
    assert [cap for cap, times in Counter(caps).items() if times > 1] == []


def scenario_of(page: Page, ruleset: str) -> str:
    setting = page.request.get(f"/api/rulesets/{ruleset}").json()
    return str(setting["scenarios"][0]["name"])

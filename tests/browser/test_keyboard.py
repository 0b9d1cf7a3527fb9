import re
from random import Random

from playwright.sync_api import Locator, Page, expect

from tests.browser.games import IN_MARCH, bring_in
from tests.browser.lobby import deploy, wait_for_machine
from tests.browser.person import QUIET, Person
from tests.browser.wars import SIDES, find, sit
from tests.browser.watch import Watch

FAR = 250
PHASES = 2
HAS_FOCUS = "one => one === document.activeElement"
SIZE = "1"


def tab_to(page: Page, control: Locator) -> None:
    control.wait_for()
    if control.evaluate("one => one.closest('#orders') !== null") and not control.evaluate(HAS_FOCUS):
        page.keyboard.press("o")
    for _ in range(FAR):
        if control.evaluate(HAS_FOCUS):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no number of tabs leads to {control}")


class Typist(Person):
    def press(self, control: Locator) -> None:
        tab_to(self.page, control)
        self.page.keyboard.press("Space" if control.get_attribute("type") == "checkbox" else "Enter")

    def spot(self, place: str) -> tuple[float, float] | None:
        return None

    def choose(self, select: Locator, token: str) -> None:
        tab_to(self.page, select)
        self.page.keyboard.type(select.locator(f"option[value='{token}']").inner_text())
        expect(select).to_have_value(token)


def press_key(page: Page, control: str) -> None:
    tab_to(page, page.locator(control))
    page.keyboard.press("Enter")


def sit_by_keys(watch: Watch) -> Page:
    page = watch.page()
    press_key(page, "[data-way=machine]")
    war = page.locator("[name=scenario]")
    tab_to(page, war)
    page.keyboard.type(war.locator("option[value=campaign]").inner_text())
    expect(war).to_have_value("campaign")
    press_key(page, "[data-do=begin]")
    wait_for_machine(page)
    return page


def test_a_game_is_played_by_keyboard_alone(watch: Watch) -> None:
    page = sit_by_keys(watch)
    deploy(page, "prussia", first=1, but=2)  # before he orders anything, which could bar what the war on file did
    person = Typist(page, Random(5), zeal=0.5)
    while person.given.count("done") < PHASES:
        assert person.is_asked()
        person.order()
    assert {"place", "depot-at", "seal"} <= set(person.given)


def test_the_map_is_walked_and_chosen_from_with_keys(watch: Watch) -> None:
    page = sit_by_keys(watch)
    person = Typist(page, Random(6))
    person.is_asked()
    page.keyboard.press("o")
    person.do(lambda: person.press(page.locator("#order [data-token=place]")))
    count = page.locator("#order [data-count]").first
    tab_to(page, page.locator("#order [data-token='0']"))
    person.do(lambda: page.keyboard.press(SIZE))
    expect(count).to_have_value(SIZE)
    page.keyboard.press("m")
    page.keyboard.press("/")
    page.keyboard.type("Breslau")
    page.keyboard.press("Enter")
    page.keyboard.press("m")
    for key in ("ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    n = person.look()["n"]
    page.keyboard.press("Enter")
    if not page.evaluate("Number(document.body.dataset.n)") > n:
        expect(page.locator("#order [data-field=hex] [aria-pressed=true]")).to_have_attribute("data-token", "1733")
        page.keyboard.press("Enter")
    page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
    person.is_asked()
    page.keyboard.press("u")
    page.wait_for_function("n => Number(document.body.dataset.n) > n + 1", arg=n)


def test_the_keys_are_listed_and_lead_about(watch: Watch) -> None:
    page = sit_by_keys(watch)
    page.keyboard.press("?")
    keys = page.locator("dialog[open]")
    expect(keys).to_contain_text("Undo")
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.keyboard.press("b")
    expect(page.locator("dialog[open]")).to_contain_text("Dresden")
    page.keyboard.press("Escape")
    before = page.evaluate("String(document.querySelector('#map [data-hex]').getScreenCTM().a)")
    page.keyboard.press("m")
    page.keyboard.press("+")
    page.wait_for_function(
        "before => String(document.querySelector('#map [data-hex]').getScreenCTM().a) !== before", arg=before
    )


def test_n_says_where_something_can_be_done(watch: Watch) -> None:
    person = watch.person()
    page = sit(person, bring_in(person.request, watch.url, IN_MARCH)[0])
    page.locator("#order [data-token=march]").wait_for()
    page.wait_for_function(QUIET)
    live = page.locator(".map [aria-live]").first
    heard = []
    for key in ("n", "n", "Shift+N"):
        page.keyboard.press(key)
        expect(live).to_contain_text(re.compile(r"\d{4}"))
        heard.append(live.inner_text())
    assert heard[0] == heard[2] != heard[1]


def test_x_during_a_march_says_what_comes_first(watch: Watch) -> None:
    record, lines = find(lambda ls: ls[0].what.startswith("halt"))
    person = watch.person()
    page = sit(person, bring_in(person.request, watch.url, record)[SIDES[lines[0].who]])
    page.locator("#order [data-token=halt]").wait_for()
    page.keyboard.press("x")
    expect(page.locator("#toast")).to_contain_text("End the march first; the phase ends after it")
    expect(page.locator("#order .bad")).to_have_count(0)

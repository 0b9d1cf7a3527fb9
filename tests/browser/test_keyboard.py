import re
from collections import Counter
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.games import (
    IN_MARCH,
    SIDES,
    Line,
    War,
    Watch,
    begin,
    deploy,
    find,
    order,
    set_up,
    sit,
    sit_down,
    wait_for_machine,
)
from tests.browser.person import QUIET, Person
from tests.browser.test_lines import recorded

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
    deploy(page, "prussia", first=1, but=2)  # before his first order, which could make the recorded orders illegal
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
    page = War(watch).page
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
    page = War(watch, record, SIDES[lines[0].who]).page
    page.locator("#order [data-token=halt]").wait_for()
    page.keyboard.press("x")
    expect(page.locator("#toast")).to_contain_text("nd the march first, then the phase")
    expect(page.locator("#order .bad")).to_have_count(0)


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


def test_undo_is_the_same_key_on_every_keyboard(page: Page) -> None:
    give_orders(page, 3)
    for key in ("U", "г", "Г"):  # caps lock, Cyrillic, both
        n = n_of(page)
        press(page, key, "KeyU")
        wait_for_news(page, n)
        expect(page.locator("[data-do=redo]")).to_be_visible()


FOCUS: Final = {"u": "document.activeElement.blur()", "Enter": "document.querySelector('[data-do=undo]').focus()"}


@pytest.mark.parametrize("key", FOCUS)
def test_a_held_key_undoes_one_order(page: Page, key: str) -> None:
    give_orders(page, 3)
    n = n_of(page)
    page.evaluate(
        "isButton => isButton ? document.querySelector('[data-do=undo]').focus() : document.activeElement.blur()",
        key == "Enter",
    )
    page.keyboard.down(key)
    wait_for_news(page, n)
    for _ in range(5):
        page.keyboard.down(key)  # like key repeat
        page.wait_for_function("() => calls.open === 0")
    page.keyboard.up(key)
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
    words = [line.partition(" prussia ")[2].partition("  #")[0] for line in recorded(page)]
    assert words[:2] == set_up("prussia")[:2]
    assert words[2:] == ["undo", set_up("prussia")[1]]
    expect(page.locator("[data-do=redo]")).to_be_hidden()


@pytest.mark.parametrize(("ruleset", "scenario"), [("frederick", "campaign"), ("campaigns", "1757")])
def test_no_letter_stands_twice_in_the_list(watch: Watch, ruleset: str, scenario: str) -> None:
    person = watch.person()
    page = sit(person, watch.make_game(person, "me cadet", ruleset=ruleset, scenario=scenario)[0]["seat"])
    page.keyboard.press("?")
    caps = page.locator("dialog[open] kbd").all_text_contents()
    assert [cap for cap, times in Counter(caps).items() if times > 1 and cap not in "←→"] == [], (
        "arrows step a playback"
    )


LATER: Final = "Number(document.body.dataset.n) > n"
READ: Final = 700


@pytest.mark.parametrize("by", ["mouse", "Enter"])
def test_a_second_press_answers_nothing(watch: Watch, by: str) -> None:

    def fits(ls: list[Line]) -> bool:
        kinds = [one.what.partition(" ")[0] for one in ls[:3]]
        return kinds == ["hold", "go", "hold"] and ls[0].who == ls[2].who

    record, lines = find(fits)
    war = War(watch, record, SIDES[lines[0].who], at_once=False)
    page = war.page
    hold = page.locator("#order [data-token=hold]")
    hold.hover()
    hold.focus()
    page.wait_for_timeout(READ)
    press_twice(page, by)
    page.wait_for_function("() => calls.orders === 1 && calls.open === 0")
    war.answer(lines[1].what)
    page.wait_for_function("() => document.title.startsWith('●') && calls.open === 0")
    expect(hold).to_be_visible()
    press_twice(page, by)
    page.wait_for_timeout(READ)
    assert page.evaluate("calls.orders") == 1
    hold.click()
    page.wait_for_function("() => calls.orders === 2")


def press_twice(page: Page, by: str) -> None:
    if by == "mouse":
        page.mouse.down()
        page.mouse.up()
    else:
        page.keyboard.press(by)


def test_a_second_key_ends_no_second_phase(watch: Watch) -> None:
    page = War(watch, at_once=False).page
    page.locator("#order [data-token=done]").wait_for()
    page.wait_for_timeout(READ)
    page.keyboard.press("x")
    end = page.locator("dialog[open] button[value=end]")
    expect(end).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(end).to_be_visible()  # it was unread
    page.wait_for_timeout(READ)
    end.click()
    page.wait_for_function("() => calls.orders === 1")
    page.keyboard.press("x")
    page.wait_for_timeout(READ)
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.evaluate("calls.orders") == 1


def test_a_second_press_lifts_no_veil(watch: Watch) -> None:
    page = War(watch, side=1, at_once=False).page
    page.locator("[data-do=pass]").press("Enter")
    lift = page.locator("[data-do=lift]")
    lift.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_timeout(READ)
    expect(lift).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-line=live]")
    expect(lift).to_have_count(0)


@pytest.mark.parametrize("rules", ["frederick", "campaigns"])
def test_what_comes_under_a_resting_pointer_takes_no_click_at_once(watch: Watch, rules: str) -> None:
    if rules == "frederick":
        record, side = IN_MARCH, 0
    else:
        record, lines = find(lambda ls: ls[0].what == "done" and ls[1].who == ls[0].who and ls[1].what != "done")
        side = SIDES[lines[0].who]
    page = War(watch, record, side, at_once=False).page
    expect(page.locator("#timeline .curve")).to_be_visible()  # the layout is final once the turns are loaded
    for _ in range(3):
        ending = page.locator("#order [data-token=done]")
        if not page.evaluate("document.title.startsWith('●')"):
            break
        ending.hover()
        page.wait_for_timeout(READ)
        box = ending.bounding_box()
        assert box is not None
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        n = page.evaluate("Number(document.body.dataset.n)")
        page.mouse.down()
        page.mouse.up()
        page.wait_for_function(f"n => {LATER} || document.querySelector('dialog[open]')", arg=n)
        anyway = page.locator("dialog[open] button[value=end]")
        if anyway.is_visible():
            page.keyboard.press("Tab")
            page.wait_for_timeout(READ)
            page.keyboard.press("Enter")
        page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
        orders = page.evaluate("calls.orders")
        page.mouse.move(*at)
        page.mouse.down()
        page.mouse.up()
        page.wait_for_timeout(READ)
        assert page.evaluate("calls.orders") == orders
        assert page.locator("#orders > [style]").count() == 0, "no gap opens above the pointer"

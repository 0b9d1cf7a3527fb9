from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import IN_MARCH, Line, bring_in, order
from tests.browser.person import QUIET
from tests.browser.wars import SIDES, find, sit
from tests.browser.watch import Watch

DESK: Final = {"width": 1440, "height": 900}
READ: Final = 700


@pytest.mark.parametrize("by", ["mouse", "Enter"])
def test_a_second_press_answers_nothing(watch: Watch, by: str) -> None:

    def fits(ls: list[Line]) -> bool:
        kinds = [one.what.partition(" ")[0] for one in ls[:3]]
        return kinds == ["hold", "go", "hold"] and ls[0].who == ls[2].who

    record, lines = find(fits)
    person = watch.person(at_once=False, viewport=DESK)
    seats = bring_in(person.request, watch.url, record)
    side = SIDES[lines[0].who]
    page = sit(person, seats[side])
    hold = page.locator("#order [data-token=hold]")
    hold.hover()
    hold.focus()
    page.wait_for_timeout(READ)
    press(page, by)
    page.wait_for_function("() => calls.orders === 1 && calls.open === 0")
    order(person.request, watch.url, seats[1 - side], lines[1].what)
    page.wait_for_function("() => document.title.startsWith('●') && calls.open === 0")
    expect(hold).to_be_visible()
    press(page, by)
    page.wait_for_timeout(READ)
    assert page.evaluate("calls.orders") == 1
    hold.click()
    page.wait_for_function("() => calls.orders === 2")


def press(page: Page, by: str) -> None:
    if by == "mouse":
        page.mouse.down()
        page.mouse.up()
    else:
        page.keyboard.press(by)


def test_a_second_key_ends_no_second_phase(watch: Watch) -> None:
    person = watch.person(at_once=False, viewport=DESK)
    page = sit(person, bring_in(person.request, watch.url, IN_MARCH)[0])
    page.locator("#order [data-token=done]").wait_for()
    page.wait_for_timeout(READ)
    page.keyboard.press("x")
    end = page.locator("dialog[open] button[value=end]")
    expect(end).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(end).to_be_visible()  # it had not been read
    page.wait_for_timeout(READ)
    end.click()
    page.wait_for_function("() => calls.orders === 1")
    page.keyboard.press("x")
    page.wait_for_timeout(READ)
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.evaluate("calls.orders") == 1


def test_a_second_press_lifts_no_veil(watch: Watch) -> None:
    person = watch.person(at_once=False, viewport=DESK)
    page = sit(person, bring_in(person.request, watch.url, IN_MARCH)[1])
    page.locator("[data-do=pass]").press("Enter")
    lift = page.locator("[data-do=lift]")
    lift.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_timeout(READ)
    expect(lift).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-line=live]")
    expect(lift).to_have_count(0)


UNDER: Final = """([x, y]) => {
  const found = document.elementFromPoint(x, y)?.closest('button, summary, a, input, label');
  return found ? found.textContent : '';
}"""


@pytest.mark.parametrize("rules", ["frederick", "campaigns"])
def test_no_other_button_comes_under_the_pointer(watch: Watch, rules: str) -> None:
    if rules == "frederick":
        record, side = IN_MARCH, 0
    else:
        record, lines = find(lambda ls: ls[0].what == "done" and ls[1].who == ls[0].who and ls[1].what != "done")
        side = SIDES[lines[0].who]
    person = watch.person(at_once=False, viewport=DESK)
    page = sit(person, bring_in(person.request, watch.url, record)[side])
    for _ in range(3):
        ending = page.locator("#order [data-token=done]")
        if not page.evaluate("document.title.startsWith('●')"):
            break
        ending.hover()
        page.wait_for_timeout(READ)
        box = ending.bounding_box()
        assert box is not None
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        before = page.evaluate(UNDER, at)
        n = page.evaluate("Number(document.body.dataset.n)")
        page.mouse.down()
        page.mouse.up()
        page.wait_for_function(QUIET)
        anyway = page.locator("dialog[open] button[value=end]")
        if anyway.is_visible():
            page.keyboard.press("Tab")
            page.wait_for_timeout(READ)
            page.keyboard.press("Enter")
        page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
        page.wait_for_function(QUIET)
        page.wait_for_timeout(READ)
        assert page.evaluate(UNDER, at) in ("", before)

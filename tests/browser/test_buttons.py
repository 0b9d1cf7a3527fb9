from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import IN_MARCH, SIDES, War, Watch, find
from tests.browser.person import QUIET

TWINS: Final = """() => {
  const shown = [...document.querySelectorAll('#orders :is(button, summary, [role=button])')].filter(one =>
    one.checkVisibility() && !one.matches('[data-rule]'));
  const names = shown.map(one => one.ariaLabel || one.textContent.trim());
  return names.filter((name, at) => names.indexOf(name) !== at);
}"""
KINDS: Final = "() => [...document.querySelectorAll('#order .kinds button[data-token]')].map(one => one.dataset.token)"
SIZES: Final = {"desk": (1440, 900), "tablet": (1024, 768), "phone": (390, 844)}
ENDS: Final = ("done", "halt", "hold", "seal")
CHOICES: Final = "#order fieldset.field :is(button, input, select)"


def begin(watch: Watch, rules: str, size: str = "desk") -> Page:
    if rules == "frederick":
        record, side = IN_MARCH, 0
    else:
        record, lines = find(lambda ls: ls[0].what.startswith("march"))
        side = SIDES[lines[0].who]
    width, height = SIZES[size]
    page = War(watch, record, side, viewport={"width": width, "height": height}).page
    page.locator("#order .kinds button").first.wait_for()
    return page


@pytest.mark.parametrize("rules", ["frederick", "campaigns"])
def test_no_two_buttons_have_one_name(watch: Watch, rules: str) -> None:
    page = begin(watch, rules)
    assert page.evaluate(TWINS) == []
    for kind in page.evaluate(KINDS):
        if kind in ENDS:
            continue
        page.locator(f"#order .kinds button[data-token='{kind}']").click()
        page.locator("#order .sending").wait_for()
        page.wait_for_function(QUIET)
        assert page.evaluate(TWINS) == [], kind
        page.locator("#order fieldset button[data-token]:not([aria-disabled])").first.click()
        page.wait_for_function(QUIET)
        assert page.evaluate(TWINS) == [], kind
        page.keyboard.press("Escape")
        page.locator("#order .sending").wait_for(state="detached")


def test_after_a_battle_the_choices_stand_above_its_report(watch: Watch) -> None:
    page = watch.page("/learn", viewport={"width": 1440, "height": 900})
    page.locator("[data-lesson]").first.click()
    page.wait_for_selector("body[data-line=live]")
    sent = page.locator("#order [data-do=send]:not([aria-disabled])")
    while not page.locator("[data-do=next-lesson]").is_visible():
        n = page.evaluate("Number(document.body.dataset.n)")
        show = page.locator("[data-do=show-me]")
        (show if show.count() else page.locator("#order [data-token=done]")).first.click()
        page.wait_for_function(f"n => ({QUIET})() && ({READY})(n)", arg=n)
        if sent.is_visible() and page.evaluate("Number(document.body.dataset.n)") == n:
            look_at_odds(page)
            sent.click()
            page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
        page.wait_for_function(QUIET)
    page.locator("#order .kinds button").first.click()
    page.locator("#order .sending").wait_for()
    expect(page.locator("#results .battle-card")).not_to_have_count(0)
    for choice in page.locator(CHOICES).all():
        expect(choice).to_be_in_viewport(ratio=1)
        choice.click(trial=True, timeout=5000)


READY: Final = """n => Number(document.body.dataset.n) > n
  || document.querySelector('#order [data-do=send]:not([aria-disabled])')"""


CUT_OFF: Final = """() => [...document.querySelectorAll('#order .odds, #order .odds :is(figure, ol, ul, p)')]
  .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.outerHTML.slice(0, 120))"""


def look_at_odds(page: Page) -> None:
    odds = page.locator("#order .odds")
    if not odds.is_visible():
        return
    assert page.evaluate(CUT_OFF) == []
    odds.get_by_text("All cases").click()
    for row in odds.locator("tbody th").all():
        expect(row.locator("button")).to_be_visible()
    expect(odds.get_by_text("Tables:")).to_be_hidden()
    expect(odds.locator("[data-rule]:visible")).to_have_count(0)


PLACES: Final = """() => [...document.querySelectorAll('.act, #tools [data-do=undo], #tools summary')].map(one => {
  const {left, bottom} = one.getBoundingClientRect();
  return [Math.round(left), Math.round(bottom)];
})"""
READ: Final = 700
PRIMARY: Final = "#orders .primary:visible"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rules", ["frederick", "campaigns"])
def test_what_is_asked_next_is_in_view_and_the_foot_keeps_its_place(watch: Watch, rules: str, size: str) -> None:
    page = begin(watch, rules, size)
    if size != "phone":
        expect(page.locator("#timeline .curve")).to_be_visible()  # it has its final size once the turns are loaded
    places = page.evaluate(PLACES)
    assert len(places) == 3
    page.locator("#order .kinds button[data-token=march]").click()
    page.locator("#order .sending").wait_for()
    page.wait_for_function(QUIET)
    first = page.locator(CHOICES).first
    expect(first).to_be_in_viewport(ratio=1)
    first.click(trial=True, timeout=5000)
    expect(page.locator(PRIMARY)).to_have_count(1)
    assert page.evaluate(PLACES) == places
    page.locator("#order fieldset.field [data-token]").first.click()
    page.locator("#order [data-field=path] select").select_option(index=1)
    send = page.locator("#order [data-do=send]:not([aria-disabled])")
    expect(send).to_be_in_viewport(ratio=1)
    expect(page.locator(PRIMARY)).to_have_count(1)
    assert page.evaluate(PLACES) == places
    map_box = page.locator("#map").bounding_box()
    n = page.evaluate("Number(document.body.dataset.n)")
    send.click()
    page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
    page.wait_for_function(QUIET)
    assert page.evaluate(PLACES)[0] == places[0]
    assert page.locator("#map").bounding_box() == map_box, "the map keeps its size"


def test_a_second_click_on_cancel_ends_no_phase(watch: Watch) -> None:
    page = War(watch, at_once=False).page
    expect(page.locator("#timeline .curve")).to_be_visible()
    page.locator("#order .kinds button[data-token=march]").click()
    box = page.locator("#order [data-do=cancel]").bounding_box()
    assert box is not None
    page.wait_for_timeout(READ)
    for _ in range(2):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.locator("#order [data-token=done]").wait_for()
    page.wait_for_function(QUIET)
    assert page.evaluate("calls.orders") == 0
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.wait_for_timeout(READ)
    page.locator("#order [data-token=done]").click()
    expect(page.locator("dialog[open]")).to_contain_text("You can still")

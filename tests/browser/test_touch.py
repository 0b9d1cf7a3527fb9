from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.games import IN_MARCH, Watch, bring_in, sit, wait_for_machine
from tests.browser.person import Person

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
ORDERS = 14
FITS = "document.scrollingElement.scrollWidth <= innerWidth"


class Toucher(Person):
    def press(self, control: Locator) -> None:
        control.tap()

    def press_at(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)


def test_a_phone_held_upright_plays_by_touch(watch: Watch) -> None:
    page = watch.page(**PHONE)
    page.locator("[data-way=machine]").tap()
    page.select_option("[name=scenario]", "campaign")
    page.locator("[data-do=begin]").tap()
    wait_for_machine(page)
    person = Toucher(page, Random(3))
    for _ in range(ORDERS):
        assert person.is_asked()
        person.order()
        assert page.evaluate(FITS), "the page is wider than the phone"
    assert person.on_map
    while page.locator("#results [data-do=close-report]").count():  # a result lies over the map until it is closed
        page.locator("#results [data-do=close-report]").first.tap()
    drag(page)


def drag(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    before = page.evaluate(PLACE)
    for number in range(12):
        kind = "touchStart" if number == 0 else "touchMove"
        points = [{"x": 195 + 6 * number, "y": 300, "id": 0}, {"x": 195 - 6 * number, "y": 330, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(f"before => ({PLACE}) !== before", arg=before)


PLACE = "String(document.querySelector('#map [data-hex]').getScreenCTM().a)"


SMALL = """() => [...document.querySelectorAll('#head, #orders, #tabs, .map-tools, .layer-box')].flatMap(host =>
  [...host.querySelectorAll('button, summary, select, a, label.check, input:not([type=checkbox])')].filter(one => {
    if (!one.checkVisibility() || one.closest('.visually-hidden')) return false;
    const {width, height} = one.getBoundingClientRect();
    const around = getComputedStyle(one, '::after');
    const isRule = one.matches('.rule');
    const [wide, high] = isRule ? [parseFloat(around.width), parseFloat(around.height)] : [width, height];
    return high < 43.5 || wide < 43.5;
  })).map(one => `${one.outerHTML.slice(0, 90)} ${JSON.stringify(one.getBoundingClientRect())}`)"""


def test_what_is_touched_on_a_phone_is_44_px_or_more(watch: Watch) -> None:
    person = watch.person(**PHONE)
    page = sit(person, bring_in(person.request, watch.url, IN_MARCH)[0])
    march = page.locator("#order .kinds button[data-token=march]")
    march.wait_for()
    expect(page.locator("#orders .rule:visible")).not_to_have_count(0)
    assert page.evaluate(SMALL) == []
    march.tap()
    page.locator("#order .sending").wait_for()
    assert page.evaluate(SMALL) == []
    page.locator("#order fieldset.field [data-token]").first.tap()
    page.locator("#order [data-field=path] select").select_option(index=1)
    page.locator("#order [data-do=send]:not([aria-disabled])").wait_for()
    assert page.evaluate(SMALL) == []

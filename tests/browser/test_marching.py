from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.games import War, Watch
from tests.browser.mapdesk import Desk
from tests.browser.test_map_signs import FORM

READ: Final = 700
GOAL: Final = """() => {
  const free = ({x, y}) => {
    const found = document.elementFromPoint(x, y);
    return found?.closest('.map-view') && !found.closest('button, .counter, .map-tip');
  };
  const spots = [...document.querySelectorAll('.reach-left')].map(node => {
    const {x, y, width, height} = node.getBoundingClientRect();
    return {x: x + width / 2, y: y + height / 2};
  });
  const {x, y} = spots.findLast(free);
  return [x, y];
}"""
SHIFT: Final = "document.querySelector('.map-world').style.transform"


def table(watch: Watch) -> Page:
    page = War(watch, at_once=False).page
    page.locator("#order [data-token=march]").wait_for()
    expect(page.locator("#timeline .curve")).to_be_visible()  # it has its final size once the turns are loaded
    page.wait_for_timeout(READ)
    return page


def own_stack(page: Page) -> tuple[float, float]:
    for counter in page.locator(".counter.side-0:not(.is-inside) .c-face").all():
        box = counter.bounding_box()
        assert box is not None
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('.map-view') != null", at):
            page.mouse.click(*at)
            page.wait_for_timeout(READ)
            if page.locator(".reach-left").count() > 3:
                return at
    raise AssertionError("no army that can march is seen")


def test_one_click_prepares_a_march_and_another_orders_it(watch: Watch) -> None:
    page = table(watch)
    before = page.evaluate(SHIFT)
    own_stack(page)
    assert page.evaluate(SHIFT) == before, "nothing moves while a hex is chosen"
    goal = page.evaluate(GOAL)
    page.mouse.click(*goal)
    send = page.locator("#order [data-do=send]")
    expect(send).not_to_have_attribute("aria-disabled", "true")
    page.wait_for_timeout(READ)
    assert page.evaluate("calls.orders") == 0
    assert page.evaluate(SHIFT) == before
    expect(page.locator(".way-line")).to_have_count(1)
    page.mouse.click(*goal)
    page.wait_for_function("() => calls.orders === 1")


def test_a_counter_that_is_dragged_prepares_its_march(watch: Watch) -> None:
    page = table(watch)
    stack = own_stack(page)
    goal = page.evaluate(GOAL)
    page.keyboard.press("Escape")
    expect(page.locator(".reach-left")).to_have_count(0)
    page.wait_for_timeout(READ)  # input right after Cancel is ignored
    before = page.evaluate(SHIFT)
    page.mouse.move(*stack)
    page.mouse.down()
    page.mouse.move((stack[0] + goal[0]) / 2, (stack[1] + goal[1]) / 2)
    page.mouse.move(*goal)
    page.mouse.up()
    expect(page.locator("#order [data-do=send]")).not_to_have_attribute("aria-disabled", "true")
    expect(page.locator(".way-line")).to_have_count(1)
    assert page.evaluate(SHIFT) == before
    assert page.evaluate("calls.orders") == 0
    page.keyboard.press("Enter")
    page.wait_for_function("() => calls.orders === 1")


def test_the_tooltip_waits_and_hides_no_hex_within_reach(desk: Desk) -> None:
    desk.page.evaluate("form => map.overlay.setReach(form)", FORM)
    desk.page.mouse.move(*desk.at("2221"))
    desk.page.wait_for_timeout(200)
    tip = desk.page.locator(".map-tip")
    expect(tip).to_be_hidden()
    expect(tip).to_be_visible()
    box = tip.bounding_box()
    assert box is not None
    for place in ("2221", "2120", "2019"):
        x, y = desk.at(place)
        assert not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]), place
    desk.page.mouse.click(*desk.at("2221"))
    expect(tip).to_be_hidden()
    desk.page.wait_for_timeout(READ)
    expect(tip).to_be_hidden()

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import IN_MARCH, WAR, Watch, lines_of, sit
from tests.browser.mapdesk import Desk
from tests.browser.test_settings import change
from tests.browser.test_touch import PHONE

SIZES = [(1024, 768), (1440, 900), (2560, 1440)]
MAP = "JSON.stringify(document.querySelector('.map-view').getBoundingClientRect())"
WHOLE_DATE = """(() => {
  const box = selector => document.querySelector(selector).getBoundingClientRect();
  const [words, line] = [box('.head-date strong'), box('.head-date')];
  return words.width > 60 && words.right <= line.right + 0.5;
})()"""
SCALE = "document.querySelector('#map [data-hex]').getScreenCTM().a"
COVERED = """() => {
  const boxes = [...document.querySelectorAll('.map .counter .c-face')].map(one => one.getBoundingClientRect());
  const isOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const names = [...document.querySelectorAll('.map :is(.names-great, .names-fortress, .names-town) text')];
  const covered = names.filter(name => {
    const box = name.getBoundingClientRect();
    const {left, right, top, bottom, height} = box;
    const inner = {left, right, top: top + height / 4, bottom: bottom - height / 4};
    return boxes.some(other => isOver(inner, other));
  });
  return {names: names.length, covered: covered.map(one => one.textContent)};
}"""

OUT_OF_SIGHT = """[...document.querySelectorAll('#map [data-piece]')].filter(piece => {
  const [{x, y, width, height}, view] = [piece, piece.closest(".map-view")].map(one => one.getBoundingClientRect());
  const at = {x: x + width / 2, y: y + height / 2};
  return at.x < view.left || at.x > view.right || at.y < view.top || at.y > view.bottom;
}).map(piece => piece.dataset.piece).join(', ') + (document.querySelector('#map [data-piece]') ? '' : 'none yet')"""


def at_war(watch: Watch, **options: Any) -> Page:
    return sit(*watch.onlooker(lines_of(WAR), **options))


def test_a_panel_lies_over_the_map_which_keeps_its_size(watch: Watch) -> None:
    page = at_war(watch)
    expect(page.locator("#timeline .curve")).to_be_visible()  # it has its final size once the turns are loaded
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        before = page.evaluate(MAP)
        page.click("[data-panel=tables]")
        expect(page.locator("#drawer")).to_be_visible()
        assert page.evaluate(MAP) == before
        assert box_of(page, "#drawer")["width"] >= min(400, width / 3)
        page.keyboard.press("Escape")
        expect(page.locator("#drawer")).to_be_hidden()


@pytest.mark.parametrize("dock", ["left", "right"])
def test_the_order_panel_stands_beside_the_map(watch: Watch, dock: str) -> None:
    page = at_war(watch, viewport={"width": 1024, "height": 768})
    change(page, "dock", dock)
    for panel in ("", "chronicle"):
        if panel:
            page.click(f"[data-panel={panel}]")
            expect(page.locator("#drawer")).to_be_visible()
        orders, field = box_of(page, "#orders"), box_of(page, "#map")
        drawer = box_of(page, "#drawer") if panel else None
        assert orders["width"] <= 0.3 * 1024
        assert orders["height"] == field["height"]
        left, right = (orders, field) if dock == "left" else (field, orders)
        assert left["x"] + left["width"] <= right["x"] + 1
        if drawer and dock == "right":
            assert drawer["x"] + drawer["width"] <= orders["x"] + 1


def test_names_of_towns_keep_clear_of_pieces(desk: Desk) -> None:
    for scale in (0.6, 1.1, 1.8):
        desk.look_at("1825", scale)
        seen = desk.page.evaluate(COVERED)
        assert seen["names"] > 100
        assert len(seen["covered"]) <= seen["names"] / 50, (scale, seen["covered"])


def test_pieces_grow_with_the_hexes(desk: Desk) -> None:
    def wide() -> float:
        found: float = desk.page.evaluate("document.querySelector('.map .c-rim').getBoundingClientRect().width")
        return found

    sizes = []
    for scale in (1.0, 2.0, 4.0):
        desk.look_at("1825", scale)
        sizes.append(wide())
    assert sizes[1] / sizes[0] == pytest.approx(2, rel=0.1)
    assert sizes[2] / sizes[1] == pytest.approx(2, rel=0.1)


def test_the_legend_is_shown_where_it_is_asked_for(watch: Watch) -> None:
    page = at_war(watch)
    legend = page.locator("#map .legend")
    expect(legend).to_be_hidden()
    page.click(".layers summary")
    page.click("[data-do=legend]")
    expect(legend).to_be_visible()


def test_a_phone_gives_the_map_the_room_and_shows_what_an_order_asks_at_the_top(watch: Watch) -> None:
    page = sit(*watch.onlooker(IN_MARCH, **PHONE))
    expect(page.locator("#timeline")).to_be_hidden()
    assert page.evaluate(WHOLE_DATE)
    page.tap("[data-do=timeline]")
    expect(page.locator("#timeline")).to_be_visible()
    page.tap("[data-do=timeline]")
    assert box_of(page, ".field-of-war")["height"] > 0.45 * 844
    page.tap("#order [data-token=march]")
    expect(page.locator("#order .field").first).to_be_visible()
    asked, orders = box_of(page, "#order .field"), box_of(page, "#orders")
    assert orders["y"] < asked["y"] < orders["y"] + 70
    assert asked["y"] + 40 < box_of(page, "#order .sending")["y"]
    page.tap("#order [data-do=cancel]")
    expect(page.locator("#order [data-token=done]")).to_be_visible()


def box_of(page: Page, what: str) -> Any:
    box = page.locator(what).first.bounding_box()
    assert box is not None
    return box


def test_a_stack_that_is_tapped_comes_near(watch: Watch) -> None:
    page = at_war(watch, **PHONE)
    page.keyboard.press("f")
    page.wait_for_function(f"() => {SCALE} < 0.5")
    box = box_of(page, "#map [data-piece] .c-face")
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function(f"() => {SCALE} >= 1")


def test_advice_is_drawn_and_may_be_changed(watch: Watch) -> None:
    page = sit(*watch.onlooker(IN_MARCH))
    page.click("[data-do=advice]")
    expect(page.locator("#helpers .advice")).to_contain_text("Suggested: March a force. It is filled in")
    expect(page.locator("#order [data-do=send]")).not_to_have_attribute("aria-disabled", "true")
    expect(page.locator("#order .summary")).to_be_visible()
    expect(page.locator("#map .way-line")).to_have_count(1)
    page.click("#order [data-do=cancel]")
    expect(page.locator("#order .summary")).to_have_count(0)
    expect(page.locator(".advice")).to_be_empty()


def test_a_war_that_can_be_read_whole_opens_whole(watch: Watch) -> None:
    person = watch.person(viewport={"width": 1440, "height": 757})
    page = sit(person, watch.make_game(person, "me random", scenario="bohemia")[0]["seat"])
    expect(page.locator("#order [data-token]").first).to_be_visible()
    page.wait_for_function(f"() => ({OUT_OF_SIGHT}) === ''")

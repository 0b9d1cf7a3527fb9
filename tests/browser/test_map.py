from typing import Final

import pytest
from playwright.sync_api import expect

from mapmaking.cartography.grid import neighbours
from tests.browser.games import Watch
from tests.browser.mapdesk import Desk, sit

PINCH: Final = """() => {
  const view = document.querySelector('.map-view');
  const send = (type, id, x, y) => view.dispatchEvent(new PointerEvent(type,
    {pointerId: id, pointerType: 'touch', clientX: x, clientY: y, bubbles: true, button: 0, isPrimary: id === 1}));
  view.setPointerCapture = () => {};
  send('pointerdown', 1, 500, 400); send('pointerdown', 2, 700, 400);
  send('pointermove', 1, 400, 400); send('pointermove', 2, 800, 400);
  send('pointerup', 1, 400, 400); send('pointerup', 2, 800, 400);
}"""


# --- pointer ----------------------------------------------------------------------------------------------------------


def test_a_click_names_the_hex_that_the_sheet_shows_there(desk: Desk) -> None:
    wanted = ["2019", "1918", "1917", "2120", "2217"]
    for place in wanted:
        x, y = desk.at(place)
        desk.page.mouse.click(x + 38, y - 3)
    assert [told["place"] for told in desk.said("place", "piece")] == wanted


def test_a_click_on_a_counter_names_it(desk: Desk) -> None:
    keys = [key for key in desk.scene["pieces"] if key.startswith(("1818", "1921", "2221", "2217"))]
    for key in keys:
        desk.page.locator(f"[data-piece='{key}'] .c-strength").click(force=True)
    assert [told["key"] for told in desk.said("piece")] == keys
    assert desk.said("place") == []


def test_the_middle_of_a_hex_is_its_own(desk: Desk) -> None:
    pieces = desk.scene["pieces"]
    pair = {f"2019-{side}f": pieces[key] | {"place": "2019"} for side, key in ((0, "1921-0f"), (1, "1818-1f"))}
    desk.page.evaluate("pieces => map.show({...map.ctx.store.scene, pieces})", pair)
    desk.look_at("2019", 0.35)
    x, y = desk.at("2020")
    for far in (16, 28):
        desk.page.mouse.click(x - far * 0.35, y)
    assert [told["place"] for told in desk.said("place", "piece")] == ["2020", "2019"]


def test_two_stacks_and_a_garrison_share_a_hex(desk: Desk) -> None:
    pieces = desk.scene["pieces"]
    pieces["1623-0f"] = pieces["1921-0f"] | {"place": "1623"}
    desk.page.evaluate("pieces => map.show({...map.ctx.store.scene, pieces})", pieces)
    desk.look_at("1623", 1.5)
    keys = ["1623-0f", "1623-1f", "1623-1i"]
    boxes = [desk.page.locator(f"[data-piece='{key}'] .c-face").bounding_box() for key in keys]
    mine, theirs, garrison = (box for box in boxes if box)
    assert mine["x"] + mine["width"] <= theirs["x"] + 1
    assert garrison["y"] + garrison["height"] / 2 != pytest.approx(mine["y"] + mine["height"] / 2, abs=8)
    for key in keys:
        desk.page.locator(f"[data-piece='{key}'] .c-strength").click(force=True)
    assert [told["key"] for told in desk.said("piece")] == keys


def test_a_drag_moves_the_map_and_chooses_nothing(desk: Desk) -> None:
    x, y = desk.at("2019")
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(x - 200, y + 90, steps=5)
    desk.page.wait_for_timeout(120)  # a pause before the release means no fling
    desk.page.mouse.up()
    desk.commit()
    assert desk.at("2019") == pytest.approx((x - 200, y + 90), abs=1)
    assert desk.said("place", "piece") == []


def test_the_wheel_zooms_about_the_pointer(desk: Desk) -> None:
    x, y = desk.at("2120")
    desk.page.mouse.move(x, y)
    desk.page.mouse.wheel(0, -240)
    desk.page.wait_for_function("map.camera.scale > 1.9")
    assert desk.at("2120") == pytest.approx((x, y), abs=1)


def test_a_scale_that_rests_is_drawn_sharp(desk: Desk) -> None:
    desk.page.mouse.move(*desk.at("2120"))
    desk.page.mouse.wheel(0, -240)
    desk.page.wait_for_function("() => map.camera.scale > 1.9 && map.world.style.transform.endsWith('scale(1)')")
    wide = desk.page.evaluate("document.querySelector('.sheet').getBoundingClientRect().width")
    assert wide == pytest.approx(3028 * desk.page.evaluate("map.camera.scale"), abs=1)


def test_what_is_known_of_a_hex_is_shown_beside_the_pointer(desk: Desk) -> None:
    desk.page.mouse.move(*desk.at("1921"))
    piece = desk.scene["pieces"]["1921-0f"]
    tip = desk.page.locator(".map-tip")
    expect(tip).to_contain_text(piece["title"])
    for line in piece["lines"]:
        expect(tip).to_contain_text(line)
    desk.page.mouse.move(*desk.at("2019"))
    expect(tip).not_to_contain_text(piece["title"])
    assert [told["place"] for told in desk.said("point")] == ["1921", "2019"]


# --- touch ------------------------------------------------------------------------------------------------------------


def test_two_fingers_zoom(desk: Desk) -> None:
    desk.page.evaluate(PINCH)
    assert desk.page.evaluate("map.camera.scale") == pytest.approx(3.0)
    assert desk.said("place", "piece") == []


def test_a_tap_shows_what_is_known_and_chooses(watch: Watch) -> None:
    desk = sit(watch, has_touch=True)
    desk.look_at("2019", 1.5)
    desk.page.touchscreen.tap(*desk.at("1921"))
    expect(desk.page.locator(".map-tip")).to_contain_text(desk.scene["pieces"]["1921-0f"]["title"])
    assert [told["place"] for told in desk.said("point", "piece")] == ["1921", "1921"]


# --- keys -------------------------------------------------------------------------------------------------------------


def test_arrows_walk_the_hexes_and_enter_chooses(desk: Desk) -> None:
    desk.page.locator(".map-view").focus()
    desk.press("ArrowRight")
    here = desk.cursor
    east, north_east, north_west, west, *_ = neighbours(here)
    desk.press("ArrowRight")
    assert desk.cursor == east
    desk.press("ArrowLeft", "ArrowLeft")
    assert desk.cursor == west
    desk.press("ArrowRight", "ArrowUp")
    assert desk.cursor in (north_east, north_west)
    desk.press("ArrowUp", "ArrowDown", "ArrowDown", "Enter")
    assert desk.cursor == here
    assert desk.said("place", "piece")[-1]["place"] == here


def test_tab_goes_from_stack_to_stack_and_out(desk: Desk) -> None:
    own = {piece["place"] for piece in desk.scene["pieces"].values() if piece["side"] == 0}
    desk.page.locator(".map-view").focus()
    desk.page.evaluate("map.walker.go('4346')")
    found = []
    for _ in own:
        desk.press("Tab")
        found.append(desk.cursor)
    assert set(found) == own
    desk.press("Tab")
    assert desk.page.evaluate("document.activeElement.tagName") == "BUTTON"


def test_a_screen_reader_hears_the_hex(desk: Desk) -> None:
    desk.page.locator(".map-view").focus()
    desk.page.evaluate("map.walker.go('2221')")
    desk.press("ArrowLeft", "ArrowRight")
    live = desk.page.locator(".map [aria-live]")
    expect(live).to_contain_text(desk.scene["pieces"]["2221-0m"]["spoken"])
    assert desk.page.get_by_role("application", name="Map").count() == 1


def test_plus_minus_and_f_zoom(desk: Desk) -> None:
    before = desk.page.evaluate("map.camera.scale")
    desk.page.get_by_role("button", name="Zoom in").click()
    assert desk.page.evaluate("map.camera.scale") == pytest.approx(1.4 * before)
    desk.page.get_by_role("button", name="Zoom out").click()
    assert desk.page.evaluate("map.camera.scale") == pytest.approx(before)
    desk.page.get_by_role("button", name="Show the whole map").click()
    desk.commit()
    box = desk.page.locator(".sheet").bounding_box()
    size = desk.page.viewport_size
    assert box is not None
    assert size is not None
    assert box["width"] <= size["width"] + 1
    assert box["height"] <= size["height"] + 1

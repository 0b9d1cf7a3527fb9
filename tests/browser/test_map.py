"""The map by itself, in a page that holds nothing else: what it shows, and what it tells of pointer, touch and keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from leuthen.cartography import read
from leuthen.cartography.grid import centre, neighbours, on_sheet
from leuthen.load import map_folder
from tests.browser.watch import Watch

BOARD: Final = frozenset(read(map_folder("frederick")).hexes)
GOLDEN: Final = Path(__file__).parents[1] / "golden" / "frederick" / "planner.leuthen"
LINES: Final = 430
"""So many lines of the record: a force is on the march then, and two sides share a hex."""
RULE: Final = {"rule": "O5.3", "text": "needs 3 MP, has 2"}
REACH: Final = {
    "2120": {"before": "2221", "price": "1", "left": 5, "spent": 1},
    "2019": {"before": "2120", "price": "2 (river +1)", "left": 3, "spent": 3, "stops": True},
}
FORM: Final = {
    "start": "2221",
    "reach": REACH,
    "fields": [
        {
            "key": "path.0",
            "name": "path",
            "kind": "path",
            "label": "Where to",
            "choices": [],
            "barred": [{"token": "2018", "label": "2018", "place": "2018", "reason": RULE}],
        }
    ],
}
MARCH: Final = {"event": "Marched", "text": "Frederick marches.", "rule": "O5.1", "side": 0, "path": ["2221", "2120"]}

OPEN: Final = """async seat => {
  const ask = async url => (await fetch(url)).json();
  const fresh = await ask(`/api/seats/${seat}`);
  const setting = await ask(`/api/rulesets/${fresh.ruleset}`);
  const host = document.createElement('div');
  host.className = 'map';
  host.style.cssText = 'position: fixed; inset: 0';
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = '/static/css/map.css';
  document.head.append(sheet);
  document.body.replaceChildren(host);
  await new Promise(loaded => sheet.addEventListener('load', loaded));
  const towns = [...setting.fortresses, ...setting.towns].reverse();
  const namesByPlace = new Map(towns.map(town => [town.place, town.name]));
  const store = Object.assign(new EventTarget(), {setting, scene: fresh.scene, side: fresh.side, namesByPlace});
  window.said = [];
  const { createMap } = await import('/static/js/map/index.js');
  window.map = await createMap(host, {store, showRule: rule => said.push(['rule', rule])});
  const hear = event => said.push([event.type, event.detail]);
  for (const kind of ['place', 'piece', 'point', 'drawn']) map.addEventListener(kind, hear);
  map.show(fresh.scene);
  return fresh.scene;
}"""


class Desk:
    """A page with the map alone."""

    def __init__(self, page: Page, scene: dict[str, Any]) -> None:
        self.page = page
        self.scene = scene

    def look_at(self, place: str, scale: float) -> None:
        """Puts a hex in the middle."""
        self.page.evaluate(
            "([place, scale]) => { map.jump(place); map.zoom(scale / map.camera.scale) }", [place, scale]
        )
        self.page.evaluate("map.camera.rest()")
        self.settle()

    def settle(self) -> None:
        """Waits until what was asked for is drawn."""
        self.page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    def at(self, place: str) -> tuple[float, float]:
        """Where a hex lies on the screen, by the drawing of the sheet."""
        x, y = on_sheet(centre(place))
        left, top, scale = self.page.evaluate("[map.camera.x, map.camera.y, map.camera.scale]")
        return left + x * scale, top + y * scale

    def said(self, *kinds: str) -> list[Any]:
        """What the map has told, of these kinds."""
        return [detail for kind, detail in self.page.evaluate("said") if kind in kinds]

    def press(self, *keys: str) -> None:
        """Presses keys, on the map."""
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    @property
    def cursor(self) -> str:
        """The hex of the keyboard's cursor."""
        return str(self.page.evaluate("map.walker.place"))


def sit(watch: Watch, **options: Any) -> Desk:
    """A page with the map of a game that is under way."""
    person = watch.person(**options)
    record = "".join(GOLDEN.read_text(encoding="utf-8").splitlines(keepends=True)[:LINES])
    headers = {"Content-Type": "text/plain", "Origin": watch.url}
    made = person.request.post("/api/import", data=record.encode(), headers=headers).json()
    page = person.new_page()
    page.goto("/")
    return Desk(page, page.evaluate(OPEN, made["seats"][0]["seat"]))


@pytest.fixture
def desk(watch: Watch) -> Desk:
    desk = sit(watch)
    desk.look_at("2019", 1.5)
    return desk


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
    """However far the counters beside it reach, on a small map above all."""
    pieces = desk.scene["pieces"]
    pair = {f"2019-{side}f": pieces[key] | {"place": "2019"} for side, key in ((0, "1921-0f"), (1, "1818-1f"))}
    desk.page.evaluate("pieces => map.show({...map.ctx.store.scene, pieces})", pair)
    desk.look_at("2019", 0.35)
    x, y = desk.at("2020")
    for far in (16, 28):
        desk.page.mouse.click(x - far * 0.35, y)
    assert [told["place"] for told in desk.said("place", "piece")] == ["2020", "2019"]


@pytest.mark.parametrize("place", ["2019", "1918", "0101", "4346", "0236"])
def test_neighbours_are_those_of_the_board(desk: Desk, place: str) -> None:
    board = [there if there in BOARD else "" for there in neighbours(place)]
    assert desk.page.evaluate("place => map.grid.neighbours(place)", place) == board


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
    desk.page.wait_for_timeout(120)  # a hand that rests before it lifts throws nothing
    desk.page.mouse.up()
    desk.settle()
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

PINCH: Final = """() => {
  const view = document.querySelector('.map-view');
  const send = (type, id, x, y) => view.dispatchEvent(new PointerEvent(type,
    {pointerId: id, pointerType: 'touch', clientX: x, clientY: y, bubbles: true, button: 0, isPrimary: id === 1}));
  view.setPointerCapture = () => {};
  send('pointerdown', 1, 500, 400); send('pointerdown', 2, 700, 400);
  send('pointermove', 1, 400, 400); send('pointermove', 2, 800, 400);
  send('pointerup', 1, 400, 400); send('pointerup', 2, 800, 400);
}"""


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
    desk.page.get_by_role("button", name="The whole sheet").click()
    desk.settle()
    box = desk.page.locator(".sheet").bounding_box()
    size = desk.page.viewport_size
    assert box is not None
    assert size is not None
    assert box["width"] <= size["width"] + 1
    assert box["height"] <= size["height"] + 1


# --- what is laid over it ---------------------------------------------------------------------------------------------


def test_counters_say_in_letters_what_their_colour_says(desk: Desk) -> None:
    shapes: dict[tuple[int, bool], set[str | None]] = {}
    for key, piece in desk.scene["pieces"].items():
        counter = desk.page.locator(f"[data-piece='{key}']")
        assert counter.locator(".c-strength").text_content() == piece["strength"]
        assert counter.locator(".c-power").text_content()
        marks = [badge["mark"] for badge in piece.get("badges", [])]
        assert counter.locator(".badge text").all_text_contents() == marks
        shapes.setdefault((piece["side"], piece["inside"]), set()).add(counter.locator(".c-face").get_attribute("d"))
    assert shapes[0, False] & shapes[1, False] == set()
    assert shapes[0, False] & shapes[0, True] == set()


def test_numbers_of_hexes_come_when_they_can_be_read(desk: Desk) -> None:
    expect(desk.page.locator(".numbers text", has_text=re.compile("^2019$"))).to_be_attached()
    desk.look_at("2019", 0.6)
    expect(desk.page.locator(".numbers text")).to_have_count(0)


def test_a_reach_shows_what_is_left_and_a_path_what_it_costs(desk: Desk) -> None:
    desk.page.evaluate("form => { map.setReach(form); map.setPath(['2221', '2120', '2019']) }", FORM)
    assert desk.page.locator(".reach-left text").all_text_contents() == ["3", "5"]
    assert desk.page.locator(".reach-stop").count() == 1
    assert desk.page.locator(".way-step text").all_text_contents() == ["1", "2"]
    desk.page.mouse.move(*desk.at("2019"))
    expect(desk.page.locator(".map-tip")).to_contain_text(
        "3 left there; the last step costs 2 (river +1); it stops there"
    )
    desk.page.evaluate("() => { map.setReach(null); map.setPath([]) }")
    assert desk.page.locator(".reach *, .way *").count() == 0


def test_a_barred_hex_answers_with_its_rule(watch: Watch) -> None:
    desk = sit(watch, has_touch=True)
    desk.look_at("2019", 1.5)
    desk.page.evaluate("form => map.setReach(form)", FORM)
    desk.page.mouse.move(*desk.at("2018"))
    expect(desk.page.locator(".map-tip")).to_contain_text("Needs 3 MP, has 2")
    desk.page.touchscreen.tap(*desk.at("2018"))
    desk.page.get_by_role("button", name="Rule O5.3").tap()
    assert desk.said("rule") == ["O5.3"]


def test_a_layer_differs_in_hatching_as_well_as_in_colour(desk: Desk) -> None:
    shades = {
        "2019": {"level": 1, "side": 0, "text": "in supply"},
        "2020": {"level": 3, "side": 1},
        "2021": {"level": 3},
    }
    layer = {
        "id": "x",
        "title": "X",
        "shades": shades,
        "lines": [{"path": ["2019", "2020", "2021"], "side": 1, "text": "2 of 5"}],
    }
    desk.page.evaluate("layer => map.setLayer(layer)", layer)
    fills = {shade.get_attribute("fill") for shade in desk.page.locator(".shade").all()}
    assert fills == {"url(#map-hatch-0-1)", "url(#map-hatch-1-3)", "url(#map-hatch-2-3)"}
    assert desk.page.locator(".line").get_attribute("marker-end") == "url(#map-head-line-1)"
    assert desk.page.locator(".line-text").text_content() == "2 of 5"
    desk.page.mouse.move(*desk.at("2019"))
    expect(desk.page.locator(".map-tip")).to_contain_text("in supply")
    desk.page.evaluate("map.setLayer(null)")
    assert desk.page.locator(".layer *, .layer-lines *").count() == 0


def test_lights_can_be_told_apart_and_found(desk: Desk) -> None:
    desk.page.evaluate("() => { map.highlight(['2019', '2020', '9999'], 'choice'); map.highlight(['2019'], 'picked') }")
    lit = desk.page.locator("[data-light=choice]")
    assert [light.get_attribute("data-place") for light in lit.all()] == ["2019", "2020"]
    desk.page.evaluate("map.highlight([], 'choice')")
    expect(lit).to_have_count(0)
    expect(desk.page.locator("[data-light=picked]")).to_have_count(1)


def test_plans_are_drawn_hex_by_hex(desk: Desk) -> None:
    desk.page.evaluate("map.draw('arrow')")
    for place in ("2019", "2020", "2021"):
        desk.page.mouse.click(*desk.at(place))
        desk.settle()
    desk.page.evaluate("map.plans.finish()")
    drawn = desk.said("drawn")
    assert drawn[-1] == {"places": ["2019", "2020", "2021"], "isDone": True}
    assert [told["isDone"] for told in drawn] == [False, False, False, True]
    desk.page.evaluate("map.draw('pin')")
    desk.page.mouse.click(*desk.at("2120"))
    assert desk.said("drawn")[-1] == {"places": ["2120"], "isDone": True}
    desk.press("Escape")
    assert desk.said("drawn")[-1] == {"places": [], "isDone": True}
    desk.page.evaluate("map.draw(null)")
    assert desk.said("place", "piece") == []
    desk.page.evaluate("map.setPlans({arrows: [['2019', '2020']], pins: [['2120', 'Here <b>we</b> go']]})")
    assert desk.page.locator(".pin-text").text_content() == "Here <b>we</b> go"
    assert desk.page.locator(".plans:not(.is-draft) .plan-line").count() == 1


def test_what_happened_is_played_and_leaves_nothing(desk: Desk) -> None:
    told = [MARCH, {"event": "Battle", "text": "A battle.", "rule": "O9.4", "dice": [5], "places": ["1818"]}]
    desk.page.evaluate("told => { window.over = map.play(told) }", told)
    expect(desk.page.locator(".map-card")).to_contain_text("Frederick marches.")
    assert desk.page.locator(".counter.is-away").count() == 1
    expect(desk.page.locator(".map-card .die")).to_have_text("5")
    desk.page.evaluate("over")
    expect(desk.page.locator(".map-card")).to_be_hidden()
    assert desk.page.locator(".is-away, .playing .counter, [data-light=told]").count() == 0


def test_a_click_skips_what_is_played(desk: Desk) -> None:
    desk.page.evaluate("told => { window.over = map.play(Array(6).fill(told)) }", MARCH)
    desk.page.mouse.click(*desk.at("2019"))
    desk.page.evaluate("over")
    assert desk.page.locator(".playing .counter").count() == 0
    desk.settle()
    assert [told["place"] for told in desk.said("place", "piece")] == ["2019"]


def test_who_wants_no_motion_gets_none(watch: Watch) -> None:
    desk = sit(watch, reduced_motion="reduce")
    desk.page.evaluate("told => { window.over = map.play([told]) }", MARCH)
    expect(desk.page.locator(".map-card")).to_be_visible()
    assert desk.page.locator(".playing .counter").count() == 0
    desk.page.evaluate("over")


@pytest.mark.parametrize(("scheme", "sea"), [("light", "rgb(205, 218, 214)"), ("dark", "rgb(23, 34, 37)")])
def test_it_is_light_or_dark(watch: Watch, scheme: str, sea: str) -> None:
    desk = sit(watch, color_scheme=scheme)
    assert desk.page.evaluate("getComputedStyle(document.querySelector('.sheet rect[fill*=sea]')).fill") == sea


def test_it_prints_whole(desk: Desk) -> None:
    desk.page.emulate_media(media="print")
    box = desk.page.locator(".sheet").bounding_box()
    assert box is not None
    assert (box["x"], box["y"]) == (0, 0)
    assert box["width"] == desk.page.evaluate("innerWidth")

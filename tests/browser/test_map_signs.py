import re
from typing import Final, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.games import Watch
from tests.browser.mapdesk import Desk, sit

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


NAMED: Final = """[...document.querySelectorAll('.counter')].flatMap(one => {
  const [name] = [...one.querySelectorAll('.c-name, .c-tag')].filter(text => text.checkVisibility());
  return name ? [[one.dataset.piece, name.getBoundingClientRect().toJSON()]] : [];
})"""


@pytest.mark.parametrize("scale", [0.4, 0.8, 1.6])
def test_counters_name_their_leaders_at_every_zoom(desk: Desk, scale: float) -> None:
    desk.look_at("2019", scale)
    led = {key for key, piece in desk.scene["pieces"].items() if piece.get("leaders")}
    named = dict(desk.page.evaluate(NAMED))
    assert named
    assert set(named) <= led
    boxes = list(named.values())
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            beside = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert beside or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]


def test_numbers_of_hexes_come_when_they_can_be_read(desk: Desk) -> None:
    expect(desk.page.locator(".numbers text", has_text=re.compile("^2019$"))).to_be_attached()
    desk.look_at("2019", 0.6)
    expect(desk.page.locator(".numbers text")).to_have_count(0)


def test_a_round_of_a_battle_marks_the_battles_hex(desk: Desk) -> None:
    marked = desk.page.evaluate(
        """() => {
          map.playing.hold([{text: "A march", path: ["2221", "2120"], places: ["2120"]}], {});
          map.playing.hold([{text: "A round", round: 1}], {versus: {place: "2019"}});
          return [...document.querySelectorAll(".light-told")].map(one => one.dataset.place);
        }"""
    )
    assert marked == ["2019"]


def test_the_frame_of_who_may_act_lies_above_the_counters(desk: Desk) -> None:
    is_above = desk.page.evaluate(
        """() => {
          map.overlay.highlight(["2019"], "choice");
          const [frame, counters] = [document.querySelector(".light-choice"), document.querySelector(".counters")];
          return Boolean(counters.compareDocumentPosition(frame) & Node.DOCUMENT_POSITION_FOLLOWING);
        }"""
    )
    assert is_above


def test_a_reach_shows_what_is_left_and_a_path_what_it_costs(desk: Desk) -> None:
    desk.page.evaluate("form => { map.overlay.setReach(form); map.overlay.setPath(['2221', '2120', '2019']) }", FORM)
    assert desk.page.locator(".reach-left text").all_text_contents() == ["3", "5"]
    assert desk.page.locator(".reach-stop").count() == 1
    assert desk.page.locator(".way-step text").all_text_contents() == ["1", "2"]
    desk.page.mouse.move(*desk.at("2019"))
    expect(desk.page.locator(".map-tip")).to_contain_text(
        "3 MP left there; last step 2 (river +1); the march stops there"
    )
    desk.page.evaluate("() => { map.overlay.setReach(null); map.overlay.setPath([]) }")
    assert desk.page.locator(".reach *, .way *").count() == 0


def test_a_barred_hex_answers_with_its_rule(watch: Watch) -> None:
    desk = sit(watch, has_touch=True)
    desk.look_at("2019", 1.5)
    desk.page.evaluate("form => map.overlay.setReach(form)", FORM)
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
    desk.page.evaluate("layer => map.overlay.setLayer(layer)", layer)
    fills = {shade.get_attribute("fill") for shade in desk.page.locator(".shade").all()}
    assert fills == {"url(#map-hatch-0-1)", "url(#map-hatch-1-3)", "url(#map-hatch-2-3)"}
    assert desk.page.locator(".line").get_attribute("marker-end") == "url(#map-head-line-1)"
    assert desk.page.locator(".line-text").text_content() == "2 of 5"
    desk.page.mouse.move(*desk.at("2019"))
    expect(desk.page.locator(".map-tip")).to_contain_text("in supply")
    desk.page.evaluate("map.overlay.setLayer(null)")
    assert desk.page.locator(".layer *, .layer-lines *").count() == 0


def test_lights_can_be_told_apart_and_found(desk: Desk) -> None:
    desk.page.evaluate(
        "() => { map.overlay.highlight(['2019', '2020', '9999'], 'choice'); map.overlay.highlight(['2019'], 'picked') }"
    )
    lit = desk.page.locator("[data-light=choice]")
    assert [light.get_attribute("data-place") for light in lit.all()] == ["2019", "2020"]
    desk.page.evaluate("map.overlay.highlight([], 'choice')")
    expect(lit).to_have_count(0)
    expect(desk.page.locator("[data-light=picked]")).to_have_count(1)


def test_plans_are_drawn_hex_by_hex(desk: Desk) -> None:
    desk.page.evaluate("map.draw('arrow')")
    for place in ("2019", "2020", "2021", "2021"):  # the last one again ends it
        desk.page.mouse.click(*desk.at(place))
        desk.commit()
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
    desk.page.evaluate("map.plans.show({arrows: [['2019', '2020']], pins: [['2120', 'Here <b>we</b> go']]})")
    assert desk.page.locator(".pin-text").text_content() == "Here <b>we</b> go"
    assert desk.page.locator(".plans:not(.is-draft) .plan-line").count() == 1


def test_what_happened_is_played_and_leaves_nothing(desk: Desk) -> None:
    told = [MARCH, {"event": "Battle", "text": "A battle.", "rule": "O9.4", "dice": [5], "places": ["1818"]}]
    desk.page.evaluate("told => { window.over = map.playing.play(told, {pieces: {}}) }", told)
    expect(desk.page.locator(".map-card")).to_contain_text("Frederick marches.")
    assert desk.page.locator(".counter.is-away").count() == 1
    expect(desk.page.locator(".map-card .die")).to_have_text("5")
    desk.page.evaluate("over")
    expect(desk.page.locator(".map-card")).to_be_hidden()
    assert desk.page.locator("[data-light=told]").count() == 0
    desk.page.evaluate("map.skip()")
    assert desk.page.locator(".is-away, .playing .counter").count() == 0


def test_on_a_phone_the_buttons_hide_nothing_that_is_reported(watch: Watch) -> None:
    desk = sit(watch, viewport={"width": 390, "height": 400})
    told = {"event": "Siege", "text": "A siege. " * 12, "rule": "O13.2", "places": ["2219", "2019", "1819"]}
    desk.page.evaluate("told => { window.over = map.playing.play([told], map.ctx.store.scene) }", told)
    card, tools = (desk.page.locator(what).bounding_box() for what in (".map-card", ".map-tools"))
    assert card is not None
    assert tools is not None
    assert card["x"] + card["width"] <= tools["x"]


def test_a_click_skips_what_is_played(desk: Desk) -> None:
    desk.page.evaluate("told => { window.over = map.playing.play(Array(6).fill(told), map.ctx.store.scene) }", MARCH)
    desk.page.mouse.click(*desk.at("2019"))
    desk.page.evaluate("over")
    assert desk.page.locator(".playing .counter").count() == 0
    desk.commit()
    assert [told["place"] for told in desk.said("place", "piece")] == ["2019"]


def test_who_wants_no_motion_gets_none(desk: Desk) -> None:
    desk.page.emulate_media(reduced_motion="reduce")
    desk.page.evaluate("told => { window.over = map.playing.play([told], map.ctx.store.scene) }", MARCH)
    expect(desk.page.locator(".map-card")).to_be_visible()
    assert desk.page.locator(".playing .counter").count() == 0
    desk.page.evaluate("over")


@pytest.mark.parametrize(("scheme", "sea"), [("light", "rgb(205, 218, 214)"), ("dark", "rgb(23, 34, 37)")])
def test_it_is_light_or_dark(desk: Desk, scheme: Literal["light", "dark"], sea: str) -> None:
    desk.page.emulate_media(color_scheme=scheme)
    assert desk.page.evaluate("getComputedStyle(document.querySelector('.sheet rect[fill*=sea]')).fill") == sea


def test_no_name_of_a_river_is_cut_off(desk: Desk) -> None:
    short = """() => [...document.querySelectorAll('.sheet textPath')].filter((name) => {
      const line = document.querySelector(name.getAttribute('href'));
      return line.getTotalLength() < name.parentElement.getComputedTextLength();
    }).map((name) => name.textContent)"""
    assert desk.page.locator(".sheet textPath").count() > 40
    assert desk.page.evaluate(short) == []


def test_it_prints_whole(desk: Desk) -> None:
    desk.page.emulate_media(media="print")
    box = desk.page.locator(".sheet").bounding_box()
    assert box is not None
    assert (box["x"], box["y"]) == (0, 0)
    assert box["width"] == desk.page.evaluate("innerWidth")

import re
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import GOLDEN, WAR, Watch, bring_in, chronicle, lines_of
from tests.browser.games import sit as games_sit

MISSING: Final = 60
PANELS: Final = ("chronicle", "calendar", "victory", "europe", "musters", "tables", "rules", "notes", "about")

READ_UP: Final = """() => {
  document.querySelector('.drawer-body').scrollTop = 0;
  return !document.querySelector('.panel-chronicle > button').checkVisibility();
}"""

STILL: Final = """() => new Promise(done => {
  let last = '', calm = 0;
  const look = () => {
    const {x, y, width} = document.querySelector('.map-world').getBoundingClientRect();
    calm = last === `${x} ${y} ${width}` ? calm + 1 : 0;
    last = `${x} ${y} ${width}`;
    calm > 20 ? done() : requestAnimationFrame(look);
  };
  look();
})"""


class Desk(NamedTuple):
    page: Page
    seat: str

    def get(self, route: str) -> Any:
        return self.page.request.get(f"/api/seats/{self.seat}{route}").json()

    def chronicle(self, viewer: str = "") -> list[dict[str, Any]]:
        return chronicle(self.page.request, self.seat, viewer)

    def open(self, panel: str) -> None:
        self.page.locator(f"[data-panel={panel}]").click()
        expect(self.page.locator(f".panel-{panel}")).to_be_visible()


def sit(watch: Watch, page: str = "table", *, ended: bool = False, own: bool = False, **options: Any) -> Desk:
    record = lines_of(WAR, 0, None if ended else -MISSING)
    if own:
        person = watch.person(**options)
        seat, _ = bring_in(person.request, watch.url, record)
    else:
        person, seat = watch.onlooker(record, **options)
    opened = person.new_page()
    opened.goto(f"/{page}/{seat}")
    return Desk(opened, seat)


@pytest.fixture
def desk(watch: Watch) -> Desk:
    return sit(watch)


def test_the_chronicle_tells_of_marches_and_dice_at_once_and_all_else_at_wish(desk: Desk) -> None:
    lines = [line["entry"] for line in desk.chronicle()]
    desk.open("chronicle")
    told = desk.page.locator("li.told")
    shown = desk.page.locator("li.told:visible")
    for kind in ("path", "dice"):
        last = [line for line in lines if line.get("is_small") and line.get(kind)][-1]
        expect(shown.filter(has_text=last["text"]).last).to_be_attached()
    small = [line for line in lines if line.get("is_small") and not line.get("path") and not line.get("dice")][-1]
    expect(told.filter(has_text=small["text"]).last).to_be_hidden()
    desk.page.get_by_label("all details").check()
    expect(told.filter(has_text=small["text"]).last).to_be_visible()
    expect(told.last).to_contain_text(lines[-1]["text"])
    desk.page.wait_for_function(READ_UP)
    texts = [" ".join(text.split()) for text in told.locator("> div").all_text_contents()]
    assert all(line["text"] in text for line, text in zip(lines, texts, strict=True))


def test_the_chronicle_lights_hexes_shows_battles_and_opens_their_rule(desk: Desk) -> None:
    lines = desk.chronicle()
    battles = [line["entry"] for line in lines if line["entry"].get("topic") == "battle" and "spot" in line["entry"]]
    told = [line["entry"] for line in lines if line["entry"].get("places") and not line["entry"].get("is_small")][-1]
    desk.open("chronicle")
    lit = desk.page.locator("#map [data-light=told]")
    desk.page.locator("li.told").filter(has_text=told["text"]).last.hover()
    expect(lit.first).to_be_attached()
    assert set(lit.evaluate_all("all => all.map(one => one.dataset.place)")) == set(told["places"])
    desk.page.locator(".drawer-head h2").hover()
    expect(lit).to_have_count(0)
    desk.page.get_by_label("Kind of event").select_option("battle")
    line = desk.page.locator("li.told:visible").filter(has_text=battles[-1]["text"])
    line.get_by_role("button", name=f"Rule {battles[-1]['rule']}").click()
    expect(desk.page.locator(".panel-rules article.lit")).to_have_attribute("aria-label", f"Rule {battles[-1]['rule']}")
    desk.open("chronicle")
    line.get_by_role("button", name="table").click()
    spot = battles[-1]["spot"]
    expect(desk.page.locator(".panel-tables tr.lit th")).to_have_text(spot["row"])
    expect(desk.page.locator(".panel-tables .cell")).to_be_in_viewport()


def test_the_timeline_looks_back_and_comes_home(desk: Desk) -> None:
    turns = desk.get("/turns")["turns"]
    slider = desk.page.get_by_role("slider", name="Turn shown")
    slider.focus()
    for _ in range(3):
        desk.page.keyboard.press("ArrowLeft")
    score = turns[-3]["scores"]["vp"]
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"Looking back: {turns[-3]['year']}.*{score[0]} to"))
    desk.open("calendar")
    expect(desk.page.locator(".year [aria-current]")).to_contain_text(str(turns[-3]["turn"]))
    desk.page.locator("#timeline").get_by_role("button", name="Back to now").click()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Now:"))
    expect(slider).to_be_focused()


def test_after_the_end_one_looks_back_all_knowing(watch: Watch) -> None:
    desk = sit(watch, ended=True)
    desk.open("musters")
    unknown = desk.page.locator(".panel-musters td").filter(has_text=re.compile(r"^\?$"))
    desk.page.get_by_label("View", exact=True).select_option("3")
    expect(unknown).to_have_count(0)
    desk.open("chronicle")
    lines = desk.chronicle("3")
    desk.page.get_by_label("all details").check()
    expect(desk.page.locator("li.told").last).to_contain_text(lines[-1]["entry"]["text"])
    desk.page.get_by_label("Turn", exact=True).select_option("1")
    turn = [line for line in lines if line["turn"] == 1]
    expect(desk.page.locator("li.told:visible")).to_have_count(len(turn))
    assert turn != [line for line in desk.chronicle() if line["turn"] == 1]
    desk.open("musters")
    desk.page.get_by_label("View", exact=True).select_option("")
    expect(unknown).not_to_have_count(0)


def test_rules_are_found_by_number_and_by_words(desk: Desk) -> None:
    desk.open("rules")
    field = desk.page.get_by_label("Search the rules")
    field.fill("o5.3")
    expect(desk.page.locator(".panel-rules article")).to_have_count(1)
    field.fill("demoralized winter quarters")
    found = desk.page.locator(".panel-rules article")
    assert found.count() > 0
    assert all("quarters" in text for text in found.all_text_contents())
    field.fill("siege depot")
    expect(found.first).to_contain_text("O13 Siege")
    field.fill("no such words anywhere")
    expect(desk.page.locator(".panel-rules [role=status]")).to_have_text("No rule found. Try another word.")
    desk.page.get_by_role("button", name="Contents").click()
    desk.page.get_by_role("button", name="O9 Combat", exact=True).click()
    assert desk.page.locator(".panel-rules article").count() > 5
    desk.page.get_by_role("button", name="Back", exact=True).click()
    desk.page.get_by_role("button", name="Back", exact=True).click()
    expect(field).to_have_value("no such words anywhere")


def test_notes_and_plans_are_kept_for_the_seat_and_stay_text(watch: Watch) -> None:
    desk = sit(watch, own=True)
    desk.open("notes")
    desk.page.evaluate(STILL)
    box = desk.page.locator("#map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2  # left of the drawer
    desk.page.get_by_role("button", name="Draw an arrow").click()
    for far in (0, 80, 80):
        desk.page.mouse.click(x + far, y)
    desk.page.get_by_label("Text of the next pin").fill("<b>here</b>")
    desk.page.get_by_role("button", name="Set a pin").click()
    with desk.page.expect_response(lambda answer: "here" in (answer.request.post_data or "")):
        desk.page.mouse.click(x + 80, y)
    expect(desk.page.locator(".plans li")).to_have_count(2)
    kept = desk.get("/notes")
    assert len(kept["arrows"][0]) > 1
    assert kept["pins"][0][1] == "<b>here</b>"
    desk.page.get_by_role("button", name="Remove ↗").click()
    expect(desk.page.locator(".plans li")).to_have_count(1)
    notes = "Hold <b>Silesia</b> & <script>alert(1)</script>"
    desk.page.get_by_role("textbox", name="Notes").fill(notes)
    expect(desk.page.get_by_text("saved", exact=True)).to_be_visible()
    desk.page.reload()
    desk.open("notes")
    expect(desk.page.get_by_role("textbox", name="Notes")).to_have_value(notes)
    expect(desk.page.locator(".plans li")).to_have_count(1)
    assert desk.get("/notes")["text"] == notes


def test_the_head_says_who_would_win_now(watch: Watch) -> None:
    person = watch.person(viewport={"width": 1440, "height": 900})
    for rules, record in (("frederick", "planner-bohemia"), ("campaigns", "planner-1757")):
        seat, _ = bring_in(person.request, watch.url, lines_of(GOLDEN / rules / f"{record}.leuthen", 0, 60))
        score = person.request.get(f"/api/seats/{seat}").json()["scene"]["scores"][0]
        page = games_sit(person, seat)
        expect(page.locator(".score-now")).to_contain_text(score["now"])
        page.evaluate("document.querySelector('.head-date .muted').textContent = ' a long phase'.repeat(9)")
        assert re.fullmatch(r"(draw|.* victory) \(.*\)", score["now"])
        for width in (1440, 1024):
            page.set_viewport_size({"width": width, "height": 900})
            head = page.evaluate("[head.scrollWidth - innerWidth, head.offsetHeight]")
            assert head[0] <= 0, (rules, width)
            assert head[1] < 56, (rules, width)


def test_every_fortress_stands_with_its_holder(desk: Desk) -> None:
    scene = desk.get("")["scene"]
    desk.open("victory")
    rows = desk.page.locator(".holdings tbody tr")
    assert rows.count() == len(scene["holdings"])
    points = [sum(one["points"] for one in scene["holdings"].values() if one["side"] == side) for side in (0, 1)]
    assert points == scene["scores"][0]["values"]
    for side in (0, 1):
        expect(desk.page.locator(".panel-victory h3").filter(has_text=f": {points[side]} VP")).not_to_have_count(0)


def test_the_campaign_page_draws_the_scores_that_were(watch: Watch) -> None:
    desk = sit(watch, "campaign", ended=True)
    turns = desk.get("/turns?viewer=3")["turns"]
    assert numbers(desk, "Victory points")[:-1] == [turn["scores"]["vp"] for turn in turns]
    assert numbers(desk, "SP on the map")[:-1] == [turn["scores"]["sp"] for turn in turns]
    lines = desk.chronicle("3")
    battles = [line for line in lines if line["entry"].get("battle")]
    others = [line for line in lines if line["entry"].get("topic") in ("battle", "siege") and line not in battles]
    assert battles
    assert others
    expect(desk.page.locator(".battle-cards .battle-card")).to_have_count(len(battles))
    expect(desk.page.locator(".fights tbody tr")).to_have_count(len(others))
    expect(desk.page.locator(".fronts .front")).to_have_count(len({turn["year"] for turn in turns}) + 1)


def test_the_campaign_page_adds_up_the_luck_of_both_sides(watch: Watch) -> None:
    desk = sit(watch, "campaign")
    lines = desk.chronicle()
    luck = [one for line in lines for one in line["entry"].get("luck", ())]
    sums = [sum(one["value"] - 0.5 for one in luck if one["side"] == side) for side in (0, 1)]
    assert len(luck) > 20
    assert numbers(desk, "Luck")[-1] == pytest.approx(sums, abs=0.006)
    rolls = [sum(one["side"] == side for one in luck) for side in (0, 1)]
    expect(desk.page.locator(".chart").filter(has_text=f"after {rolls[0]} rolls")).to_contain_text(
        f"after {rolls[1]} rolls"
    )


def numbers(desk: Desk, title: str) -> list[list[float]]:
    heading = desk.page.get_by_role("heading", name=title, exact=True)
    chart = desk.page.locator(".chart").filter(has=heading)
    chart.get_by_text("Show the numbers").click()
    rows = chart.locator("tbody tr").all_inner_texts()
    return [[float(cell.replace("−", "-")) for cell in row.split("\t")[-2:]] for row in rows]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_the_chat_box_stays_in_view(watch: Watch, width: int, height: int) -> None:
    person = watch.person(viewport={"width": width, "height": height})
    seat = watch.make_game(person)[0]["seat"]
    line = {"side": 1, "at": "2026-01-01T12:00:00Z", "text": "Well met"}
    lines = [{"n": number, **line} for number in range(1, 41)]
    person.route(re.compile("/chat$"), lambda route: route.fulfill(json={"lines": lines}))
    desk = Desk(games_sit(person, seat), seat)
    desk.open("chat")
    expect(desk.page.locator(".panel-chat ol li")).to_have_count(40)
    expect(desk.page.get_by_label("Your message")).to_be_in_viewport(ratio=1)
    desk.page.locator(".drawer-body").evaluate("body => { body.scrollTop = 0; }")
    expect(desk.page.get_by_label("Your message")).to_be_in_viewport(ratio=1)
    expect(desk.page.locator(".panel-chat ol li").first).to_be_in_viewport()


def test_back_closes_an_open_drawer(desk: Desk) -> None:
    url = desk.page.url
    desk.open("chronicle")
    desk.page.go_back()
    expect(desk.page.locator("#drawer")).to_be_hidden()
    expect(desk.page.locator("body")).to_have_attribute("data-line", "live")
    assert desk.page.url == url


@pytest.mark.parametrize("width", [380, 1440])
def test_no_panel_is_wider_than_its_drawer(watch: Watch, width: int) -> None:
    desk = sit(watch, viewport={"width": width, "height": 844})
    for panel in PANELS:
        desk.open(panel)
        spill = desk.page.evaluate(
            "(body => body.scrollWidth - body.clientWidth)(document.querySelector('.drawer-body'))"
        )
        assert spill <= 0, panel
        desk.page.keyboard.press("Escape")

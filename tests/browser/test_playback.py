import re
from collections.abc import Sequence
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Request, ViewportSize, expect

from tests.browser.games import GOLDEN, Line, War, Watch, bring_in, chronicle, lines_of, order, scan, sit
from tests.browser.test_showing import LOST_LINE, SPY, split

DESK: Final[ViewportSize] = {"width": 1440, "height": 900}
VIEW: Final = "() => new DOMMatrix(getComputedStyle(document.querySelector('.map-world')).transform).f"
AHEAD: Final = """() => {
  const fetched = performance.getEntriesByType('resource').filter(({name}) => name.includes('/past?'));
  return fetched.length > 2 && document.querySelector('#playback').textContent.includes(': 1 of');
}"""
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}


class Shown:
    """A table of the Prussian side, before two marches of the Austrian side and the end of its phase."""

    def __init__(
        self,
        watch: Watch,
        size: ViewportSize = DESK,
        *,
        slowly: bool = True,
        is_played: bool = True,
        briefed: bool = True,
    ) -> None:
        record, self.lines = split(["austria"])
        self.watch = watch
        self.person = watch.person(viewport=size, reduced_motion=None if slowly else "reduce", briefed=briefed)
        if slowly:
            self.person.add_init_script("try { localStorage.setItem('leuthen.speed', 'slow') } catch {}")
        self.mine, self.theirs = bring_in(self.person.request, watch.url, record)
        self.page = sit(self.person, self.mine)
        self.before = len(chronicle(self.person.request, self.mine))
        if is_played:
            self.give(self.lines)

    def give(self, lines: Sequence[Line], person: BrowserContext | None = None) -> None:
        for line in lines:
            order((person or self.person).request, self.watch.url, self.theirs, line.what)

    @property
    def bar(self) -> Locator:
        return self.page.locator("#playback")

    def marches(self) -> list[str]:
        lines = chronicle(self.person.request, self.mine)[self.before :]
        return [line["entry"]["text"] for line in lines if line["entry"].get("path")]

    def expect_board_of_the_server(self) -> None:
        expect(self.bar).to_be_hidden()
        expect(self.page.locator(".map-card")).to_be_hidden()
        expect_pieces(self.page, self.person, self.mine)


def expect_pieces(page: Page, person: BrowserContext, seat: str) -> None:
    pieces = person.request.get(f"/api/seats/{seat}").json()["scene"]["pieces"]
    places = sorted(f"{key} {piece['place']}" for key, piece in pieces.items())
    page.wait_for_function(
        """places => {
          const drawn = [...document.querySelectorAll('.counters .counter')].filter(one => one.checkVisibility());
          return JSON.stringify(drawn.map(one => `${one.dataset.piece} ${one.dataset.place}`).sort()) === places;
        }""",
        arg=page.evaluate("places => JSON.stringify(places.sort())", places),
    )


def test_orders_pause_step_and_go_on(watch: Watch) -> None:
    shown = Shown(watch)
    page, bar = shown.page, shown.bar
    first, second, *rest = shown.marches()
    expect(page.locator(".map-card")).to_contain_text(first)
    page.keyboard.press(" ")
    expect(bar.locator("[data-do=play]")).to_have_text("Play")
    expect(bar).to_contain_text("Latest orders: 1 of")
    expect(page.locator("#news")).to_contain_text(first)
    expect(page.locator("#news")).not_to_contain_text(second)
    assert scan(page, "the bar", "#playback") == []
    page.keyboard.press("ArrowRight")
    expect(bar).to_contain_text("2 of")
    expect(page.locator(".map-card")).to_contain_text(second)
    page.keyboard.press("ArrowLeft")
    expect(bar).to_contain_text("1 of")
    expect(page.locator(".map-card")).to_contain_text(first)
    bar.locator("[data-do=play]").click()
    shown.expect_board_of_the_server()
    expect(page.locator("#news")).to_contain_text(rest[-1])


def test_it_waits_until_the_briefing_is_closed(watch: Watch) -> None:
    shown = Shown(watch, is_played=False, briefed=False)
    page = shown.page
    briefing = page.locator("dialog[open]")
    expect(briefing).to_contain_text("Three hints")
    page.evaluate(SPY)
    shown.give(shown.lines)
    expect(shown.bar).to_contain_text("1 of")
    page.wait_for_timeout(300)
    assert page.evaluate("shown") == []
    briefing.locator("button.primary").click()
    expect(page.locator(".map-card")).to_contain_text(shown.marches()[0])


def test_the_position_after_the_next_order_is_fetched_ahead(watch: Watch) -> None:
    shown = Shown(watch, is_played=False)
    shown.page.close()
    shown.give(shown.lines)
    sit(shown.person, shown.mine).wait_for_function(AHEAD)


def test_the_halts_of_wagons_are_no_steps(watch: Watch) -> None:
    record = lines_of(GOLDEN / "campaigns" / "planner-1757.leuthen", 0, 400)
    war = War(watch, record, reduced_motion="reduce")
    page = war.page
    page.keyboard.press("w")
    bar = page.locator("#playback")
    expect(bar).to_contain_text("Last turn: 0 of")
    steps = int(bar.inner_text().partition(" of ")[2].split("‹")[0])
    lines = chronicle(war.requests, war.seat)
    turn = [line for line in lines if line["turn"] == lines[-1]["turn"]]
    halts = {line["n"] for line in turn if line["entry"]["event"] == "march-ended"}
    notable = {line["n"] for line in turn if not line["entry"].get("is_small") or "path" in line["entry"]}
    assert steps + len(halts) <= len(notable)


@pytest.mark.parametrize("how", ["Escape", "skip", "map", "order"])
def test_input_ends_it_with_the_servers_board(watch: Watch, how: str) -> None:
    shown = Shown(watch, is_played=False)
    page = shown.page
    page.wait_for_function("() => calls.open === 0")
    was = page.evaluate(VIEW)
    page.evaluate(SPY)
    shown.give(shown.lines)
    expect(shown.bar).to_be_visible()
    _, second, third, *_ = shown.marches()
    expect(page.locator(".map-card")).to_contain_text(second)
    if how == "Escape":
        page.keyboard.press("Escape")
    elif how == "skip":
        page.click("[data-do=skip]")
    elif how == "map":
        page.mouse.click(900, 300)
    else:
        page.locator("#order button").first.click()
    shown.expect_board_of_the_server()
    assert not page.evaluate("third => shown.some(({text}) => text.includes(third))", third), "it does not play on"
    if how != "map":
        page.wait_for_function(f"was => Math.abs(({VIEW})() - was) < 60", arg=was)
    for line in shown.lines[:2]:
        expect(page.locator(f"[data-track='{line.what.split()[-1]}']")).to_have_count(1)


def test_what_was_missed_is_played_on_return(watch: Watch) -> None:
    shown = Shown(watch, is_played=False)
    shown.page.close()
    shown.give(shown.lines)
    page = shown.page = sit(shown.person, shown.mine)
    expect(shown.bar).to_contain_text("Since you last looked")
    expect(page.locator(".map-card")).to_contain_text(shown.marches()[0])
    page.reload()  # in the middle of it: it goes on from there
    expect(shown.bar).to_contain_text("Since you last looked")
    page.keyboard.press("Escape")
    shown.expect_board_of_the_server()
    page.reload()
    page.wait_for_selector("body[data-line=live]")
    shown.expect_board_of_the_server()


def test_the_last_turn_is_replayed_at_any_time(watch: Watch) -> None:
    shown = Shown(watch, slowly=False)
    page = shown.page
    asked = list[str]()
    seat = f"/api/seats/{shown.mine}/"

    def note(request: Request) -> None:
        if request.method == "GET":
            asked.append(request.url.partition(seat)[2])

    page.on("request", note)
    page.keyboard.press("w")
    expect(shown.bar).to_contain_text(re.compile("Last turn: 0 of [1-9]"))
    expect(shown.bar.locator("[data-do=play]")).to_have_text("Play")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".playing .counter")).to_have_count(0)
    expect(shown.bar).to_contain_text("3 of")
    assert {part.partition("?")[0] for part in asked if part} == {"chronicle", "past"}
    assert not [part for part in asked if "viewer" in part], "it uses its own side's knowledge only"
    page.keyboard.press("Escape")
    shown.expect_board_of_the_server()


def test_the_timeline_steps_by_order(watch: Watch) -> None:
    shown = Shown(watch, slowly=False)
    page, timeline = shown.page, shown.page.locator("#timeline")
    timeline.get_by_label("Previous order").click()
    *_, last, very_last = shown.marches()
    expect(page.locator(".map-card")).to_contain_text(last)
    timeline.get_by_label("Next order").click()
    expect(page.locator(".map-card")).to_contain_text(very_last)
    slider = timeline.get_by_role("slider")
    slider.focus()
    slider.press("Home")
    expect(page.locator("body")).to_have_class(re.compile("is-past"))
    timeline.get_by_label("Next order").click()
    expect(shown.bar).to_contain_text("Order by order")
    expect(page.locator("body")).not_to_have_class(re.compile("is-past"))
    shown.bar.locator("[data-do=skip]").click()
    shown.expect_board_of_the_server()


def test_a_lost_line_in_a_playback_leaves_the_servers_board(watch: Watch) -> None:
    shown = Shown(watch)
    other = watch.person(storage_state=shown.person.storage_state())
    expect(shown.bar).to_be_visible()
    with watch.forgiving(LOST_LINE):
        shown.person.set_offline(True)
        expect(shown.page.locator("body")).not_to_have_attribute("data-line", "live")
        order(other.request, watch.url, shown.mine, "done")
        shown.person.set_offline(False)
        expect(shown.page.locator("body")).to_have_attribute("data-line", "live")
        shown.expect_board_of_the_server()
        expect(shown.page.locator("#news")).to_contain_text(shown.marches()[-1])


def test_an_undo_in_a_playback_ends_it(watch: Watch) -> None:
    record, lines = split(["prussia"])
    war = War(watch, record)
    page = war.page
    war.give(lines[0].what)
    goal = lines[0].what.split()[-1]
    expect(page.locator("#news")).to_contain_text(goal)
    page.keyboard.press("w")
    expect(page.locator("#playback")).to_be_visible()
    page.keyboard.press(" ")  # a playback that has been paused does not end by itself
    expect(page.locator("#playback [data-do=play]")).to_have_text("Play")
    page.keyboard.press("u")
    expect(page.locator("#playback")).to_be_hidden()
    expect(page.locator("#news")).not_to_contain_text(goal)
    expect_pieces(page, war.person, war.seat)


def test_on_a_phone_the_bar_covers_no_button(watch: Watch) -> None:
    shown = Shown(watch, PHONE)
    bar = shown.bar.bounding_box()
    assert bar is not None
    for other in (".map-tools", "#orders"):
        box = shown.page.locator(other).bounding_box()
        assert box is not None
        assert bar["x"] + bar["width"] <= box["x"] or bar["y"] + bar["height"] <= box["y"]
    for button in shown.bar.locator("button, select").all():
        size = button.bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 44

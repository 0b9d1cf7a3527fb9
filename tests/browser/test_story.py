from typing import Any, Final
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect

from leuthen.load import load_with
from leuthen.play.record import read
from leuthen.play.replay import Replay
from mapmaking.cartography.grid import centre, on_sheet
from tests.browser.games import GOLDEN, WAR, War, Watch, bring_in, chronicle, lines_of, scan
from tests.report import wars

BOHEMIA: Final = GOLDEN / "frederick" / "planner-bohemia.leuthen"
"""A small war of two bots, from its first turn to its end by C14.5."""
SIDES: Final = ("prussia", "austria")
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1440, "height": 900}}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}}


def test_the_end_has_a_card_that_leads_to_the_story(watch: Watch) -> None:
    page = War(watch, lines_of(BOHEMIA)).page
    card = page.locator(".ending-card")
    expect(page.locator("#prompt")).to_contain_text("C14.5")
    expect(card.locator(".year-story")).to_contain_text("Victory points:")
    expect(card).to_contain_text("Par: Prussia +20 VP")
    assert scan(page, "the ending card", ".ending-card") == []
    card.get_by_text("Story of the war").click()
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".year-story")).to_contain_text("1757")


def last_order_of_1756() -> tuple[str, int, str]:
    recorded = read(WAR)
    replay, number = Replay(load_with("frederick", recorded.header.data), recorded), 0
    for entry in replay:
        if replay.table.state.year > 1756:
            break
        number = entry.number if entry.actor in SIDES else number
    last = recorded.entries[number - 1]
    head = len(lines_of(WAR).splitlines()) - len(recorded.entries) - 1
    return lines_of(WAR, 0, head + number - 1), SIDES.index(last.actor), last.text


def test_the_winter_has_a_bulletin(watch: Watch) -> None:
    record, side, last = last_order_of_1756()
    war = War(watch, record, side)
    page = war.page
    war.give(last)
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Winter after 1756")
    expect(dialog).to_contain_text("Diplomacy and alliances")
    expect(dialog).to_contain_text(" of ? SP = ? new SP")  # only the enemy knows what he raises (C6.5)
    expect(dialog.locator(".europe")).to_be_visible()
    assert scan(page, "the winter's bulletin", "dialog") == []
    dialog.get_by_role("button", name="Continue to 1757").click()
    expect(dialog).to_have_count(0)


def test_the_campaign_page_tells_of_battles_and_plays_the_film(watch: Watch) -> None:
    person = watch.person(**DESK)
    seat, _ = bring_in(person.request, watch.url, lines_of(BOHEMIA))
    page = person.new_page()
    page.goto(f"/campaign/{seat}")
    cards = page.locator(".battle-card")
    expect(cards.first).to_contain_text("Battle of")
    expect(page.get_by_role("group", name="Commanders' records")).to_contain_text("Won")
    assert page.locator(".film-mark").count() <= cards.count()
    expect_the_ground(page, seat)
    expect(page.locator(".film .front .sheet")).to_have_count(1)
    page.evaluate("document.querySelector('.film .front').dataset.kept = 'yes'")
    bar = page.get_by_label("Turn shown")
    page.get_by_label("Next turn").click()
    expect(bar).to_have_value("1")
    page.get_by_label("Speed").select_option("fast")
    page.locator("[data-do=film-play]").click()
    expect(bar).to_have_value(bar.get_attribute("max") or "")
    expect(page.locator("[data-do=film-play]")).to_have_text("Play")
    expect(page.locator(".film .front[data-kept] .sheet")).to_have_count(1)
    expect(page.locator(".film .front-marks")).to_have_count(1)
    expect(page.locator(".film-words")).to_contain_text("the end")
    assert scan(page, "the campaign page") == []


def expect_the_ground(page: Page, seat: str) -> None:
    told = chronicle(page.request, seat, "3")
    fought = [line["entry"]["battle"]["place"] for line in told if line["entry"].get("battle")]
    boxes = [box.get_attribute("viewBox") or "" for box in page.locator(".battle-card .ground").all()]
    for place, box in zip(fought, boxes, strict=True):
        left, top, wide, high = map(float, box.split())
        assert (left + wide / 2, top + high / 2) == pytest.approx(on_sheet(centre(place)), abs=0.1)
    sheets = page.locator(".battle-card .ground > image")
    expect(sheets).to_have_count(len(fought))
    assert "BOHEMIA" in unquote(sheets.first.get_attribute("href") or "")
    expect(page.locator(".fronts .front > image")).to_have_count(page.locator(".fronts figure").count())


def test_the_picture_is_saved_as_png_and_svg(watch: Watch) -> None:
    person = watch.person(**PHONE)
    seat, _ = bring_in(person.request, watch.url, lines_of(BOHEMIA))
    page = person.new_page()
    page.goto(f"/campaign/{seat}")
    for kind, begins, holds in (("png", b"\x89PNG", b""), ("svg", b"<svg", b"BOHEMIA")):
        with page.expect_download() as saved:
            page.locator(f"[data-do=save-{kind}]").click()
        assert saved.value.suggested_filename.endswith(f".{kind}")
        found = saved.value.path().read_bytes()
        assert found.startswith(begins)
        assert holds in found, "the engraved map is in it"
        assert b"var(" not in found, "its colours are in it"
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0


MAKING = 120_000


def test_the_staff_reports_and_its_moments_open_on_the_board(watch: Watch) -> None:
    page = War(watch, wars.record_with_resignation(110)).page
    page.locator(".ending-card").get_by_text("Staff report").click()
    section = page.locator(".staff-report")
    section.get_by_role("button", name="Create the report").click()
    expect(section.locator(".staff-moments li").first).to_be_visible(timeout=MAKING)
    expect(section.locator("svg")).to_be_visible()
    expect(section.get_by_role("rowheader", name="Whole war")).to_be_visible()
    expect(section).to_contain_text("Prussia:")
    assert scan(page, "the staff's report", ".staff-report") == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    expect(section.locator(".staff-moments li").first).to_be_visible()
    section.get_by_text("Show on the map").first.click()
    expect(page.locator("#timeline")).to_contain_text("Back to the end")

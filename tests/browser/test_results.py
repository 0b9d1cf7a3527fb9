import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.games import (
    ACTION,
    GOLDEN,
    Watch,
    actions_of,
    bring_in,
    chronicle,
    lines_of,
    order,
    scan,
    sit,
    try_order,
)

RECORDS: Final = {"frederick": "planner-bohemia", "campaigns": "planner-1757"}
SIDES: Final = {
    "frederick": {"prussia": 0, "austria": 1},
    "campaigns": {"prussia": 0, "coalition": 1},
}
RESULTS: Final = "#results article"


def play_until(watch: Watch, rules: str, first: str, result: str, nth: int = 0) -> tuple[Page, str]:
    texts = (GOLDEN / rules / f"{RECORDS[rules]}.leuthen").read_text(encoding="utf-8").splitlines(keepends=True)
    starts = [at for at, text in enumerate(texts) if (found := ACTION.match(text)) and found[2].startswith(first)]
    start = starts[nth]
    record, lines = "".join(texts[:start]), actions_of("".join(texts[start:]))
    person = watch.person(viewport={"width": 1440, "height": 900})
    seats = bring_in(person.request, watch.url, record)
    seat = seats[SIDES[rules][lines[0].who]]
    page = sit(person, seat)
    shown = page.locator(RESULTS).filter(has_text=result)
    for who, what in [line for line in lines if line.who in SIDES[rules]][:40]:
        # The server makes its own dice, so that a later order of the record may not be asked for.
        if not try_order(person.request, watch.url, seats[SIDES[rules][who]], what):
            page.wait_for_timeout(500)
        n = person.request.get(f"/api/seats/{seat}").json()["n"]
        page.wait_for_function("n => Number(document.body.dataset.n) >= n", arg=n)
        if shown.count():
            return page, seat
    raise AssertionError(f"no result panel: {result}")


def expect_it_stays(result: Locator) -> None:
    result.page.wait_for_timeout(3000)
    expect(result).to_be_visible()


@pytest.mark.parametrize("rules", ["frederick", "campaigns"])
def test_the_result_of_a_battle_stays_until_it_is_closed(watch: Watch, rules: str) -> None:
    page, seat = play_until(watch, rules, "attack", "Battle of", nth=1 if rules == "frederick" else 0)
    fought = next(one["entry"] for one in chronicle(page.request, seat)[::-1] if one["entry"].get("battle"))
    result = page.locator(RESULTS).filter(has_text="Battle of").first
    expect(result.locator("h3")).to_be_in_viewport(ratio=1)  # a long battle is scrolled
    for said in ("attacker", "defender", "Victory points: Prussia"):
        expect(result).to_contain_text(said)
    for side in fought["battle"]["sides"]:
        taken = side.get("taken", 0)
        expect(result).to_contain_text(f"{side['lost']} lost" + (f", {taken} captured" if taken else ""))
    rolled = result.locator("[data-round] .rolled" if rules == "campaigns" else ".rolled")
    expect(rolled).not_to_have_count(0)
    if rules == "campaigns":
        expect(result).to_contain_text(fought["text"])
    assert scan(page, "the results", "#results") == []
    expect_it_stays(result)
    for left in reversed(range(page.locator(RESULTS).count())):  # by its own dice, another battle may have been fought
        result.locator("[data-do=close-report]").click()
        expect(page.locator(RESULTS)).to_have_count(left)
    expect(page.locator("#results")).to_be_hidden()


@pytest.mark.parametrize("rules", ["frederick", "campaigns"])
def test_the_result_of_ones_own_siege_stays_until_it_is_closed(watch: Watch, rules: str) -> None:
    page, _ = play_until(watch, rules, "besiege", "Siege of")
    result = page.locator(RESULTS).filter(has_text="Siege of").first
    expect(result.locator(".rolled")).not_to_have_count(0)
    expect(result).to_contain_text("Victory points: Prussia")
    expect_it_stays(result)
    page.keyboard.press("Escape")
    expect(page.locator("#results")).to_be_hidden()


def test_a_result_waits_until_its_battle_is_played(watch: Watch) -> None:
    texts = lines_of(GOLDEN / "frederick" / "draw.leuthen").splitlines(keepends=True)
    march = next(at for at, text in enumerate(texts) if "1132-1032-1033-1034" in text)
    lines = actions_of("".join(texts[march:]))
    attack = next(at for at, line in enumerate(lines) if line.what.startswith("attack"))
    person = watch.person(viewport={"width": 1440, "height": 900})
    person.add_init_script("try { localStorage.setItem('leuthen.speed', 'slow') } catch {}")
    seats = bring_in(person.request, watch.url, "".join(texts[:march]))
    page = sit(person, seats[1])
    for who, what in lines[: attack + 1]:
        if what.startswith("shift"):
            continue
        order(person.request, watch.url, seats[SIDES["frederick"][who]], what)
        if (who, what) == ("prussia", "done"):
            expect(page.locator("#playback")).to_be_visible()
            page.keyboard.press(" ")
    expect(page.locator("#playback")).to_contain_text(re.compile("of [2-9]"))
    expect(page.locator("#results")).to_be_hidden()
    page.keyboard.press(" ")
    expect(page.locator(RESULTS)).to_contain_text("Battle of")
    expect(page.locator("#playback")).to_be_hidden()
    expect(page.locator(RESULTS)).to_contain_text("Battle of")

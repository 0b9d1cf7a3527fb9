from collections.abc import Sequence
from typing import Final
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import ACTION, WAR, Line, War, Watch, actions_of, find, order
from tests.browser.games import SIDES as CAMPAIGNS

SPY: Final = """() => {
  window.shown = [];
  const look = () => {
    const card = document.querySelector('.map-card');
    if (card.hidden || card.textContent === shown.at(-1)?.text) return;
    shown.push({text: card.textContent, moving: document.querySelectorAll('.playing .counter').length});
  };
  const all = {subtree: true, childList: true, attributes: true};
  new MutationObserver(look).observe(document.querySelector('#map'), all);
}"""
LOST_LINE: Final = "ERR_INTERNET_DISCONNECTED|ERR_NETWORK|ERR_CONNECTION"


def split(sides: Sequence[str]) -> tuple[str, list[Line]]:
    texts = WAR.read_text(encoding="utf-8").splitlines(keepends=True)
    where = [number for number, text in enumerate(texts) if ACTION.match(text)]
    lines = actions_of("".join(texts))

    def fits(at: int) -> bool:
        legs, whose = [line.what for line in lines[at : at + 3]], {line.who for line in lines[at : at + 3]}
        return whose == set(sides) and legs[2] == "done" and all("march " in leg and "-" in leg for leg in legs[:2])

    at = next(at for at in range(len(lines)) if fits(at))
    return "".join(texts[: where[at]]), lines[at : at + 3]


def test_enemy_marches_go_over_the_map(watch: Watch) -> None:
    record, lines = split(["austria"])
    war = War(watch, record)
    page = war.page
    page.evaluate(SPY)
    war.answer(*(line.what for line in lines))
    ways = [line.what.split()[-1] for line in lines[:2]]
    see(page, ways)
    expect(page.locator(".playing .counter")).to_have_count(0)
    for way in ways:
        expect(page.locator(f"[data-track='{way}']")).to_have_count(1)
        expect(page.locator("#news")).to_contain_text(way)


def see(page: Page, ways: list[str]) -> None:
    for way in ways:
        page.wait_for_function("way => shown.some(({text, moving}) => moving && text.includes(way))", arg=way)


def test_enemy_legs_go_over_the_map_in_the_second_rule_set(watch: Watch) -> None:

    def fits(ls: list[Line]) -> bool:
        return ls[0].what.startswith("go ") and [one.what for one in ls[1:4]] == ["hold", "halt", "done"]

    record, lines = find(fits)
    war = War(watch, record, 1 - CAMPAIGNS[lines[0].who])
    page = war.page
    page.evaluate(SPY)
    for line in lines[:4]:
        (war.answer if line.who == lines[0].who else war.give)(line.what)
    way = lines[0].what.removeprefix("go ")
    see(page, [way[-4:]])
    expect(page.locator(f"[data-track$='{way}']")).to_have_count(1)


def test_with_reduced_motion_arrows_stay(watch: Watch) -> None:
    record, lines = split(["austria"])
    war = War(watch, record, reduced_motion="reduce")
    page = war.page
    war.answer(*(line.what for line in lines))
    for line in lines[:2]:
        expect(page.locator(f"[data-track='{line.what.split()[-1]}']")).to_have_count(1)
    expect(page.locator(".map-card")).to_be_hidden()
    expect(page.locator("[data-track]")).not_to_have_count(0)


def test_marches_missed_while_the_line_was_lost_are_shown(watch: Watch) -> None:
    record, lines = split(["austria"])
    war = War(watch, record)
    page = war.page
    page.evaluate(SPY)
    other = watch.person(storage_state=war.person.storage_state())
    with watch.forgiving(LOST_LINE):
        war.person.set_offline(True)
        expect(page.locator("body")).not_to_have_attribute("data-line", "live")
        for line in lines:
            order(other.request, watch.url, war.other, line.what)
        war.person.set_offline(False)
        see(page, [line.what.split()[-1] for line in lines[:2]])


@pytest.mark.parametrize("rules", ["frederick", "campaigns"])
def test_what_is_undone_is_said_no_more(watch: Watch, rules: str) -> None:
    if rules == "frederick":
        record, lines = split(["prussia"])
        side = 0
    else:
        record, lines = find(lambda ls: ls[0].what.startswith("march ") and ls[1].what == "halt")
        side = CAMPAIGNS[lines[0].who]
    war = War(watch, record, side)
    page = war.page
    war.give(lines[0].what)
    goal = lines[0].what[-4:]
    expect(page.locator("#news")).to_contain_text(goal)
    page.keyboard.press("u")
    expect(page.locator("#news")).not_to_contain_text(goal)


def test_what_is_taken_back_leaves_no_way_on_the_map(watch: Watch) -> None:
    record, lines = split(["prussia"])
    war = War(watch, record, 1)
    page, mine = war.page, war.other
    war.answer(*(line.what for line in lines))
    told = war.requests.get(f"/api/seats/{mine}/chronicle?count=20").json()["lines"]
    way = lines[0].what.split()[-1]
    first = next(line["n"] for line in told if "-".join(line["entry"].get("path", ())) == way)
    track = page.locator(f"[data-track='{way}']")
    expect(track).to_have_count(1)
    asked = {"seen": war.fresh(mine)["n"], "key": uuid4().hex, "do": "ask-takeback", "to": first}
    assert war.requests.post(f"/api/seats/{mine}/moves", data=asked, headers={"Origin": watch.url}).ok
    page.click("[data-do=accept]")
    expect(track).to_have_count(0)

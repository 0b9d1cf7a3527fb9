import re
from typing import Final

from playwright.sync_api import Route, expect

from tests.browser.games import IN_MARCH, Watch, bring_in, scan

DESK: Final = {"width": 1440, "height": 900}
RAW: Final = ("march-die", "March die", "need25", "Need 25", "Recover reduced", "hanover-note", "Hanover note")


def test_levels_and_options_have_names_that_a_player_understands(watch: Watch) -> None:
    page = watch.page(viewport=DESK)
    page.click("[data-way=machine]")
    levels = page.locator("#made .levels .check strong")
    expect(levels).to_have_text(["Easy (Cadet)", "Medium (Captain)", "Hard (Colonel)", "Practice (Recruit)"])
    expect(page.locator("input[name=bot][value=captain]")).to_be_checked()
    statistics = page.get_by_text("pairs of whole wars").first
    expect(statistics).to_be_hidden()
    page.get_by_text("How strong?").click()
    expect(statistics).to_be_visible()
    assert scan(page, "the levels", "#made .levels") == []
    for rules, name in (("frederick", "Movement die"), ("campaigns", "Food for a force")):
        page.locator(f"[name=ruleset][value={rules}]").check()
        page.locator("#made .more summary").click()
        options = page.locator("#made .more")
        expect(options).to_contain_text(name)
        for raw in RAW:
            expect(options).not_to_contain_text(raw)
        for value in options.locator("option").all_text_contents():
            assert value[0].isupper() or value[0].isdigit() or value in ("allowed", "not allowed"), value
    expect(levels).to_have_text(["Easy (Cadet)", "Medium (Captain)", "Practice (Recruit)"])


def test_a_machine_that_thinks_for_long_says_so(watch: Watch) -> None:
    person = watch.person(viewport=DESK)
    _, seat = bring_in(person.request, watch.url, IN_MARCH)
    page = person.new_page()

    def as_machine(route: Route) -> None:
        answer = route.fetch()
        table = answer.json()
        for line in table["seats"]:
            if line["side"] == 0:
                line |= {"who": "captain", "player": "Captain", "seat": ""}
        route.fulfill(response=answer, json=table)

    page.route(f"**/api/seats/{seat}", as_machine)
    page.goto(f"/table/{seat}")
    page.wait_for_selector("body[data-line=live], [data-do=lift]")
    thinking = page.locator("#prompt .other-side")
    expect(thinking).to_contain_text(re.compile(r"Captain \(Prussia\) is thinking… \d s"))
    expect(thinking).to_contain_text(re.compile(r"is thinking… ([5-9]|\d\d) s"))


def test_game_cards_name_the_scenario_and_can_be_removed(watch: Watch) -> None:
    person = watch.person(viewport=DESK)
    bring_in(person.request, watch.url, IN_MARCH)
    watch.make_game(person, "me me", scenario="bohemia", title="Our first war")
    page = person.new_page()
    page.goto("/")
    cards = page.locator("#list .game")
    expect(cards).to_have_count(2)
    expect(cards.filter(has_text="Our first war")).to_contain_text("Bohemia in spring 1757")
    expect(cards.get_by_text("August 1756 to the end of 1762")).to_have_count(1)
    assert scan(page, "the cards", "#list") == []
    cards.first.locator("[data-do=remove]").click()
    expect(cards).to_have_count(1)
    page.reload()
    expect(cards).to_have_count(1)
    page.click("[data-do=restore]")
    expect(cards).to_have_count(2)

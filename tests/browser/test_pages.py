from random import Random
from typing import Final

from playwright.sync_api import Page, Route, expect

from tests.browser.games import GOLDEN, WAR, Watch, begin, lines_of, scan, sit_down
from tests.browser.person import QUIET, Person

TABS = 10
LIVE = 4
DIALOG: Final = "dialog[open]"


def test_no_page_has_a_serious_fault_of_accessibility(watch: Watch) -> None:
    page = watch.page(reduced_motion="reduce")
    faults = scan(page, "first page")
    for way in ("machine", "screen", "link", "import"):
        page.click(f"[data-way={way}]")
        page.locator("#made form").wait_for()
        faults += scan(page, f"first page, {way}", "#made")
    begin(page, "link")
    page.locator("dialog[open] input").first.wait_for()
    faults += scan(page, "the links", DIALOG)
    link = page.locator("dialog[open] input").first.input_value()
    page.click("dialog[open] footer button")
    seat = sit_down(page)
    faults += table(page) + panels(page)
    page.goto(f"/campaign/{seat}")
    page.locator("main svg").first.wait_for()
    faults += scan(page, "the war in figures")
    other = watch.page(link, reduced_motion="reduce")
    other.locator("[data-do=take]").wait_for()
    faults += scan(other, "a seat's link")
    page.goto("/")
    page.locator("#list li").first.wait_for()
    expect(page.locator("main > section").first.locator("h2")).to_have_text("Your games")
    faults += scan(page, "first page with a game")
    assert not faults, "\n".join(faults)


def test_games_that_are_told_late_find_a_page_of_which_little_is_left(watch: Watch) -> None:
    person, _ = watch.onlooker(lines_of(WAR, 0, 300))
    page, held = person.new_page(), list[Route]()
    page.route("**/api/home", lambda route: held.append(route))
    page.goto("/")
    page.wait_for_function("document.querySelector('#list')")
    while not held:
        page.wait_for_timeout(20)
    page.evaluate("document.body.replaceChildren()")
    with page.expect_response("**/api/home") as told:
        held[0].continue_()
    told.value.finished()
    page.wait_for_function("document.documentElement.classList.contains('is-returning')")


def table(page: Page) -> list[str]:
    person = Person(page, Random(1))
    person.is_asked()
    faults = scan(page, "the table with its map", themes=("light",))
    page.evaluate("document.querySelector('#map').replaceChildren()")  # its loading and drawing take seconds
    faults += scan(page, "the table")
    person.do(page.locator("#order [data-token=place]").click)
    faults += scan(page, "an order in the making", "#orders")
    page.locator("#order [aria-disabled=true]").first.click(force=True)
    faults += scan(page, "why not", "#toast")
    for key, what in (("?", "keys"), ("b", "the board as text"), ("/", "jump to a place")):
        page.keyboard.press(key)
        page.locator(DIALOG).wait_for()
        faults += scan(page, what, DIALOG)
        page.keyboard.press("Escape")
        expect(page.locator(DIALOG)).to_have_count(0)
    page.click("[data-do=menu]")
    faults += scan(page, "the menu", DIALOG)
    page.keyboard.press("Escape")
    return faults


def panels(page: Page) -> list[str]:
    faults = []
    for tab in page.locator("[data-panel]").all():
        tab.click()
        page.wait_for_function(QUIET)
        faults += scan(page, tab.inner_text(), "#drawer")
    return faults


def test_ten_tabs_of_one_player_work(watch: Watch) -> None:
    person = watch.person()
    first = person.new_page()
    begin(first, "machine")
    sit_down(first)
    tabs = [first]
    for _ in range(TABS - 1):
        tab = person.new_page()
        tab.goto(first.url)
        tab.locator("#order [data-field]").first.wait_for()
        tabs.append(tab)
    Person(tabs[-1], Random(1)).order()
    n = tabs[-1].locator("body").get_attribute("data-n")
    assert n
    for tab in tabs[-LIVE:]:
        expect(tab.locator("body")).to_have_attribute("data-n", n)
    for tab in tabs:
        tab.bring_to_front()
        tab.evaluate(
            "() => { document.dispatchEvent(new Event('visibilitychange')); window.dispatchEvent(new Event('focus')); }"
        )
        expect(tab.locator("body")).to_have_attribute("data-n", n)


def test_a_record_that_is_brought_in_shows_how_far_it_has_come(watch: Watch) -> None:
    page, held = watch.page(), list[Route]()
    page.route("**/api/import?*", lambda route: held.append(route))
    page.route("**/api/import/*", lambda route: route.fulfill(json={"done": 1200, "total": 2500}))
    page.click("[data-way=import]")
    page.locator("#made textarea").fill(lines_of(GOLDEN / "frederick" / "planner-bohemia.leuthen"))
    page.click("#made button.primary")
    expect(page.locator("#made [role=status]")).to_contain_text("Action 1,200 of 2,500")
    bar = page.locator("#made progress")
    assert (bar.get_attribute("value"), bar.get_attribute("max")) == ("1200", "2500")
    held[0].continue_()
    page.wait_for_url("**/table/**")
    page.unroute_all()

from playwright.sync_api import expect

from tests.browser.games import WAR, bring_in, lines_of
from tests.browser.wars import sit
from tests.browser.watch import Watch

NO_STORAGE = """for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError') }});"""
SILENT = """window.EventSource = class extends EventSource {
  constructor(url) { super(url); window.streams = (window.streams ?? 0) + 1; }
};"""
MARCH = "506 prussia march Frederick"


def record() -> str:
    text, _, _ = WAR.read_text(encoding="utf-8").partition(MARCH)
    return text[: text.rindex("\n") + 1]


def test_a_table_is_shown_where_nothing_may_be_stored(watch: Watch) -> None:
    person, seat = watch.onlooker(lines_of(WAR))
    person.add_init_script(NO_STORAGE)
    page = person.new_page()
    page.goto(f"/table/{seat}#")
    page.wait_for_selector("body[data-line=live]")
    expect(page.locator("#prompt h2")).to_have_text("The war is over")


def test_a_silent_line_is_noticed_and_taken_up_again(watch: Watch) -> None:
    person, seat = watch.onlooker(lines_of(WAR))
    person.add_init_script(SILENT)
    page = person.new_page()
    page.clock.install()
    page.goto(f"/table/{seat}")
    page.wait_for_selector("body[data-line=live]")
    page.clock.run_for(30_000)
    assert page.evaluate("streams") == 1
    page.clock.run_for(12_000)
    page.wait_for_function("() => streams === 2")
    page.wait_for_selector("body[data-line=live]")


def test_a_half_made_order_outlives_a_reload(watch: Watch) -> None:
    person = watch.person()
    seats = bring_in(person.request, watch.url, record())
    awaited = {seat: person.request.get(f"/api/seats/{seat}").json()["awaited"] for seat in seats}
    page = sit(person, next(seat for seat, asked in awaited.items() if any(one["is_yours"] for one in asked)))
    page.click("#order [data-token=march]")
    page.locator("#order [data-field=leader] [data-token]").first.click()
    leader = page.locator("#order [data-field=leaders] input").first
    expect(leader).to_be_checked()
    page.wait_for_function("() => calls.open === 0")
    page.reload()
    expect(leader).to_be_checked()


def test_at_400_per_cent_the_orders_have_the_width_and_the_page_scrolls(watch: Watch) -> None:
    person, seat = watch.onlooker(lines_of(WAR), viewport={"width": 320, "height": 256})
    page = sit(person, seat)
    orders = page.locator("#orders").bounding_box()
    assert orders is not None
    assert orders["width"] >= 300
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.scrollingElement.scrollHeight > innerHeight")


def test_the_first_page_says_in_its_tab_that_a_decision_waits(watch: Watch) -> None:
    person = watch.person()
    bring_in(person.request, watch.url, record())
    page = person.new_page()
    page.goto("/")
    page.wait_for_function("() => document.title.startsWith('● 1 decision')")

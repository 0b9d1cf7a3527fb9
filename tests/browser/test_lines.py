import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import PATIENCE
from tests.browser.games import IN_MARCH, WAR, Games, Watch, begin, bring_in, lines_of, order, sit, sit_down
from tests.browser.person import Person
from tools.serving import Served

LOST_LINE = "409|ERR_(INTERNET_DISCONNECTED|CONNECTION|FAILED|EMPTY_RESPONSE|INCOMPLETE|NETWORK)|Failed to load"
FORMS = re.compile("/form$")


@pytest.fixture
def page(watch: Watch) -> Page:
    page = table(watch)
    Person(page, Random(0)).is_asked()
    return page


def table(watch: Watch, panel: str = "") -> Page:
    person = watch.person()
    seat, _ = bring_in(person.request, watch.url, IN_MARCH)
    return open_table(person.new_page(), seat, panel)


def order_elsewhere(page: Page, what: str) -> None:
    url, _, seat = page.url.partition("/table/")
    order(page.request, url, seat, what)


def test_an_old_question_takes_no_answer_on_a_slow_line(page: Page) -> None:
    held: list[Route] = []
    page.route(FORMS, lambda route: held.append(route))
    order_elsewhere(page, "done")
    expect(page.locator("#prompt h2")).to_have_text("Waiting")
    expect(page.locator("#order [data-token]")).to_have_count(0, timeout=1000)
    assert held, "its form is still on the way"
    for route in held:
        route.continue_()


def test_another_question_is_not_answered_by_the_form_before(page: Page) -> None:
    held: list[Route] = []
    page.route(FORMS, lambda route: held.append(route))
    n = page.evaluate("Number(document.body.dataset.n)")
    order_elsewhere(page, "march Frederick Schwerin Keith Maurice Brunswick +45 1034-1135-1235-1335-1434")
    page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
    expect(page.locator(".order-form")).to_have_attribute("aria-busy", "true")
    begun = page.evaluate("calls.orders")
    page.evaluate("document.querySelector('#order [data-token=done], #order [data-token=halt]')?.click()")
    assert page.evaluate("calls.orders") == begun
    for route in held:
        route.continue_()
    page.unroute_all(behavior="ignoreErrors")
    expect(page.locator(".order-form")).to_have_attribute("aria-busy", "false")


def test_a_choice_without_a_line_is_kept_and_said(page: Page, watch: Watch) -> None:
    with watch.forgiving(LOST_LINE):
        page.context.set_offline(True)
        expect(page.locator("#offline")).to_have_text("No connection. You can give orders when it returns.")
        page.click("#order [data-token=march]")
        expect(page.locator("#toast")).to_contain_text("Your choice is kept")
        page.context.set_offline(False)
        expect(page.locator("#order [data-token=march]:is([aria-current=true], [aria-pressed=true])")).to_be_visible()
        expect(page.locator("#offline")).to_be_hidden()


def test_an_order_without_a_line_is_held_and_another_is_refused_aloud(page: Page, watch: Watch) -> None:
    with watch.forgiving(LOST_LINE):
        page.click("#order [data-token=march]")
        Person(page, Random(0)).is_asked()
        page.keyboard.press("Escape")
        n = page.evaluate("Number(document.body.dataset.n)")
        page.wait_for_function("() => calls.open === 0")
        page.context.set_offline(True)
        page.keyboard.press("g")
        expect(page.locator("#offline")).to_have_text("No connection. Your order will be sent when it returns.")
        page.click("[data-do=sign]")
        expect(page.locator("#toast")).to_contain_text("waiting for the connection")
        page.context.set_offline(False)
        page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
        expect(page.locator("#offline")).to_be_hidden()


def test_a_lost_answer_leaves_no_false_alarm(page: Page, watch: Watch) -> None:
    lost: list[str] = []

    def lose_one(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort()

    n = page.evaluate("Number(document.body.dataset.n)")
    page.route(re.compile("/left$"), lambda route: route.fulfill(json={"left": []}))
    page.route(re.compile("/moves$"), lose_one)
    with watch.forgiving(LOST_LINE):
        page.keyboard.press("g")
        page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
        expect(page.locator("body")).to_have_attribute("data-line", "live")
        expect(page.locator("#offline")).to_be_hidden()
    assert lost


def test_a_layer_is_asked_for_once_at_a_time(page: Page) -> None:
    held: list[Route] = []
    page.route(re.compile("/layer"), lambda route: held.append(route))
    page.keyboard.press("s")
    page.wait_for_function("() => document.querySelector('[data-layer=supply][aria-pressed=true]')")
    order_elsewhere(page, "march Frederick Schwerin Keith Maurice Brunswick +45 1034-1135-1235-1335-1434")
    page.wait_for_function("() => !document.querySelector('.order-form.is-stale')")
    order_elsewhere(page, "halt")
    page.wait_for_function("() => !document.querySelector('.order-form.is-stale')")
    assert len(held) == 1
    with page.expect_request(re.compile("/layer")):
        held[0].continue_()
    page.unroute_all(behavior="ignoreErrors")


def open_table(page: Page, seat: str, panel: str) -> Page:
    page.goto(f"/table/{seat}")
    sit_down(page)
    if panel:
        page.click(f"[data-panel={panel}]")
    return page


def seat_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def notes_of(page: Page) -> str:
    return str(page.request.get(f"/api/seats/{seat_of(page)}/notes").json()["text"])


# --- notes -----------------------------------------------------------------------------------------------------------


def test_notes_are_saved_as_the_page_is_left(watch: Watch) -> None:
    page = table(watch, "notes")
    page.get_by_role("textbox", name="Notes").fill("typed, and gone at once")
    page.goto("/")
    assert notes_of_later(page, "typed, and gone at once")


def notes_of_later(page: Page, text: str) -> bool:
    seat = page.locator("[data-game] h3 a").first.get_attribute("href")
    assert seat is not None
    base = seat.partition("#")[0].replace("/table/", "/api/seats/")
    for _ in range(50):
        if page.request.get(f"{base}/notes").json()["text"] == text:
            return True
        page.wait_for_timeout(100)
    return False


def test_notes_typed_without_a_line_are_saved_when_it_is_back(watch: Watch) -> None:
    page = table(watch, "notes")
    with watch.forgiving(LOST_LINE):
        page.context.set_offline(True)
        page.get_by_role("textbox", name="Notes").fill("in the tunnel")
        expect(page.locator(".panel-notes")).to_contain_text("not saved yet: no connection")
        page.context.set_offline(False)
        expect(page.get_by_text("saved", exact=True)).to_be_visible()
    assert notes_of(page) == "in the tunnel"


def test_a_stale_tab_loses_no_notes(watch: Watch) -> None:
    page = table(watch, "notes")
    other = open_table(page.context.new_page(), seat_of(page), "notes")
    page.get_by_role("textbox", name="Notes").fill("from the first tab")
    expect(page.get_by_text("saved", exact=True)).to_be_visible()
    with watch.forgiving(LOST_LINE):
        other.get_by_role("textbox", name="Notes").fill("and from the second")
        expect(other.get_by_text("saved", exact=True)).to_be_visible()
    text = notes_of(page)
    assert "from the first tab" in text
    assert "and from the second" in text
    expect(other.get_by_role("textbox", name="Notes")).to_have_value(text)


# --- chat ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def chat(watch: Watch) -> Page:
    person = watch.person()
    return open_table(person.new_page(), watch.make_game(person)[0]["seat"], "chat")


def said(page: Page) -> list[str]:
    lines = page.request.get(f"/api/seats/{seat_of(page)}/chat").json()["lines"]
    return [line["text"] for line in lines]


def test_three_presses_on_a_slow_line_say_it_once(chat: Page) -> None:
    def slow(route: Route) -> None:
        chat.wait_for_timeout(400)
        route.continue_()

    field = chat.get_by_label("Your message")
    chat.route(re.compile("/chat$"), slow)
    field.fill("Well met")
    for _ in range(3):
        chat.keyboard.press("Enter")
    chat.keyboard.type("and more")
    expect(chat.locator(".panel-chat ol li")).to_have_count(1)
    expect(field).to_have_value("and more")
    chat.unroute_all(behavior="wait")
    assert said(chat) == ["Well met"]


def test_what_was_said_without_a_line_is_sent_when_it_is_back(chat: Page, watch: Watch) -> None:
    with watch.forgiving(LOST_LINE):
        chat.context.set_offline(True)
        chat.get_by_label("Your message").fill("Are you there?")
        chat.keyboard.press("Enter")
        expect(chat.locator(".panel-chat .is-waiting")).to_contain_text("not sent yet")
        chat.context.set_offline(False)
        expect(chat.locator(".panel-chat ol li")).to_have_count(1)
        expect(chat.locator(".panel-chat .is-waiting li")).to_have_count(0)
    assert said(chat) == ["Are you there?"]


def test_what_was_said_as_the_page_is_left_arrives(chat: Page) -> None:
    seat = seat_of(chat)
    chat.get_by_label("Your message").fill("Until tomorrow")
    chat.keyboard.press("Enter")
    chat.goto(f"/table/{seat}")
    sit_down(chat)
    chat.click("[data-panel=chat]")
    expect(chat.locator(".panel-chat ol li")).to_have_count(1)
    assert said(chat) == ["Until tomorrow"]


# --- names -----------------------------------------------------------------------------------------------------------


def rename(page: Page, name: str) -> None:
    page.click("[data-do=menu]")
    page.click("dialog [data-do=name]")
    page.fill("dialog [name=player]", name)
    page.click("dialog button[value=yes]")


def test_a_name_that_is_refused_can_be_mended(watch: Watch) -> None:
    page = table(watch)
    with watch.forgiving("400"):
        rename(page, "umpire")
        expect(page.locator("dialog [role=alert]")).to_contain_text("cannot use this name")
        expect(page.locator("dialog [name=player]")).to_have_value("umpire")
    page.fill("dialog [name=player]", "Anna")
    with page.expect_response(lambda response: response.url.endswith("/player") and response.ok):
        page.click("dialog button[value=yes]")
    expect(page.locator("dialog")).to_have_count(0)
    seats = page.request.get(f"/api/seats/{seat_of(page)}").json()["seats"]
    assert seats[0]["player"] == "Anna"


# --- links -----------------------------------------------------------------------------------------------------------


def test_a_link_with_a_full_stop_behind_it_opens_the_seat(watch: Watch) -> None:
    page = watch.page(f"{watch.make_game(watch.person())[1]['link']}).")
    page.click("[data-do=take]")
    page.click("[data-do=go]")
    seat = sit_down(page)
    page.goto(f"/table/{seat}.")
    sit_down(page)
    page.goto(f"/campaign/{seat})")
    expect(page.locator("#head h1")).to_be_visible()


@pytest.mark.parametrize("path", ["/table/%E0%A4%A", "/campaign/%ZZ", "/learn#%E0%A4%A", "/seat#%E0%A4%A"])
def test_malformed_percent_signs_are_no_error_of_the_page(watch: Watch, path: str) -> None:
    with watch.forgiving("404|410|400"):
        page = watch.page(path)
        if path.startswith("/seat"):
            page.click("[data-do=take]")
        expect(page.locator("main")).to_contain_text(
            re.compile("No access to this seat|[Nn]o such seat|opens nothing|Start")
        )


def test_a_refused_clipboard_is_reported(watch: Watch) -> None:
    page = watch.page()
    page.add_init_script(
        "navigator.clipboard.writeText = async () => { throw new DOMException('no', 'NotAllowedError') }"
    )
    page.goto("/")
    page.click("[data-way=link]")
    page.click("[data-do=begin]")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.locator("dialog[open]")).to_contain_text("press Ctrl+C")
    assert page.evaluate("getSelection().toString() || document.activeElement.value").startswith("http")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path) as server:
        yield server


@pytest.fixture
def connected_page(browser: Browser, own: Served) -> Iterator[Page]:
    watch = Watch(Games(browser, own.url), PATIENCE, plain=True)
    with watch.forgiving(LOST_LINE):
        connected_page = watch.page()
        begin(connected_page, "machine")
        sit_down(connected_page)
        yield connected_page
        watch.close()
    watch.demand_peace()


def recorded(connected_page: Page) -> list[str]:
    seat = connected_page.url.rpartition("/")[2]
    text = connected_page.request.get(f"/api/seats/{seat}/record").text()
    return [line for line in text.splitlines() if line[6:].startswith("prussia")]


def order_depot(connected_page: Page) -> None:
    person = Person(connected_page, Random(0))
    person.is_asked()
    person.do(connected_page.locator("#order [data-token=depot-at]").click)
    chosen = connected_page.locator('#order [data-field="hex"]')
    select = chosen.locator("select")
    if select.count():
        person.do(lambda: select.select_option(index=1))
    else:
        person.do(chosen.locator("[data-token]").first.click)


def test_a_server_that_was_killed_and_started_anew_goes_on(connected_page: Page, own: Served) -> None:
    order_depot(connected_page)
    own.kill()
    expect(connected_page.locator("#offline")).to_be_visible()
    connected_page.click("#order [data-do=send]")
    own.start()
    expect(connected_page.locator("#offline")).to_be_hidden()
    connected_page.wait_for_function(
        "() => document.body.dataset.line === 'live' && Number(document.body.dataset.n) > 1"
    )
    person = Person(connected_page, Random(1))
    while "seal" not in person.given:
        assert person.is_asked()
        person.order()
    orders = recorded(connected_page)
    assert sum("depot-at" in order for order in orders) == 1
    assert person.is_asked(), "the machine, which was thinking, thinks again"


NO_STORAGE = """for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError') }});"""
SILENT = """window.EventSource = class extends EventSource {
  constructor(url) { super(url); window.streams = (window.streams ?? 0) + 1; }
};"""


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
    with watch.forgiving("The server cannot be reached"):  # a request that is under way as the clock is put forward
        page.clock.run_for(30_000)
        assert page.evaluate("streams") == 1
        page.clock.run_for(12_000)
        page.wait_for_function("() => streams === 2")
        page.wait_for_selector("body[data-line=live]")
        page.close()


def test_a_half_made_order_outlives_a_reload(watch: Watch) -> None:
    page = table(watch)
    page.click("#order [data-token=march]")
    page.locator("#order [data-field=leader] [data-token]").first.click()
    leader = page.locator("#order [data-field=leaders] input").first
    expect(leader).to_be_checked()
    page.wait_for_function("() => calls.open === 0")
    page.reload()
    expect(leader).to_be_checked()


def test_at_400_per_cent_the_orders_fit_and_the_page_scrolls(watch: Watch) -> None:
    person, seat = watch.onlooker(lines_of(WAR), viewport={"width": 320, "height": 256})
    page = sit(person, seat)
    orders = page.locator("#orders").bounding_box()
    assert orders is not None
    assert orders["width"] >= 300
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.scrollingElement.scrollHeight > innerHeight")

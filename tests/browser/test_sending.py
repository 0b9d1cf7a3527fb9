import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.games import IN_MARCH, bring_in
from tests.browser.lobby import sit_down
from tests.browser.watch import Watch

DROPPED = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load|409"


def table(watch: Watch, panel: str = "") -> Page:
    person = watch.person()
    seat, _ = bring_in(person.request, watch.url, IN_MARCH)
    return open_table(person.new_page(), seat, panel)


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
    with watch.forgiving(DROPPED):
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
    with watch.forgiving(DROPPED):
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
    game = {"players": ["me", "link"], "scenario": "campaign"}
    made = person.request.post("/api/games", data=game, headers={"Origin": watch.url})
    assert made.ok, made.text()
    return open_table(person.new_page(), made.json()["seats"][0]["seat"], "chat")


def said(page: Page) -> list[str]:
    lines = page.request.get(f"/api/seats/{seat_of(page)}/chat").json()["lines"]
    return [line["text"] for line in lines]


def test_three_presses_on_a_slow_line_say_it_once(chat: Page) -> None:
    def slow(route: Route) -> None:
        chat.wait_for_timeout(400)
        route.continue_()

    field = chat.get_by_label("Your line")
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
    with watch.forgiving(DROPPED):
        chat.context.set_offline(True)
        chat.get_by_label("Your line").fill("Are you there?")
        chat.keyboard.press("Enter")
        expect(chat.locator(".panel-chat .is-waiting")).to_contain_text("not sent yet")
        chat.context.set_offline(False)
        expect(chat.locator(".panel-chat ol li")).to_have_count(1)
        expect(chat.locator(".panel-chat .is-waiting li")).to_have_count(0)
    assert said(chat) == ["Are you there?"]


def test_what_was_said_as_the_page_is_left_arrives(chat: Page) -> None:
    seat = seat_of(chat)
    chat.get_by_label("Your line").fill("Until tomorrow")
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
        expect(page.locator("dialog [role=alert]")).to_contain_text("cannot be used")
        expect(page.locator("dialog [name=player]")).to_have_value("umpire")
    page.fill("dialog [name=player]", "Anna")
    page.click("dialog button[value=yes]")
    expect(page.locator("dialog")).to_have_count(0)
    seats = page.request.get(f"/api/seats/{seat_of(page)}").json()["seats"]
    assert seats[0]["player"] == "Anna"


# --- links -----------------------------------------------------------------------------------------------------------


def test_a_link_with_a_full_stop_behind_it_opens_the_seat(watch: Watch) -> None:
    maker = watch.person()
    game = {"players": ["me", "link"], "scenario": "campaign"}
    made = maker.request.post("/api/games", data=game, headers={"Origin": watch.url}).json()
    page = watch.page(f"{made['seats'][1]['link']}).")
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
        expect(page.locator("main")).to_contain_text(re.compile("No seat here|no such seat|opens nothing|Begin", re.I))


def test_a_refused_clipboard_is_told(watch: Watch) -> None:
    page = watch.page()
    page.add_init_script(
        "navigator.clipboard.writeText = async () => { throw new DOMException('no', 'NotAllowedError') }"
    )
    page.goto("/")
    page.click("[data-way=link]")
    page.click("[data-do=begin]")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.locator("dialog[open]")).to_contain_text("copy it with Ctrl+C")
    assert page.evaluate("getSelection().toString() || document.activeElement.value").startswith("http")

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import IN_MARCH, Watch, begin, deploy, scan, sit_down
from tests.browser.person import Person
from tests.prove.sample import EVERY

PHASES = 3 if EVERY else 1
PUBLIC = """(() => [
  [...document.querySelectorAll('#head .head-date > :not(.head-goal)')].map(one => one.textContent),
  [...document.querySelectorAll('#map [data-piece]')].map(one => one.dataset.piece).sort(),
])"""


def links(page: Page) -> list[str]:
    fields = page.locator("dialog[open] input")
    fields.first.wait_for()
    found: list[str] = fields.evaluate_all("all => all.map(one => one.value)")
    page.click("dialog[open] footer button")
    return found


def take(watch: Watch, link: str, *, plays: bool = True, named: str = "") -> Page:
    page = watch.page(link)
    assert "#" not in page.url, "the secret leaves the address at once"
    expect(page.locator("[data-do=take]")).to_have_text("Take your seat" if plays else "Watch the game")
    page.fill("[name=player]", named)
    page.click("[data-do=take]")
    if plays:
        page.click("[data-do=go]")
    sit_down(page)
    return page


def test_two_browsers_and_a_watcher_see_one_game(watch: Watch) -> None:
    alice, bob, _ = pages = three_at_one_game(watch)
    play_phases(pages)
    talk(alice, bob)


def three_at_one_game(watch: Watch) -> tuple[Page, Page, Page]:
    alice = watch.page()
    begin(alice, "link", named="Alice")
    other, gallery = links(alice)
    sit_down(alice)
    watch.person().request.get(other.partition("#")[0])  # a messenger's preview takes no seat
    bob, carol = take(watch, other, named="Bob"), take(watch, gallery, plays=False)
    for person, who in zip(people_at(alice, bob), ("prussia", "austria"), strict=True):
        deploy(person.page, who, but=2)
        end_phase(person)
        assert "seal" in person.given
    expect(carol.locator("#prompt")).to_contain_text("You watch as a spectator")
    expect(carol.locator("#map [data-piece]")).not_to_have_count(0)
    see_names(alice, bob, carol)
    expect(carol.locator("[data-panel=notes]")).to_have_count(0)  # spectators have no stored notes
    return alice, bob, carol


def people_at(alice: Page, bob: Page) -> tuple[Person, Person]:
    return Person(alice, Random(1)), Person(bob, Random(2))


def play_phases(pages: tuple[Page, Page, Page], phases: int = PHASES) -> None:
    people = people_at(*pages[:2])
    for _ in range(phases):
        last = people[asked(pages[0])]
        end_phase(last)
    for page in pages:
        expect(page.locator("body")).to_have_attribute("data-line", "live")
        page.wait_for_function(f"wanted => JSON.stringify({PUBLIC}()) === wanted", arg=public(last.page))


def see_names(alice: Page, bob: Page, carol: Page) -> None:
    for page in (bob, carol):
        expect(page.locator("#prompt")).to_contain_text("Alice (Prussia) is deciding")
    expect(alice).to_have_title(re.compile("^● Your decision"))
    expect(alice.locator("link[rel=icon]")).to_have_attribute("href", re.compile("/favicon-turn.svg$"))
    bob.click("[data-do=menu]")
    expect(bob.locator("#dialog-title")).to_have_text("Prussia (Alice) against Austria (Bob)")
    bob.click("dialog [data-do=name]")
    bob.fill("dialog [name=player]", "Bób\u05d0")
    bob.click("dialog button[value=yes]")
    alice.click("[data-panel=about]")
    expect(alice.locator(".panel-about .seats")).to_contain_text("Austria: Bób\u05d0")
    alice.keyboard.press("Escape")
    first = alice.context.new_page()
    first.goto("/")
    expect(first).to_have_title("● 1 decision waiting – Leuthen")
    expect(first.locator("[data-game]")).to_contain_text("Austria (Bób\u05d0)")
    first.close()


def end_phase(person: Person) -> None:
    assert person.is_asked()
    while person.look()["isAsked"]:
        person.is_asked()
        person.order()


def asked(page: Page) -> int:
    for _ in range(200):
        awaited = page.request.get(page.url.replace("/table/", "/api/seats/")).json()["awaited"]
        if awaited:
            return int(awaited[0]["side"])
        page.wait_for_timeout(100)
    raise AssertionError("nobody was asked for 20 s")


def public(page: Page) -> str:
    return str(page.evaluate(f"() => JSON.stringify({PUBLIC}())"))


def talk(alice: Page, bob: Page) -> None:
    for page in (alice, bob):
        page.click("[data-panel=chat]")
    alice.locator(".panel-chat textarea, .panel-chat input").first.fill("Well <b>marched</b>!")
    alice.keyboard.press("Enter")
    expect(bob.locator(".panel-chat")).to_contain_text("Well <b>marched</b>!")


DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TAKEN = r"410"
SIGNED_OUT = r"404|ERR_INCOMPLETE_CHUNKED"


def scan_both(page: Page, what: str) -> None:
    own, other = DESK["viewport"], PHONE["viewport"]
    if page.viewport_size == other:
        own, other = other, own
    for size in (other, own):
        page.set_viewport_size(size)
        assert not scan(page, f"{what}, {size['width']} wide")


def open_devices(page: Page) -> None:
    page.click("[data-do=menu]")
    page.click("dialog[open] [data-do=devices]")
    page.locator("dialog[open] [data-device]").first.wait_for()


def test_a_seat_is_its_owners(watch: Watch) -> None:
    maker = watch.page(**DESK)
    begin(maker, "link")
    invitation, _ = links(maker)
    sit_down(maker)
    friend = watch.page(invitation, **PHONE)
    friend.click("[data-do=take]")
    back = friend.locator("#seat input[readonly]").input_value()
    assert "#" in back
    assert back != invitation
    scan_both(friend, "link back")
    friend.click("[data-do=go]")
    sit_down(friend)
    the_inviter_is_told_that_it_is_taken(watch, maker, invitation)
    other = watch.page(back, **DESK)
    other.click("[data-do=take]")
    other.click("[data-do=go]")
    sit_down(other)
    expect(friend.locator("#toast")).to_contain_text("Your seat was opened on another device")
    the_owner_signs_it_out(watch, friend, other)


def the_inviter_is_told_that_it_is_taken(watch: Watch, maker: Page, invitation: str) -> None:
    with watch.forgiving(TAKEN):
        again = maker.context.new_page()
        again.goto(invitation)
        again.click("[data-do=take]")
        expect(again.locator("#seat")).to_contain_text("This link was already used or replaced")
        scan_both(again, "a link that was used")
        again.close()


def the_owner_signs_it_out(watch: Watch, friend: Page, other: Page) -> None:
    friend.click("#toast [data-do=devices]")
    expect(friend.locator("dialog[open] [data-device]")).to_have_count(2)
    scan_both(friend, "the devices")
    with watch.forgiving(SIGNED_OUT):
        friend.click("dialog[open] [data-do=sign-out]")
        expect(friend.locator("dialog[open] [data-device]")).to_have_count(1)
        expect(other.locator("h1")).to_have_text("Signed out")
        expect(other.locator("#map")).to_have_count(0)
        other.reload()
        expect(other.locator("h1")).to_have_text("No access to this seat")
        other.goto("/")


def test_who_leaves_comes_back_by_his_link(watch: Watch) -> None:
    page = watch.page(**DESK)
    begin(page, "machine")
    seat = sit_down(page)
    open_devices(page)
    page.click("dialog[open] [data-do=link]")
    back = page.locator("dialog[open] input").input_value()
    page.keyboard.press("Escape")
    page.click("dialog[open] [data-do=leave]")
    with watch.forgiving(SIGNED_OUT):
        page.click("dialog[open] button[value=yes]")
        page.wait_for_url("/")
    page.goto(back)
    page.click("[data-do=take]")
    page.click("[data-do=go]")
    assert sit_down(page) == seat


def test_a_player_makes_links_for_others(watch: Watch) -> None:
    page = watch.page(**DESK)
    begin(page, "link")
    old = links(page)
    sit_down(page)
    for item in ("invite", "gallery"):
        page.click("[data-do=menu]")
        page.click(f"dialog[open] [data-do={item}]")
        if item == "gallery":
            page.click("dialog[open] button[value=more]")
        link = page.locator("dialog[open] input").input_value()
        assert link not in old
        other = watch.page(link, **DESK)
        other.click("[data-do=take]")
        if item == "invite":
            other.click("[data-do=go]")
        sit_down(other)
        page.keyboard.press("Escape")


@pytest.fixture
def pair(watch: Watch) -> tuple[Page, Page]:
    person = watch.person()
    headers = {"Content-Type": "text/plain", "Origin": watch.url}
    answer = person.request.post("/api/import?first=me&second=link", data=IN_MARCH.encode(), headers=headers)
    assert answer.ok, answer.text()
    own, other = answer.json()["seats"][:2]
    prussia = person.new_page()
    prussia.goto(f"/table/{own['seat']}")
    sit_down(prussia)
    austria = watch.page(other["link"])
    austria.click("[data-do=take]")
    austria.click("[data-do=go]")
    sit_down(austria)
    return prussia, austria


def choose(page: Page, item: str, answer: str) -> None:
    page.click("[data-do=menu]")
    page.click(f"dialog [data-do={item}]")
    page.click(f"dialog button[value={answer}]")


def test_a_takeback_lists_what_goes_and_its_refusal_is_reported(pair: tuple[Page, Page]) -> None:
    prussia, austria = pair
    prussia.click("[data-do=menu]")
    prussia.click("dialog [data-do=ask-takeback]")
    prussia.locator("dialog .takeback-list input").nth(5).check()
    prussia.click("dialog button[value=ask]")
    offer = austria.locator(".proposal")
    expect(offer).to_contain_text("asks to take back")
    expect(offer.locator("li")).not_to_have_count(0)
    offer.locator("[data-do=decline]").click()
    expect(offer).to_have_count(0)
    told = prussia.locator(".proposal")
    expect(told).to_contain_text("Austria declines your takeback.")
    prussia.reload()
    expect(told).to_contain_text("Austria declines your takeback.")
    told.locator("button").click()
    expect(told).to_have_count(0)


def test_a_draw_asks_once_more_before_it_ends_the_game(pair: tuple[Page, Page]) -> None:
    prussia, austria = pair
    choose(prussia, "offer-draw", "yes")
    austria.locator(".proposal [data-do=accept]").click()
    expect(austria.locator("dialog[open]")).to_contain_text("The game ends")
    austria.keyboard.press("Escape")
    expect(austria.locator("#prompt h2")).not_to_have_text("The war is over")
    austria.locator(".proposal [data-do=accept]").click()
    austria.click("dialog button[value=yes]")
    expect(prussia.locator("#prompt h2")).to_have_text("The war is over")

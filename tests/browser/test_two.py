"""Two people and somebody who watches, each with a browser of their own, in one game."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Page, expect

from tests.browser.lobby import begin, sit_down
from tests.browser.person import Person
from tests.browser.watch import Watch

PHASES = 5


def links(page: Page) -> list[str]:
    """The links that the maker of a game is shown: the other seat's, and the gallery's."""
    fields = page.locator("dialog[open] input")
    fields.first.wait_for()
    found: list[str] = fields.evaluate_all("all => all.map(one => one.value)")
    page.click("dialog[open] footer button")
    return found


def take(watch: Watch, link: str, *, plays: bool = True) -> Page:
    """Somebody opens a link and takes the seat; who plays is shown the way back."""
    page = watch.page(link)
    assert "#" not in page.url, "the secret leaves the address at once"
    page.click("[data-do=take]")
    if plays:
        page.click("[data-do=go]")
    sit_down(page)
    return page


def test_two_browsers_and_a_watcher_see_one_game(watch: Watch) -> None:
    alice = watch.page()
    begin(alice, "link")
    other, gallery = links(alice)
    sit_down(alice)
    watch.person().request.get(other.partition("#")[0])  # a messenger's preview takes no seat
    bob, carol = take(watch, other), take(watch, gallery, plays=False)
    people = Person(alice, Random(1)), Person(bob, Random(2))
    for person in people:
        deploy(person)
    expect(carol.locator("#map [data-piece]")).not_to_have_count(0)
    for _ in range(PHASES):
        end_phase(next(person for person in people if person.look()["isAsked"]))
        wait_for_each_other(people)
    for page in (alice, bob, carol):
        expect(page.locator("body")).to_have_attribute("data-line", "live")
    assert public(alice) == public(bob) == public(carol)
    talk(alice, bob)


def end_phase(person: Person) -> None:
    """Acts until the other is asked."""
    while person.look()["isAsked"]:
        person.is_asked()
        person.order()


def wait_for_each_other(people: tuple[Person, Person]) -> None:
    """Until one of the two is asked, and not the one who has just ended his phase."""
    pages = [person.page for person in people]
    while not any(person.look()["isAsked"] for person in people):
        pages[0].wait_for_timeout(20)


def deploy(person: Person) -> None:
    """Places everything and seals it."""
    while "seal" not in person.given:
        assert person.is_asked()
        person.order()


def public(page: Page) -> tuple[str, list[str]]:
    """What everybody at the table sees alike: the date, and where the counters stand."""
    date = page.locator("#head").inner_text().partition(":")[0]
    pieces: list[str] = page.locator("#map [data-piece]").evaluate_all("all => all.map(one => one.dataset.piece)")
    return date, sorted(pieces)


def talk(alice: Page, bob: Page) -> None:
    for page in (alice, bob):
        page.click("[data-panel=chat]")
    alice.locator(".panel-chat textarea, .panel-chat input").first.fill("Well <b>marched</b>!")
    alice.keyboard.press("Enter")
    expect(bob.locator(".panel-chat")).to_contain_text("Well <b>marched</b>!")

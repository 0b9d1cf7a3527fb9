"""Two people and somebody who watches, each with a browser of their own, in one game."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Page, expect

from tests.browser.lobby import begin, deploy, sit_down
from tests.browser.person import Person
from tests.browser.watch import Watch

PHASES = 3
PUBLIC = """(() => [
  document.querySelector('#head .head-date').textContent,
  [...document.querySelectorAll('#map [data-piece]')].map(one => one.dataset.piece).sort(),
])"""
"""What everybody at the table sees alike: the date, and where the counters stand."""


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
    for person, who in zip(people, ("prussia", "austria"), strict=True):
        deploy(person.page, who, but=2)
        end_phase(person)
        assert "seal" in person.given
    expect(carol.locator("#map [data-piece]")).not_to_have_count(0)
    expect(carol.locator("[data-panel=papers]")).to_have_count(0)  # whoever watches has no notes that are kept
    for _ in range(PHASES):
        last = people[asked(alice)]
        end_phase(last)
    for page in (alice, bob, carol):
        expect(page.locator("body")).to_have_attribute("data-line", "live")
        page.wait_for_function(f"wanted => JSON.stringify({PUBLIC}()) === wanted", arg=public(last.page))
    talk(alice, bob)


def end_phase(person: Person) -> None:
    """Acts until the other is asked."""
    assert person.is_asked()
    while person.look()["isAsked"]:
        person.is_asked()
        person.order()


def asked(page: Page) -> int:
    """The side that is asked: it is the other's turn as soon as an order counts."""
    awaited = page.request.get(page.url.replace("/table/", "/api/seats/")).json()["awaited"]
    return int(awaited[0]["side"])


def public(page: Page) -> str:
    """What everybody at the table sees alike."""
    return str(page.evaluate(f"() => JSON.stringify({PUBLIC}())"))


def talk(alice: Page, bob: Page) -> None:
    for page in (alice, bob):
        page.click("[data-panel=chat]")
    alice.locator(".panel-chat textarea, .panel-chat input").first.fill("Well <b>marched</b>!")
    alice.keyboard.press("Enter")
    expect(bob.locator(".panel-chat")).to_contain_text("Well <b>marched</b>!")

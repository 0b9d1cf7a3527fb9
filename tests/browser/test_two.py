import re
from random import Random

from playwright.sync_api import Page, expect

from tests.browser.lobby import begin, deploy, sit_down
from tests.browser.person import Person
from tests.browser.watch import Watch
from tests.prove.sample import EVERY

PHASES = 3 if EVERY else 1
PUBLIC = """(() => [
  document.querySelector('#head .head-date').textContent,
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
    expect(carol.locator("#map [data-piece]")).not_to_have_count(0)
    see_names(alice, bob, carol)
    expect(carol.locator("[data-panel=notes]")).to_have_count(0)  # whoever watches has no notes that are kept
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
    expect(first).to_have_title("● 1 decision for you – Leuthen")
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

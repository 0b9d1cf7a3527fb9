import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.games import Watch, begin, chronicle, deploy, sit_down
from tests.browser.person import Person
from tests.prove.sample import EVERY

HANDOVERS = 2 if EVERY else 1
SAYS_WHERE = re.compile(r"^(?=.*\b(?!17[56]\d)\d{4}\b).{12,}", re.DOTALL)
KEPT = """async () => [
  document.documentElement.outerHTML, JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}),
  JSON.stringify(history.state), location.href, window.name, document.title,
  (await caches.keys()).join(),
  (await indexedDB.databases()).map(base => base.name).join(),
].join('\\n')"""
IN_CACHE = (
    """path => fetch(path, {cache: 'only-if-cached', mode: 'same-origin'}).then(answer => answer.ok, () => false)"""
)


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def known(page: Page, seat: str) -> set[str]:
    fresh = page.request.get(f"/api/seats/{seat}").json()
    lines = chronicle(page.request, seat)
    return {text for text in texts([fresh, lines]) if SAYS_WHERE.search(text)}


def heap(page: Page) -> str:
    session = page.context.new_cdp_session(page)
    chunks: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: chunks.append(event["chunk"]))
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    strings: list[str] = json.loads("".join(chunks))["strings"]
    return "\n".join(strings)


def seats(page: Page, seat: str) -> dict[int, str]:
    fresh: dict[str, Any] = page.request.get(f"/api/seats/{seat}").json()
    return {line["side"]: line["seat"] for line in fresh["seats"] if line["seat"]}


def play_until_passing(page: Page, person: Person) -> bool:
    passing = page.locator("[data-do=pass]")
    while not passing.is_visible():
        if not person.is_asked():
            return False
        person.order()
    return True


def test_nothing_of_the_other_side_is_left_when_the_screen_is_passed(watch: Watch) -> None:
    page = watch.page(viewport={"width": 1280, "height": 800})
    begin(page, "screen")
    page.click("[data-do=lift]")
    seat = sit_down(page)
    both = seats(page, seat)
    side = next(side for side, own in both.items() if own == seat)
    told = 0
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for number in range(HANDOVERS):
        person = Person(page, Random(number), zeal=0.3)
        deploy(page, ("prussia", "austria")[side], but=3)
        assert play_until_passing(page, person)
        paths = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
        secrets = known(page, both[side]) - known(page, both[1 - side])
        told += len(secrets)
        memory = heap(page)
        assert any(secret in memory for secret in secrets), "the search finds nothing where it must"
        asked.clear()
        page.click("[data-do=pass]")
        lift = page.locator("[data-do=lift]")
        lift.wait_for()
        assert not [url for url in asked if "/api/seats/" in url], "something was asked for before the veil was lifted"
        expect_nothing(page, secrets)
        expect_not_cached(watch, page, [path for path in paths if "/api/seats/" in path])
        expect_no_way_back(page, secrets)
        lift.click()
        side = 1 - side
        assert sit_down(page) == both[side]
        Person(page, Random(0)).is_asked()
        expect_nothing(page, secrets - known(page, both[side]))
    assert told >= 10


def test_the_veil_stays_with_its_game(watch: Watch) -> None:
    page = watch.page()
    begin(page, "screen")
    page.click("[data-do=lift]")
    seat = sit_down(page)
    other = next(own for own in seats(page, seat).values() if own != seat)
    begin(page, "machine")
    page.locator("#order [data-field]").first.wait_for()
    expect(page.locator(".veil")).to_have_count(0)
    page.goto(f"/table/{other}")
    expect(page.locator("[data-do=lift]")).to_be_visible()
    page.goto(f"/table/{seat}")
    page.locator("#order [data-field]").first.wait_for()
    expect(page.locator(".veil")).to_have_count(0)


def expect_nothing(page: Page, secrets: set[str]) -> None:
    places = {"kept": page.evaluate(KEPT), "memory": heap(page)}
    for where, text in places.items():
        found = [secret for secret in secrets if secret in text]
        assert not found, f"{where}: {found[:3]}"


def expect_not_cached(watch: Watch, page: Page, paths: list[str]) -> None:
    with watch.forgiving("ERR_CACHE_MISS|504|Failed to load resource"):
        assert not [path for path in paths if "/stream" not in path and page.evaluate(IN_CACHE, path)]


def expect_no_way_back(page: Page, secrets: set[str]) -> None:
    here = page.url
    page.go_back()
    page.wait_for_load_state()
    expect_nothing(page, secrets)
    page.goto(here)
    page.locator("[data-do=lift]").wait_for()

import re

import pytest
from playwright.sync_api import Page, expect

from leuthen.school.lessons import lessons
from tests.browser.games import Watch, scan
from tests.browser.person import QUIET, TURN

MOST = 60
ENDINGS = ("done", "halt", "hold")
NEWS = "Number(document.body.dataset.n)"
ANYWAY = "document.querySelector('dialog[open] button[value=end]')"
SENDABLE = "document.querySelector('#order [data-do=send]:not([aria-disabled=true])')"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def follow(page: Page) -> None:
    page.locator("[data-do=show-me]").click()
    page.wait_for_function(QUIET)
    page.locator("#order [data-do=send]").click()
    page.wait_for_function(QUIET)


def test_a_newcomer_is_led_to_his_first_battle(watch: Watch) -> None:
    page = watch.page("/")
    page.get_by_role("link", name="Learn to play").click()
    faults = scan(page, "the school")
    page.get_by_role("button", name="Start: Three minutes").click()
    lesson = page.get_by_role("region", name="Lesson")
    expect(lesson).to_contain_text("Frederick's army")
    expect(page.locator("#orders [data-rule]:visible")).to_have_count(0)
    faults += scan(page, "a lesson")
    follow(page)
    expect(lesson).to_contain_text("face to face")
    page.locator("[data-do=take-me-back]").click()
    expect(lesson).to_contain_text("Frederick's army")
    follow(page)
    expect(page.locator("#order .is-pointed")).to_have_attribute("data-token", "done")
    page.locator("#order .is-pointed").click()
    expect(page.locator("#order .is-pointed")).to_have_attribute("data-token", "attack")
    page.locator("[data-do=show-me]").click()
    expect(page.locator("#order .odds-bar").first).to_be_in_viewport()
    page.locator("#order [data-do=send]").click()
    expect(lesson).to_contain_text("You have won")
    expect(page.locator("#prompt")).to_contain_text("The enemy retreats")
    expect(page.get_by_role("article", name="Battle of Lobositz")).to_be_visible()
    assert not faults


def give(page: Page) -> None:
    before = page.evaluate(NEWS)
    if page.locator("[data-do=show-me]").count():
        page.locator("[data-do=show-me]").click()
    else:
        page.locator(", ".join(f"#order [data-token={token}]" for token in ENDINGS)).first.click()
    page.wait_for_function(f"before => {SENDABLE} || {ANYWAY} || {NEWS} > before", arg=before)
    if page.evaluate(NEWS) == before and not page.evaluate(f"Boolean({ANYWAY})"):
        page.locator("#order [data-do=send]").click()
        page.wait_for_function(f"before => {ANYWAY} || {NEWS} > before", arg=before)
    if page.evaluate(f"Boolean({ANYWAY})"):
        page.locator("dialog[open] button[value=end]").click()
    page.wait_for_function(f"before => {NEWS} > before", arg=before)


@pytest.mark.parametrize("name", lessons())
def test_a_newcomer_goes_through_a_lesson_by_what_the_page_shows(watch: Watch, name: str) -> None:
    page = watch.page("/learn")
    page.locator(f"[data-lesson={name}]").click()
    lesson = page.get_by_role("region", name="Lesson")
    expect(lesson).to_contain_text(lessons()[name].goal)
    done = set[int]()
    for _ in range(MOST):
        page.wait_for_function(f"() => document.querySelector('.lesson.is-over') || ({TURN})()")
        if page.locator(".lesson.is-over").count():
            break
        done.add(page.locator(".lesson-dot.is-done").count())
        give(page)
    expect(lesson.locator(".lesson-say")).to_have_text(lessons()[name].ending)
    assert done == set(range(len(lessons()[name].steps)))


def test_a_lesson_that_was_begun_is_gone_on_with_or_begun_anew(watch: Watch) -> None:
    page = watch.page("/learn", **PHONE)
    begin = page.get_by_role("button", name="Start: Three minutes")
    begin.click()
    follow(page)
    first = page.url
    page.goto("/learn")
    card = page.locator(".lesson-card").first
    expect(card).to_contain_text("in progress: step 2 of 3")
    expect(begin).to_have_count(0)
    faults = scan(page, "a lesson that was begun")
    card.get_by_role("link", name="Continue: Three minutes").click()
    expect(page).to_have_url(first)
    page.goto("/learn")
    card.get_by_role("button", name="Start again: Three minutes").click()
    expect(page.get_by_role("region", name="Lesson")).to_contain_text("Frederick's army")
    assert page.url != first
    assert not faults


def test_on_a_phone_the_lesson_leaves_the_map_its_room(watch: Watch) -> None:
    page = watch.page("/learn", **PHONE)
    page.locator("[data-lesson=three-minutes]").tap()
    expect(page.get_by_role("region", name="Lesson")).to_contain_text("Frederick's army")
    height = page.evaluate("() => document.querySelector('#map').getBoundingClientRect().height")
    assert height >= 844 / 3
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_a_rule_is_tried_on_the_board(watch: Watch) -> None:
    page = watch.page("/learn#frederick/O5.8")
    page.locator("[data-drill=O5\\.8-a]").first.click()
    drill = page.get_by_role("region", name="Drill")
    expect(drill).to_contain_text("Which of these do the rules allow?")
    page.wait_for_function(QUIET)
    faults = scan(page, "a drill")
    expect(page.locator("#order, #helpers, [data-do=advice]").filter(visible=True)).to_have_count(0)
    with watch.forgiving("422"):
        drill.locator("[data-try*='1632-1633-1634']").click()
        expect(drill.get_by_role("alert")).to_contain_text("This order is not allowed")
    drill.locator("[data-do=none-of-these]").click()
    expect(drill).to_contain_text("✗ not allowed")
    first = page.url
    page.locator("[data-do=next-drill]").click()
    expect(page).not_to_have_url(first)
    expect(page).to_have_title(re.compile("Your decision"))
    page.goto("/")
    expect(page.locator("#list")).to_contain_text("No games yet")
    assert not faults


def test_the_rulebook_leads_to_the_drills_of_a_rule(watch: Watch) -> None:
    page = watch.page("/learn")
    page.locator("[data-lesson=the-siege]").click()
    page.locator("#prompt .rule").first.click()
    link = page.get_by_role("link", name="Try rule O10.4", exact=True)
    expect(link).to_have_attribute("href", "/learn#frederick/O10.4")

import re
from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.games import IN_MARCH, bring_in, order
from tests.browser.lobby import sit_down
from tests.browser.person import Person
from tests.browser.watch import Watch

DROPPED = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK|Failed to load"
FORMS = re.compile("/form$")


@pytest.fixture
def page(watch: Watch) -> Page:
    person = watch.person()
    seat, _ = bring_in(person.request, watch.url, IN_MARCH)
    page = person.new_page()
    page.goto(f"/table/{seat}")
    sit_down(page)
    Person(page, Random(0)).is_asked()
    return page


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
    with watch.forgiving(DROPPED):
        page.context.set_offline(True)
        expect(page.locator("#offline")).to_have_text("No connection. You can order again when the table answers.")
        page.click("#order [data-token=march]")
        expect(page.locator("#toast")).to_contain_text("Your choice is kept")
        page.context.set_offline(False)
        expect(page.locator("#order [data-token=march]:is([aria-current=true], [aria-pressed=true])")).to_be_visible()
        expect(page.locator("#offline")).to_be_hidden()


def test_an_order_without_a_line_is_held_and_another_is_refused_aloud(page: Page, watch: Watch) -> None:
    with watch.forgiving(DROPPED):
        page.click("#order [data-token=march]")
        Person(page, Random(0)).is_asked()
        page.keyboard.press("Escape")
        n = page.evaluate("Number(document.body.dataset.n)")
        page.wait_for_function("() => calls.open === 0")
        page.context.set_offline(True)
        page.keyboard.press("g")
        expect(page.locator("#offline")).to_have_text("No connection. Your order is sent as soon as the table answers.")
        page.click("[data-do=sign]")
        expect(page.locator("#toast")).to_contain_text("still waiting for the connection")
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
    with watch.forgiving(DROPPED):
        page.keyboard.press("g")
        page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
        expect(page.locator("body")).to_have_attribute("data-line", "live")
        expect(page.locator("#offline")).to_be_hidden()
    assert lost


def test_advice_goes_with_the_order_that_it_filled_in(page: Page) -> None:
    page.click("[data-do=advice]")
    expect(page.locator(".advice [data-do=follow]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".advice")).to_be_empty()


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

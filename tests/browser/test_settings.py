import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.games import IN_MARCH, SIDES, War, Watch, bring_in, find, scan, sit
from tests.browser.person import QUIET
from tests.browser.test_showing import SPY, split


def change(page: Page, name: str, value: str) -> None:
    page.click("[data-do=menu]")
    page.click("dialog [data-do=settings]")
    page.select_option(f"dialog [name={name}]", value)
    page.locator("dialog").get_by_role("button", name="Close").click()
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_the_settings_of_a_device_survive_a_reload(watch: Watch) -> None:
    page = in_march(watch)
    names = page.locator(".sheet .names-great text").first
    change(page, "labels", "none")
    expect(names).to_be_hidden()
    page.reload()
    page.wait_for_selector("body[data-line=live]")
    expect(names).to_be_hidden()
    page.click("[data-do=menu]")
    page.click("dialog [data-do=settings]")
    settings = page.locator("dialog .settings")
    expect(settings.locator("select")).to_have_count(8)
    expect(settings.locator("[name=labels]")).to_have_value("none")
    expect(settings.locator("[name=warnings]")).to_have_value("turn")
    expect(settings.locator("[name=at-once]")).to_have_value("yes")  # as these tests begin
    assert scan(page, "the settings", "dialog") == []
    page.locator("dialog").get_by_role("button", name="Keyboard shortcuts").click()
    expect(page.locator("dialog .key-groups")).to_be_visible()


def in_march(watch: Watch) -> Page:
    page = War(watch).page
    page.locator("#order [data-token=done]").wait_for()
    return page


@pytest.mark.parametrize(("warnings", "times"), [("turn", 1), ("always", 2), ("off", 0)])
def test_a_phase_warns_as_often_as_the_player_wants(watch: Watch, warnings: str, times: int) -> None:
    page = in_march(watch)
    change(page, "warnings", warnings)
    dialog = page.locator("dialog[open]")
    for _ in range(times):
        page.keyboard.press("x")
        expect(dialog).to_contain_text("You can still")
        dialog.get_by_role("button", name="Go back").click()
        expect(dialog).to_have_count(0)
    if warnings == "always":
        return
    page.keyboard.press("x")
    page.wait_for_function("() => calls.orders === 1")
    expect(dialog).to_have_count(0)


def test_a_warning_that_was_not_read_is_shown_in_the_same_turn(watch: Watch) -> None:
    page = in_march(watch)
    left = [{"text": "Frederick has not moved", "rule": "O5.1", "place": "1034"}]
    page.route(re.compile("/left$"), lambda route: route.fulfill(json={"left": left}))
    dialog = page.locator("dialog[open]")
    for text in ("Frederick has not moved", "Keith starves"):
        if text != left[0]["text"]:
            left.append({"text": text, "rule": "O10.1", "place": ""})
        page.keyboard.press("x")
        expect(dialog).to_contain_text(text)
        dialog.get_by_role("button", name="Go back").click()
        expect(dialog).to_have_count(0)
    page.keyboard.press("x")
    page.wait_for_function("() => calls.orders === 1")
    expect(dialog).to_have_count(0)


def test_ending_a_phase_on_advice_draws_no_warning(watch: Watch) -> None:
    page = in_march(watch)
    change(page, "warnings", "always")
    advice = {"order": "done", "text": "End the phase", "partial_order": {"do": "done"}, "reasons": []}
    page.route(re.compile("/advice$"), lambda route: route.fulfill(json=advice))
    page.click("[data-do=advice]")
    expect(page.locator(".advice [data-do=follow]")).to_be_visible()
    page.locator("#orders [data-do=send]").click()
    page.wait_for_function("() => calls.orders === 1")
    expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize(
    ("evident", "answer", "is_skipped"), [("skip", "hold", True), ("ask", "hold", False), ("skip", "react ", False)]
)
def test_only_a_reaction_of_0_per_cent_is_skipped_at_wish(
    watch: Watch, evident: str, answer: str, is_skipped: bool
) -> None:
    record, lines = find(
        lambda ls: ls[0].what.startswith(answer) and (answer != "hold" or ls[1].what.startswith("go "))
    )
    person, sent = watch.person(), list[str]()
    person.add_init_script(f"try {{ localStorage.setItem('leuthen.evident', '{evident}'); }} catch {{}}")
    person.on("request", lambda request: sent.append(request.post_data or "") if "/orders" in request.url else None)
    page = sit(person, bring_in(person.request, watch.url, record)[SIDES[lines[0].who]])
    if is_skipped:
        page.wait_for_function("() => calls.orders === 1")
        assert '"order":"hold"' in sent[0].replace(" ", "")
    else:
        expect(page.locator("#order [data-token=react]")).to_contain_text("0 %" if answer == "hold" else "")
        page.wait_for_function(QUIET)
        assert not sent


def test_a_single_answer_is_given_by_the_page(watch: Watch) -> None:
    person = watch.person()
    person.add_init_script("try { localStorage.setItem('leuthen.evident', 'skip'); } catch {}")
    choice = {"token": "halt", "label": "End the march here", "price": "", "place": "", "is_hopeless": False}
    field = {"key": "do", "name": "do", "kind": "word", "label": "Action", "choices": [choice], "value": "halt"}
    form = {"fields": [field], "order": "halt", "neutral": "halt"}
    person.route(re.compile("/form$"), lambda route: route.fulfill(json=form))
    sent: list[str] = []

    def answer(route: Route) -> None:
        sent.append(route.request.post_data or "")
        route.fulfill(json={"n": 0})

    person.route(re.compile("/orders$"), answer)
    page = sit(person, bring_in(person.request, watch.url, IN_MARCH)[0])
    page.wait_for_function("() => calls.orders >= 1")
    assert '"order":"halt"' in sent[0].replace(" ", "")


@pytest.mark.parametrize("speed", ["off", "fast"])
def test_the_enemys_marches_are_played_at_the_speed_that_is_set(watch: Watch, speed: str) -> None:
    record, lines = split(["austria"])
    war = War(watch, record)
    page = war.page
    change(page, "speed", speed)
    page.evaluate(SPY)
    war.answer(*(line.what for line in lines))
    way = lines[1].what.split()[-1]
    expect(page.locator(f"[data-track='{way}']")).to_have_count(1)
    if speed == "off":
        page.wait_for_timeout(1000)
        assert page.evaluate("shown") == []
    else:
        page.wait_for_function("way => shown.some(({text}) => text.includes(way))", arg=way)

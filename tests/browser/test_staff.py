import re
from collections.abc import Callable
from random import Random
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.games import SIDES, Line, War, Watch, find, scan, sit_down
from tests.browser.person import QUIET, Person


def drag(page: Page, leader: str, by: float) -> None:
    head = page.locator(f".staff-arrows g[data-leader={leader}] circle")
    box = head.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=4)
    page.mouse.up()


def choose(page: Page, leader: str, kind: str, place: str) -> None:
    page.click("[data-do=make-mission]")
    making = page.get_by_role("region", name="New mission")
    making.locator("[data-field=do] [data-token=give]").click()
    making.get_by_role("button", name=leader).click()
    making.locator(f"[data-field=kind] [data-token={kind}]").click()
    making.locator("[data-field=place] select").select_option(label=place)
    expect(making).to_contain_text("to keep the enemy away from Dresden")
    making.locator("[data-do=give-clause]").click()
    expect(page.locator(f".missions > li[data-leader={leader}]")).to_contain_text("(your order)")
    expect(making).to_be_empty()


def send_to_leipzig(army: Locator) -> None:
    army.locator("summary").click()
    army.locator("select").select_option("cover")
    army.locator("input").fill("Leipzig")
    army.locator("[data-do=give-mission]").click()
    expect(army).to_contain_text("Keep the enemy away from Leipzig")


def leaders(page: Page) -> list[str | None]:
    return [one.get_attribute("data-leader") for one in page.locator(".missions > li").all()]


def test_a_plan_is_shown_changed_and_signed_with_one_request(watch: Watch) -> None:
    page = watch.page(viewport={"width": 1440, "height": 900})
    begin(page)
    sit_down(page)
    expect(page.locator("#prompt")).to_contain_text("Supply")
    page.click("[data-do=show-plan]")
    moritz = page.locator(".missions > li[data-leader=Moritz]")
    expect(moritz).to_contain_text("Take Erfurt while it is empty")
    expect(page.locator(".staff-arrows .staff-line")).not_to_have_count(0)
    expect(page.locator(".staff-arrows .staff-aim")).not_to_have_count(0)
    assert scan(page, "the staff", ".panel-staff") == []

    aim = page.locator(".staff-arrows g[data-leader=Moritz]")
    before, order = aim.get_attribute("data-place"), leaders(page)
    drag(page, "Moritz", 120)
    expect(moritz).to_contain_text("(your order)")
    assert aim.get_attribute("data-place") != before
    assert leaders(page) == order, "who is given something else keeps his place"
    expect(page.locator(".staff-line.is-yours")).to_have_attribute("marker-end", "url(#map-head-yours)")

    send_to_leipzig(moritz)
    choose(page, "Bevern", "cover", "1623 Dresden")

    page.get_by_label("Mission in words").fill("Keith dance Dresden")
    with watch.forgiving("400"):
        page.click("[data-do=give-words]")
        expect(page.locator("#toast")).to_contain_text('"dance" is not a valid mission')
    page.keyboard.press("Escape")

    sent: list[str] = []
    page.on("request", lambda request: sent.append(_what(request)) if request.method in ("POST", "PUT") else None)
    page.click("[data-do=sign]")
    expect(page.locator("[data-do=stop-staff]").or_(page.locator(".staff-asks"))).to_be_visible()
    assert [what for what in sent if what in ("sign", "orders", "moves")] == ["sign"]
    with watch.forgiving("409"):  # it may have ended
        page.evaluate("document.querySelector('[data-do=stop-staff]')?.click()")
        expect(page.locator("[data-do=sign]")).to_be_visible()


def test_on_a_phone_the_plan_is_carried_out_from_where_it_is_read(watch: Watch) -> None:
    page = watch.page(viewport={"width": 390, "height": 844}, has_touch=True)
    begin(page)
    sit_down(page)
    page.click("[data-do=show-plan]")
    page.click("[data-do=sign-plan]")
    expect(page.locator("#drawer")).to_be_hidden()
    expect(page.locator("[data-do=stop-staff]").or_(page.locator(".staff-asks"))).to_be_visible()


def _what(request: Request) -> str:
    return request.url.rpartition("/")[2]


ORDERS = 40


def begin(page: Page, **options: str) -> None:
    page.goto("/")
    page.click("[data-way=machine]")
    page.check("input[name=ruleset][value=campaigns]")
    page.wait_for_selector("[name='option:rules']", state="attached")
    page.select_option("[name=scenario]", "1757")
    page.check("input[name=bot][value=random]")
    page.click("details.more summary")
    for name, value in options.items():
        page.select_option(f"[name='option:{name}']", value)
    page.click("[data-do=begin]")


def bring_in(watch: Watch, fits: Callable[[list[Line]], bool]) -> tuple[War, list[Line]]:
    record, lines = find(fits)
    return War(watch, record, SIDES[lines[0].who]), lines


def test_turns_are_clicked_through(watch: Watch) -> None:
    page = watch.page(viewport={"width": 1440, "height": 900})
    begin(page)
    sit_down(page)
    person = Person(page, Random(3), zeal=0.35)
    cups = set[int]()
    while not ({"march", "done"} <= set(person.given) and person.on_map and len(cups) > 2):
        assert len(person.given) < ORDERS, "the cup empties chit by chit, and a march is ordered on the map"
        assert person.is_asked()
        cups.add(page.locator(".cup .chit.is-next").count())
        if "Chit" in page.locator("#prompt").inner_text():
            expect(page.locator(".cup .chit.is-now")).to_have_count(1)
        person.order()


def test_counters_show_supply_and_who_has_moved(watch: Watch) -> None:
    halts: list[Line] = []

    def fits(ls: list[Line]) -> bool:
        halts.extend([ls[0]] if ls[0].what.startswith("halt") else [])
        return len(halts) > 3 and ls[0].what == "done" and ls[1].what.startswith("chit")

    war, _ = bring_in(watch, fits)
    pieces = war.fresh()["scene"]["pieces"]
    counter = war.page.locator
    trains = {key: piece["strength"] for key, piece in pieces.items() if piece["strength"].startswith("W")}
    loads = {key: piece["load"] for key, piece in pieces.items() if piece.get("load")}
    moved = {key for key, piece in pieces.items() if any(b["code"] == "marched" for b in piece.get("badges", ()))}
    assert min(len(trains), len(loads), len(moved)) > 0
    for key, load in list(trains.items())[:3]:
        expect(counter(f"[data-piece='{key}'] .c-strength")).to_have_text(load)
    for key, load in list(loads.items())[:3]:
        expect(counter(f"[data-piece='{key}'] .c-load text")).to_have_text(load)
    expect(counter("#map .counter.is-marched")).to_have_count(len(moved))
    turned = counter("#map .counter.is-marched [transform*=rotate]")
    expect(turned).to_have_count(len(moved))


def test_a_march_goes_on_by_itself_where_nobody_reacts(watch: Watch) -> None:
    def fits(ls: list[Line]) -> bool:
        goes = ls[0].what.startswith("go ") and ls[2].what.startswith("go ")
        return goes and ls[1].what == "hold" and ls[0].who == ls[2].who != ls[1].who

    war, lines = bring_in(watch, fits)
    page, goal = war.page, lines[0].what.rpartition("-")[2]
    posted: list[str] = []

    def hear(request: Request) -> None:
        if request.url.endswith("/orders"):
            posted.append(str(request.post_data))

    page.on("request", hear)
    page.click("#order [data-token=go]")
    expect(page.locator("#order [data-do=send]")).to_have_attribute("aria-disabled", "true")
    page.locator("#order [data-field=path] select").select_option(goal)
    expect(page.locator("#order .summary")).to_contain_text("MP")
    page.locator("#order [data-halt=halt][aria-pressed=false]").click()
    page.locator("#order [data-halt=halt][aria-pressed=true]").wait_for()
    page.locator("#order [data-do=send]:not([aria-disabled])").click()
    expect(page.locator(".marching")).to_contain_text(goal)
    with page.expect_request("**/orders"):
        war.answer("hold")
    assert len(posted) == 2
    for order in posted:  # by any path of the same cost
        assert '"go ' in order
        assert f'-{goal}"' in order
        assert '"halt":"halt"' in order


def test_a_march_halts_by_itself_where_nobody_reacts(watch: Watch) -> None:

    def fits(ls: list[Line]) -> bool:
        return ls[0].what.startswith("go ") and [one.what for one in ls[1:3]] == ["hold", "halt"]

    war, lines = bring_in(watch, fits)
    page, goal = war.page, lines[0].what.rpartition("-")[2].rpartition(" ")[2]
    page.click("#order [data-token=go]")
    page.locator("#order [data-field=path] select").select_option(goal)
    page.locator("#order [data-halt=halt][aria-pressed=false]").click()
    page.locator("#order [data-do=send]:not([aria-disabled])").click()
    expect(page.locator(".marching")).to_contain_text(goal)
    with page.expect_request("**/orders") as sent:
        war.answer("hold")
    body = sent.value.post_data_json
    assert body is not None
    assert body["order"] == "halt"
    expect(page.locator(".marching")).to_have_count(0)
    page.wait_for_function(QUIET)
    expect(page.locator("#order [data-token=halt]")).to_have_count(0)


def test_the_rest_of_a_phase_is_left_with_its_last_order(watch: Watch) -> None:
    war, _ = bring_in(watch, lambda ls: ls[0].what.startswith("march") and ls[1].who == ls[0].who)
    page = war.page
    page.click("#order [data-token=march]")
    page.locator("#order [data-field=leader] [data-token]").first.click()
    page.locator("#order [data-field=path] select").select_option(index=1)
    moves: list[Request] = []
    page.on("request", lambda request: moves.append(request) if request.url.endswith("/moves") else None)
    page.locator("#order [data-do=send-phase]").click()
    end = page.locator("dialog[open] button[value=end]")
    for _ in range(12):  # reactions on the way, and the list of open actions
        page.wait_for_function(QUIET)
        if end.is_visible():
            end.click()
        elif war.is_asked(war.other):
            war.answer(war.default())
    assert moves
    body = moves[0].post_data_json
    assert body is not None
    assert (body["do"], body["until"]) == ("go-on", "phase")


def test_a_seat_goes_on_until_the_enemy_moves(watch: Watch) -> None:
    war, _ = bring_in(watch, lambda ls: ls[0].what == "done" and ls[1].what.startswith("march"))
    page = war.page
    n = page.evaluate("Number(document.body.dataset.n)")
    page.click("[data-do=go-on]")
    page.click("[data-do=go-on-event]")
    page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
    page.wait_for_function(QUIET)
    assert not war.is_asked() or "Going on" not in page.inner_text("#helpers")
    if not war.is_asked():
        expect(page.locator("#helpers")).to_contain_text("Automatic: skip until the enemy moves")
        page.click("[data-do=stop-going]")
        expect(page.locator("#helpers")).not_to_contain_text("Going on")


@pytest.mark.parametrize("by", ["button", "key"])
def test_a_theatre_is_left_as_it_is_to_the_end_of_the_turn(watch: Watch, by: str) -> None:
    war, _ = bring_in(watch, lambda ls: ls[0].what.startswith("halt"))
    page, going = war.page, war.page.locator("#helpers")
    n = page.evaluate("Number(document.body.dataset.n)")
    page.click("[data-do=go-on]")
    button = page.locator("[data-do=go-on-theatre]")
    expect(button).to_have_text(re.compile(r"^Skip .+ this turn$"))
    theatre = button.inner_text().removeprefix("Skip ").removesuffix(" this turn")
    with page.expect_request("**/moves") as sent:
        if by == "button":
            button.click()
        else:
            page.keyboard.press("Shift+G")
    body = sent.value.post_data_json
    assert body is not None
    assert body["theatres"] == [theatre]
    page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
    page.wait_for_function(QUIET)
    expect(going).to_contain_text(f"Automatic: skip {theatre} this turn")
    page.click("[data-do=stop-going]")
    expect(going).not_to_contain_text("Going on")


def test_who_declines_a_forced_march_is_not_warned_of_it(watch: Watch) -> None:
    war, _ = bring_in(watch, lambda ls: ls[0].what.startswith("force "))
    page = war.page
    expect(page.locator("#prompt h2")).to_contain_text("Forced marches")
    page.locator("#order [data-token=done]").click()
    page.wait_for_function("() => calls.orders === 1")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_chit_names_and_shows_who_may_march(watch: Watch) -> None:
    war, lines = bring_in(watch, lambda ls: ls[0].what.startswith("march"))
    page = war.page
    expect(page.locator("#prompt h2")).to_contain_text(re.compile(r"^Chit \d: march with "))
    names = page.locator("#prompt h2").inner_text()
    assert lines[0].what.split()[1] in names or "others" in names
    expect(page.locator("#map .light-choice").first).to_be_attached()


def fight_on(page: Page) -> None:
    n = page.evaluate("Number(document.body.dataset.n)")
    hold, send = page.locator("#order [data-token=hold]"), page.locator("#order [data-do=send]")
    page.wait_for_function(QUIET)
    if hold.is_visible():
        hold.click()
        page.wait_for_function(QUIET)
    if send.is_visible():
        send.click()
    page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)


def test_a_battle_is_shown_as_it_goes(watch: Watch) -> None:
    war, _ = bring_in(watch, lambda ls: ls[0].what == "attack" and any(one.what == "hold" for one in ls[1:12]))
    page = war.page
    page.click("#order [data-token=attack]")
    expect(page.locator("#order .odds")).to_contain_text("we win")
    page.click("#order [data-do=send]")
    board, result = page.locator("#contest"), page.locator("#results article")
    expect(board.locator(".host")).to_have_count(2)
    for _ in range(40):
        page.wait_for_function("n => Number(document.body.dataset.n) >= n", arg=war.fresh()["n"])
        if not war.fresh()["scene"].get("versus"):
            break
        if war.is_asked():
            expect(board.locator(".host")).to_have_count(2)
            expect(board.locator(".host[data-role=attacks]")).to_contain_text("TP")
            fight_on(page)
        elif war.is_asked(war.other):
            war.answer(war.default())
            page.wait_for_function(QUIET)
    expect(board).to_be_empty()
    expect(result).to_contain_text("The battle at")
    first = result.locator("[data-round='1']")
    for side in ("0", "1"):
        expect(first.locator(f"[data-side='{side}']")).to_contain_text("Fights: die")
        assert first.locator(f"[data-side='{side}'] .rolled").count() >= 2, "commitment and combat"
    page.click("[data-do=close-report]")
    expect(page.locator("#results")).to_be_hidden()


def test_a_siege_has_its_track(watch: Watch) -> None:
    war, lines = bring_in(watch, lambda ls: ls[0].what.startswith("besiege"))
    page, place = war.page, lines[0].what.split()[1]
    page.click("#order [data-token=besiege]")
    page.locator(f"#order [data-field=hex] [data-token='{place}']").click()
    expect(page.locator("#order .summary")).to_contain_text("Breach at")
    expect(page.locator("#order .odds")).to_contain_text("fallen by siege turn")
    expect(page.locator(f"#map [data-siege='{place}'] .breach")).to_have_count(3)
    page.click("[data-panel=victory]")
    expect(page.locator(f".sieges [data-siege='{place}']")).to_contain_text("of 3 breaches")
    turns = page.locator(f".sieges [data-siege='{place}'] li").first.inner_text()
    page.click("#order [data-do=send]")
    expect(page.locator("#news")).to_contain_text("die")
    fallen = page.locator(f".sieges [data-siege='{place}']").count() == 0
    assert fallen or turns


def test_standing_instructions_are_given_answer_and_stop(watch: Watch) -> None:
    def fits(ls: list[Line]) -> bool:
        return ls[0].what.startswith("go ") and ls[1].what == "hold" and ls[2].what.startswith("go ")

    record, lines = find(fits)
    war = War(watch, record, 1 - SIDES[lines[0].who])
    page = war.page
    page.keyboard.press("Shift+I")
    page.click("[data-do=add-clause]")
    page.locator(".clause-form [data-token=ignore]").click()
    page.locator("[data-do=give-clause]:not([aria-disabled])").click()
    expect(page.locator(".clauses li")).to_have_count(1)
    expect(page.locator(".panel-standing [role=status]")).to_contain_text("Active")
    expect(page.locator(".tab[data-panel=standing]")).to_have_attribute("data-note", "1")
    war.answer(lines[0].what)
    page.wait_for_function(QUIET)
    assert not war.is_asked(), "the clause has answered"
    page.click("[data-do=suspend]")
    expect(page.locator(".panel-standing [role=status]")).to_contain_text("Suspended")
    page.reload()
    page.click("[data-panel=standing]")
    expect(page.locator(".panel-standing [role=status]")).to_contain_text("Suspended")
    page.click("[data-do=drop-all]")
    expect(page.locator(".clauses li")).to_have_count(0)


def test_hidden_strengths_are_bands(watch: Watch) -> None:
    page = watch.page(viewport={"width": 1440, "height": 900})
    begin(page, hidden="yes")
    seat = sit_down(page)
    scene = page.request.get(f"/api/seats/{seat}").json()["scene"]
    enemy = next(key for key, piece in scene["pieces"].items() if piece["side"] == 1 and piece["strength"][0] == "W")
    expect(page.locator(f"[data-piece='{enemy}'] .c-strength")).to_have_text("W?")
    page.keyboard.press("Shift+O")
    expect(page.locator(".panel-musters")).to_contain_text("commander unknown")


def test_each_cross_belongs_to_its_clause_dead_ones_are_marked_and_all_else_stays_last(watch: Watch) -> None:
    war, _ = bring_in(watch, lambda ls: ls[0].what.startswith("halt"))
    give(war, "hold other", "ignore", "share", "share")
    page = war.page
    page.keyboard.press("Shift+I")
    lines, dead = page.locator(".clauses li"), page.locator(".clauses .is-dead")
    expect(lines).to_have_count(4)
    for line in lines.all():
        box, cross = line.bounding_box(), line.get_by_role("button", name="Remove").bounding_box()
        assert box is not None
        assert cross is not None
        assert box["y"] <= cross["y"]
        assert cross["y"] + cross["height"] <= box["y"] + box["height"]
    tab = page.locator("[data-panel=standing][data-note='4']")
    assert tab.evaluate("tab => tab.scrollWidth <= tab.clientWidth"), "its count is cut off"
    expect(lines.last).to_contain_text("All else")
    expect(dead).to_have_count(1)
    expect(lines.nth(2)).to_contain_text("Never used: clause 2 always answers first")
    lines.last.get_by_role("button", name="Move clause 4 up").click()
    expect(page.locator("#toast")).to_contain_text("This clause is always last")
    expect(lines.last).to_contain_text("All else")
    lines.nth(2).get_by_role("button", name="Remove clause 3").click()
    expect(lines).to_have_count(3)
    expect(dead).to_have_count(0)


def give(war: War, *clauses: str) -> None:
    request = {"seen": war.fresh()["n"], "key": uuid4().hex, "clauses": clauses}
    url = f"{war.url}/api/seats/{war.seat}/standing"
    answer = war.requests.put(url, data=request, headers={"Origin": war.url})
    assert answer.ok, answer.text()

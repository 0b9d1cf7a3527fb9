from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.axe import scan
from tests.browser.lobby import sit_down
from tests.browser.test_war import begin
from tests.browser.watch import Watch


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
    making = page.get_by_role("region", name="A new mission")
    making.locator("[data-field=do] [data-token=give]").click()
    making.get_by_role("button", name=leader).click()
    making.locator(f"[data-field=kind] [data-token={kind}]").click()
    making.locator("[data-field=place] select").select_option(label=place)
    expect(making).to_contain_text("to keep the enemy away from Dresden")
    making.locator("[data-do=give-clause]").click()
    expect(page.locator(f".missions > li[data-leader={leader}]")).to_contain_text("as you ordered")
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
    expect(moritz).to_contain_text("as you ordered")
    assert aim.get_attribute("data-place") != before
    assert leaders(page) == order, "who is given something else keeps his place"
    expect(page.locator(".staff-line.is-yours")).to_have_attribute("marker-end", "url(#map-head-yours)")

    send_to_leipzig(moritz)
    choose(page, "Bevern", "cover", "1623 Dresden")

    page.get_by_label("A mission in words").fill("Keith dance Dresden")
    with watch.forgiving("400"):
        page.click("[data-do=give-words]")
        expect(page.locator("#toast")).to_contain_text("«dance» is no mission")
    page.keyboard.press("Escape")

    sent: list[str] = []
    page.on("request", lambda request: sent.append(_what(request)) if request.method in ("POST", "PUT") else None)
    page.click("[data-do=sign]")
    expect(page.locator("[data-do=stop-staff]").or_(page.locator(".staff-asks"))).to_be_visible()
    assert [what for what in sent if what in ("sign", "orders", "moves")] == ["sign"]
    page.evaluate("document.querySelector('[data-do=stop-staff]')?.click()")  # it may have ended
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

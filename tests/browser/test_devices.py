import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.axe import scan
from tests.browser.lobby import begin, sit_down
from tests.browser.test_two import links
from tests.browser.watch import Watch

PICTURES = os.environ.get("LEUTHEN_PICTURES", "")
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TAKEN = r"410"
SIGNED_OUT = r"404|ERR_INCOMPLETE_CHUNKED"


def picture(page: Page, name: str) -> None:
    if PICTURES:
        width = page.evaluate("innerWidth")
        page.screenshot(path=Path(PICTURES) / f"{name}-{width}.png", animations="disabled")


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
    picture(friend, "1-invitation")
    friend.click("[data-do=take]")
    back = friend.locator("#seat input[readonly]").input_value()
    assert "#" in back
    assert back != invitation
    picture(friend, "2-way-back")
    scan_both(friend, "the way back")
    friend.click("[data-do=go]")
    sit_down(friend)
    the_inviter_is_told_that_it_is_taken(watch, maker, invitation)
    other = watch.page(back, **DESK)
    other.click("[data-do=take]")
    other.click("[data-do=go]")
    sit_down(other)
    expect(friend.locator("#toast")).to_contain_text("Your seat was opened on another device")
    picture(friend, "4-told")
    the_owner_signs_it_out(watch, friend, other)


def the_inviter_is_told_that_it_is_taken(watch: Watch, maker: Page, invitation: str) -> None:
    with watch.forgiving(TAKEN):
        again = maker.context.new_page()
        again.goto(invitation)
        again.click("[data-do=take]")
        expect(again.locator("#seat")).to_contain_text("a link to a seat works once")
        picture(again, "3-taken")
        scan_both(again, "a link that was used")
        again.close()


def the_owner_signs_it_out(watch: Watch, friend: Page, other: Page) -> None:
    friend.click("#toast [data-do=devices]")
    expect(friend.locator("dialog[open] [data-device]")).to_have_count(2)
    picture(friend, "5-devices")
    scan_both(friend, "the devices")
    with watch.forgiving(SIGNED_OUT):
        friend.click("dialog[open] [data-do=sign-out]")
        expect(friend.locator("dialog[open] [data-device]")).to_have_count(1)
        expect(other.locator("h1")).to_have_text("Signed out")
        expect(other.locator("#map")).to_have_count(0)
        picture(other, "6-signed-out")
        other.reload()
        expect(other.locator("h1")).to_have_text("No seat here")
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

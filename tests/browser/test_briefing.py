"""The briefing, and the fonts that the pages bring with them."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import Watch, scan, sit_down
from tests.browser.mapdesk import Desk

SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1440, "height": 900}}
SHIPPED = """async () => {
  await document.fonts.ready;
  const loaded = [...document.fonts].filter(({ status }) => status === 'loaded');
  return loaded.map(({ family }) => family.replaceAll('"', ''));
}"""


def begin(page: Page, rules: str, scenario: str, side: int) -> None:
    page.goto("/")
    page.click("[data-way=machine]")
    page.check(f"input[name=ruleset][value={rules}]")
    page.locator(f"[name=scenario] option[value='{scenario}']").wait_for(state="attached")
    page.select_option("[name=scenario]", scenario)
    page.check("input[name=bot][value=random]")
    page.check(f"input[name=side][value='{side}']")
    page.click("[data-do=begin]")


@pytest.mark.parametrize(
    ("rules", "scenario", "side", "lines"),
    [
        (
            "frederick",
            "bohemia",
            1,
            ("You lead Austria against Prussia.", "trail by at most 14 VP", "Frederick, 18 SP"),
        ),
        ("campaigns", "1757", 0, ("You lead Prussia and Hanover", "lead by 6 VP or more", "Charles, 36 TP")),
    ],
)
def test_a_briefing_opens_once_and_stays_in_the_menu(
    watch: Watch, rules: str, scenario: str, side: int, lines: tuple[str, ...]
) -> None:
    page = watch.person(briefed=False, viewport=SIZES["phone"]).new_page()
    begin(page, rules, scenario, side)
    dialog = page.get_by_role("dialog")
    for line in (*lines, "Three hints"):
        expect(dialog).to_contain_text(line)
    faults = scan(page, "the briefing", "dialog")
    assert page.evaluate(
        "() => { const d = document.querySelector('dialog form'); return d.scrollHeight <= innerHeight }"
    )
    dialog.locator("button.primary").click()
    expect(page.locator(".head-goal")).to_contain_text(lines[1])
    page.reload()
    sit_down(page)
    expect(dialog).to_have_count(0)
    page.click("[data-do=menu]")
    page.click("dialog [data-do=briefing]")
    expect(dialog).to_contain_text(lines[1])
    assert not faults


def test_a_briefing_shows_an_army_on_the_map(watch: Watch) -> None:
    page = watch.person(briefed=False, viewport=SIZES["desk"]).new_page()
    begin(page, "frederick", "bohemia", 0)
    page.get_by_role("dialog").get_by_role("button", name="Charles, 16 SP").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[data-light=told][data-place='1125']")).to_have_count(1)


def test_pages_bring_their_fonts_with_them(watch: Watch) -> None:
    page = watch.page(viewport=SIZES["desk"])
    begin(page, "frederick", "bohemia", 0)
    sit_down(page)
    assert {"Leuthen Sans", "Leuthen Serif", "Leuthen Map"} <= set(page.evaluate(SHIPPED))
    families = page.evaluate(
        "[...document.querySelectorAll('.sheet text')].map(one => getComputedStyle(one).fontFamily)"
    )
    assert {family.split(",")[0].strip('"') for family in families} <= {"Leuthen Map", "Leuthen Serif"}


def test_the_numbers_within_reach_have_a_legend(desk: Desk) -> None:
    legend = desk.page.locator(".map-key")
    expect(legend).to_be_hidden()
    desk.page.evaluate(
        "reach => map.overlay.setReach({start: '2221', fields: [], reach})",
        {"2120": {"before": "2221", "price": "1", "left": 5, "spent": 1}},
    )
    expect(legend).to_be_visible()
    expect(legend).to_have_text("Numbers: movement points (MP) left there. A bar: the march stops.")
    desk.page.evaluate("map.overlay.setReach(null)")
    expect(legend).to_be_hidden()

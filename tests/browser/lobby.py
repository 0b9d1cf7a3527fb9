"""How a person comes to a table: from the first page, by clicks."""

from playwright.sync_api import Page

from tests.browser.games import order, set_up


def begin(
    page: Page,
    way: str,
    *,
    last_year: str = "1756",
    side: int = 0,
    bot: str = "",
    named: str = "",
    strict: bool = False,
) -> None:
    page.goto("/")
    page.click(f"[data-way={way}]")
    page.select_option("[name=scenario]", "campaign")
    if bot:
        page.check(f"input[name=bot][value={bot}]")
    if strict:
        page.check("input[name=strict][value=yes]")
    if way != "screen":
        page.check(f"input[name=side][value='{side}']")
    if named:
        page.fill("[name=player]", named)
        page.check("[name=colour][value=red]")
    page.click("details.more summary")
    page.select_option("[name='option:last-year']", last_year)
    page.click("[data-do=begin]")
    if way == "machine":
        wait_for_machine(page)


def wait_for_machine(page: Page) -> None:
    page.wait_for_selector("body[data-line=live]")
    page.wait_for_function("() => Number(document.body.dataset.n) > 0")


def sit_down(page: Page) -> str:
    page.wait_for_selector("body[data-line=live]")
    return page.url.rpartition("/")[2].partition("#")[0]


def deploy(page: Page, who: str, *, first: int = 0, but: int) -> None:
    seat = sit_down(page)
    for what in set_up(who)[first:-but]:
        order(page.request, page.url.partition("/table/")[0], seat, what)
    n = page.request.get(f"/api/seats/{seat}").json()["n"]
    page.wait_for_function("n => Number(document.body.dataset.n) >= n", arg=n)

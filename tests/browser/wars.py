"""Wars of the second rule set that are brought in where something is about to happen, and the other side's answers."""

from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page

from tests.browser.games import ACTION, GOLDEN, Line, actions_of, bring_in, lines_of, order
from tests.browser.watch import Watch

RECORD: Final = GOLDEN / "campaigns" / "planner-1757.leuthen"
SIDES: Final = {"prussia": 0, "coalition": 1}


def find(fits: Callable[[list[Line]], bool]) -> tuple[str, list[Line]]:
    texts = lines_of(RECORD).splitlines(keepends=True)
    first = next(number for number, text in enumerate(texts) if ACTION.match(text))
    lines = actions_of("".join(texts))
    at = next(number for number in range(len(lines)) if fits(lines[number:]))
    return "".join(texts[: first + at]), lines[at:]


class War:
    def __init__(self, watch: Watch, record: str, side: int, **options: Any) -> None:
        person = watch.person(**({"viewport": {"width": 1440, "height": 900}} | options))
        self.requests = person.request
        self.url = watch.url
        seats = bring_in(self.requests, watch.url, record)
        self.seat, self.other = seats[side], seats[1 - side]
        self.page = sit(person, self.seat)

    def fresh(self, seat: str = "") -> dict[str, Any]:
        found: dict[str, Any] = self.requests.get(f"/api/seats/{seat or self.seat}").json()
        return found

    def is_asked(self, seat: str = "") -> bool:
        return any(one["is_yours"] for one in self.fresh(seat)["awaited"])

    def answer(self, what: str) -> None:
        order(self.requests, self.url, self.other, what)

    def default(self) -> str:
        for kind in ("hold", "lose", "done"):
            asked = {"partial_order": {"do": kind}}
            form = self.requests.post(f"/api/seats/{self.other}/form", data=asked, headers={"Origin": self.url}).json()
            if form.get("order"):
                return str(form["order"])
        raise AssertionError("nothing can be answered")


def sit(person: BrowserContext, seat: str) -> Page:
    page = person.new_page()
    page.goto(f"/table/{seat}")
    page.wait_for_selector("body[data-line=live], [data-do=lift]")
    if page.locator("[data-do=lift]").is_visible():
        page.click("[data-do=lift]")
    page.wait_for_selector("body[data-line=live]")
    return page

"""Wars of the second rule set that are brought in where something is about to happen, and the other side's answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

from playwright.sync_api import BrowserContext, Page

from tests.browser.watch import Watch

RECORD: Final = Path(__file__).parents[1] / "golden" / "campaigns" / "planner-1757.leuthen"
ACTION: Final = re.compile(r"^ *\d+ (\w+) (.*?)  #")
SIDES: Final = {"prussia": 0, "coalition": 1}


class Line(NamedTuple):
    """A line of a record."""

    who: str
    what: str


def find(fits: Callable[[list[Line]], bool]) -> tuple[str, list[Line]]:
    """The record up to where the lines that follow fit, and these."""
    texts = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(number for number, text in enumerate(texts) if ACTION.match(text))
    lines = [Line(match[1], match[2]) for text in texts[first:] if (match := ACTION.match(text))]
    at = next(number for number in range(len(lines)) if fits(lines[number:]))
    return "".join(texts[: first + at]), lines[at:]


class War:
    """A war that was brought in, at one screen: one of its seats has the page, the other is answered for."""

    def __init__(self, watch: Watch, record: str, side: int, **options: Any) -> None:
        person = watch.person(**({"viewport": {"width": 1440, "height": 900}} | options))
        self.requests = person.request
        self.headers = {"Origin": watch.url}
        headers = self.headers | {"Content-Type": "text/plain"}
        answer = self.requests.post("/api/import", data=record.encode(), headers=headers)
        assert answer.ok, answer.text()
        seats = answer.json()["seats"]
        self.seat, self.other = seats[side]["seat"], seats[1 - side]["seat"]
        self.page = sit(person, self.seat)

    def fresh(self, seat: str = "") -> dict[str, Any]:
        """The table as a seat knows it."""
        found: dict[str, Any] = self.requests.get(f"/api/seats/{seat or self.seat}").json()
        return found

    def is_asked(self, seat: str = "") -> bool:
        return any(one["is_yours"] for one in self.fresh(seat)["awaited"])

    def answer(self, order: str) -> None:
        """The other side's order."""
        data = {"seen": self.fresh(self.other)["n"], "key": uuid4().hex, "order": order}
        answer = self.requests.post(f"/api/seats/{self.other}/orders", data=data, headers=self.headers)
        assert answer.ok, answer.text()

    def default(self) -> str:
        """What the other side answers if it wants nothing: the first form that is complete."""
        for kind in ("hold", "lose", "done"):
            partial_order = {"partial_order": {"do": kind}}
            form = self.requests.post(f"/api/seats/{self.other}/form", data=partial_order, headers=self.headers).json()
            if form.get("order"):
                return str(form["order"])
        raise AssertionError("nothing can be answered")


def sit(person: BrowserContext, seat: str) -> Page:
    """Opens a seat's page; where the screen is covered it is lifted."""
    page = person.new_page()
    page.goto(f"/table/{seat}")
    page.wait_for_selector("body[data-line=live], [data-do=lift]")
    if page.locator("[data-do=lift]").is_visible():
        page.click("[data-do=lift]")
    page.wait_for_selector("body[data-line=live]")
    return page

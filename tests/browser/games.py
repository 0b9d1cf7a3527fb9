"""Games of the kept records, brought in: once for all the tests that only look, anew for one that changes something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

from playwright.sync_api import APIRequestContext, Browser

if TYPE_CHECKING:
    from playwright._impl._api_structures import StorageState

GOLDEN: Final = Path(__file__).parents[1] / "golden"
WAR: Final = GOLDEN / "frederick" / "planner.leuthen"
IN_MARCH: Final = WAR.read_text(encoding="utf-8").partition("  506 prussia march Frederick")[0]
ACTION: Final = re.compile(r"^ *\d+ (\w+) (.*?)  #")


class Line(NamedTuple):
    who: str
    what: str


def lines_of(path: Path, first: int = 0, last: int | None = None) -> str:
    return "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[first:last])


def actions_of(record: str) -> list[Line]:
    return [Line(match[1], match[2]) for text in record.splitlines() if (match := ACTION.match(text))]


def set_up(who: str) -> list[str]:
    own = [line.what for line in actions_of(lines_of(WAR)) if line.who == who]
    return own[: own.index("seal") + 1]


class Seated(NamedTuple):
    cookies: StorageState
    seats: tuple[str, str]


def bring_in(requests: APIRequestContext, url: str, record: str) -> tuple[str, str]:
    headers = {"Content-Type": "text/plain", "Origin": url}
    answer = requests.post("/api/import", data=record.encode(), headers=headers)
    assert answer.ok, answer.text()
    made: dict[str, Any] = answer.json()
    first, second = (seat["seat"] for seat in made["seats"][:2])
    return first, second


def order(requests: APIRequestContext, url: str, seat: str, what: str) -> None:
    seen = requests.get(f"/api/seats/{seat}").json()["n"]
    data = {"seen": seen, "key": uuid4().hex, "order": what}
    answer = requests.post(f"/api/seats/{seat}/orders", data=data, headers={"Origin": url})
    assert answer.ok, answer.text()


def chronicle(requests: APIRequestContext, seat: str, viewer: str = "") -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    query = f"&viewer={viewer}" if viewer else ""
    while True:
        before = f"&before={lines[0]['n']}" if lines else ""
        page: dict[str, Any] = requests.get(f"/api/seats/{seat}/chronicle?count=200{before}{query}").json()
        lines = [*page["lines"], *lines]
        if not page["more"]:
            return lines


class Games:
    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.url = url
        self._known: dict[str, Seated] = {}

    def seated(self, record: str) -> Seated:
        if record not in self._known:
            context = self.browser.new_context(base_url=self.url)
            seats = bring_in(context.request, self.url, record)
            self._known[record] = Seated(context.storage_state(), seats)
            context.close()
        return self._known[record]

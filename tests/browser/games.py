from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

from playwright.sync_api import (
    APIRequestContext,
    APIResponse,
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
)

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


def post_order(requests: APIRequestContext, url: str, seat: str, what: str) -> APIResponse:
    seen = requests.get(f"/api/seats/{seat}").json()["n"]
    data = {"seen": seen, "key": uuid4().hex, "order": what}
    return requests.post(f"/api/seats/{seat}/orders", data=data, headers={"Origin": url})


def order(requests: APIRequestContext, url: str, seat: str, what: str) -> None:
    answer = post_order(requests, url, seat, what)
    assert answer.ok, answer.text()


def try_order(requests: APIRequestContext, url: str, seat: str, what: str) -> bool:
    return post_order(requests, url, seat, what).ok


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


RECORD: Final = GOLDEN / "campaigns" / "planner-1757.leuthen"
SIDES: Final = {"prussia": 0, "coalition": 1}


def find(fits: Callable[[list[Line]], bool]) -> tuple[str, list[Line]]:
    texts = lines_of(RECORD).splitlines(keepends=True)
    first = next(number for number, text in enumerate(texts) if ACTION.match(text))
    lines = actions_of("".join(texts))
    at = next(number for number in range(len(lines)) if fits(lines[number:]))
    return "".join(texts[: first + at]), lines[at:]


class War:
    def __init__(
        self, watch: Watch, record: str = IN_MARCH, side: int = 0, *, script: str = "", **options: Any
    ) -> None:
        self.person = person = watch.person(**({"viewport": {"width": 1440, "height": 900}} | options))
        person.add_init_script(script)
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

    def give(self, what: str) -> None:
        order(self.requests, self.url, self.seat, what)

    def answer(self, *orders: str) -> None:
        for what in orders:
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


def begin(
    page: Page,
    way: str,
    *,
    last_year: str = "1756",
    side: int = 0,
    bot: str = "",
    named: str = "",
    pace: str = "correspondence",
) -> None:
    page.goto("/")
    page.click(f"[data-way={way}]")
    page.select_option("[name=scenario]", "campaign")
    if bot:
        page.check(f"input[name=bot][value={bot}]")
    if pace == "live":
        page.check("input[name=pace][value=live]")
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


LEFT = "net::ERR_ABORTED"
CALLS = """
window.calls = {begun: 0, open: 0, orders: 0};
const {fetch} = window;
const drawn = () => setTimeout(() => requestAnimationFrame(() => setTimeout(() => calls.open -= 1)));
window.fetch = async (...args) => {
  calls.begun += 1;
  calls.open += 1;
  calls.orders += /\\/(orders|moves)$/.test(String(args[0]));
  try {
    const answer = await fetch(...args);
    answer.clone().arrayBuffer().catch(() => null).finally(drawn);
    return answer;
  } catch (error) {
    drawn();
    throw error;
  }
};
"""
PLAIN = """
const drawnFetch = window.fetch;
window.fetch = async (...args) => {
  const answer = await drawnFetch(...args);
  if (!String(args[0]).startsWith('/map/')) return answer;
  const text = await answer.text();
  const signs = text.match(/<use [^>]*#sheet-sign-[^>]*\\/>/g) ?? [];
  return new Response([text.match(/<svg[^>]*>/)[0], ...signs, '</svg>'].join(''), answer);
};
"""

BRIEFED = "try { localStorage.setItem('leuthen.briefing', 'no'); } catch {}\n"
ASK_ALL = "try { localStorage.setItem('leuthen.evident', 'ask'); } catch {}\n"
AT_ONCE = """try {
  localStorage.setItem('leuthen.pause', '0');
  localStorage.setItem('leuthen.at-once', 'yes');
} catch {}
"""


class Watch:
    def __init__(self, games: Games, patience: int, *, plain: bool = False) -> None:
        self.plain = plain
        self.browser = games.browser
        self.url = games.url
        self.games = games
        self.patience = patience
        self.faults: list[str] = []
        self._contexts: list[BrowserContext] = []
        self._forgiven: re.Pattern[str] | None = None

    def person(self, *, at_once: bool = True, briefed: bool = True, **options: Any) -> BrowserContext:
        context = self.browser.new_context(base_url=self.url, **options)
        context.set_default_timeout(self.patience)
        context.add_init_script(CALLS + PLAIN * self.plain + ASK_ALL + AT_ONCE * at_once + BRIEFED * briefed)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._fault(f"error in a page: {error.error}"))
        context.on("requestfailed", self._failed)
        context.on("request", self._asked)
        context.on("response", self._answered)
        self._contexts.append(context)
        return context

    def onlooker(self, record: str, **options: Any) -> tuple[BrowserContext, str]:
        cookies, (seat, _) = self.games.seated(record)
        return self.person(storage_state=cookies, **options), seat

    def make_game(self, person: BrowserContext, players: str = "me link", **game: Any) -> list[dict[str, Any]]:
        asked = {"players": players.split(), "scenario": "campaign"} | game
        made = person.request.post("/api/games", data=asked, headers={"Origin": self.url})
        assert made.ok, made.text()
        seats: list[dict[str, Any]] = made.json()["seats"]
        return seats

    def page(self, path: str = "/", **options: Any) -> Page:
        page = self.person(**options).new_page()
        page.goto(path)
        return page

    @contextmanager
    def forgiving(self, pattern: str) -> Iterator[None]:
        before, self._forgiven = self._forgiven, re.compile(pattern)
        yield
        self._forgiven = before

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def demand_peace(self) -> None:
        faults, self.faults = self.faults, []
        assert not faults, "\n".join(faults)

    def _fault(self, text: str) -> None:
        if self._forgiven is None or not self._forgiven.search(text):
            self.faults.append(text)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._fault(f"console {message.type}: {message.text} ({message.location['url']})")

    def _failed(self, request: Request) -> None:
        if request.failure != LEFT:
            self._fault(f"failed: {request.method} {request.url}: {request.failure}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self._fault(f"another host is asked: {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._fault(f"{response.status}: {response.request.method} {response.url}")


_IS_THERE: Final = "() => typeof axe === 'object'"
_LOOK: Final = """async ([part, themes]) => {
  const root = document.documentElement;
  const long = document.querySelector(part ? '.map-world' : '.map-world > .sheet');
  const mark = document.createComment('');
  long?.replaceWith(mark);
  const isOn = one => one.playState === 'running' && one.effect.getTiming().iterations < Infinity;
  const isMoving = () => document.getAnimations().some(isOn);
  const where = fault => fault.nodes.slice(0, 4).map(node => node.target);
  const found = [];
  for (const theme of themes) {
    root.dataset.theme = theme;
    for (let calm = 0; calm < 3; calm = isMoving() ? 0 : calm + 1) await new Promise(requestAnimationFrame);
    const only = theme === 'dark' ? {runOnly: ['color-contrast']} : {};
    const {violations} = await axe.run(part || document, {resultTypes: ['violations'], ...only});
    const serious = violations.filter(fault => ['serious', 'critical'].includes(fault.impact));
    found.push(...serious.map(fault => `in ${theme}: ${fault.id} (${fault.help}): ${where(fault)}`));
  }
  mark.replaceWith(...long ? [long] : []);
  return found;
}"""
"""Checks all rules in light colours, and contrast in dark ones. Axe reads the whole page for every part of it, so the
script removes long parts that are not checked: the map's sheet, which is hidden from axe, or the map."""


def scan(page: Page, what: str, part: str = "", themes: Sequence[str] = ("dark", "light")) -> list[str]:
    if not page.evaluate(_IS_THERE):
        page.evaluate(import_module("axe_playwright_python.base").AXE_SCRIPT)
    return [f"{what} {fault}" for fault in page.evaluate(_LOOK, [part, list(themes)])]

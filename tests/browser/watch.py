"""People's browsers, each with its own cookies, and what goes wrong in their pages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response

from tests.browser.games import Games

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

AT_ONCE = "try { localStorage.setItem('leuthen.pause', '0') } catch {}\n"


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

    def person(self, *, at_once: bool = True, **options: Any) -> BrowserContext:
        context = self.browser.new_context(base_url=self.url, **options)
        context.set_default_timeout(self.patience)
        context.add_init_script(CALLS + PLAIN * self.plain + AT_ONCE * at_once)
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

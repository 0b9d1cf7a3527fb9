"""A simulated player in the browser, who reads the page's offers and clicks."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page

from tools.sheet import spot

FAR = 40
BUSY = 4
ON_MAP = 0.8
ENDINGS = ("done", "seal", "halt")
BACKWARD = ("clear", "reopen", "remove")
ONCE = ("shift", "drop", "take")

LOOK = """() => {
  const shown = (host, what) => [...document.querySelectorAll(`${host} ${what}`)].filter(one => one.checkVisibility());
  const control = one => ({
    token: one.dataset.token, kind: one.type || one.localName,
    chosen: one.ariaPressed === 'true' || one.ariaCurrent === 'true' || one.checked === true || one.selected === true,
    barred: one.ariaDisabled === 'true',
  });
  const tokens = one => [...one.querySelectorAll('[data-token]')];
  const field = ([key, parts]) => ({key, controls: parts.flatMap(tokens).map(control)});
  const send = shown('#order', '[data-do=send]')[0];
  return {
    n: Number(document.body.dataset.n),
    isAsked: document.title.startsWith('●'),
    isOver: document.querySelector('#prompt h2')?.textContent === 'The war is over',
    fields: [...Map.groupBy(shown('#order', '[data-field]'), one => one.dataset.field)].map(field),
    canSend: Boolean(send) && send.ariaDisabled !== 'true',
  };
}"""
QUIET = "() => calls.open === 0"
TURN = """() => document.body.dataset.line === 'live' && calls.open === 0 && (
  document.title.startsWith('●') && document.querySelector('#order [data-field], #order [data-do=send]')
  || document.querySelector('#prompt h2')?.textContent === 'The war is over')"""


class Person:
    def __init__(self, page: Page, rng: Random, *, zeal: float = 0.8) -> None:
        self.page = page
        self.rng = rng
        self.zeal = zeal
        self.given: list[str] = []
        self.on_map = 0
        self._in_phase = 0

    def look(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.page.evaluate(LOOK)
        return seen

    def is_asked(self) -> bool:
        self.page.wait_for_function(TURN)
        return not self.look()["isOver"]

    def play(self, orders: int = 10_000) -> int:
        for number in range(orders):
            if not self.is_asked():
                return number
            self.order()
        return orders

    def order(self) -> None:
        seen = self.look()
        if self._is_fussy(seen["fields"]):
            self.do(lambda: self.press(self.page.locator("#order [data-do=cancel]")))
            seen = self.look()
        for _ in range(FAR):
            if seen["canSend"] and not self._wants_more(seen["fields"]):
                if self.do(lambda: self.press(self.page.locator("#order [data-do=send]"))):
                    return
            elif (answer := self._answer(seen["fields"])) is None:
                self.do(lambda: self.press(self.page.locator("#order [data-do=cancel]")))
            elif self._give(*answer):
                return
            seen = self.look()
        raise AssertionError(f"no order comes of so many clicks: {seen}")

    # --- what he decides ---------------------------------------------------------------------------------------------

    def _answer(self, fields: list[dict[str, Any]]) -> tuple[str, dict[str, Any]] | None:
        kind = fields[0] if fields and fields[0]["key"] == "do" else None
        if kind and not any(control["chosen"] for control in kind["controls"]):
            return "do", self._kind([one for one in kind["controls"] if not one["barred"]])
        for field in fields[1:] if kind else fields:
            free = [one for one in field["controls"] if not one["barred"] and one["token"]]
            if free and (self._is_list(free) or not any(one["chosen"] for one in free)):
                left = [one for one in free if not one["chosen"]]
                if left:
                    return field["key"], self.rng.choice(left)
        return None

    def _wants_more(self, fields: list[dict[str, Any]]) -> bool:
        boxes = [
            one for field in fields for one in field["controls"] if one["kind"] == "checkbox" and not one["barred"]
        ]
        return bool(boxes) and self.given[-1:] == ["place"] and not all(one["chosen"] for one in boxes)

    def _is_fussy(self, fields: list[dict[str, Any]]) -> bool:
        kinds = fields[0]["controls"] if fields and fields[0]["key"] == "do" else []
        return any(kind["chosen"] and kind["token"] in ONCE for kind in kinds)

    @staticmethod
    def _is_list(controls: list[dict[str, Any]]) -> bool:
        return bool(controls[0]["kind"] == "checkbox")

    def _kind(self, free: list[dict[str, Any]]) -> dict[str, Any]:
        ending = next((one for one in free if one["token"] in ENDINGS), None)
        fussy = {*BACKWARD, *(set(self.given[-BUSY:]) & set(ONCE))}
        more = [one for one in free if one is not ending and one["token"] not in fussy]
        if ending is not None and (not more or self._in_phase >= BUSY or self.rng.random() > self.zeal):
            self._in_phase = 0
            return ending
        self._in_phase += 1
        return self.rng.choice(more or free)

    # --- how he does it ----------------------------------------------------------------------------------------------

    def press(self, control: Locator) -> None:
        control.click()

    def press_at(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)

    def choose(self, select: Locator, token: str) -> None:
        select.select_option(token)

    # --- what he does ------------------------------------------------------------------------------------------------

    def _give(self, field: str, control: dict[str, Any]) -> bool:
        token = control["token"]
        if field == "do":
            self.given.append(token)
        if self.rng.random() < ON_MAP and (at := self.spot(token)):
            self.on_map += 1
            return self.do(lambda: self.press_at(*at))
        host = self.page.locator(f'#order [data-field="{field}"]')
        if control["kind"] == "option":
            return self.do(lambda: self.choose(host.locator("select"), token))
        return self.do(lambda: self.press(host.locator(f'[data-token="{token}"]')))

    def spot(self, place: str) -> tuple[float, float] | None:
        return spot(self.page, place) if re.fullmatch(r"\d{4}", place) else None

    def do(self, click: Callable[[], object]) -> bool:
        calls = self.page.evaluate("calls")
        n = self.look()["n"]
        click()
        self.page.wait_for_function("begun => calls.begun > begun && calls.open === 0", arg=calls["begun"])
        anyway = self.page.locator("dialog[open] button[value=end]")
        if anyway.is_visible():
            self.press(anyway)
            self.page.wait_for_function("orders => calls.orders > orders && calls.open === 0", arg=calls["orders"])
        orders: int = self.page.evaluate("calls.orders")
        if orders == calls["orders"]:
            return False
        self.page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
        return True

"""Table tests in browsers other than Chromium: `python -m tests.browser.elsewhere`, or `make browsers`.

The tests for Firefox and WPE WebKit: the start page, drawing the table, a short war played to its end by the staff's
advice, light and dark colours, taking a seat by its link. Both come as Debian packages (firefox-esr; wpewebkit-driver,
cog); a missing one is a failure that names it.
"""

import json
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.browser.drivers import Driver, Failed, Firefox, Missing, WebKit
from tools.serving import Served

BROWSERS: Final[dict[str, Callable[[Path], Driver]]] = {"firefox": Firefox, "webkit": WebKit}
EVENING: Final = 600.0
"""Seconds for a war of five turns."""
PAPER: Final = {"light": "rgb(239, 229, 204)", "dark": "rgb(25, 23, 20)"}
_COLOUR: Final = "getComputedStyle(document.body).backgroundColor"
_BLANK: Final = """
const pieces = [...document.querySelectorAll("#map [data-piece]")];
return pieces.filter((one) => !one.getBoundingClientRect().width).length;
"""
_WIDE: Final = """
const parts = [...document.querySelectorAll("#tabs .tab, #order button, #tools button")];
return parts.filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent);
"""
_FONTS: Final = """
["Leuthen Sans", "Leuthen Serif", "Leuthen Map"].every((name) =>
  [...document.fonts].some(({ family, status }) => family.includes(name) && status === "loaded"))
"""
_PRESS: Final = """
const buttons = ["dialog[open] button[value=end]", "#results [data-do=close-report]", "#playback [data-do=skip]",
  "#helpers [data-do=follow]", "#tools [data-do=advice]"];
const isShown = (one) => one?.getClientRects().length && !one.disabled;
const seen = buttons.map((one) => document.querySelector(one)).find(isShown);
seen?.click();
return document.querySelector("#prompt h2")?.textContent ?? "";
"""
_CHOOSE: Final = """
const list = document.querySelector("[name=scenario]");
list.value = arguments[0];
list.dispatchEvent(new Event("change"));
"""


def walk(driver: Driver, url: str) -> list[str]:
    steps: Sequence[Callable[[Driver, str], str]] = (first_page, new_game, order, evening, colours, link)
    return [step(driver, url) for step in steps]


def first_page(driver: Driver, url: str) -> str:
    driver.go(url)
    driver.wait('document.querySelector("#list p")')
    driver.wait(f'{_COLOUR} === "{PAPER["light"]}"')
    return "first page"


def new_game(driver: Driver, url: str) -> str:
    driver.run("localStorage.setItem('leuthen.pause', '0'); localStorage.setItem('leuthen.briefing', 'no')")
    driver.click("[data-way=machine]")
    driver.type("[name=player]", "Wanderer")
    driver.run(_CHOOSE, "bohemia")
    driver.click("[data-do=begin]")
    driver.wait('document.body.dataset.line === "live"')
    driver.wait('document.querySelectorAll("#map [data-piece]").length > 5')
    driver.wait('document.querySelector("#order [data-token]")')
    for script, fault in ((_BLANK, "counters have no size"), (_WIDE, "tabs or buttons are wider than their room")):
        if found := driver.run(script):
            raise Failed(f"{driver.name}: {fault}: {found}")
    driver.wait(_FONTS)
    return "table"


def order(driver: Driver, url: str) -> str:
    n = driver.run("return Number(document.body.dataset.n)")
    taken = f'Number(document.body.dataset.n) > {n} || document.querySelector("dialog[open] button[value=end]")'
    driver.click('#order [data-token="done"]')
    try:
        driver.wait(taken, patience=5)
    except Failed:
        driver.click("#order [data-do=send]")
        driver.wait(taken)
    if driver.run(f"return Number(document.body.dataset.n) === {n}"):
        driver.click("dialog[open] button[value=end]")
    driver.wait(f"Number(document.body.dataset.n) > {n}")
    return "order"


def evening(driver: Driver, url: str) -> str:
    end = time.monotonic() + EVENING
    while "The war is over" not in (asked := driver.run(_PRESS)):
        if time.monotonic() > end:
            raise Failed(f"{driver.name}: the war is not over: {asked}")
        time.sleep(0.2)
    return "a war to its end"


def colours(driver: Driver, url: str) -> str:
    sea = 'getComputedStyle(document.querySelector(".sheet rect[fill*=sea]")).fill'
    light = driver.run(f"return {sea}")
    driver.click("[data-do=menu]")
    driver.click("dialog [data-do=theme]")
    driver.wait(f'{_COLOUR} === "{PAPER["dark"]}"')
    if driver.run(f"return {sea}") == light:
        raise Failed(f"{driver.name}: the map stays light")
    driver.go(url)
    driver.wait(f'{_COLOUR} === "{PAPER["dark"]}"')
    driver.wait('document.querySelector("[data-game]")?.textContent.includes("Wanderer")')
    return "light and dark"


def link(driver: Driver, url: str) -> str:
    made = _made(url, {"players": ["link", "random"], "scenario": "bohemia"})
    driver.go(url + made["seats"][0]["link"])
    driver.click("[data-do=take]")
    driver.click("[data-do=go]")
    driver.wait('document.body.dataset.line === "live"')
    driver.wait('document.querySelectorAll("#map [data-piece]").length > 5')
    return "link"


def _made(url: str, game: dict[str, Any]) -> Any:
    headers = {"Content-Type": "application/json", "Origin": url}
    request = urllib.request.Request(url + "/api/games", json.dumps(game).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def try_browser(name: str, url: str) -> str:
    with TemporaryDirectory() as folder:
        driver = BROWSERS[name](Path(folder))
        try:
            return f"{driver.name}: {', '.join(walk(driver, url))}"
        finally:
            driver.close()


def main(names: Sequence[str]) -> int:
    faults = 0
    with TemporaryDirectory() as folder, Served(Path(folder)) as server:
        for name in names or BROWSERS:
            try:
                print(try_browser(name, server.url), flush=True)
            except (Missing, Failed) as fault:
                faults += 1
                print(f"{name} FAILS: {fault}", flush=True)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Take the screenshots in docs/pictures/table: `python -m tools.pictures [SUBJECT …]`.

The tool imports a war between two bots and shows it from one side. Open decisions are shown in a new game.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import uuid4

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from leuthen.load import load_with
from leuthen.play.record import read
from leuthen.play.replay import Replay
from mapmaking.cartography import Mark, sheet
from tools.chromium import FLAGS, find_chromium
from tools.serving import Served
from tools.sheet import spot

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "pictures" / "table"
GOLDEN: Final = ROOT / "tests" / "golden"
RECORD: Final = GOLDEN / "frederick" / "planner.leuthen"
CAMPAIGN: Final = GOLDEN / "campaigns" / "planner-1757.leuthen"
SHORT_RECORD: Final = GOLDEN / "frederick" / "planner-bohemia.leuthen"
FIRST_YEAR: Final = 1756
BATTLE: Final = "83 prussia attack 0733"
MARCH: Final = "506 prussia march Frederick"
"""The first line of the record that is not played, in the second summer."""
DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MAP: Final = ROOT / "src" / "leuthen" / "data" / "map"
MASTHEAD: Final[ViewportSize] = {"width": 1360, "height": 380}
SILESIA: Final = "1490 1375 800 223"
"""The part of the sheet on the start page, as an SVG viewBox."""
EVE_OF_BATTLE: Final = (Mark("1831", "F 7", "prussia"), Mark("1632", "K 13", "austria"))
PAUSE_MS: Final = 800
"""Milliseconds until the page is completely drawn."""
PANELS: Final = ("chronicle", "victory", "europe", "musters", "tables", "rules", "calendar", "about")


class Camera:
    """Opens pages as a player's browser does, and saves screenshots."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.url = url

    def open(self, path: str = "/", *, before: str = "", record: Path = RECORD, **options: Any) -> Page:
        """Open a page for a new player. With `before`, his table shows the record up to that line."""
        context = self.browser.new_context(base_url=self.url, reduced_motion="reduce", **(DESKTOP | options))
        context.add_init_script("localStorage.setItem('leuthen.briefing', 'no')")
        if before:
            path = path.replace("SEAT", self._bring_in(context.request, record, before))
        page = context.new_page()
        page.goto(path)
        return page

    def _bring_in(self, request: Any, record: Path, before: str) -> str:
        text, found, _ = record.read_text(encoding="utf-8").partition(before)
        played = text[: text.rindex("\n") + 1] if found else text
        headers = {"Content-Type": "text/plain", "Origin": self.url}
        made = request.post("/api/import", data=played.encode(), headers=headers).json()
        return str(made["seats"][0]["seat"])

    def take(self, page: Page, name: str, part: str = "") -> None:
        """Save a screenshot of the page, or of a part of it, after animations have ended."""
        page.wait_for_timeout(PAUSE_MS)
        (page.locator(part) if part else page).screenshot(path=FOLDER / f"{name}.png", animations="disabled")
        print(FOLDER / f"{name}.png")


def take_seat(page: Page) -> None:
    """Wait for the table to load."""
    page.wait_for_selector("body[data-line=live]")
    page.wait_for_selector("#map [data-piece]")


def draw_masthead(camera: Camera) -> None:
    """Take the picture of the start page: the map around Leuthen on the eve of the battle."""
    drawn = re.sub(
        r'width="\d+" height="\d+" viewBox="[^"]+"', f'viewBox="{SILESIA}"', sheet(MAP, EVE_OF_BATTLE), count=1
    )
    page = camera.browser.new_page(viewport=MASTHEAD)
    page.set_content(f"<body style='margin:0'>{drawn}</body>")
    kept = ROOT / "src" / "leuthen" / "client" / "masthead.jpg"
    page.screenshot(path=kept, type="jpeg", quality=62)
    page.close()
    print(kept)


def first_page(camera: Camera) -> None:
    """Take the start page with one game, and the form for a new one."""
    page = camera.open("/table/SEAT", before=MARCH)
    page.goto("/")
    page.wait_for_selector("#list li")
    camera.take(page, "first-page")
    page.click("[data-way=link]")
    page.click("[data-do=begin]")
    page.wait_for_selector("dialog[open]")
    camera.take(page, "links")


def set_up(camera: Camera) -> None:
    """Take the deployment while a force is being formed."""
    page = camera.open()
    page.click("[data-way=machine]")
    page.select_option("[name=scenario]", "campaign")
    page.click("[data-do=begin]")
    take_seat(page)
    page.wait_for_function("() => Number(document.body.dataset.n) > 0")  # the bot has sealed its set-up
    page.click("#order [data-token=place]")
    page.wait_for_selector("#order [data-field=hex]")
    page.check("#order [data-field=leaders] [data-token='0']")
    camera.take(page, "deployment")
    page.keyboard.press("?")
    camera.take(page, "keys")


def table(camera: Camera) -> None:
    """Take the table in mid-war in light and dark colours, a march with its reach, and each panel."""
    page = camera.open("/table/SEAT", before=MARCH)
    take_seat(page)
    camera.take(page, "table")
    march(camera, page)
    for panel in PANELS:
        page.click(f"[data-panel={panel}]")
        page.wait_for_selector(f".panel-{panel}")
        if panel == "tables":
            page.get_by_text("Combat results").click()
        camera.take(page, panel, "#drawer")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.wait_for_selector("dialog[open]")
    camera.take(page, "board-as-text")
    dark = camera.open("/table/SEAT", before=MARCH, color_scheme="dark")
    take_seat(dark)
    camera.take(dark, "table-dark")


def march(camera: Camera, page: Page) -> None:
    """Take an unfinished march: the force, its reach, the path under the pointer and its cost."""
    page.click("#order [data-token=march]")
    page.click("#order [data-field=leader] [data-token='0']")
    page.wait_for_selector("#order [data-field=path]")
    if at := spot(page, "1921"):
        page.mouse.move(*at)
    camera.take(page, "march")
    page.keyboard.press("Escape")


def battle(camera: Camera) -> None:
    """Take the odds of an attack before it is ordered, and the supply layer on the map."""
    page = camera.open("/table/SEAT", before=BATTLE)
    take_seat(page)
    page.click("#order [data-token=attack]")
    page.wait_for_selector("#order [data-do=send]")
    camera.take(page, "odds")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    camera.take(page, "supply")


def campaigns(camera: Camera) -> None:
    """Take the second rule set: a battle after its first round, and a march with a drawn chit."""
    page = camera.open("/table/SEAT", record=CAMPAIGN, before=" prussia withdraw")
    take_seat(page)
    page.wait_for_selector(".contest .rounds")
    camera.take(page, "rounds")
    page = camera.open("/table/SEAT", record=CAMPAIGN, before=" prussia march Frederick")
    take_seat(page)
    page.click("#order [data-token=march]")
    page.wait_for_selector("#order [data-field=path]")
    camera.take(page, "chit")


def phone(camera: Camera) -> None:
    """Take the table on a phone in portrait format."""
    page = camera.open("/table/SEAT", before=MARCH, **PHONE)
    take_seat(page)
    camera.take(page, "phone")


def staff(camera: Camera) -> None:
    """Take the staff's plan of a turn: arrows for marches, arcs for destinations."""
    page = camera.open()
    page.click("[data-way=machine]")
    page.select_option("[name=scenario]", "bohemia")
    page.click("[data-do=begin]")
    take_seat(page)
    page.click("[data-do=show-plan]")
    page.wait_for_selector(".missions > li")
    camera.take(page, "staff")


def veil(camera: Camera) -> None:
    """Take the page between the two seats on one screen."""
    page = camera.open()
    page.click("[data-way=screen]")
    page.click("[data-do=begin]")
    page.wait_for_selector("[data-do=lift]")
    camera.take(page, "veil")


def winter(camera: Camera) -> None:
    """Take the bulletin of the first winter."""
    before, order = _last_of_the_year()
    page = camera.open("/table/SEAT", before=before)
    take_seat(page)
    seat = page.url.rpartition("/")[2].partition("#")[0]
    home = page.request.get("/api/home").json()["games"][0]["seats"]
    for asked in (seat, *(line["seat"] for line in home if line["seat"] not in ("", seat))):
        told = page.request.get(f"/api/seats/{asked}").json()
        if any(one["is_yours"] for one in told["awaited"]):
            data = {"seen": told["n"], "key": uuid4().hex, "order": order}
            page.request.post(f"/api/seats/{asked}/orders", data=data, headers={"Origin": camera.url})
            break
    page.wait_for_selector("dialog[open] .europe")
    camera.take(page, "bulletin")


def _last_of_the_year() -> tuple[str, str]:
    """Return the last order of the war's first winter: the start of its line in the record, and the order."""
    recorded = read(RECORD)
    replay, last = Replay(load_with(recorded.header.ruleset, recorded.header.data), recorded), recorded.entries[0]
    for entry in replay:
        if replay.table.ruleset.date(replay.table.state)[0] > FIRST_YEAR:
            break
        last = last if entry.actor == "chance" else entry
    return f"{last.number} {last.actor} {last.text}", last.text


def picture_end(camera: Camera) -> None:
    """Take the end of a small war: the card at the table, and the campaign page with story, picture and film."""
    page = camera.open("/table/SEAT", record=SHORT_RECORD, before="no such line")
    page.wait_for_selector(".ending-card")
    camera.take(page, "ending")
    page = camera.open("/campaign/SEAT", record=SHORT_RECORD, before="no such line")
    page.wait_for_selector("main svg")
    camera.take(page, "campaign")
    page.get_by_label("Next turn").click()
    camera.take(page, "film", "section:has([data-do=film-play])")


def picture_evening(camera: Camera) -> None:
    """Take the form for a new one-evening game with a player name."""
    page = camera.open()
    page.click("[data-way=machine]")
    page.select_option("[name=scenario]", "bohemia")
    page.fill("[name=player]", "Wilhelmine")
    page.check("[name=colour][value=violet]")
    page.locator(".maker").scroll_into_view_if_needed()
    camera.take(page, "new-game", ".maker")


SUBJECTS: Final[tuple[Callable[[Camera], None], ...]] = (
    draw_masthead,
    first_page,
    set_up,
    table,
    battle,
    campaigns,
    phone,
    staff,
    veil,
    picture_evening,
    winter,
    picture_end,
)


def main() -> None:
    """Take all screenshots, or only the given subjects."""
    wanted = sys.argv[1:]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, Served(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        camera = Camera(browser, server.url)
        for subject in SUBJECTS:
            if not wanted or subject.__name__ in wanted:
                subject(camera)
        browser.close()


if __name__ == "__main__":
    main()

"""Takes the pictures of the table's pages for docs/pictures/table: `python -m tools.pictures`.

A war that two machines led is brought in and shown from one side; what needs a decision is shown in a new game.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from tools.chromium import FLAGS, find_chromium
from tools.serving import Served
from tools.sheet import spot

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "pictures" / "table"
GOLDEN: Final = ROOT / "tests" / "golden"
RECORD: Final = GOLDEN / "frederick" / "planner.leuthen"
CAMPAIGN: Final = GOLDEN / "campaigns" / "planner-1757.leuthen"
BATTLE: Final = "83 prussia attack 0733"
MARCH: Final = "506 prussia march Frederick"
"""Where the war is stopped, in the second summer: this line of the record is not played any more."""
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
REST: Final = 800
"""Milliseconds after which everything that was asked for is drawn."""
PANELS: Final = ("chronicle", "victory", "europe", "musters", "tables", "rules", "calendar", "about")


class Camera:
    """Opens pages as a person's browser would, and keeps what they look like."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.url = url

    def open(self, path: str = "/", *, before: str = "", record: Path = RECORD, **options: Any) -> Page:
        """A new person's page; with `before` at a table of his own, where that line of the record would come next."""
        context = self.browser.new_context(base_url=self.url, reduced_motion="reduce", **(DESK | options))
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
        """Keeps the page, or a part of it, as it is when it has come to rest."""
        page.wait_for_timeout(REST)
        (page.locator(part) if part else page).screenshot(path=FOLDER / f"{name}.png", animations="disabled")
        print(FOLDER / f"{name}.png")


def sit(page: Page) -> None:
    """Waits for the table."""
    page.wait_for_selector("body[data-line=live]")
    page.wait_for_selector("#map [data-piece]")


def first_page(camera: Camera) -> None:
    """The first page with a game on it, and a new one being made."""
    page = camera.open("/table/SEAT", before=MARCH)
    page.goto("/")
    page.wait_for_selector("#list li")
    camera.take(page, "first-page")
    page.click("[data-way=link]")
    page.click("[data-do=begin]")
    page.wait_for_selector("dialog[open]")
    camera.take(page, "links")


def set_up(camera: Camera) -> None:
    """The deployment, with a force in the making."""
    page = camera.open()
    page.click("[data-way=machine]")
    page.click("[data-do=begin]")
    sit(page)
    page.click("#order [data-token=place]")
    page.wait_for_selector("#order [data-field=hex]")
    page.check("#order [data-field=leaders] [data-token='0']")
    camera.take(page, "deployment")
    page.keyboard.press("?")
    camera.take(page, "keys")


def table(camera: Camera) -> None:
    """The table in the middle of the war, light and dark; a march with its reach; each panel."""
    page = camera.open("/table/SEAT", before=MARCH)
    sit(page)
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
    sit(dark)
    camera.take(dark, "table-dark")


def march(camera: Camera, page: Page) -> None:
    """A march in the making: who goes, how far they come, the way pointed at and what it costs."""
    page.click("#order [data-token=march]")
    page.click("#order [data-field=leader] [data-token='0']")
    page.wait_for_selector("#order [data-field=path]")
    if at := spot(page, "1921"):
        page.mouse.move(*at)
    camera.take(page, "march")
    page.keyboard.press("Escape")


def battle(camera: Camera) -> None:
    """What an attack may bring, before it is ordered; supply laid over the map."""
    page = camera.open("/table/SEAT", before=BATTLE)
    sit(page)
    page.click("#order [data-token=attack]")
    page.wait_for_selector("#order [data-do=send]")
    camera.take(page, "odds")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    camera.take(page, "supply")


def campaigns(camera: Camera) -> None:
    """The second rule set: a battle after its first round; a chit that is out, and a march by it."""
    page = camera.open("/table/SEAT", record=CAMPAIGN, before=" prussia withdraw")
    sit(page)
    page.wait_for_selector(".contest .rounds")
    camera.take(page, "rounds")
    page = camera.open("/table/SEAT", record=CAMPAIGN, before=" prussia march Frederick")
    sit(page)
    page.click("#order [data-token=march]")
    page.wait_for_selector("#order [data-field=path]")
    camera.take(page, "chit")


def phone(camera: Camera) -> None:
    """The table on a phone held upright."""
    page = camera.open("/table/SEAT", before=MARCH, **PHONE)
    sit(page)
    camera.take(page, "phone")


def veil(camera: Camera) -> None:
    """Between the two seats of one screen."""
    page = camera.open()
    page.click("[data-way=screen]")
    page.click("[data-do=begin]")
    page.wait_for_selector("[data-do=lift]")
    camera.take(page, "veil")


def ended(camera: Camera) -> None:
    """The war in figures, after its end."""
    page = camera.open("/campaign/SEAT", before="no such line")
    page.wait_for_selector("main svg")
    camera.take(page, "campaign")


SUBJECTS: Final[tuple[Callable[[Camera], None], ...]] = (
    first_page,
    set_up,
    table,
    battle,
    campaigns,
    phone,
    veil,
    ended,
)


def main() -> None:
    """Takes every picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, Served(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        camera = Camera(browser, server.url)
        for subject in SUBJECTS:
            subject(camera)
        browser.close()


if __name__ == "__main__":
    main()

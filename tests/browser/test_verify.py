"""The page that checks a game: by itself, in the browser, and without sending anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Request, expect

from tests.browser.axe import scan
from tests.browser.watch import Watch

VECTORS = Path(__file__).parents[2] / "verifiers" / "vectors" / "games.json"


def upload(page: Page, at: str, *texts: str) -> None:
    files: Any = [{"name": "game", "mimeType": "text/plain", "buffer": text.encode()} for text in texts]
    page.set_input_files(at, files)


def test_a_game_is_checked_in_the_browser(watch: Watch) -> None:
    games = {game["name"]: game for game in json.loads(VECTORS.read_text(encoding="utf-8"))}
    page = watch.page("/verify", reduced_motion="reduce")
    page.locator("#check button").wait_for()
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    sound, forged = games["sound and strict"], games["by the host: die"]
    upload(page, "#file", sound["file"])
    page.click("#check button")
    expect(page.locator("#found h2")).to_have_text("The seal is whole")
    expect(page.locator("#found")).to_contain_text("You chose nothing of it")
    upload(page, "#receipts", *sound["receipts"])
    page.click("#check button")
    expect(page.locator("#found")).not_to_contain_text("You chose nothing of it")
    faults = scan(page, "a whole seal")
    upload(page, "#file", forged["file"])
    page.click("#check button")
    expect(page.locator("#found h2")).to_have_text("The seal is broken")
    expect(page.locator("#found")).to_contain_text(f"Line {forged['line']} of the file: {forged['why']}.")
    upload(page, "#file", "nothing of the kind")
    page.click("#check button")
    expect(page.locator("#found")).to_contain_text("There is no file, no proof in it, or it is too large.")
    faults += scan(page, "a broken seal")
    assert not sent, "nothing is sent"
    assert not faults, "\n".join(faults)

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Request, expect

from tests.browser.axe import scan
from tests.browser.watch import Watch

VECTORS = Path(__file__).parents[2] / "verifiers" / "vectors" / "games.json"


ENORMOUS = """at => {
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(100_000_000)], "game"));
  document.querySelector(at).files = files.files;
}"""


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
    expect(page.locator("#found h2")).to_have_text("Sound, but not fully checked")
    expect(page.locator("#found")).to_contain_text("asks the rules too, and alone can call a game whole")
    expect(page.locator("#found")).to_contain_text("no receipt was compared")
    upload(page, "#receipts", *sound["receipts"])
    page.click("#check button")
    expect(page.locator("#found")).not_to_contain_text("no receipt was compared")
    faults = scan(page, "a sound game")
    upload(page, "#file", forged["file"])
    page.click("#check button")
    expect(page.locator("#found h2")).to_have_text("The seal is broken")
    expect(page.locator("#found")).to_contain_text(f"Line {forged['line']} of the file: {forged['why']}.")
    faults += scan(page, "a broken seal")
    every_attack_is_judged_as_published(page, games)
    what_is_no_such_file_breaks_no_seal(page, sound, games["a player: a receipt of another game"])
    assert not sent, "nothing is sent"
    assert not faults, "\n".join(faults)


def every_attack_is_judged_as_published(page: Page, games: dict[str, dict[str, Any]]) -> None:
    forged = [game for name, game in games.items() if name.startswith("the host: each die") and "file" in game]
    page.set_input_files("#receipts", [])
    for game in forged:
        upload(page, "#file", game["file"])
        page.click("#check button")
        broken = "The seal is broken" if game["verdict"] == "broken" else "Sound, but not fully checked"
        expect(page.locator("#found h2")).to_have_text(broken)
        said = f"Line {game['line']} of the file: {game['why']}." if game["why"] else "that only the rules can check"
        expect(page.locator("#found")).to_contain_text(said)
    assert len(forged) > 10


def what_is_no_such_file_breaks_no_seal(page: Page, sound: dict[str, Any], other: dict[str, Any]) -> None:
    upload(page, "#file", other["file"])
    upload(page, "#receipts", *other["receipts"])
    page.click("#check button")
    expect(page.locator("#found h2")).to_have_text("What was kept does not fit this file")
    for text in ("nothing of the kind", sound["file"].replace("leuthen proof 1", "leuthen proof 2")):
        upload(page, "#file", text)
        page.click("#check button")
        expect(page.locator("#found h2")).to_have_text("This file cannot be checked")
    for at, said in (("#receipts", "What players keep are files of a few lines"), ("#file", "This file is too large")):
        page.evaluate(ENORMOUS, at)
        page.click("#check button")
        expect(page.locator("#found")).to_contain_text(said)

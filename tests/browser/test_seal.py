import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.conftest import PATIENCE
from tests.browser.games import Games, Watch, begin, order, scan, set_up, sit_down
from tests.browser.test_lines import LOST_LINE
from tests.browser.test_two import links, take
from tools.serving import Served

SEAL = "[data-do=seal]"
KEPT = "Object.keys(localStorage).find(name => name.startsWith('leuthen.seal.'))"


def is_shown(page: Page, state: str) -> None:
    expect(page.locator(SEAL)).to_have_attribute("data-seal", state)


def said(page: Page) -> str:
    page.click(SEAL)
    text = page.inner_text("dialog[open]")
    assert not scan(page, "the seal", "dialog[open]")
    page.keyboard.press("Escape")
    return text


def two(watch: Watch) -> tuple[Page, Page]:
    alice = watch.page()
    begin(alice, "link", pace="live")
    other, _ = links(alice)
    sit_down(alice)
    alice.click(SEAL)
    dialog = alice.locator("dialog[open]")
    expect(dialog).to_contain_text("Austria does not help to seed rolls yet")
    bob = take(watch, other)
    expect(dialog).to_contain_text("Austria's browser helps to seed every roll.")
    alice.keyboard.press("Escape")
    return alice, bob


def test_the_seal_is_whole_until_somebody_is_told_another_story(watch: Watch) -> None:
    alice, bob = two(watch)
    for page in (alice, bob):
        it_says_what_it_means(page)
    who_was_told_another_story_is_warned_and_may_go_on(alice)
    two_stories_for_two_people_are_seen(alice, bob)


def test_a_roll_that_waits_names_for_whom(watch: Watch) -> None:
    alice, bob = two(watch)
    seats = [sit_down(page) for page in (alice, bob)]
    bob.goto("/")
    for page, seat, who in zip((alice, bob), seats, ("prussia", "austria"), strict=True):
        for what in set_up(who):
            order(page.request, watch.url, seat, what)
    while alice.request.get(f"/api/seats/{seats[0]}").json()["awaited"]:
        order(alice.request, watch.url, seats[0], "done")
    expect(alice.locator("#prompt h2")).to_have_text("Waiting for Austria to come online to roll")
    expect(alice.locator("#prompt")).to_contain_text("You can undo this order. The game's proof will show it.")
    expect(alice.locator("#head")).to_contain_text("Waiting for Austria to come online to roll")
    alice.click("#tools [data-do=undo]:not([aria-disabled])")
    expect(alice.locator("#prompt")).not_to_contain_text("Waiting for Austria to come online")
    order(alice.request, watch.url, seats[0], "done")
    expect(alice.locator("#prompt h2")).to_have_text("Waiting for Austria to come online to roll")
    expect(alice.locator("#prompt")).to_contain_text("The roll has just been asked for.")
    alice.click("[data-do=ask-pace]")
    alice.click("dialog[open] footer button.primary")
    expect(alice.locator(".proposal")).to_contain_text("asks to play by correspondence: rolls no longer wait.")
    alice.click("[data-do=roll-alone]")
    expect(alice.locator("dialog[open]")).to_contain_text("the game is no longer fully proved")
    alice.click("dialog[open] footer button.danger")
    expect(alice.locator("#prompt")).not_to_contain_text("Waiting for Austria to come online")
    bob.goto(f"/table/{seats[1]}")
    expect(bob.locator(".proposal")).to_contain_text("A host who plays could then foresee rolls.")
    bob.click(".proposal [data-do=accept]")
    for page in (alice, bob):
        expect(page.locator("#toast")).to_contain_text("The game is now by correspondence: no roll waits.")
    text = said(bob)
    assert "Pace: correspondence. No roll waits." in text
    assert "1 roll made without the other player's browser, listed in the proof." in text


def test_a_game_by_link_is_live_only_by_choice(watch: Watch) -> None:
    page = watch.page()
    for way in ("machine", "screen"):
        page.click(f"[data-way={way}]")
        expect(page.locator("[name=side]" if way == "machine" else "[name=player1]")).not_to_have_count(0)
        expect(page.locator("[name=pace]")).to_have_count(0)
    page.click("[data-way=link]")
    expect(page.locator("[name=pace][value=correspondence]")).to_be_checked()
    expect(page.locator(".maker")).to_contain_text(
        "A host who plays could foresee his rolls; the proof cannot rule that out."
    )
    expect(page.locator(".maker")).to_contain_text("The proof shows that no player could foresee or choose a roll.")
    begin(page, "link")
    page.click("dialog[open] footer button")
    sit_down(page)
    expect(page.locator("#head")).not_to_contain_text("Austria is deciding")
    expect(page.locator("#prompt")).to_contain_text("has not joined yet")
    assert "Pace: correspondence. No roll waits." in said(page)


def it_says_what_it_means(page: Page) -> None:
    is_shown(page, "whole")
    page.wait_for_function("() => Object.keys(localStorage).some(name => name.startsWith('leuthen.chain.'))")
    page.reload()
    is_shown(page, "whole")
    text = said(page)
    assert "Your browser helps to seed every roll." in text
    assert "Each roll waits" in text, "its maker chose so"
    for word in ("hash", "signature", "cryptograph", "chain", "commit"):
        assert word not in text.lower()


def who_was_told_another_story_is_warned_and_may_go_on(alice: Page) -> None:
    alice.wait_for_function(f"() => {KEPT}")
    alice.evaluate(
        f"""() => {{
          const kept = JSON.parse(localStorage.getItem({KEPT}));
          kept.seal.head = "0".repeat(64);
          kept.heads = [[kept.seal.blocks, kept.seal.head]];
          localStorage.setItem({KEPT}, JSON.stringify(kept));
        }}"""
    )
    alice.reload()
    is_shown(alice, "broken")
    alice.click(SEAL)
    expect(alice.locator("dialog[open] .note.bad")).to_contain_text("the game was changed")
    with alice.expect_download() as saved:
        alice.click("dialog[open] [data-do=receipt]")
    assert saved.value.path().read_text().startswith("leuthen checkpoint 1\ngame ")
    alice.click("dialog[open] button.danger")
    is_shown(alice, "whole")


def two_stories_for_two_people_are_seen(alice: Page, bob: Page) -> None:
    bob.wait_for_function(f"() => {KEPT}")
    seat = bob.url.replace("/table/", "/api/seats/")
    now = bob.request.get(seat).json()["seal"]["now"]
    told = bob.evaluate(
        """([seat, body]) => fetch(`${new URL(seat).pathname}/seen`, {method: "POST", body: JSON.stringify(body),
           headers: {"Content-Type": "application/json"}}).then(answer => answer.status)""",
        [seat, {"blocks": now["blocks"], "head": "0" * 64}],
    )
    assert told == 204
    is_shown(alice, "broken")
    assert "a different game" in said(alice)


def test_a_game_against_the_machine_has_a_seal(watch: Watch) -> None:
    page = watch.page()
    begin(page, "machine")
    sit_down(page)
    is_shown(page, "whole")
    page.click(SEAL)
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Your browser helps to seed every roll.")
    expect(dialog).to_contain_text("server's machine and does not seed rolls")
    expect(dialog).to_contain_text("could fit the machine's orders to coming rolls")
    expect(dialog).to_contain_text("your browser has checked that")
    page.keyboard.press("Escape")
    chains = page.request.get(page.url.replace("/table/", "/api/seats/")).json()["seal"]["chains"]
    assert len(chains) == 1, "the chain with which the game was made is the table's own"


def test_a_game_at_one_screen_says_that_it_proves_nothing(watch: Watch) -> None:
    page = watch.page()
    begin(page, "screen")
    page.click("[data-do=lift]")
    sit_down(page)
    is_shown(page, "none")
    assert "The host could change this game unnoticed" in said(page)


def test_a_host_who_deletes_the_last_rows_is_seen_by_both(browser: Browser, tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        watch = Watch(Games(browser, server.url), PATIENCE, plain=True)
        with watch.forgiving(LOST_LINE):
            alice, bob = two(watch)
            for what in set_up("prussia"):
                order(alice.request, server.url, sit_down(alice), what)
            for page in (alice, bob):
                page.wait_for_function(f"() => {KEPT} && JSON.parse(localStorage.getItem({KEPT})).seal.blocks > 0")
                is_shown(page, "whole")
            server.stop()
            delete_last(tmp_path / "leuthen.db")
            server.start()
            for page in (alice, bob):
                page.wait_for_selector(f"{SEAL}[data-seal=broken]")
                assert "events are missing" in said(page)
            watch.close()
    watch.demand_peace()


def delete_last(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DELETE FROM actions WHERE number = (SELECT max(number) FROM actions)")
        lines = raw.execute("SELECT number, text FROM proof ORDER BY number").fetchall()
        last = max(number for number, text in lines if text.startswith(("link ", "bare ")))
        raw.execute("DELETE FROM proof WHERE number >= ?", (last,))
        raw.execute("DELETE FROM answers WHERE rowid = (SELECT max(rowid) FROM answers)")


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
    expect(page.locator("#found")).to_contain_text("checks the rules too")
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
    expect(page.locator("#found h2")).to_have_text("The receipt does not match this file")
    for text in ("nothing of the kind", sound["file"].replace("leuthen proof 1", "leuthen proof 3")):
        upload(page, "#file", text)
        page.click("#check button")
        expect(page.locator("#found h2")).to_have_text("This file cannot be checked")
    for at, said in (("#receipts", "A receipt has only a few lines"), ("#file", "This file is too large")):
        page.evaluate(ENORMOUS, at)
        page.click("#check button")
        expect(page.locator("#found")).to_contain_text(said)

import re
from random import Random
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.games import Watch, set_up, sit
from tests.browser.person import QUIET

STEPS: Final = 400
SAID: Final = re.compile("Press Enter|to choose from|No word fits")
DONE: Final = re.compile("^(Ordered|Press Enter again)")


class Typist:
    """A player who types orders, and knows only what the page says by roles and live regions."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.rng = Random(seed)
        self.line = page.get_by_role("combobox", name="Order:")
        self.said = page.locator("#order-said[role=status]")
        self.words = page.get_by_role("listbox", name="Next words").get_by_role("option")
        self.question = page.get_by_role("region", name="Orders").get_by_role("heading", level=2).first
        self.given: list[str] = []

    def sit(self) -> None:
        if self.line.is_visible() and self.line.evaluate("one => one === document.activeElement"):
            return
        self.page.keyboard.press("t")
        expect(self.line).to_be_focused()

    def wait(self) -> str:
        """Wait until the game has ended or something can be answered; return the question."""
        self.page.wait_for_function(
            "() => document.title.startsWith('●') || /over/.test(document.querySelector('#prompt').innerText)"
        )
        self.page.wait_for_function(QUIET)
        return self.question.inner_text()

    def enter(self) -> bool:
        """Press Enter, and once more at a warning; return whether the order was given."""
        n = self.page.evaluate("Number(document.body.dataset.n)")
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(
            "n => Number(document.body.dataset.n) > n || document.querySelector('dialog[open], #order-said .reason')"
            " || /again/.test(document.querySelector('#order-said').innerText)",
            arg=n,
        )
        if "again" in self.said.inner_text():
            return self.enter()
        if self.page.get_by_role("dialog").is_visible():
            self.page.keyboard.press("Tab")
            self.page.keyboard.press("Enter")
            self.page.wait_for_function("n => Number(document.body.dataset.n) > n", arg=n)
            return True
        return bool(self.page.evaluate("n => Number(document.body.dataset.n) > n", n))

    def order(self, text: str) -> None:
        self.sit()
        self.page.keyboard.insert_text(text)
        assert self.enter(), f"{text}: {self.said.inner_text()}"
        self.given.append(text)

    def choose(self, zeal: float) -> None:
        """Give an order word by word: any that completion offers, or the end of the phase."""
        self.sit()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.press("ArrowDown")
        for _ in range(12):
            self.page.wait_for_function(QUIET)
            expect(self.said).to_have_text(SAID)
            labels = self.words.all_text_contents()
            if self.said.inner_text().startswith("Press Enter") and (not labels or self.rng.random() < 0.7):
                break
            ending = [number for number, label in enumerate(labels) if label.startswith("done")]
            at = ending[0] if ending and self.rng.random() > zeal else self.rng.randrange(len(labels))
            self.take(labels[at].split(":")[0].split(",")[0].split(" ")[0], at)
        self.given.append(self.line.input_value())
        if not self.enter():
            self.page.keyboard.press("ControlOrMeta+a")
            self.page.keyboard.press("Delete")

    def take(self, word: str, at: int) -> None:
        before = self.line.input_value()
        if at < 4:
            while self.words.nth(at).get_attribute("aria-selected") != "true":
                self.page.keyboard.press("ArrowDown")
                self.page.wait_for_function(QUIET)
            self.page.keyboard.press("Tab")
        else:
            self.page.keyboard.insert_text(f"{word} ")
        expect(self.line).not_to_have_value(before)
        self.page.wait_for_timeout(200)  # typing rests


def open_game(watch: Watch, ruleset: str, scenario: str, options: dict[str, str]) -> Page:
    person = watch.person()
    game = {"players": ["me", "cadet"], "ruleset": ruleset, "scenario": scenario, "options": options}
    made = person.request.post("/api/games", data=game, headers={"Origin": watch.url})
    assert made.ok, made.text()
    return sit(person, made.json()["seats"][0]["seat"])


def test_a_year_is_played_by_typed_orders_alone(watch: Watch) -> None:
    page = open_game(watch, "frederick", "campaign", {"last-year": "1756"})
    player = Typist(page, 3)
    player.wait()
    for line in set_up("prussia"):
        player.order(line)
    for _ in range(STEPS):
        question = player.wait()
        if "over" in question:
            break
        player.choose(zeal=0.3)
    assert "over" in player.question.inner_text()
    kinds = {line.partition(" ")[0] for line in player.given}
    assert {"done", "march", "place", "seal"} <= kinds

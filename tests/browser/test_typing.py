import re
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.games import War, Watch, scan, set_up, sit
from tests.browser.person import QUIET

STEPS: Final = 400
SAID: Final = re.compile("Press Enter|to choose from|No word fits")


class Typist:
    """A player who types orders, and knows only what the page says by roles and live regions."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.rng = Random(3)
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


def test_a_year_is_played_by_typed_orders_alone(watch: Watch) -> None:
    person = watch.person()
    page = sit(person, watch.make_game(person, "me cadet", options={"last-year": "1756"})[0]["seat"])
    player = Typist(page)
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


@pytest.fixture
def march(watch: Watch) -> Page:
    page = War(watch).page
    page.locator("#order [data-token=march]").wait_for()
    page.wait_for_function(QUIET)
    return page


def test_a_typed_order_is_completed_and_given(march: Page) -> None:
    player = Typist(march)
    player.sit()
    march.keyboard.type("mar")
    expect(player.words).to_have_text(["march: March a force"])
    march.keyboard.press("Tab")
    expect(player.line).to_have_value("march ")
    march.keyboard.type("Ferd")
    expect(player.words).to_have_text(["Ferdinand"])
    march.keyboard.press("ArrowDown")
    expect(player.line).to_have_attribute("aria-activedescendant", "order-word-0")
    march.keyboard.press("Enter")
    march.keyboard.type("+20 ")
    expect(player.words.filter(has_text="MP left").first).to_be_visible()
    march.keyboard.type("Sag")
    march.keyboard.press("Tab")
    expect(player.said).to_contain_text("Press Enter to order: march Ferdinand")
    assert not scan(march, "the order line", "#orders", themes=("light",))
    assert player.enter()
    expect(player.said).to_contain_text("Ordered: march Ferdinand")
    expect(player.line).to_be_focused()
    expect(march.locator("#spoken")).to_contain_text("Ferdinand")


def test_a_refusal_of_a_typed_order_names_its_rule(march: Page) -> None:
    player = Typist(march)
    player.sit()
    march.keyboard.type("attack 1125")
    march.keyboard.press("Enter")
    expect(player.said).to_contain_text("not the phase")
    expect(player.said.get_by_role("button", name="Rule O4.2")).to_be_visible()


def test_a_warning_of_a_typed_order_is_confirmed_by_enter(march: Page) -> None:
    player = Typist(march)
    player.sit()
    march.keyboard.type("march Frederick 1034-1135")
    n = march.evaluate("Number(document.body.dataset.n)")
    march.keyboard.press("Enter")
    expect(player.said).to_contain_text("marches without SP")
    assert march.evaluate("Number(document.body.dataset.n)") == n
    assert player.enter()


def test_the_front_is_read_in_words(march: Page) -> None:
    march.keyboard.press("b")
    front = march.get_by_role("dialog").get_by_role("status")
    expect(front).to_contain_text("Frederick, 45 SP")
    expect(front).to_contain_text("You are asked: March Phase")
    assert not scan(march, "the front", "dialog", themes=("light",))


def test_the_page_has_landmarks_with_names_and_headings_in_order(march: Page) -> None:
    expect(march.get_by_role("banner", name="Game")).to_have_count(1)
    expect(march.get_by_role("main", name="Table")).to_have_count(1)
    expect(march.get_by_role("navigation", name="Panels")).to_have_count(1)
    expect(march.get_by_role("contentinfo", name="Timeline")).to_have_count(1)
    march.keyboard.press("Shift+R")
    expect(march.get_by_role("complementary")).to_have_count(1)
    levels = march.evaluate(
        "() => [...document.querySelectorAll('h1, h2, h3, h4')].filter(one => one.checkVisibility())"
        ".map(one => Number(one.tagName[1]))"
    )
    assert all(after <= before + 1 for before, after in zip([0, *levels], levels, strict=False)), levels

"""A war in which many stacks stand on the map: two random players lead it until there are enough of them."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Final

from playwright.sync_api import APIRequestContext

from leuthen.core.ruleset import CHANCE, Ruleset
from leuthen.dice import Key
from leuthen.load import load
from leuthen.record import text_of
from leuthen.table import header_of

SCENARIO: Final = "campaign"


def begun_game(browser: APIRequestContext, url: str, stacks: int) -> tuple[str, int]:
    """A seat of this browser in a war with at least so many stacks on the map, and how many there are."""
    record = crowded(load("frederick"), stacks)
    headers = {"Content-Type": "text/plain", "Origin": url}
    answer = browser.post("/api/import", data=record.encode(), headers=headers)
    assert answer.ok, answer.text()
    seat = answer.json()["seats"][0]["seat"]
    return seat, len(browser.get(f"/api/seats/{seat}").json()["scene"]["pieces"])


def crowded(ruleset: Ruleset, stacks: int) -> str:
    """The record of the first war that has so many stacks."""
    return next(record for seed in count() if (record := _war(ruleset, stacks, seed)))


def _war(ruleset: Ruleset, stacks: int, seed: int) -> str:
    """The record of a war up to where there are enough stacks; "" if it ends before."""
    rng, dice = Random(seed), Key.from_seed(seed).dice()
    state, lines = ruleset.new_game(SCENARIO, {}), []
    names = (*ruleset.sides, "chance")
    while pending := ruleset.pending(state):
        actor = pending[0].actor
        is_chance = actor == CHANCE
        action = dice.pick(ruleset.chances(state)) if is_chance else ruleset.legal_actions(state, actor).sample(rng)
        lines.append((names[actor], ruleset.format_action(state, actor, action)))
        state = ruleset.apply(state, actor, action).state
        if len(ruleset.showing.scene(ruleset.view(state, 0)).pieces) >= stacks:
            return text_of(header_of(ruleset, SCENARIO, {}, ("human", "human")), lines, "")
    return ""

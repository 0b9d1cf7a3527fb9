"""Bots in processes of their own: what they are given, what they answer, and what happens when they fail."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any, TypeVar

import pytest

from leuthen.bots import BOTS
from leuthen.core.ruleset import CHANCE, Ruleset
from leuthen.dice import Key
from leuthen.load import load
from leuthen.server.thinking import Thinkers, Thought, answer, least
from leuthen.table import Table

T = TypeVar("T")


@pytest.fixture
def rules() -> Ruleset:
    return load("frederick")


def thought(rules: Ruleset, table: Table, side: int, bot: str = "planner", seed: int = 1) -> Thought:
    return Thought(bot, rules.name, side, rules.encode_view(rules.view(table.state, side)), seed)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(
    ("name", "scenario", "options"),
    [
        ("frederick", "campaign", {"last-year": "1756"}),
        ("campaigns", "1756", {"rules": "base"}),
        ("campaigns", "1757", {"hidden": "yes"}),
    ],
)
def test_a_short_war_is_played_from_views_alone(name: str, scenario: str, options: dict[str, str], bot: str) -> None:
    """Whatever is answered to a world drawn from the view is legal in the true position."""
    rules = load(name)
    table = Table(rules, rules.new_game(scenario, options))
    dice = Key.from_seed(7).dice()
    for number in range(150):
        if table.outcome is not None:
            break
        pending = rules.pending(table.state)[0]
        if pending.actor == CHANCE:
            table.act(CHANCE, dice.pick(rules.chances(table.state)))
            continue
        text = answer(thought(rules, table, pending.actor, bot, number))
        table.act(pending.actor, rules.parse_action(table.state, pending.actor, text))
    assert table.actions > 60


def test_the_same_thought_has_the_same_answer_in_every_world_of_the_view(rules: Ruleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    for _ in range(12):
        table.act(1, next(iter(rules.legal_actions(table.state, 1))))
    view = rules.view(table.state, 0)
    other = rules.worlds(view, Random(5))
    assert other != table.state
    again = Thought("planner", rules.name, 0, rules.encode_view(rules.view(other, 0)), 3)
    assert answer(thought(rules, table, 0, seed=3)) == answer(again)


def test_who_thinks_for_ever_gives_the_answer_that_commits_least(
    rules: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Sleeper(Executor):
        def submit(self, fn: Callable[..., T], /, *_: Any, **__: Any) -> Future[T]:
            return Future()

    monkeypatch.setattr("leuthen.server.thinking.PATIENCE", 0.01)
    table = Table(rules, rules.new_game("campaign", {}))
    thinkers = Thinkers(make=lambda _: Sleeper())
    asked = thought(rules, table, 0)
    assert asyncio.run(thinkers.think(asked)) == least(asked)


def test_a_process_thinks_and_another_takes_over_when_it_dies(rules: Ruleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    asked = thought(rules, table, 0)

    async def play() -> tuple[str, str]:
        thinkers = Thinkers(1)
        try:
            first = await thinkers.think(asked)
            for process in multiprocessing.active_children():
                process.kill()
            return first, await thinkers.think(asked)
        finally:
            thinkers.close()

    first, second = asyncio.run(play())
    assert first == second == answer(asked)


def test_a_bot_that_fails_answers_what_commits_least(rules: Ruleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    asked = thought(rules, table, 0, "nobody")
    assert asyncio.run(_think_with(Failing(ValueError), asked)) == least(asked)


def test_processes_that_die_again_and_again_hold_up_no_game(rules: Ruleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    asked = thought(rules, table, 0)
    pool = Failing(BrokenProcessPool)
    assert asyncio.run(_think_with(pool, asked)) == least(asked)
    assert pool.asked == 2


async def _think_with(pool: Executor, asked: Thought) -> str:
    return await Thinkers(1, lambda workers: pool).think(asked)


class Failing(Executor):
    """An executor whose thoughts fail."""

    def __init__(self, error: Callable[[], Exception]) -> None:
        self.error = error
        self.asked = 0

    def submit(self, fn: Callable[..., T], /, *_: Any, **__: Any) -> Future[T]:
        self.asked += 1
        future: Future[T] = Future()
        future.set_exception(self.error())
        return future

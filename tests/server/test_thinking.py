import asyncio
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any, TypeVar, cast

import pytest

from leuthen.bots import bots_for
from leuthen.engine.ruleset import CHANCE, Side
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.table import Table
from leuthen.rulesets.frederick.bot import search
from leuthen.screen.presenter import TableRuleset
from leuthen.server.bots.drivers import LONG, SHORT, BotDrivers
from leuthen.server.bots.processes import in_process
from leuthen.server.bots.thinking import Answer, BotTask, Thinkers, answer
from leuthen.server.session.limits import FairScheduler, Run, WorkerDied
from tests.server.alone import here
from tests.server.conftest import for_ever

T = TypeVar("T")


@pytest.fixture
def rules() -> TableRuleset:
    return load("frederick")


def thought(rules: TableRuleset, table: Table, side: Side, bot: str = "captain", seed: int = 1) -> BotTask:
    return BotTask(bot, rules.name, side, rules.encode_view(rules.view(table.state, side)), seed)


WARS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("frederick", "campaign", {"last-year": "1756"}),
    ("campaigns", "1756", {"rules": "base"}),
    ("campaigns", "prague", {"hidden": "yes"}),
)


@pytest.mark.parametrize(
    ("name", "scenario", "options", "bot"), [(*war, bot) for war in WARS for bot in bots_for(war[0])]
)
def test_a_short_war_is_played_from_views_alone(
    name: str, scenario: str, options: dict[str, str], bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for effort in ("CAMPAIGNS", "ORDERS", "OTHER_GOALS"):
        monkeypatch.setattr(search, effort, 2)
    most, least = (40, 30) if bot == "colonel" else (120, 60)
    rules = load(name)
    table = Table(rules, rules.new_game(scenario, options))
    dice = Key.from_seed(7).dice()
    for number in range(most):
        if table.outcome is not None:
            break
        pending = rules.pending(table.state)[0]
        if pending.actor == CHANCE:
            table.act(CHANCE, dice.pick(rules.chances(table.state)))
            continue
        text = answer(thought(rules, table, pending.actor, bot, number)).order
        table.act(pending.actor, rules.parse_action(table.state, pending.actor, text))
    assert table.actions > least


def test_the_same_thought_has_the_same_answer_in_every_world_of_the_view(rules: TableRuleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    for _ in range(12):
        table.act(1, next(iter(rules.legal_actions(table.state, 1))))
    view = rules.view(table.state, 0)
    other = rules.worlds(view, Random(5))
    assert other != table.state
    again = BotTask("captain", rules.name, 0, rules.encode_view(rules.view(other, 0)), 3)
    assert answer(thought(rules, table, 0, seed=3)) == answer(again)


async def _think_with(run: Run, asked: BotTask) -> Answer | None:
    return await Thinkers(run, 1).think(asked, 60)


def test_who_thinks_for_ever_is_ended(rules: TableRuleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    with pytest.raises(TimeoutError):
        asyncio.run(Thinkers(for_ever, 1).think(thought(rules, table, 0), 0))


def test_a_process_thinks_what_would_be_thought_here(rules: TableRuleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    asked = thought(rules, table, 0)
    assert asyncio.run(_think_with(in_process, asked)) == answer(asked)


def test_a_bot_that_fails_has_no_answer(rules: TableRuleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    assert asyncio.run(_think_with(here, thought(rules, table, 0, "nobody"))) is None


def test_another_process_takes_over_when_one_dies_and_none_after_that(rules: TableRuleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    asked, deaths = thought(rules, table, 0), [1]

    async def dies(work: Callable[..., T], /, *args: Any) -> T:
        if deaths.pop():
            raise WorkerDied
        return work(*args)

    deaths[:] = [0, 1]
    assert asyncio.run(_think_with(dies, asked)) == answer(asked)
    deaths[:] = [0, 1, 1]
    assert asyncio.run(_think_with(dies, asked)) is None
    assert deaths == [0]


class Lazy:
    workers = 2

    def __init__(self) -> None:
        self.patience: list[float] = []
        self.begun = asyncio.Queue[str]()

    async def think(self, thought: BotTask, patience: float) -> Answer | None:
        if thought.bot == "quick":
            return Answer("done")
        self.patience.append(patience)
        self.begun.put_nowait(thought.bot)
        await self.over.wait()
        raise TimeoutError

    def run_out(self) -> None:
        self.over.set()
        self.over = asyncio.Event()

    over = asyncio.Event()


def test_bots_that_hang_stop_others_only_for_the_short_patience() -> None:

    async def play() -> list[float]:
        lazy = Lazy()
        scheduler = FairScheduler(2, count(0, 5).__next__)
        drivers = BotDrivers(cast("Thinkers", lazy), scheduler)
        slow, quick = BotTask("slow", "toy", 0, b"", 1), BotTask("quick", "toy", 0, b"", 1)
        hung = [asyncio.ensure_future(drivers.think(f"game {number}", slow)) for number in range(2)]
        for _ in hung:
            await lazy.begun.get()
        other = asyncio.ensure_future(drivers.think("other", quick))
        lazy.run_out()
        assert await other == Answer("done")
        await lazy.begun.get()
        assert await drivers.think("another", quick) == Answer("done"), "one still hangs, and nobody waits for it"
        lazy.run_out()
        await lazy.begun.get()
        lazy.run_out()
        assert await asyncio.gather(*hung) == [None, None]
        return lazy.patience

    assert asyncio.run(play()) == [SHORT, SHORT, LONG, LONG]

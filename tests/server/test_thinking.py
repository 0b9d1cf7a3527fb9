import asyncio
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

import pytest

from leuthen.bots import LEVELS, MEASURED, MatchScore, bots_for, sentence_of
from leuthen.engine.ruleset import CHANCE, OTHER, Side, as_side
from leuthen.load import RULESETS, UnreadableFile, load, ruleset, sample_likely_state, value_of
from leuthen.play.dice import Key
from leuthen.play.record import RESIGN
from leuthen.play.table import Table
from leuthen.rulesets.frederick.bot import captain
from leuthen.screen.presenter import TableRuleset
from leuthen.server.bots import drivers, workers
from leuthen.server.bots.drivers import LONG, SHORT, BotDrivers
from leuthen.server.bots.workers import Answer, Brief, answer, in_process
from leuthen.server.session import messages
from leuthen.server.session.device_sessions import DeviceCaller, DeviceSession
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.limits import FairScheduler, Run, WorkerDied
from leuthen.server.session.registry import GameRegistry, make_game
from leuthen.simulate.bulk import LadderRow, Pair, read_results, standing
from leuthen.storage import rows as game_storage
from leuthen.storage.rows import ChatRow, ThoughtRow
from leuthen.wargame.bot.value import TURNS, accepts_draw, estimate_win_chance, is_judged, note_win_chance, resigns
from leuthen.wargame.missions import Thought, decode_thought, encode_thought
from tests.server.conftest import close_clients, never_finish, new_caller
from tests.server.harness import TestServer
from tests.server.memory import MemoryRows, MemoryStorage, account, registry_with, run_inline

T = TypeVar("T")


@pytest.fixture
def rules() -> TableRuleset:
    return load("frederick")


def thought(rules: TableRuleset, table: Table, side: Side, bot: str = "captain", seed: int = 1) -> Brief:
    return Brief(rules.name, "", rules.encode_view(rules.view(table.state, side)), side, b"", bot, seed)


WARS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("frederick", "campaign", {"last-year": "1756"}),
    ("campaigns", "1756", {"rules": "base"}),
    ("campaigns", "prague", {"hidden": "yes"}),
)


@pytest.mark.parametrize(
    ("name", "scenario", "options", "bot"), [(*war, bot) for war in WARS for bot in bots_for(war[0])]
)
def test_every_bot_plays_a_short_war_from_its_views(
    name: str, scenario: str, options: dict[str, str], bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for effort in ("CAMPAIGNS", "ORDERS", "OTHER_GOALS"):
        monkeypatch.setattr(captain, effort, 2)
    most, least = (12, 8) if bot == "colonel" else (80, 40)
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


async def _think_with(run: Run, asked: Brief) -> Answer | None:
    return await BotDrivers(run).attempt(answer, asked, 60)


def test_a_bot_that_never_answers_times_out(rules: TableRuleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    with pytest.raises(TimeoutError):
        asyncio.run(BotDrivers(never_finish).attempt(answer, thought(rules, table, 0), 0))


def test_a_worker_process_gives_the_same_answer(rules: TableRuleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    asked = thought(rules, table, 0)
    assert asyncio.run(_think_with(in_process, asked)) == answer(asked)


def test_a_failing_bot_has_no_answer(rules: TableRuleset) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    assert asyncio.run(_think_with(run_inline, thought(rules, table, 0, "nobody"))) is None


def test_a_second_worker_replaces_a_dead_one_but_not_a_third(rules: TableRuleset) -> None:
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


class HangingDrivers(BotDrivers):
    def __init__(self, scheduler: FairScheduler) -> None:
        super().__init__(run_inline, scheduler=scheduler)
        self.patience: list[float] = []
        self.begun = asyncio.Queue[str]()

    async def attempt(self, work: Any, brief: Brief, seconds: float) -> Any:
        if brief.bot == "quick":
            return Answer("done")
        self.patience.append(seconds)
        self.begun.put_nowait(brief.bot)
        await self.over.wait()
        raise TimeoutError

    def run_out(self) -> None:
        self.over.set()
        self.over = asyncio.Event()

    over = asyncio.Event()


async def test_hanging_bots_delay_others_only_briefly() -> None:
    hanging = HangingDrivers(FairScheduler(2, count(0, 5).__next__))
    slow, quick = (Brief("toy", "", b"", 0, bot=bot) for bot in ("slow", "quick"))
    hung = [asyncio.ensure_future(hanging.think(f"game {number}", answer, slow)) for number in range(2)]
    for _ in hung:
        await hanging.begun.get()
    other = asyncio.ensure_future(hanging.think("other", answer, quick))
    hanging.run_out()
    assert await other == Answer("done")
    await hanging.begun.get()
    assert await hanging.think("another", answer, quick) == Answer("done"), "the hanging bot does not delay it"
    hanging.run_out()
    await hanging.begun.get()
    hanging.run_out()
    assert await asyncio.gather(*hung) == [None, None]
    assert hanging.patience == [SHORT, SHORT, LONG, LONG]


OWNER = DeviceCaller("prussia's key", "a browser")
KEYS = count(1)
BOT_SIDE: Final = 1
STEPS = 70
Thoughts = list[tuple[int, bytes]]


async def new_session(registry: GameRegistry) -> tuple[GameSession, str]:
    made = await make_game(registry, OWNER, messages.NewGame(("me", "captain"), "frederick", takebacks="free"))
    return await registry.session(made.game), made.seats[0].seat


async def think(session: GameSession) -> Answer:
    view = session.ruleset.encode_view(session.view(BOT_SIDE))
    return answer(Brief("frederick", "", view, BOT_SIDE, await session.thought_of(BOT_SIDE), "captain", 5))


async def play_on(session: GameSession, steps: int) -> Thoughts:
    thoughts: Thoughts = []
    for _ in range(steps):
        line = len(session.history.record)
        side = BOT_SIDE if session.is_asked(BOT_SIDE) else OTHER[BOT_SIDE]
        if side == BOT_SIDE:
            found = await think(session)
            thoughts.append((len(session.history.table.log), found.after))
            await session.play(side, found.order, line, found.after)
        else:
            await session.play(side, None, line)
    return thoughts


async def take_back(registry: GameRegistry, session: GameSession, seat: str) -> int:
    device = await registry.devices.find(seat, OWNER.lock)
    n = session.history.logs[0].n
    await session.submit(device, messages.TableMove(n, f"takeback-{next(KEYS):06}", "ask-takeback", n // 2))
    return len(session.history.table.log)


async def test_a_thought_survives_a_restart_and_is_never_sent() -> None:
    storage = MemoryStorage()
    registry = registry_with(storage)
    session, _ = await new_session(registry)
    thoughts = await play_on(session, STEPS)
    assert decode_thought(thoughts[-1][1]).plan.missions
    again = await registry_with(storage).session(session.id)
    assert again is not session
    assert await again.thought_of(BOT_SIDE) == thoughts[-1][1]
    assert "missions" not in session.whole_record() + account(session, BOT_SIDE)


async def test_a_takeback_restores_the_earlier_thought() -> None:
    registry = registry_with(MemoryStorage())
    session, seat = await new_session(registry)
    thoughts = await play_on(session, STEPS)
    left = await take_back(registry, session, seat)
    before = [thought for number, thought in thoughts if number < left]
    assert 0 < len(before) < len(thoughts)
    assert await session.thought_of(BOT_SIDE) == before[-1] != thoughts[-1][1]
    assert await play_on(session, 40)


def test_only_the_newest_thoughts_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_storage, "THOUGHTS", 3)
    rows = MemoryRows()
    for number in range(6):
        game_storage.add_thought(rows, "seat", ThoughtRow(number, bytes([number // 2])))
    assert [row.number for row in rows.find(ThoughtRow, seat="seat")] == [0, 2, 4]
    game_storage.forget_thoughts(rows, ["seat"], 3)
    assert game_storage.last_thought(rows, "seat") == bytes([1])


ROOT: Final = Path(__file__).parents[2]
RAW: Final = {
    ("frederick", "captain"): "frederick.jsonl",
    ("frederick", "colonel"): "colonel.jsonl",
    ("campaigns", "captain"): "campaigns.jsonl",
}
each_level = pytest.mark.parametrize(
    ("ruleset", "bot", "published"), [(*which, score) for which, one in MEASURED.items() for score in one.scores]
)  # fmt: skip


def measured_row(ruleset: str, bot: str, games: str) -> LadderRow:
    pairs = read_results(ROOT / "bench" / "ladder" / RAW[ruleset, bot], Pair)
    bots, whole = (bot, MEASURED[ruleset, bot].rival), games == "whole wars"
    matches = [(pair, pair.match) for pair in pairs if (pair.match.scenario == "campaign") == whole]
    return standing([pair for pair, match in matches if (match.ruleset, match.bots) == (ruleset, bots)])


@each_level
def test_published_scores_match_the_measured_games(ruleset: str, bot: str, published: MatchScore) -> None:
    games = measured_row(ruleset, bot, published.games)
    assert (published.score, published.spread, published.pairs) == (
        round(100 * games.score), round(100 * games.spread), games.pairs,
    )  # fmt: skip
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{bot}` ("))
    assert f"{published.score} % (± {published.spread} %) of {published.pairs} pairs of {published.games}" in row
    assert f"against `{MEASURED[ruleset, bot].rival}`" in row


def test_the_list_of_bots_describes_their_strength(tmp_path: Path) -> None:
    server = TestServer(tmp_path / "games")
    server.start()
    bots = {line["name"]: line["bots"] for line in new_caller(server.port).get("/api/rulesets").json}
    close_clients()
    server.stop()
    for name in ("frederick", "campaigns"):
        listed = {bot["name"]: (bot["title"], bot["text"]) for bot in bots[name]}
        assert listed == {bot: (LEVELS[bot][0], sentence_of(name, bot)) for bot in bots_for(name)}
        assert len({text for _, text in listed.values()}) == len(listed)
    for (name, bot), games in MEASURED.items():
        text = next(line["text"] for line in bots[name] if line["name"] == bot)
        assert text.startswith(LEVELS[bot][1])
        assert LEVELS[games.rival][0] in text
        for one in games.scores:
            assert f"{one.score} % (± {one.spread}) in {one.pairs} pairs of {one.games}" in text


RULES: Final = ruleset("frederick")
ME: Final = DeviceCaller("my key", "a browser")


def test_a_bot_resigns_after_some_hopeless_turns() -> None:
    mind = Thought("frederick", 0, 1)
    for turn in range(1, TURNS):
        mind = note_win_chance(note_win_chance(mind, 0.0, (1757, turn)), 0.0, (1757, turn))
        assert is_judged(mind, (1757, turn))
        assert not resigns(mind)
    assert resigns(note_win_chance(mind, 0.0, (1757, TURNS)))
    better = note_win_chance(mind, 0.3, (1757, TURNS))
    assert not resigns(note_win_chance(better, 0.0, (1757, TURNS + 1)))


def middle_state(rules: TableRuleset, options: Mapping[str, str]) -> object:
    state, rng = rules.new_game("1757", options), Random(3)
    for _ in range(60):
        actor = rules.pending(state)[0].actor
        action = rules.chances(state)[0][0] if actor == CHANCE else rules.legal_actions(state, actor).sample(rng)
        state = rules.apply(state, actor, action).state
    return state


@pytest.mark.parametrize(("name", "options"), [("frederick", {}), ("campaigns", {"hidden": "yes"})])
def test_win_estimates_and_orders_depend_only_on_the_view(name: str, options: Mapping[str, str]) -> None:
    rules, rng, value = load(name), Random(1), value_of(name)
    state = middle_state(rules, options)
    for side in (0, 1):
        world = rules.sample_state(rules.view(state, side), rng)
        assert world != state
        assert value.chance(world) != value.chance(state)
        estimates = [
            estimate_win_chance(rules, sample_likely_state, value, rules.encode_view(rules.view(one, side)), side)
            for one in (state, world)
        ]
        assert estimates[0] == estimates[1]
        bytes_of = [
            workers.Brief(name, "", rules.encode_view(rules.view(one, side)), side, b"", "captain", 5)
            for one in (state, world)
        ]
        if any(pending.actor == side for pending in rules.pending(state)):
            assert answer(bytes_of[0]) == answer(bytes_of[1])


@pytest.mark.parametrize("name", RULESETS)
def test_a_bot_declines_a_draw_at_the_start(name: str) -> None:
    value, rules = value_of(name), load(name)
    for scenario in rules.scenarios:
        state = rules.new_game(scenario, {})
        views = [rules.encode_view(rules.view(state, side)) for side in (0, 1)]
        assert not [
            side
            for side in (0, 1)
            if accepts_draw(estimate_win_chance(rules, sample_likely_state, value, views[side], side))
        ], scenario


def run_at_game(
    work: Callable[[GameSession, DeviceSession, BotDrivers], Awaitable[None]],
    machines: BotDrivers | None = None,
    name: str = "frederick",
) -> None:

    async def play() -> None:
        bots, clock = machines or BotDrivers(run_inline, 1), count(1)
        registry = GameRegistry(
            MemoryStorage(),
            bots,
            run_inline,
            lambda: f"2026-01-01T00:00:{next(clock):02}",
            lambda: Key.from_seed("hope"),
        )
        made = await make_game(registry, ME, messages.NewGame(("me", "captain"), name))
        session = await registry.session(made.game)
        await settle(session, bots)
        await work(session, await registry.devices.find(made.seats[0].seat, ME.lock), bots)
        await bots.close()

    asyncio.run(play())


async def settle(session: GameSession, machines: BotDrivers) -> None:
    while machines.is_busy(session.id):
        await asyncio.sleep(0)


async def chat_of(session: GameSession) -> list[tuple[int, str]]:
    rows = await session.storage.read(lambda rows: rows.find(ChatRow, game=session.id))
    return [(row.side, row.text) for row in rows]


async def offer(session: GameSession, device: DeviceSession) -> None:
    n = session.history.logs[0].n
    await session.submit(device, messages.TableMove(n, f"offer-{next(KEYS):08}", "offer-draw"))


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize(("chance", "words"), [(0.08, drivers.ACCEPTS), (0.12, drivers.DECLINES)])
def test_a_bot_accepts_a_draw_only_with_a_low_win_estimate(
    monkeypatch: pytest.MonkeyPatch, chance: float, words: str, name: str
) -> None:
    monkeypatch.setattr(workers, "estimate_win_chance", lambda *_: chance)

    async def play(session: GameSession, device: DeviceSession, machines: BotDrivers) -> None:
        await offer(session, device)
        await settle(session, machines)
        kinds = [offer.kind for offer in session.proposals.values()]
        assert kinds == ([] if words == drivers.ACCEPTS else ["declined-draw"])
        assert (session.history.outcome is not None) is (words == drivers.ACCEPTS)
        assert await chat_of(session) == [(BOT_SIDE, words)]
        if session.history.outcome is None:
            await offer(session, device)
            await settle(session, machines)
            assert await chat_of(session) == [(BOT_SIDE, words)], "the reply is not repeated"

    run_at_game(play, name=name)


def test_a_bot_without_a_win_estimate_declines_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(name: str) -> None:
        raise UnreadableFile(f"{name}: the learned value was changed")

    monkeypatch.setattr(workers, "value_of", lost)

    async def play(session: GameSession, device: DeviceSession, machines: BotDrivers) -> None:
        await offer(session, device)
        await settle(session, machines)
        assert await chat_of(session) == [(BOT_SIDE, drivers.DECLINES)]
        assert session.history.outcome is None

    run_at_game(play)


@pytest.mark.parametrize("name", RULESETS)
def test_a_bot_resigns_a_hopeless_game(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    rules = load(name)
    state: object = rules.new_game("1757", {})
    while (side := rules.pending(state)[0].actor) == CHANCE:
        state = rules.apply(state, CHANCE, rules.chances(state)[0][0]).state
    view = rules.encode_view(rules.view(state, side))
    mind = Thought(name, as_side(side), 1, notes={"hopeless": TURNS - 1, "judged": 175618})
    asked = workers.Brief(name, "", view, side, encode_thought(mind), "captain", 5)
    assert answer(asked).order != RESIGN
    monkeypatch.setattr(workers, "estimate_win_chance", lambda *_: 0.0)
    found = answer(asked)
    assert found.order == RESIGN
    assert decode_thought(found.after).notes["hopeless"] == TURNS


class ScriptedDrivers(BotDrivers):
    def __init__(self, *answers: Answer | type[TimeoutError] | None) -> None:
        super().__init__(run_inline, 1)
        self._answers = list(answers)
        self.patience: list[float] = []

    async def attempt(self, work: Any, brief: Brief, seconds: float) -> Any:
        self.patience.append(seconds)
        found = self._answers.pop(0) if self._answers else await super().attempt(work, brief, seconds)
        if found is TimeoutError:
            raise found
        return found


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (Answer(RESIGN), drivers.RESIGNS),
        (Answer("", word="version 7"), drivers.ANEW),
        (None, drivers.NO_ORDER),
        (Answer("no order at all"), drivers.NO_ORDER),
    ],
)
def test_a_bot_announces_unusual_actions_in_the_chat(first: Answer | None, words: str) -> None:
    async def play(session: GameSession, device: DeviceSession, machines: BotDrivers) -> None:
        assert await chat_of(session) == [(BOT_SIDE, words)]
        assert (session.history.outcome is not None) is (words == drivers.RESIGNS)

    run_at_game(play, ScriptedDrivers(first))


def test_a_bot_announces_long_thinking_once() -> None:
    slow = ScriptedDrivers(TimeoutError)

    async def play(session: GameSession, device: DeviceSession, machines: BotDrivers) -> None:
        assert await chat_of(session) == [(BOT_SIDE, drivers.THINKS)]
        assert slow.patience[:3] == [drivers.SHORT, drivers.LONG, drivers.SHORT]
        assert len(session.history.record) > 0, "the bot continued to play"

    run_at_game(play, slow)

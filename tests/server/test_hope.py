import asyncio
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from random import Random
from typing import Final

import pytest

from leuthen.engine.ruleset import CHANCE, as_side
from leuthen.load import RULESETS, Unreadable, believed_world, load, ruleset, value_of
from leuthen.play.dice import Key
from leuthen.play.record import RESIGN
from leuthen.screen.presenter import TableRuleset
from leuthen.server.bots import drivers, thinking
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.thinking import Answer, Thinkers, answer
from leuthen.server.session import messages
from leuthen.server.session.create import make_game
from leuthen.server.session.device_sessions import DeviceSession, Visitor
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.registry import GameRegistry
from leuthen.storage.games import find_chat
from leuthen.wargame.bot.hope import TURNS, accepts_draw, hope, is_judged, judged, resigns
from leuthen.wargame.plans import Thought, decode_thought, encode_thought
from tests.server.alone import here
from tests.server.memory import MemoryStorage

RULES: Final = ruleset("frederick")
ME: Final = Visitor("my key", "a browser")
MACHINE: Final = 1
KEYS = count(1)


def test_a_general_resigns_after_some_hopeless_turns_and_hopes_again_meanwhile() -> None:
    mind = Thought("frederick", 0, 1)
    for turn in range(1, TURNS):
        mind = judged(judged(mind, 0.0, (1757, turn)), 0.0, (1757, turn))
        assert is_judged(mind, (1757, turn))
        assert not resigns(mind)
    assert resigns(judged(mind, 0.0, (1757, TURNS)))
    better = judged(mind, 0.3, (1757, TURNS))
    assert not resigns(judged(better, 0.0, (1757, TURNS + 1)))


def middle(rules: TableRuleset, options: Mapping[str, str]) -> object:
    state, rng = rules.new_game("1757", options), Random(3)
    for _ in range(60):
        actor = rules.pending(state)[0].actor
        action = rules.chances(state)[0][0] if actor == CHANCE else rules.legal_actions(state, actor).sample(rng)
        state = rules.apply(state, actor, action).state
    return state


@pytest.mark.parametrize(("name", "options"), [("frederick", {}), ("campaigns", {"hidden": "yes"})])
def test_what_a_side_hopes_for_is_the_same_in_every_world_of_its_view(name: str, options: Mapping[str, str]) -> None:
    rules, rng, value = load(name), Random(1), value_of(name)
    state = middle(rules, options)
    for side in (0, 1):
        world = rules.worlds(rules.view(state, side), rng)
        assert world != state
        assert value.chance(world) != value.chance(state)
        hopes = [
            hope(rules, believed_world, value, rules.encode_view(rules.view(one, side)), side) for one in (state, world)
        ]
        assert hopes[0] == hopes[1]
        bytes_of = [
            thinking.BotTask("captain", name, side, rules.encode_view(rules.view(one, side)), 5)
            for one in (state, world)
        ]
        if any(pending.actor == side for pending in rules.pending(state)):
            assert answer(bytes_of[0]) == answer(bytes_of[1])


def test_who_has_lost_his_armies_hopes_for_less() -> None:
    state, value = RULES.new_game("from-1758", {}), value_of("frederick")
    for side in (0, 1):
        left = {key: stack for key, stack in state.stacks.items() if stack.side != side or stack.inside}
        robbed = RULES.state_of({**{name: getattr(state, name) for name in state.FIELDS}, "stacks": left})
        hopes = [
            hope(RULES, believed_world, value, RULES.encode_view(RULES.view(one, side)), side)
            for one in (state, robbed)
        ]
        assert hopes[1] < hopes[0] - 0.05


@pytest.mark.parametrize("name", RULESETS)
def test_no_machine_takes_a_draw_before_anything_has_happened(name: str) -> None:
    value, rules = value_of(name), load(name)
    for scenario in rules.scenarios:
        state = rules.new_game(scenario, {})
        views = [rules.encode_view(rules.view(state, side)) for side in (0, 1)]
        assert not [side for side in (0, 1) if accepts_draw(hope(rules, believed_world, value, views[side], side))], (
            scenario
        )


def at_table(
    work: Callable[[GameSession, DeviceSession, BotDrivers], Awaitable[None]],
    thinkers: Thinkers | None = None,
    name: str = "frederick",
) -> None:

    async def play() -> None:
        machines, clock = BotDrivers(thinkers or Thinkers(here, 1)), count(1)
        registry = GameRegistry(
            MemoryStorage(), machines, here, lambda: f"2026-01-01T00:00:{next(clock):02}", lambda: Key.from_seed("hope")
        )
        made = await make_game(registry, ME, messages.NewGame(("me", "captain"), name))
        session = await registry.session(made.game)
        await quiet(session, machines)
        await work(session, await registry.devices.find(made.seats[0].seat, ME.lock), machines)
        await machines.close()

    asyncio.run(play())


async def quiet(session: GameSession, machines: BotDrivers) -> None:
    while machines.is_busy(session.id):
        await asyncio.sleep(0)


async def said(session: GameSession) -> list[tuple[int, str]]:
    rows = await session.storage.read(lambda rows: find_chat(rows, session.id))
    return [(row.side, row.text) for row in rows]


async def offer(session: GameSession, device: DeviceSession) -> None:
    n = session.history.logs[0].n
    await session.submit(device, messages.TableMove(n, f"offer-{next(KEYS):08}", "offer-draw"))


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize(("chance", "words"), [(0.08, drivers.ACCEPTS), (0.12, drivers.DECLINES)])
def test_a_machine_takes_the_draw_that_is_more_than_it_expects(
    monkeypatch: pytest.MonkeyPatch, chance: float, words: str, name: str
) -> None:
    monkeypatch.setattr(thinking, "hope", lambda *_: chance)

    async def play(session: GameSession, device: DeviceSession, machines: BotDrivers) -> None:
        await offer(session, device)
        await quiet(session, machines)
        kinds = [offer.kind for offer in session.proposals.values()]
        assert kinds == ([] if words == drivers.ACCEPTS else ["declined-draw"])
        assert (session.history.outcome is not None) is (words == drivers.ACCEPTS)
        assert await said(session) == [(MACHINE, words)]
        if session.history.outcome is None:
            await offer(session, device)
            await quiet(session, machines)
            assert await said(session) == [(MACHINE, words)], "it does not repeat itself"

    at_table(play, name=name)


def test_a_machine_that_cannot_say_what_it_hopes_for_declines(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(name: str) -> None:
        raise Unreadable(f"{name}: the learned value was changed")

    monkeypatch.setattr(thinking, "value_of", lost)

    async def play(session: GameSession, device: DeviceSession, machines: BotDrivers) -> None:
        await offer(session, device)
        await quiet(session, machines)
        assert await said(session) == [(MACHINE, drivers.DECLINES)]
        assert session.history.outcome is None

    at_table(play)


@pytest.mark.parametrize("name", RULESETS)
def test_a_machine_resigns_what_is_hopeless_and_says_so(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    rules = load(name)
    state: object = rules.new_game("1757", {})
    while (side := rules.pending(state)[0].actor) == CHANCE:
        state = rules.apply(state, CHANCE, rules.chances(state)[0][0]).state
    view = rules.encode_view(rules.view(state, side))
    mind = Thought(name, as_side(side), 1, notes={"hopeless": TURNS - 1, "judged": 175618})
    asked = thinking.BotTask("captain", name, side, view, 5, before=encode_thought(mind))
    assert answer(asked).order != RESIGN
    monkeypatch.setattr(thinking, "hope", lambda *_: 0.0)
    found = answer(asked)
    assert found.order == RESIGN
    assert decode_thought(found.after).notes["hopeless"] == TURNS


class Scripted(Thinkers):
    def __init__(self, answers: list[Answer | None]) -> None:
        super().__init__(here, 1)
        self._answers = answers

    async def think(self, thought: thinking.BotTask, patience: float) -> Answer | None:
        return self._answers.pop(0) if self._answers else await super().think(thought, patience)


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (Answer(RESIGN), drivers.RESIGNS),
        (Answer("", word="version 7"), drivers.ANEW),
        (None, drivers.NO_ORDER),
        (Answer("no order at all"), drivers.NO_ORDER),
    ],
)
def test_the_player_is_told_what_a_machine_does_beside_its_orders(first: Answer | None, words: str) -> None:
    async def play(session: GameSession, device: DeviceSession, machines: BotDrivers) -> None:
        assert await said(session) == [(MACHINE, words)]
        assert (session.history.outcome is not None) is (words == drivers.RESIGNS)

    at_table(play, Scripted([first]))


class Slow(Thinkers):
    def __init__(self) -> None:
        super().__init__(here, 1)
        self.patience: list[float] = []

    async def think(self, thought: thinking.BotTask, patience: float) -> Answer | None:
        self.patience.append(patience)
        if len(self.patience) == 1:
            raise TimeoutError
        return await super().think(thought, patience)


def test_a_machine_that_thinks_long_says_so_once_and_has_more_time_where_the_host_is_slow() -> None:
    slow = Slow()

    async def play(session: GameSession, device: DeviceSession, machines: BotDrivers) -> None:
        assert await said(session) == [(MACHINE, drivers.THINKS)]
        assert slow.patience[:3] == [drivers.SHORT, drivers.LONG, drivers.SHORT]
        assert len(session.history.record) > 0, "it played on"

    at_table(play, slow)

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, EVERYTHING, Side
from leuthen.load import RULESETS, load, make_level
from leuthen.rulesets.frederick.bot import captain
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES
from leuthen.simulate.run import GameTask, Match, play_one
from tests.bots import wars
from tests.prove.sample import EVERY

Observe = Callable[[Any, Any, Side], Any]


class War(NamedTuple):
    ruleset: str
    scenario: str
    until: tuple[int, int]
    interval: int
    options: Mapping[str, str] = {}


WARS: tuple[War, ...] = (
    War("frederick", "campaign", (1757, 4), 9),
    War("campaigns", "1757", (1757, 3), 9, {"hidden": "yes"}),
)
WORLDS = 1
if EVERY:
    WARS = tuple(war._replace(scenario="campaign", until=(1763, 0), interval=25) for war in WARS)
    WORLDS = 2


class BotDecision(NamedTuple):
    state: Any
    side: Side
    before: bytes
    answer: Action
    after: bytes


def honest_view(rules: Any, state: Any, side: Side) -> Any:
    return rules.decode_view(rules.encode_view(rules.view(state, side)))


def decide(
    war: War, level: str, state: Any, side: Side, before: bytes, observe: Observe = honest_view
) -> tuple[Action, bytes]:
    rules: Any = load(war.ruleset)
    bot = make_level(war.ruleset, level, side, 7)
    bot.thought = before
    pending = next(one for one in rules.pending(state) if one.actor == side)
    action = bot.choose(lambda: observe(rules, state, side), rules.legal_actions(state, side), pending)
    assert isinstance(action, Action)
    return action, bot.thought


def bot_decisions(war: War, level: str, seed: int, observe: Observe = honest_view) -> Iterator[BotDecision]:
    rules: Any = load(war.ruleset)
    rng, state = Random(seed), rules.new_game(war.scenario, war.options)
    thoughts = [b"", b""]
    while rules.date(state) < war.until and (awaited := rules.pending(state)):
        side = awaited[0].actor
        if side == CHANCE:
            outcomes = rules.chances(state)
            action = outcomes[int(rng.random() * len(outcomes))][0]
        else:
            before = thoughts[side]
            action, thoughts[side] = decide(war, level, state, side, before, observe)
            yield BotDecision(state, side, before, action, thoughts[side])
        state = rules.apply(state, side, action).state


def differences(war: War, level: str, seed: int, observe: Observe = honest_view) -> Iterator[str]:
    rules: Any = load(war.ruleset)
    rng = Random(seed)
    for number, decision in enumerate(bot_decisions(war, level, seed, observe)):
        for _ in range(WORLDS if number % war.interval == 0 else 0):
            world = rules.sample_state(rules.view(decision.state, decision.side), rng)
            if decide(war, level, world, decision.side, decision.before, observe) != (decision.answer, decision.after):
                yield f"{rules.date(decision.state)}, decision {number}"


def peeking_view(rules: Any, state: Any, side: Side) -> Any:
    true = {stack.key: stack.least for stack in rules.view(state, EVERYTHING).stacks}
    view = rules.view(state, side)
    shown = [msgspec.structs.replace(one, low=true[one.key], high=true[one.key]) for one in view.stacks]
    return view.replace(stacks=tuple(shown))


@pytest.fixture(autouse=True)
def small_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(captain, "CAMPAIGNS", 2)
    monkeypatch.setattr(captain, "ORDERS", 2)
    monkeypatch.setattr(captain, "OTHER_GOALS", 2)


LEVELS = [(war, level) for war in WARS for level in RULESETS[war.ruleset].levels]
if not EVERY:
    LEVELS = [
        (war._replace(until=(1757, 1), interval=20) if level == "colonel" else war, level) for war, level in LEVELS
    ]
levels = pytest.mark.parametrize(("war", "level"), LEVELS, ids=lambda one: getattr(one, "ruleset", one))


@levels
def test_a_bot_decides_the_same_in_every_world_of_its_view(war: War, level: str) -> None:
    assert list(differences(war, level, 2)) == []


@levels
def test_a_bot_that_peeks_is_detected(war: War, level: str) -> None:
    assert next(differences(war, level, 2, peeking_view), None) is not None


OPTIONS = (("rules", "base"), ("need25", "yes"), ("hidden", "yes"))


@pytest.mark.parametrize(
    ("name", "scenario", "side", "options"),
    [
        *(("frederick", "campaign", side, {}) for side in SIDES),
        ("campaigns", "1756", PRUSSIAN, {"hidden": "yes"}),
        ("campaigns", "1757", AUSTRIAN, {}),
        *(("campaigns", "1758", PRUSSIAN, {}), ("campaigns", "1759", AUSTRIAN, {})) * EVERY,
    ],
)
@pytest.mark.parametrize("game", range(3 if EVERY else 1))
def test_the_captain_beats_the_random_bot(
    name: str, scenario: str, side: int, options: dict[str, str], game: int
) -> None:
    bots = ("captain", "random") if side == PRUSSIAN else ("random", "captain")
    line = play_one(load(name), GameTask(Match(name, "", scenario, options, bots, "random beaten"), game))
    assert line["winner"] == load(name).sides[side]


@pytest.mark.parametrize(
    ("name", "scenario", "options"),
    [
        ("frederick", "campaign", {"last-year": "1757", "march-die": "force"}),
        ("frederick", "campaign", {"last-year": "1757", "besieged-redeployment": "barred"}),
        ("frederick", "campaign", {"last-year": "1756"}),
        *(("campaigns", "prague", dict([option])) for option in OPTIONS),
    ],
)
def test_the_captain_plays_with_every_option(name: str, scenario: str, options: dict[str, str]) -> None:
    match = Match(name, "", scenario, options, ("captain", "captain"), "options")
    assert play_one(load(name), GameTask(match, 0))["how"]


def test_the_deployment_garrisons_every_fortress() -> None:
    state = next(
        state for state, _ in wars.War("frederick", "campaign", (1757, 0)).positions(1) if state.phasing in SIDES
    )
    held = [{stack.hex for stack in state.own(side) if stack.inside} for side in SIDES]
    for here, fort in state.data.fortresses.items():
        assert fort.power not in SIDES or here in held[fort.power], fort.name

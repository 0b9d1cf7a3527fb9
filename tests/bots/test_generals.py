from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, EVERYTHING, Side
from leuthen.load import RULESETS, load, make_level
from leuthen.rulesets.frederick.bot import search
from leuthen.wargame.plans import VERSION, decode_thought
from tests.prove.sample import EVERY

See = Callable[[Any, Any, Side], Any]


class War(NamedTuple):
    ruleset: str
    scenario: str
    until: tuple[int, int]
    often: int
    options: Mapping[str, str] = {}


WARS: tuple[War, ...] = (
    War("frederick", "campaign", (1757, 4), 9),
    War("campaigns", "1757", (1757, 3), 9, {"hidden": "yes"}),
)
WORLDS = 1
if EVERY:
    WARS = tuple(war._replace(scenario="campaign", until=(1763, 0), often=25) for war in WARS)
    WORLDS = 2


class Moment(NamedTuple):
    state: Any
    side: Side
    before: bytes
    answer: Action
    after: bytes


def honest(rules: Any, state: Any, side: Side) -> Any:
    return rules.decode_view(rules.encode_view(rules.view(state, side)))


def answer(war: War, level: str, state: Any, side: Side, before: bytes, see: See = honest) -> tuple[Action, bytes]:
    rules: Any = load(war.ruleset)
    general = make_level(war.ruleset, level, side, 7)
    general.thought = before
    pending = next(one for one in rules.pending(state) if one.actor == side)
    action = general.choose(lambda: see(rules, state, side), rules.legal_actions(state, side), pending)
    assert isinstance(action, Action)
    return action, general.thought


def moments(war: War, level: str, seed: int, see: See = honest) -> Iterator[Moment]:
    rules: Any = load(war.ruleset)
    rng, state = Random(seed), rules.new_game(war.scenario, war.options)
    thoughts = [b"", b""]
    while rules.date(state) < war.until and (awaited := rules.pending(state)):
        side = awaited[0].actor
        if side == CHANCE:
            answers = rules.chances(state)
            action = answers[int(rng.random() * len(answers))][0]
        else:
            before = thoughts[side]
            action, thoughts[side] = answer(war, level, state, side, before, see)
            yield Moment(state, side, before, action, thoughts[side])
        state = rules.apply(state, side, action).state


def differences(war: War, level: str, seed: int, see: See = honest) -> Iterator[str]:
    rules: Any = load(war.ruleset)
    rng = Random(seed)
    for number, moment in enumerate(moments(war, level, seed, see)):
        for _ in range(WORLDS if number % war.often == 0 else 0):
            world = rules.sample_state(rules.view(moment.state, moment.side), rng)
            if answer(war, level, world, moment.side, moment.before, see) != (moment.answer, moment.after):
                yield f"{rules.date(moment.state)}, decision {number}"


def peeking(rules: Any, state: Any, side: Side) -> Any:
    true = {stack.key: stack.least for stack in rules.view(state, EVERYTHING).stacks}
    view = rules.view(state, side)
    seen = [msgspec.structs.replace(one, low=true[one.key], high=true[one.key]) for one in view.stacks]
    return view.replace(stacks=tuple(seen))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "CAMPAIGNS", 2)
    monkeypatch.setattr(search, "ORDERS", 2)
    monkeypatch.setattr(search, "OTHER_GOALS", 2)


LEVELS = [(war, level) for war in WARS for level in RULESETS[war.ruleset].levels]
if not EVERY:
    LEVELS = [(war._replace(until=(1757, 1), often=20) if level == "colonel" else war, level) for war, level in LEVELS]
levels = pytest.mark.parametrize(("war", "level"), LEVELS, ids=lambda one: getattr(one, "ruleset", one))


@levels
def test_in_another_world_of_the_view_he_thinks_the_same(war: War, level: str) -> None:
    assert list(differences(war, level, 2)) == []


@levels
def test_a_general_who_peeks_is_found(war: War, level: str) -> None:
    assert next(differences(war, level, 2, peeking), None) is not None


@levels
def test_a_thought_of_another_version_is_dropped_and_that_is_said(war: War, level: str) -> None:
    moment = next(moment for moment in moments(war, level, 3) if moment.after)
    old = msgspec.json.encode(msgspec.structs.replace(decode_thought(moment.after), version=VERSION + 1))
    general = make_level(war.ruleset, level, moment.side, 7)
    general.thought = old
    assert f"version {VERSION + 1}" in general.word
    assert general.thought == b""

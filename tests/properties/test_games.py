import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.codec import digest_of
from leuthen.engine.decision import Roll
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE
from leuthen.load import RULESETS
from tests.properties.checks import check_step
from tests.properties.games import CAMPAIGN, Kind, Step, game, rules, seeds

OTHER = {"march-die": "force", "morale-target": "5", "hanover-note": "marked", "besieged-redeployment": "barred"}


@pytest.mark.parametrize("seed", seeds(6))
def test_what_holds_in_every_position(seed: int) -> None:
    options = {**OTHER, "last-year": "1759"} if seed % 3 == 2 else {}
    for number, step in enumerate(game(seed, CAMPAIGN._replace(options=options))):
        check_step(step, step.name, number)
    assert step.after.outcome is not None
    assert step.after.year <= step.after.options.last_year


KINDS = (
    Kind("frederick", "campaign", {"last-year": "1757"}),
    Kind("campaigns", "1757", {"rules": "einhorn"}),
    Kind("campaigns", "1758", {"rules": "base"}),
)
BY_NAME = {kind.name: kind for kind in KINDS}


@cache
def short_game(name: str, seed: int) -> tuple[Step, ...]:
    return tuple(game(seed, BY_NAME[name]))


def games(number: int) -> Callable[..., Any]:
    return pytest.mark.parametrize(("name", "seed"), [(name, seed) for name in BY_NAME for seed in seeds(number)])


def test_every_rule_set_is_played() -> None:
    assert {kind.ruleset for kind in KINDS} == set(RULESETS)


@games(2)
def test_a_position_survives_its_text(name: str, seed: int) -> None:
    door = rules(BY_NAME[name].ruleset)
    for step in short_game(name, seed)[::5]:
        text = door.dump(step.after)
        again = door.restore(text)
        assert again == step.after, step.name
        assert hash(again) == hash(step.after), step.name
        assert door.dump(again) == text, step.name


@games(2)
def test_apply_leaves_the_old_position_alone(name: str, seed: int) -> None:
    door = rules(BY_NAME[name].ruleset)
    for step in short_game(name, seed)[::5]:
        before = door.dump(step.before)
        result = door.apply(step.before, step.actor, step.action)
        assert door.dump(step.before) == before, step.name
        assert result.state == step.after, f"{step.name}: the same action has two results"
        assert result.facts == step.transition.facts, step.name


@games(2)
def test_a_game_told_again_is_the_same(name: str, seed: int) -> None:
    kind = BY_NAME[name]
    door = rules(kind.ruleset)
    state = door.new_game(kind.scenario, kind.options)
    for step in short_game(name, seed):
        line = door.format_action(state, step.actor, step.action)
        action = door.parse_action(state, step.actor, line)
        assert action == step.action, f'{step.name}: "{line}" was read as {action}'
        state = door.apply(state, step.actor, action).state
    assert digest_of(door, state) == digest_of(door, short_game(name, seed)[-1].after)
    assert door.outcome(state) is not None


@pytest.mark.parametrize("name", BY_NAME)
def test_another_process_plays_the_same_game(name: str) -> None:
    seed = seeds(1)[0]
    words = f"from tests.properties.test_games import digest; print(digest({name!r}, {seed}))"
    call = [sys.executable, "-c", words]
    home, world = Path(__file__).parents[2], {**os.environ, "PYTHONHASHSEED": "77"}
    ran = subprocess.run(call, cwd=home, env=world, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == digest(name, seed)


def digest(name: str, seed: int) -> str:
    found: str = digest_of(rules(BY_NAME[name].ruleset), short_game(name, seed)[-1].after)
    return found


def spoiled(action: Any, rng: Random) -> Any:
    name = rng.choice(action.__struct_fields__ or ("",))
    value = getattr(action, name, None)
    if isinstance(value, bool):
        return msgspec.structs.replace(action, **{name: not value})
    if isinstance(value, int):
        return msgspec.structs.replace(action, **{name: value + rng.choice((1, -1, 48, 1 << 16, -value, 3 - value))})
    if isinstance(value, tuple):
        longer = (*value, rng.randrange(70)) if rng.random() < 0.5 else value[1:]
        return msgspec.structs.replace(action, **{name: longer})
    return Roll(rng.randrange(9))


def refused(door: Any, state: Any, actor: int, action: Any) -> bool:
    before = door.dump(state)
    refusal = door.why_not(state, actor, action)
    if refusal is None:
        door.apply(state, actor, action)
    else:
        assert refusal.text
        with pytest.raises(Illegal) as caught:
            door.apply(state, actor, action)
        assert caught.value.refusal == refusal
    assert door.dump(state) == before
    return refusal is not None


@games(2)
def test_wrong_actions_are_refused_and_change_nothing(name: str, seed: int) -> None:
    door, rng, counts = rules(BY_NAME[name].ruleset), Random(seed), [0, 0]
    for step in short_game(name, seed)[::3]:
        if step.actor != CHANCE:
            counts[refused(door, step.before, step.actor, spoiled(step.action, rng))] += 1
            asked = {one.actor for one in door.pending(step.before)}
            if len(asked) == 1:
                assert refused(door, step.before, 1 - step.actor, step.action), step.name
        else:
            assert refused(door, step.before, CHANCE, Roll(rng.choice((0, 13, -1))))
            assert refused(door, step.before, rng.randrange(2), step.action)
    assert counts[True] > counts[False] > 0, f"{name}, seed {seed}: {counts}"


@games(1)
def test_a_finished_game_takes_no_action(name: str, seed: int) -> None:
    door, end = rules(BY_NAME[name].ruleset), short_game(name, seed)[-1].after
    assert door.pending(end) == ()
    assert door.chances(end) == ()
    assert all(refused(door, end, step.actor, step.action) for step in short_game(name, seed)[:40])


@pytest.mark.parametrize("name", BY_NAME)
def test_a_spoiled_text_is_refused(name: str) -> None:
    door = rules(BY_NAME[name].ruleset)
    state = short_game(name, seeds(1)[0])[200].after
    text, rng, invalid = door.dump(state), Random(5), 0
    for _ in range(60):
        cut = rng.randrange(len(text))
        try:
            again = door.restore(text[:cut] + text[cut + 1 + rng.randrange(3) :])
        except Invalid:
            invalid += 1
            continue
        assert isinstance(again, type(state))
    assert invalid > 20

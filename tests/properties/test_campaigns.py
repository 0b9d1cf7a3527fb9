"""Random campaigns keep what must hold, end, and can be told again (seeds stand in every message)."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.core.refusal import Illegal, Invalid
from leuthen.core.ruleset import CHANCE
from leuthen.frederick.actions import Roll
from leuthen.frederick.codec import dump, restore
from leuthen.frederick.state import State
from tests.properties.checks import check_position, check_strength_points
from tests.properties.games import Step, game, rules, seeds

SHORT = {"last-year": "1757"}
OTHER = {"march-die": "force", "morale-target": "5", "hanover-note": "marked", "besieged-redeployment": "barred"}


@cache
def short_game(seed: int) -> tuple[Step, ...]:
    return tuple(game(seed, SHORT))


@pytest.mark.parametrize("seed", seeds(6))
def test_what_holds_in_every_position(seed: int) -> None:
    options = {**OTHER, "last-year": "1759"} if seed % 3 == 2 else {}
    for number, step in enumerate(game(seed, options)):
        check_strength_points(step)
        if number % 3 == 0 or number < 100:
            check_position(step.after, step.name)
    assert step.after.outcome is not None
    assert step.after.year <= step.after.options.last_year


@pytest.mark.parametrize("seed", seeds(2))
def test_a_position_survives_its_text(seed: int) -> None:
    for step in short_game(seed)[::5]:
        text = dump(step.after)
        again = restore(step.after.data, text)
        assert again == step.after, step.name
        assert hash(again) == hash(step.after), step.name
        assert dump(again) == text, step.name


@pytest.mark.parametrize("seed", seeds(2))
def test_apply_leaves_the_old_position_alone(seed: int) -> None:
    door = rules()
    for step in short_game(seed)[::5]:
        before = dump(step.before)
        result = door.apply(step.before, step.actor, step.action)
        assert dump(step.before) == before, step.name
        assert result.state == step.after, f"{step.name}: the same action has two results"
        assert result.facts == step.transition.facts, step.name


@pytest.mark.parametrize("seed", seeds(2))
def test_a_campaign_told_again_is_the_same(seed: int) -> None:
    """By the lines of the record, as `replay` does."""
    door = rules()
    state = door.new_game("campaign", SHORT)
    for step in short_game(seed):
        line = door.format_action(state, step.actor, step.action)
        action = door.parse_action(state, step.actor, line)
        assert action == step.action, f"{step.name}: «{line}» was read as {action}"
        state = door.apply(state, step.actor, action).state
    assert door.digest_of(state) == door.digest_of(short_game(seed)[-1].after)


@pytest.mark.parametrize("hashes", ["1", "77"])
def test_another_process_plays_the_same_campaign(hashes: str) -> None:
    seed = seeds(1)[0]
    words = f"from tests.properties.test_campaigns import digest; print(digest({seed}))"
    call = [sys.executable, "-c", words]
    home, world = Path(__file__).parents[2], {**os.environ, "PYTHONHASHSEED": hashes}
    ran = subprocess.run(call, cwd=home, env=world, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == digest(seed)


def digest(seed: int) -> str:
    """The digest of the last position of a short campaign."""
    found: str = rules().digest_of(short_game(seed)[-1].after)
    return found


def spoiled(action: Any, rng: Random) -> Any:
    """The action with one field changed at random; often illegal."""
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


def refused(state: State, actor: int, action: Any) -> bool:
    """Whether an action is refused, with a rule and a sentence, and changes nothing; else it is legal."""
    door, before = rules(), dump(state)
    refusal = door.why_not(state, actor, action)
    if refusal is None:
        door.apply(state, actor, action)
    else:
        assert refusal.text
        with pytest.raises(Illegal) as caught:
            door.apply(state, actor, action)
        assert caught.value.refusal == refusal
    assert dump(state) == before
    return refusal is not None


@pytest.mark.parametrize("seed", seeds(2))
def test_wrong_actions_are_refused_and_change_nothing(seed: int) -> None:
    rng, counts = Random(seed), [0, 0]
    for step in short_game(seed)[::3]:
        if step.actor != CHANCE:
            counts[refused(step.before, step.actor, spoiled(step.action, rng))] += 1
            asked = {one.actor for one in rules().pending(step.before)}
            if len(asked) == 1:
                assert refused(step.before, 1 - step.actor, step.action), step.name
        else:
            assert refused(step.before, CHANCE, Roll(rng.choice((0, 7, -1))))
            assert refused(step.before, rng.randrange(2), step.action)
    assert counts[True] > counts[False] > 0, f"seed {seed}: {counts}"


@pytest.mark.parametrize("seed", seeds(1))
def test_a_finished_campaign_takes_no_action(seed: int) -> None:
    end = short_game(seed)[-1].after
    assert rules().pending(end) == ()
    assert rules().chances(end) == ()
    assert all(refused(end, step.actor, step.action) for step in short_game(seed)[:40])


def test_a_spoiled_text_is_refused() -> None:
    data, text = rules().data, dump(short_game(seeds(1)[0])[200].after)
    rng = Random(5)
    for _ in range(60):
        cut = rng.randrange(len(text))
        try:
            again = restore(data, text[:cut] + text[cut + 1 + rng.randrange(3) :])
        except Invalid:
            continue
        assert isinstance(again, State)

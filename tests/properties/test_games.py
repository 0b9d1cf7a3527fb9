import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Illegal, Invalid
from tests.properties.checks import check_step
from tests.properties.games import CAMPAIGN, Kind, Step, game, rules, seeds

OTHER = {"march-die": "force", "morale-target": "5", "hanover-note": "marked", "besieged-redeployment": "barred"}


@pytest.mark.parametrize("seed", seeds(6))
def test_the_laws_hold_in_a_random_campaign(seed: int) -> None:
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


@games(2)
def test_apply_does_not_change_the_old_position(name: str, seed: int) -> None:
    ruleset = rules(BY_NAME[name].ruleset)
    for step in short_game(name, seed)[::5]:
        before = ruleset.dump(step.before)
        result = ruleset.apply(step.before, step.actor, step.action)
        assert ruleset.dump(step.before) == before, step.name
        assert result.state == step.after, f"{step.name}: the same action has two results"
        assert result.facts == step.transition.facts, step.name


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


@games(1)
def test_a_finished_game_takes_no_action(name: str, seed: int) -> None:
    ruleset, end = rules(BY_NAME[name].ruleset), short_game(name, seed)[-1].after
    assert ruleset.pending(end) == ()
    assert ruleset.chances(end) == ()
    for step in short_game(name, seed)[:40]:
        with pytest.raises(Illegal):
            ruleset.apply(end, step.actor, step.action)


@pytest.mark.parametrize("name", BY_NAME)
def test_a_damaged_dump_is_refused(name: str) -> None:
    ruleset = rules(BY_NAME[name].ruleset)
    state = short_game(name, seeds(1)[0])[200].after
    text, rng, invalid = ruleset.dump(state), Random(5), 0
    for _ in range(60):
        cut = rng.randrange(len(text))
        try:
            again = ruleset.restore(text[:cut] + text[cut + 1 + rng.randrange(3) :])
        except Invalid:
            invalid += 1
            continue
        assert isinstance(again, type(state))
    assert invalid > 20

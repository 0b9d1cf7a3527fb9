"""Random games for tests, step by step, each named by its seed.

`LEUTHEN_SEED` shifts the seeds, and `LEUTHEN_GAMES` multiplies their number, for a longer search than the default run.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, NamedTuple

from leuthen.engine.ruleset import CHANCE, Transition
from leuthen.load import load
from tests.prove.sample import EVERY, commit_seed

FIRST = int(os.environ.get("LEUTHEN_SEED", "0"))
MORE = int(os.environ.get("LEUTHEN_GAMES", "1"))
RUNAWAY = 60_000


class Kind(NamedTuple):
    ruleset: str
    scenario: str
    options: Mapping[str, str]

    @property
    def name(self) -> str:
        return "-".join((self.ruleset, self.scenario, *self.options.values()))


CAMPAIGN = Kind("frederick", "campaign", {})


class Step(NamedTuple):
    name: str
    before: Any
    actor: int
    action: Any
    transition: Transition

    @property
    def after(self) -> Any:
        return self.transition.state


def rules(name: str = CAMPAIGN.ruleset) -> Any:
    return load(name)


def seeds(number: int) -> list[int]:
    if EVERY or MORE > 1:
        return list(range(FIRST, FIRST + number * MORE))
    return [FIRST + commit_seed()[0] % min(number, 2)]


def game(seed: int, kind: Kind = CAMPAIGN) -> Iterator[Step]:
    ruleset = rules(kind.ruleset)
    yield from play(ruleset.new_game(kind.scenario, kind.options), seed, RUNAWAY, ruleset)


def play(state: Any, seed: int, most: int, ruleset: Any = None) -> Iterator[Step]:
    ruleset, rng = ruleset or rules(), Random(seed)
    for number in range(most):
        if ruleset.outcome(state) is not None:
            return
        actor, action = choice(ruleset, state, rng)
        transition = ruleset.apply(state, actor, action)
        yield Step(f"seed {seed}, action {number}: {actor} {action}", state, actor, action, transition)
        state = transition.state
    raise AssertionError(f"seed {seed}: the game does not end")


def choice(ruleset: Any, state: Any, rng: Random) -> tuple[int, Any]:
    actor = rng.choice(ruleset.pending(state)).actor
    if actor != CHANCE:
        return actor, ruleset.legal_actions(state, actor).sample(rng)
    return actor, rng.choice(ruleset.chances(state))[0]


@cache
def positions(seed: int, every: int) -> tuple[tuple[str, Any], ...]:
    return tuple((step.name, step.after) for number, step in enumerate(game(seed)) if number % every == 0)

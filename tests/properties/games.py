"""Random campaigns for tests: every step of them, each named by its seed.

`LEUTHEN_SEED` shifts the seeds, `LEUTHEN_GAMES` multiplies their number, for a longer search than the default run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

from leuthen.core.ruleset import CHANCE, Transition
from leuthen.frederick.state import State
from leuthen.load import load

FIRST = int(os.environ.get("LEUTHEN_SEED", "0"))
MORE = int(os.environ.get("LEUTHEN_GAMES", "1"))
RUNAWAY = 60_000
"""Actions; a random campaign has about 5,000."""


class Step(NamedTuple):
    """An action of a random campaign, with the position before it and what came of it."""

    name: str
    before: State
    actor: int
    action: Any
    transition: Transition

    @property
    def after(self) -> State:
        state: State = self.transition.state
        return state


def rules() -> Any:
    return load("frederick")


def seeds(number: int) -> range:
    """The seeds of so many games."""
    return range(FIRST, FIRST + number * MORE)


def game(seed: int, options: dict[str, str] | None = None) -> Iterator[Step]:
    """A random campaign, step by step. Raises AssertionError if it does not end."""
    yield from play(rules().new_game("campaign", options or {}), seed, RUNAWAY)


def play(state: State, seed: int, most: int) -> Iterator[Step]:
    """Random play from a position on, to the end. Raises AssertionError if it does not come."""
    door, rng = rules(), Random(seed)
    for number in range(most):
        if state.outcome is not None:
            return
        actor, action = choice(state, rng)
        transition = door.apply(state, actor, action)
        yield Step(f"seed {seed}, action {number}: {actor} {action}", state, actor, action, transition)
        state = transition.state
    raise AssertionError(f"seed {seed}: the campaign does not end")


def choice(state: State, rng: Random) -> tuple[int, Any]:
    """Who answers next, and what."""
    door = rules()
    actor = rng.choice(door.pending(state)).actor
    if actor != CHANCE:
        return actor, door.legal_actions(state, actor).sample(rng)
    return actor, rng.choice(door.chances(state))[0]


@cache
def positions(seed: int, every: int) -> tuple[tuple[str, State], ...]:
    """Each so-many-th position of a random campaign, with its name."""
    return tuple((step.name, step.after) for number, step in enumerate(game(seed)) if number % every == 0)

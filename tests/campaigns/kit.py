"""The second rule set and random games of it, for tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import leuthen
from leuthen.campaigns.game import Campaigns
from leuthen.campaigns.state import State
from leuthen.core.choice import Action
from leuthen.core.ruleset import CHANCE, Transition
from tests.laws.games import FIRST, Moment

SOURCE = Path(leuthen.__file__).parent
ZEAL = {"attack": 9, "besiege": 9, "react": 5, "done": -4, "remove": -20, "hold": -1, "starve": -6, "dismiss": -9}
CALM = 0.25
TRIES = 5


@cache
def rules() -> Campaigns:
    folders = (SOURCE / "data", SOURCE / "campaigns" / "data")
    return Campaigns(
        {
            path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for folder in folders
            for path in folder.rglob("*.csv")
        }
    )


def draw(state: State, actor: int, rng: Random, eager: bool) -> Action:
    """A legal answer at random; an eager player takes the most warlike of a few."""
    game = rules()
    if actor == CHANCE:
        answers, odds = zip(*game.chances(state), strict=True)
        chosen: Action = rng.choices(answers, [float(share) for share in odds])[0]
        return chosen
    legal = game.legal_actions(state, actor)
    if not eager or rng.random() < CALM:
        action: Action = legal.sample(rng)
        return action
    tried: list[Action] = [legal.sample(rng) for _ in range(TRIES)]
    return max(tried, key=lambda one: warlike(state, actor, one) + rng.random())


def warlike(state: State, actor: int, action: Action) -> float:
    """How much an action looks for a fight."""
    path = getattr(action, "path", ())
    if not path:
        return ZEAL.get(action.do, 0.0)
    away = state.data.board.distances(path[-1])
    foes = [away.get(u.hex, 99) for n, u in state.units.items() if u.tp and state.side(n) == 1 - actor]
    places = [away.get(here, 99) for here, owner in state.owners.items() if owner == 1 - actor]
    return 3.0 - min((*foes, *places), default=99)


def play(seed: int, scenario: str = "1757", options: dict[str, str] | None = None) -> Iterator[tuple[Any, ...]]:
    """A random game, step by step: state, pending, action, transition, generator."""
    game, rng = rules(), Random(seed)
    state = game.new_game(scenario, options or {})
    eager = seed % 4 != 3
    while pending := game.pending(state):
        one = rng.choice(pending)
        action = draw(state, one.actor, rng, eager)
        step: Transition = game.apply(state, one.actor, action)
        yield state, one, action, step, rng
        state = step.state


def moments(seed: int, scenario: str, options: dict[str, str], often: int = 60) -> Iterator[Moment]:
    """The moments of one random game that deserve a look."""
    seen: Counter[str] = Counter()
    for state, one, action, _, rng in play(seed, scenario, options):
        kind = f"{one.decision} {action.do}"
        seen[kind] += 1
        if seen[kind] <= FIRST or rng.random() < 1 / often:
            yield Moment(rules(), state, one, one.actor, action, Random(rng.random()))

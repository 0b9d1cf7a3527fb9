"""Random games of every rule set, step by step, for the laws of the door."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec

from leuthen.core.choice import Action
from leuthen.core.ruleset import CHANCE, Pending
from leuthen.core.strength import total
from leuthen.load import load

RULESETS = ("frederick",)
SCENARIOS = {"frederick": "campaign"}
OPTIONS: dict[str, tuple[dict[str, str], ...]] = {
    "frederick": (
        {"last-year": "1758"},
        {"last-year": "1757", "march-die": "force", "morale-target": "5"},
        {"last-year": "1759", "hanover-note": "marked", "besieged-redeployment": "barred"},
        {},
    ),
}
FIRST = 3
"""So many decisions of each kind are looked at, and after them one in a while."""
CALM = 0.2
"""How often an eager player does anything at all."""
TRIES = 6
ZEAL = {"attack": 9.0, "besiege": 9.0, "follow": 5.0, "garrison": 3.0, "build": 6.0, "done": -9.0, "remove": -15.0} | {
    "halt": -3.0,
    "shift": -8.0,
    "clear": -20.0,
    "drop": -2.0,
}


class Moment(NamedTuple):
    """A position with somebody who is asked, and an answer drawn for him."""

    game: Any
    state: Any
    pending: Pending
    actor: int
    action: Action
    rng: Random


def games(name: str, seed: int, *, often: int = 80) -> Iterator[Moment]:
    """The moments of one random game that deserve a look: the first of each kind of decision, then one of `often`."""
    game, rng = load(name), Random(seed)
    options = OPTIONS[name][seed % len(OPTIONS[name])]
    state = game.new_game(SCENARIOS[name], options)
    eager = seed % 4 != 3
    seen: Counter[str] = Counter()
    while pending := game.pending(state):
        one = rng.choice(pending)
        action = draw(game, state, one.actor, rng, eager)
        kind = f"{one.decision} {action.do}"
        seen[kind] += 1
        if seen[kind] <= FIRST or rng.random() < 1 / often:
            yield Moment(game, state, one, one.actor, action, Random(rng.random()))
        state = game.apply(state, one.actor, action).state


def draw(game: Any, state: Any, actor: int, rng: Random, eager: bool = True) -> Action:
    """A legal answer at random; an eager player takes the most warlike of a few."""
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


def warlike(state: Any, actor: int, action: Action) -> float:
    """How much an action looks for a fight: random armies would never meet."""
    path = getattr(action, "path", ())
    if not path:
        return ZEAL.get(action.do, 0.0)
    away = state.data.board.distances(path[-1])
    foes = [away.get(stack.hex, 99) for stack in state.stacks.values() if stack.side == 1 - actor and stack.sp]
    owned = [away.get(here, 99) for here, owner in state.owners.items() if owner == 1 - actor]
    goal = min((*foes, *owned), default=99)
    force = total(getattr(action, "sp", 0))
    return 2.0 - goal + min(force, 12) * 0.3 + 2 * bool(getattr(action, "overwhelm", False))


def near_misses(action: Action, rng: Random, count: int = 4) -> Iterator[Action]:
    """Actions that differ from one in a single field, and may or may not be legal."""
    fields = [field.name for field in msgspec.structs.fields(type(action))]
    for _ in range(count if fields else 0):
        name = rng.choice(fields)
        yield msgspec.structs.replace(action, **{name: _nudged(getattr(action, name), rng)})


def _nudged(value: Any, rng: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(-1, value + rng.choice((-1, 1, -48, 48, 1 << 16, 1 << 32, 7)))
    if isinstance(value, tuple) and value and isinstance(value[-1], int):
        return rng.choice((value[:-1], (*value, value[-1]), (*value[:-1], max(0, value[-1] + rng.choice((-1, 1, 48))))))
    return (rng.randrange(60),) if value == () else value

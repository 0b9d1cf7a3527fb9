"""Random games of every rule set, step by step, for the laws of the `Ruleset` interface."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import count
from random import Random
from typing import Any, NamedTuple

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, ActorId, Pending, Transition
from leuthen.load import load
from leuthen.wargame.strength import total
from tests.prove.sample import EVERY

FIRST = 3
CALM = 0.2
TRIES = 6


class Moment(NamedTuple):
    game: Any
    state: Any
    pending: Pending
    actor: ActorId
    action: Any
    rng: Random


class Step(NamedTuple):
    state: Any
    pending: Pending
    action: Any
    transition: Transition
    rng: Random


def play(game: Any, seed: int, scenario: str, options: Mapping[str, str]) -> Iterator[Step]:
    rng = Random(seed)
    state = game.new_game(scenario, options)
    eager = seed % 4 != 3
    while pending := game.pending(state):
        one = rng.choice(pending)
        action = draw(game, state, one.actor, rng, eager)
        step: Transition = game.apply(state, one.actor, action)
        yield Step(state, one, action, step, rng)
        state = step.state


def moments(game: Any, seed: int, scenario: str, options: Mapping[str, str], *, often: int) -> Iterator[Moment]:
    return picked(game, play(game, seed, scenario, options), None, often)


def picked(game: Any, steps: Iterable[Step], own: Random | None, often: int) -> Iterator[Moment]:
    seen = Counter[str]()
    for state, one, action, _, rng in steps:
        kind, picks = f"{one.decision} {action.do}", own or rng
        seen[kind] += 1
        if seen[kind] <= FIRST or picks.random() < 1 / often:
            yield Moment(game, state, one, one.actor, action, Random(picks.random()))


def games(name: str, seed: int, *, often: int = 80) -> Iterator[Moment]:
    scenario, options = GAMES[name][seed % len(GAMES[name])]
    return moments(load(name), seed, scenario, options, often=often)


def shared(name: str, seed: int, *, often: int = 80) -> Iterator[Moment]:
    scenario, options = GAMES[name][seed % len(GAMES[name])]
    return picked(load(name), shared_play(name, seed, scenario, options), Random(seed), often)


def shared_play(name: str, seed: int, scenario: str, options: Mapping[str, str]) -> Iterator[Step]:
    return iter(_Shared.game(name, seed, scenario, tuple(sorted(options.items()))))


class _Shared:
    def __init__(self, steps: Iterator[Step]) -> None:
        self._steps = steps
        self._played: list[Step] = []

    def __iter__(self) -> Iterator[Step]:
        for number in count():
            if number == len(self._played):
                if (step := next(self._steps, None)) is None:
                    return
                self._played.append(step)
            yield self._played[number]

    @staticmethod
    @lru_cache(maxsize=2)
    def game(name: str, seed: int, scenario: str, options: tuple[tuple[str, str], ...]) -> _Shared:
        return _Shared(play(load(name), seed, scenario, dict(options)))


def draw(game: Any, state: Any, actor: int, rng: Random, eager: bool = True) -> Action:
    if actor == CHANCE:
        answers, odds = zip(*game.chances(state), strict=True)
        chosen: Action = rng.choices(answers, [float(share) for share in odds])[0]
        return chosen
    legal = game.legal_actions(state, actor)
    if not eager or rng.random() < CALM:
        action: Action = legal.sample(rng)
        return action
    tried: list[Action] = [legal.sample(rng) for _ in range(TRIES)]
    return max(tried, key=lambda one: warlike(game, state, actor, one) + rng.random())


def warlike(game: Any, state: Any, actor: int, action: Action) -> float:
    player = PLAYERS[game.name]
    path = getattr(action, "path", ())
    if not path:
        return player.zeal.get(action.do, 0.0)
    away = state.data.board.distances(path[-1])
    owned = (here for here, owner in state.owners.items() if owner == 1 - actor)
    goal = min((away.get(here, 99) for here in (*player.foes(state, 1 - actor), *owned)), default=99)
    return 3.0 - goal + player.force(action)


class Player(NamedTuple):
    zeal: Mapping[str, float]
    foes: Callable[[Any, int], Iterator[int]]
    force: Callable[[Any], float] = lambda action: 0.0


PLAYERS = {
    "frederick": Player(
        {"attack": 9, "besiege": 9, "follow": 5, "garrison": 3, "build": 6}
        | {"done": -9, "remove": -15, "halt": -3, "shift": -8, "clear": -20, "drop": -2},
        lambda state, side: (stack.hex for stack in state.stacks.values() if stack.side == side and stack.sp),
        lambda action: min(total(getattr(action, "sp", 0)), 12) * 0.3 + 2 * bool(getattr(action, "overwhelm", 0)) - 1,
    ),
    "campaigns": Player(
        {"attack": 9, "besiege": 9, "react": 5, "done": -4, "remove": -20, "hold": -1, "starve": -6, "dismiss": -9},
        lambda state, side: (unit.hex for n, unit in state.units.items() if unit.tp and state.side(n) == side),
    ),
}
GAMES: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "frederick": (
        ("campaign", {"last-year": "1758"}),
        ("campaign", {"last-year": "1757", "march-die": "force", "morale-target": "5"}),
        ("campaign", {"last-year": "1758", "hanover-note": "marked", "besieged-redeployment": "barred"}),
        ("campaign", {} if EVERY else {"last-year": "1758"}),
    ),
    "campaigns": (
        ("1757", {}),
        ("1757", {"rules": "base"}),
        ("1759", {"need25": "yes", "recoverReduced": "yes"}),
        ("1758", {"rules": "base"}),
        ("1756", {}),
        ("campaign", {}),
    ),
}


def near_misses(action: Action, rng: Random, count: int = 4) -> Iterator[Action]:
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

"""Engine queries for twin worlds: where a rule reveals a difference to a viewer, and which actions leave no trace."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal
from leuthen.engine.ruleset import CHANCE, ActorId, Transition, ViewerId
from leuthen.play.dice import Dice
from tests.laws.games import draw

TRIES = 30
DEFAULT_SHARE = 0.4
SLOW_RULESETS = ("frederick",)
DETOURS = 4


class Result(NamedTuple):
    state: Any
    steps: tuple[Transition, ...]


def result_of(ruleset: Any, state: Any, actor: ActorId, action: Action, dice: Dice, place: int) -> Result | None:
    steps: list[Transition] = []
    try:
        while True:
            steps.append(ruleset.apply(state, actor, action))
            state = steps[-1].state
            if chances := ruleset.chances(state):
                actor, action = CHANCE, dice.outcome_at(place, chances)
                place += 1
            elif found := forced(ruleset, state):
                actor, action = found
            else:
                return Result(state, tuple(steps))
    except Illegal:
        return None


def forced(ruleset: Any, state: Any) -> tuple[ActorId, Action] | None:
    asked = (pending.actor for pending in ruleset.pending(state) if pending.actor != CHANCE)
    return next(((actor, answer) for actor in asked if (answer := ruleset.forced(state, actor))), None)


def look_alike(ruleset: Any, viewer: ViewerId, one: Result, other: Result) -> bool:
    if ruleset.view(one.state, viewer) != ruleset.view(other.state, viewer):
        return False
    first, second = ([step.events(viewer) for step in result.steps] for result in (one, other))
    return first == second


def shared_action(ruleset: Any, states: Sequence[Any], actor: ActorId, rng: Random) -> Action:
    least = ruleset.legal_actions(states[0], actor).default
    action = least() if rng.random() < DEFAULT_SHARE else draw_action(ruleset, states[0], actor, rng)
    for _ in range(TRIES):
        if all(ruleset.legal_actions(state, actor).why_not(action) is None for state in states[1:]):
            break
        action = draw_action(ruleset, states[0], actor, rng)
    return action


def draw_action(ruleset: Any, state: Any, actor: ActorId, rng: Random) -> Action:
    if ruleset.name in SLOW_RULESETS:
        return draw(ruleset, state, actor, rng)
    action: Action = ruleset.legal_actions(state, actor).sample(rng)
    return action


def find_draft(ruleset: Any, state: Any, actor: ActorId, rng: Random) -> Action | None:
    for _ in range(TRIES):
        action: Action = ruleset.legal_actions(state, actor).sample(rng)
        step = ruleset.apply(state, actor, action)
        awaited = [pending.actor for pending in ruleset.pending(step.state)]
        if (
            actor in awaited
            and not forced(ruleset, step.state)
            and CHANCE not in awaited
            and not step.learned >> actor & 1
        ):
            return action
    return None


def find_detour(ruleset: Any, state: Any, actor: ActorId, rng: Random) -> tuple[Action, Action] | None:
    for _ in range(DETOURS):
        there = find_draft(ruleset, state, actor, rng)
        if there is None:
            return None
        step = ruleset.apply(state, actor, there)
        if step.events(1 - actor):
            continue
        for _ in range(TRIES):
            back: Action = ruleset.legal_actions(step.state, actor).sample(rng)
            after = ruleset.apply(step.state, actor, back)
            if after.state == state and not any(one.events(1 - actor) for one in (step, after)):
                return there, back
    return None

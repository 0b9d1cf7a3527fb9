"""Positions of the second rule set for tests, by the words of cases (docs/cases.md)."""

from typing import Any

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import ActorId
from leuthen.rulesets.campaigns.cases import build_position
from leuthen.rulesets.campaigns.model.state import State
from tests.campaigns.kit import rules

BORDER = ("first", "chit prussia-3", "cup coalition-2", "Keith 2940 20", "Daun 3041 20", "Henry 2940 10")


def position(*given: str) -> State:
    state: State = build_position(rules().data, list(enumerate(given, 1))).transition.state
    return state


def act(state: State, actor: ActorId, text: str) -> Any:
    return rules().apply(state, actor, order(state, actor, text))


def order(state: State, actor: ActorId, text: str) -> Action:
    return rules().parse_action(state, actor, text)


def at_reaction() -> State:
    state: State = act(position(*BORDER), 0, "march Keith 2940-2941").state
    return state

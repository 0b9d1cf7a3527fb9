from collections.abc import Iterator
from random import Random
from typing import Any, cast

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import ActorId
from leuthen.load import load
from leuthen.rulesets.campaigns.cases import build_position
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.ruleset import Campaigns
from tests.laws import games
from tests.laws.games import Moment, Step


def rules() -> Campaigns:
    return cast(Campaigns, load("campaigns"))


def play(seed: int, scenario: str = "1757", options: dict[str, str] | None = None) -> Iterator[Step]:
    return games.shared_play("campaigns", seed, scenario, options or {})


def moments(seed: int, scenario: str, options: dict[str, str], often: int = 60) -> Iterator[Moment]:
    return games.picked(rules(), play(seed, scenario, options), Random(seed), often)


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

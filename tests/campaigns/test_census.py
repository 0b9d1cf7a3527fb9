from random import Random
from typing import Any

import pytest

from leuthen.engine.ruleset import CHANCE, SIDES
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS
from leuthen.rulesets.campaigns.model.forces import ranked
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.rules.r02_leaders import leaders_of
from leuthen.rulesets.campaigns.rules.r09_supply import depot_range

ACTIONS = 250


@pytest.fixture(scope="module")
def states() -> list[tuple[State, State]]:
    game: Any = load("campaigns")
    rng, dice = Random(5), Key.from_seed("census").dice()
    state = game.new_game("1757")
    found = []
    for _ in range(ACTIONS):
        actor = game.pending(state)[0].actor
        is_chance = actor == CHANCE
        action = dice.pick(game.chances(state)) if is_chance else game.legal_actions(state, actor).sample(rng)
        state = game.apply(state, actor, action).state
        found.append((state, game.restore(game.dump(state))))
    return found


def test_a_census_that_was_kept_up_is_that_of_a_fresh_count(states: list[tuple[State, State]]) -> None:
    for kept, fresh in states:
        for part in ("numbers", "field", "inside", "fields", "insides"):
            assert getattr(kept.census, part) == getattr(fresh.census, part)


def test_what_outlasts_a_change_of_marks_is_what_a_fresh_position_computes(states: list[tuple[State, State]]) -> None:
    for kept, fresh in states:
        for side in SIDES:
            assert depot_range(kept, side) == depot_range(fresh, side)
        for nation in ALL_NATIONS:
            assert ranked(kept, nation) == ranked(fresh, nation)
            assert leaders_of(kept, nation) == leaders_of(fresh, nation)


def test_a_scene_made_of_what_was_kept_is_that_of_a_game_that_keeps_nothing(states: list[tuple[State, State]]) -> None:
    seen: Any = load("campaigns")
    for kept, _ in states[::10]:
        blank: Any = load.__wrapped__("campaigns")
        view = seen.view(kept, 0)
        assert seen.presenter.scene(view) == blank.presenter.scene(view)

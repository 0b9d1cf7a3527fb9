from collections.abc import Iterator
from itertools import islice

import pytest

from leuthen.engine.ruleset import SIDES
from leuthen.rulesets.campaigns.bot.belief import estimates, expected_total, imagine
from leuthen.rulesets.campaigns.knowledge import make_view
from leuthen.rulesets.campaigns.model.data import AUSTRIA, RUSSIA
from leuthen.rulesets.campaigns.model.pieces import Sight
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.wargame.board import StackKey, parse_hex, stack_key
from leuthen.wargame.strength import PowerId
from tests.bots.fields import COALITION, PRUSSIAN, Field
from tests.campaigns.kit import play, rules

HIDDEN = {"hidden": "yes"}


def positions(seed: int) -> Iterator[State]:
    for number, (state, *_) in enumerate(islice(play(seed, options=HIDDEN), 600)):
        if number % 60 == 59:
            yield state


@pytest.mark.parametrize("seed", range(3))
def test_what_he_imagines_looks_the_same(seed: int) -> None:
    for state in positions(seed):
        for side in SIDES:
            view = make_view(state, side)
            assert make_view(imagine(state.data, view), side) == view


def test_his_own_men_are_the_true_ones() -> None:
    for state in positions(7):
        thought = imagine(state.data, make_view(state, COALITION))
        own = [number for number in state.units if state.side(number) == COALITION]
        assert own
        assert {number: thought.units[number] for number in own} == {number: state.units[number] for number in own}


def test_estimates_keep_within_the_bands() -> None:
    for state in positions(11):
        view = make_view(state, PRUSSIAN)
        guesses = estimates(state.data, view)
        hidden = [force for force in view.stacks if force.side == COALITION and force.most]
        assert hidden
        for force in hidden:
            assert force.least <= guesses[force.key] <= force.most


def hidden_field() -> State:
    field = Field()
    field.army("1733", "Frederick", 30)
    field.army("1125", "Browne", 12)
    field.army("0733", "Buccow", 12)
    field.place("1034", COALITION, AUSTRIA, 3)
    field.army("0232", "Hadik", 7)
    field.values["sights"] = {stack_key(parse_hex("0232"), COALITION, False): Sight(7, 7, 1)}
    return field.at(hidden=True)


def key(where: str, *, inside: bool = False) -> StackKey:
    return stack_key(parse_hex(where), COALITION, inside)


def test_armies_of_able_leaders_are_taken_to_be_the_strongest_and_garrisons_weak() -> None:
    state = hidden_field()
    guesses = estimates(state.data, make_view(state, PRUSSIAN))
    assert guesses[key("1125")] > guesses[key("0733")] > guesses[key("1034", inside=True)]
    assert guesses[key("0232")] == 7


def test_men_who_came_make_an_enemy_stronger_and_battles_weaker() -> None:
    state = rules().new_game("1757", HIDDEN)

    def total(nation: PowerId, **values: object) -> float:
        draft = Draft(state)
        for name, value in values.items():
            setattr(draft, name, value)
        return expected_total(state.data, make_view(draft.freeze(), PRUSSIAN), nation)

    assert total(RUSSIA, turn=4) < total(RUSSIA, turn=5)
    assert total(AUSTRIA, killed=(40, 0)) < total(AUSTRIA)

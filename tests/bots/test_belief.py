import pytest

from leuthen.engine.ruleset import as_side, as_viewer
from leuthen.rulesets.frederick.bot.belief import estimates, expected_total, imagine
from leuthen.rulesets.frederick.bot.weights import CADET, CAPTAIN
from leuthen.rulesets.frederick.knowledge.view import make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES
from leuthen.wargame.board import stack_key
from leuthen.wargame.strength import PowerId, bag
from tests.bots.positions import War
from tests.frederick.handmade import game_data, hexagon, random_state, some_state


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(8))
def test_what_it_imagines_looks_the_same(seed: int, side: int) -> None:
    view = make_view(random_state(seed), as_viewer(side))
    assert make_view(imagine(game_data(), view), as_viewer(side)) == view


@pytest.mark.parametrize("side", SIDES)
def test_its_own_forces_are_the_true_ones(side: int) -> None:
    state = some_state()
    thought = imagine(game_data(), make_view(state, as_viewer(side)))
    for stack in state.stacks_of(as_side(side)):
        if stack.sp:
            assert thought.stacks[stack.key] == stack


def test_estimates_keep_within_the_bands() -> None:
    view = make_view(some_state(), PRUSSIAN)
    guesses = estimates(game_data(), view)
    for stack in view.stacks:
        if stack.side == AUSTRIAN and not stack.alone:
            assert max(1, stack.low) <= guesses[stack.key] <= stack.high


def test_armies_are_taken_to_be_stronger_than_garrisons() -> None:
    war = War(garrisons=False)
    war.put("1230", AUSTRIAN, bag(AUSTRIA, 5), "Daun")
    war.put("1125", AUSTRIAN, bag(AUSTRIA, 5), inside=True)
    guesses = estimates(game_data(), make_view(war.state(), PRUSSIAN))
    assert guesses[stack_key(hexagon("1230"), AUSTRIAN, 0)] > 3 * guesses[stack_key(hexagon("1125"), AUSTRIAN, 1)]


def test_points_spent_make_the_enemy_stronger_and_prisoners_weaker() -> None:
    def total(power: PowerId, **more: object) -> float:
        return expected_total(game_data(), make_view(War().state(year=1758, **more), PRUSSIAN), power)

    assert total(AUSTRIA, rp=(22, 10)) > total(AUSTRIA, rp=(22, 30))
    assert total(AUSTRIA, prisoners=(bag(AUSTRIA, 9), 0)) == total(AUSTRIA, prisoners=(0, 0)) - 9
    assert total(FRANCE) == pytest.approx(total(FRANCE, rp=(0, 0)))
    assert total(PRUSSIA) >= 1


def test_the_cadet_believes_in_no_army_of_more_than_sixty_and_the_captain_does() -> None:
    war = War(garrisons=False)
    war.put("1230", AUSTRIAN, bag(AUSTRIA, 5), "Daun")
    view = make_view(war.state(year=1758, rp=(22, 0)), PRUSSIAN)
    believed = [
        estimates(game_data(), view, weights)[stack_key(hexagon("1230"), AUSTRIAN, 0)] for weights in (CADET, CAPTAIN)
    ]
    assert believed == [60, 110]

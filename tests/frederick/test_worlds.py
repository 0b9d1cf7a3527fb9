from random import Random

import pytest

from leuthen.engine.ruleset import EVERYTHING, WATCHER, as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge import draw_world, make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, PRUSSIA, SAXONY
from leuthen.rulesets.frederick.model.decisions import Covered
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, Stack
from leuthen.rulesets.frederick.model.stacks import on_map
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c05_council import EnvoyChoice, EnvoysSealed
from leuthen.rulesets.frederick.rules.c08_redeployment import Freeing, countable
from leuthen.rulesets.frederick.rules.o13_siege import Departure
from leuthen.wargame.board import stack_key
from leuthen.wargame.strength import EMPTY, bag, of
from tests.frederick.handmade import PositionBuilder, game_data, hexagon, leader, random_state, some_state

VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)


def sample(state: State, viewer: int, seed: int = 1) -> State:
    return draw_world(game_data(), make_view(state, as_viewer(viewer)), Random(seed))


def stack(state: State, name: str, side: int, inside: bool = False) -> Stack:
    return state.stacks[stack_key(hexagon(name), as_side(side), inside)]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", range(60))
def test_a_sampled_state_has_the_same_view(seed: int, viewer: int) -> None:
    state = random_state(seed)
    view = make_view(state, as_viewer(viewer))
    for number in range(3):
        world = draw_world(game_data(), view, Random(number))
        assert make_view(world, as_viewer(viewer)) == view, f"seed {seed}, world {number}"


def test_hidden_strengths_vary_within_their_bands() -> None:
    samples = [sample(some_state(), PRUSSIAN, seed) for seed in range(40)]
    garrison = {stack(world, "1125", AUSTRIAN, True).strength for world in samples}
    army = {stack(world, "1128", AUSTRIAN).strength for world in samples}
    assert garrison <= set(range(2, 13))
    assert len(garrison) > 4
    assert min(army) >= 1
    assert len(army) > 8


def test_sampled_junior_leaders_stay_on_their_side() -> None:
    for seed in range(20):
        world = sample(some_state(), PRUSSIAN, seed)
        assert sorted(n for s in world.own(AUSTRIAN) for n in s.leaders) == sorted(
            n for s in some_state().own(AUSTRIAN) for n in s.leaders
        )


def test_sampled_powers_stay_within_their_limits() -> None:
    for seed in range(40):
        world = sample(some_state(), PRUSSIAN, seed)
        assert on_map(world, FRANCE) <= 80
        assert 8 <= on_map(world, AUSTRIA) <= 90


def test_incomplete_depots_are_sometimes_sampled() -> None:
    hidden = {
        here for seed in range(60) for here, d in sample(some_state(), PRUSSIAN, seed).depots.items() if not d.complete
    }
    assert hidden
    assert hexagon("1126") not in hidden


def test_a_departing_nation_is_in_the_sampled_garrison() -> None:
    builder = PositionBuilder()
    builder.put("1125", AUSTRIAN, bag(AUSTRIA, 5) + bag(FRANCE, 2), inside=True)
    here = hexagon("1125")
    state = builder.state(frames=(Departure(AUSTRIAN, here, FRANCE), Departure(AUSTRIAN, here, AUSTRIA)))
    assert of(stack(sample(state, PRUSSIAN), "1125", AUSTRIAN, True).sp, FRANCE) >= 1


def test_returning_troops_have_room_in_every_world() -> None:
    builder = PositionBuilder()
    builder.put("1125", AUSTRIAN, bag(SAXONY, 2), inside=True)
    builder.put("1128", AUSTRIAN, bag(SAXONY, 5), low=3, high=12)
    state = builder.state(frames=(Freeing(AUSTRIAN, 4),), prisoners=(bag(SAXONY, 4), EMPTY))
    samples = [sample(state, PRUSSIAN, seed) for seed in range(30)]
    assert min(sum(countable(world, AUSTRIAN).values()) for world in samples) == 4
    assert max(on_map(world, SAXONY) for world in samples) == 7
    assert all(make_view(world, PRUSSIAN) == make_view(state, PRUSSIAN) for world in samples)


def test_a_mixed_army_of_three_powers_is_sampled() -> None:
    builder = PositionBuilder()
    men = bag(AUSTRIA, 8) + bag(FRANCE, 8) + bag(SAXONY, 3)
    allies = builder.put("1125", AUSTRIAN, men, "d'Estrées", "Browne", low=19, high=19, since=175704)
    assert (allies.nation, allies.commander) == (AUSTRIA, leader("d'Estrées"))
    state = builder.state()
    for seed in range(20):
        world = sample(state, PRUSSIAN, seed)
        assert make_view(world, PRUSSIAN) == make_view(state, PRUSSIAN)
        assert of(world.stacks[allies.key].sp, AUSTRIA) == of(world.stacks[allies.key].sp, FRANCE)


def test_a_sealed_choice_is_sampled() -> None:
    sealed = (EnvoysSealed(True, (2, 0, 0, 0, 0, 0)), None)
    state = some_state(year=1756, frames=(EnvoyChoice(),), sealed=sealed)
    drawn = {sample(state, AUSTRIAN, seed).sealed for seed in range(30)}
    assert len(drawn) > 3
    for mine, theirs in drawn:
        assert isinstance(mine, EnvoysSealed)
        assert mine.sealed
        assert sum(mine.points) <= 2
        assert theirs is None


def test_a_sealed_deployment_is_sampled_whole() -> None:
    game = load("frederick")
    state = game.new_game("campaign", {})
    rng = Random(4)
    while state.sealed[PRUSSIAN] is None or not state.sealed[PRUSSIAN].sealed:
        action = game.legal_actions(state, PRUSSIAN).sample(rng)
        state = game.apply(state, PRUSSIAN, action).state
    view = game.view(state, AUSTRIAN)
    assert view.sealed == (Covered(True), None)
    world = game.sample_state(view, Random(7))
    assert game.view(world, AUSTRIAN) == view
    assert world.sealed[PRUSSIAN] != state.sealed[PRUSSIAN]
    assert sum(of(lot.sp, PRUSSIA) for lot in world.sealed[PRUSSIAN].placements) == 43


@pytest.mark.parametrize("side", SIDES)
def test_one_seed_gives_one_world(side: int) -> None:
    assert sample(some_state(), side, 3) == sample(some_state(), side, 3)
    assert sample(some_state(), side, 3) != sample(some_state(), side, 4)

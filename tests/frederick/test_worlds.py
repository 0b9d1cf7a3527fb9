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
from leuthen.rulesets.frederick.rules.c05_diplomacy import EnvoyChoice, EnvoysSealed
from leuthen.rulesets.frederick.rules.c11_prisoners import Freeing, countable
from leuthen.rulesets.frederick.rules.o13_siege import Departure
from leuthen.wargame.board import stack_key
from leuthen.wargame.strength import EMPTY, bag, of
from tests.frederick.handmade import PositionBuilder, game_data, hexagon, leader, random_state, some_state

VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)


def draw(state: State, viewer: int, seed: int = 1) -> State:
    return draw_world(game_data(), make_view(state, as_viewer(viewer)), Random(seed))


def stack(state: State, name: str, side: int, inside: bool = False) -> Stack:
    return state.stacks[stack_key(hexagon(name), as_side(side), inside)]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", range(60))
def test_the_view_of_a_drawn_world_is_the_view(seed: int, viewer: int) -> None:
    state = random_state(seed)
    view = make_view(state, as_viewer(viewer))
    for number in range(3):
        world = draw_world(game_data(), view, Random(number))
        assert make_view(world, as_viewer(viewer)) == view, f"seed {seed}, world {number}"


def test_everything_leaves_one_world() -> None:
    assert draw(some_state(), EVERYTHING) == some_state()


def test_hidden_strengths_vary_within_their_bands() -> None:
    samples = [draw(some_state(), PRUSSIAN, seed) for seed in range(40)]
    garrison = {stack(world, "1125", AUSTRIAN, True).strength for world in samples}
    army = {stack(world, "1128", AUSTRIAN).strength for world in samples}
    assert garrison <= set(range(2, 13))
    assert len(garrison) > 4
    assert min(army) >= 1
    assert len(army) > 8


def test_juniors_are_somewhere_on_their_side() -> None:
    for seed in range(20):
        world = draw(some_state(), PRUSSIAN, seed)
        assert sorted(n for s in world.own(AUSTRIAN) for n in s.leaders) == sorted(
            n for s in some_state().own(AUSTRIAN) for n in s.leaders
        )


def test_a_power_stays_within_its_limit_and_near_what_it_set_out_with() -> None:
    for seed in range(40):
        world = draw(some_state(), PRUSSIAN, seed)
        assert on_map(world, FRANCE) <= 80
        assert 8 <= on_map(world, AUSTRIA) <= 90


def test_depots_under_construction_are_drawn_now_and_then() -> None:
    hidden = {
        here for seed in range(60) for here, d in draw(some_state(), PRUSSIAN, seed).depots.items() if not d.complete
    }
    assert hidden
    assert hexagon("1126") not in hidden


def test_a_commander_of_another_power_than_the_nation() -> None:
    builder = PositionBuilder()
    builder.put("1125", AUSTRIAN, bag(AUSTRIA, 5) + bag(FRANCE, 5), "Richelieu", "Daun")
    builder.put("2212", AUSTRIAN, bag(FRANCE, 4) + bag(AUSTRIA, 3), "Piccolomini")
    state = builder.state()
    view = make_view(state, PRUSSIAN)
    for seed in range(30):
        assert make_view(draw_world(game_data(), view, Random(seed)), PRUSSIAN) == view


def test_nations_that_march_off_are_in_the_garrison() -> None:
    builder = PositionBuilder()
    builder.put("1125", AUSTRIAN, bag(AUSTRIA, 5) + bag(FRANCE, 2), inside=True)
    here = hexagon("1125")
    state = builder.state(frames=(Departure(AUSTRIAN, here, FRANCE), Departure(AUSTRIAN, here, AUSTRIA)))
    assert of(stack(draw(state, PRUSSIAN), "1125", AUSTRIAN, True).sp, FRANCE) >= 1


def test_men_who_return_have_room_in_every_world() -> None:
    """The number of returning SP is public, so no world gives a limited power too many SP to take them (C7.5)."""
    builder = PositionBuilder()
    builder.put("1125", AUSTRIAN, bag(SAXONY, 2), inside=True)
    builder.put("1128", AUSTRIAN, bag(SAXONY, 5), low=3, high=12)
    state = builder.state(frames=(Freeing(AUSTRIAN, 4),), prisoners=(bag(SAXONY, 4), EMPTY))
    samples = [draw(state, PRUSSIAN, seed) for seed in range(30)]
    assert min(sum(countable(world, AUSTRIAN).values()) for world in samples) == 4
    assert max(on_map(world, SAXONY) for world in samples) == 7
    assert all(make_view(world, PRUSSIAN) == make_view(state, PRUSSIAN) for world in samples)


def test_a_mixed_army_of_three_powers_can_be_drawn() -> None:
    """Austrian colours, a French commander and an Austrian under him: possible only if both have as many SP (O2.5,
    O3.1).
    """
    builder = PositionBuilder()
    men = bag(AUSTRIA, 8) + bag(FRANCE, 8) + bag(SAXONY, 3)
    allies = builder.put("1125", AUSTRIAN, men, "d'Estrées", "Browne", low=19, high=19, since=175704)
    assert (allies.nation, allies.commander) == (AUSTRIA, leader("d'Estrées"))
    state = builder.state()
    for seed in range(20):
        world = draw(state, PRUSSIAN, seed)
        assert make_view(world, PRUSSIAN) == make_view(state, PRUSSIAN)
        assert of(world.stacks[allies.key].sp, AUSTRIA) == of(world.stacks[allies.key].sp, FRANCE)


def test_a_sealed_choice_is_drawn() -> None:
    sealed = (EnvoysSealed(True, (2, 0, 0, 0, 0, 0)), None)
    state = some_state(year=1756, frames=(EnvoyChoice(),), sealed=sealed)
    drawn = {draw(state, AUSTRIAN, seed).sealed for seed in range(30)}
    assert len(drawn) > 3
    for mine, theirs in drawn:
        assert isinstance(mine, EnvoysSealed)
        assert mine.sealed
        assert sum(mine.points) <= 2
        assert theirs is None


def test_a_sealed_deployment_is_drawn_whole() -> None:
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


def test_a_world_draws_nothing_but_numbers_from_its_generator() -> None:
    class Half:
        def random(self) -> float:
            return 0.5

    view = make_view(some_state(), PRUSSIAN)
    assert make_view(draw_world(game_data(), view, Half()), PRUSSIAN) == view


@pytest.mark.parametrize("side", SIDES)
def test_worlds_of_one_seed_are_one_world(side: int) -> None:
    assert draw(some_state(), side, 3) == draw(some_state(), side, 3)
    assert draw(some_state(), side, 3) != draw(some_state(), side, 4)

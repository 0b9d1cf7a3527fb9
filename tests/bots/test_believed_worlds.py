from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from statistics import mean
from typing import Final

import pytest

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, Pending, as_side
from leuthen.engine.seat import Player
from leuthen.load import believed_world, ruleset, value_of
from leuthen.rulesets.frederick.bot import belief
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.state import State
from leuthen.wargame.bot.hope import Draw, hope

RULES: Final = ruleset("frederick")


def positions(seed: int) -> Iterator[State]:
    state, rng, before = RULES.new_game("campaign", {}), Random(seed), (0, 0)
    players = [make_bot("captain", "frederick", side, seed) for side in (0, 1)]
    while RULES.date(state) < (1757, 9):
        if RULES.date(state) != before:
            before = RULES.date(state)
            yield state
        pending = RULES.pending(state)[0]
        if pending.actor == CHANCE:
            action = rng.choice(RULES.chances(state))[0]
        else:
            action = answer(players[pending.actor], state, pending)
        state = RULES.apply(state, pending.actor, action).state


def answer(player: Player, state: State, pending: Pending) -> Action:
    side = pending.actor
    found = player.choose(lambda: RULES.view(state, side), RULES.legal_actions(state, side), pending)
    assert isinstance(found, Action)
    return found


@pytest.fixture(scope="module")
def war() -> list[State]:
    return list(positions(4))


def test_the_view_of_a_drawn_world_is_the_view_that_he_has(war: list[State]) -> None:
    for number, state in enumerate(war):
        for side in (0, 1):
            view = RULES.view(state, side)
            world = belief.believed_world(RULES.data, view, Random(number))
            assert RULES.view(world, side) == view
            assert all(one.low <= one.strength <= one.high for one in world.own(as_side(1 - side)) if one.sp)


def test_his_worlds_are_nearer_to_the_truth_than_any_that_the_view_allows(war: list[State]) -> None:
    late = [state for state in war if state.year > 1756]
    believed = mean(map(partial(error, lambda view, rng: belief.believed_world(RULES.data, view, rng)), late))
    assert believed < 0.8 * mean(map(partial(error, RULES.worlds), late))


def test_what_a_side_hopes_for_is_nearer_to_the_truth(war: list[State]) -> None:
    value = value_of("frederick")

    def wrong(draw: Draw, state: State) -> float:
        hopes = [hope(RULES, draw, value, RULES.encode_view(RULES.view(state, side)), side) for side in (0, 1)]
        return abs(hopes[0] - value.chance(state)) + abs(1 - hopes[1] - value.chance(state))

    late = [state for state in war if state.year > 1756]
    any_world = mean(wrong(lambda rules, view, rng: rules.worlds(view, rng), state) for state in late)
    assert mean(wrong(believed_world, state) for state in late) < any_world


def error(draw: Callable[[View, Random], State], state: State) -> float:
    wrong = []
    for side in (0, 1):
        world = draw(RULES.view(state, side), Random(side))
        wrong += [
            abs(world.stacks[stack.key].strength - stack.strength) for stack in state.own(as_side(1 - side)) if stack.sp
        ]
    return mean(wrong)

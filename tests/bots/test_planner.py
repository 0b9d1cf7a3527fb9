"""What holds for the planner as a whole: it sees views only, keeps nothing, keeps to the rules, beats `random`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from leuthen.bots import BOTS, make_bot
from leuthen.bots.planner import HABITS, planner
from leuthen.core.choice import Action
from leuthen.core.refusal import Invalid
from leuthen.core.ruleset import CHANCE
from leuthen.frederick.state import AUSTRIAN, PRUSSIAN, SIDES, State
from leuthen.frederick.view import make_view
from leuthen.load import load
from leuthen.play import Seat
from leuthen.simulate.game import Plan, play_one

RULES = load("frederick")


def positions(seats: tuple[Seat, Seat], seed: int, until: int) -> Iterator[tuple[State, int]]:
    """The decisions of the sides in a campaign, before they are taken."""
    rng, state = Random(seed), RULES.new_game("campaign", {})
    while state.year < until and (awaited := RULES.pending(state)):
        pending = awaited[0]
        side = pending.actor
        if side == CHANCE:
            answers = RULES.chances(state)
            action = answers[int(rng.random() * len(answers))][0]
        else:
            yield state, side
            legal = RULES.legal_actions(state, side)
            answer = seats[side].choose(partial(make_view, state, side), legal, pending)
            assert isinstance(answer, Action)
            action = answer
        state = RULES.apply(state, pending.actor, action).state


def answer(state: State, side: int) -> object:
    pending = next(p for p in RULES.pending(state) if p.actor == side)
    return planner().choose(lambda: make_view(state, side), RULES.legal_actions(state, side), pending)


@pytest.mark.parametrize("seed", range(3))
def test_in_another_world_of_the_same_view_it_makes_the_same_move(seed: int) -> None:
    rng = Random(seed)
    for number, (state, side) in enumerate(positions((planner(), planner()), seed, 1758)):
        if number % 7 == seed:
            view = make_view(state, side)
            world = RULES.worlds(view, rng)
            assert answer(world, side) == answer(state, side), f"{state.year}, turn {state.turn}, decision {number}"


def test_it_keeps_nothing_from_one_decision_to_the_next() -> None:
    rng = Random(5)
    bot = planner()
    seen = [(state, side) for state, side in positions((planner(), planner()), 5, 1758) if rng.random() < 0.2]
    fresh = [answer(state, side) for state, side in seen]
    rng.shuffle(order := list(range(len(seen))))
    for number in order:
        state, side = seen[number]
        pending = next(p for p in RULES.pending(state) if p.actor == side)
        legal = RULES.legal_actions(state, side)
        assert bot.choose(partial(make_view, state, side), legal, pending) == fresh[number]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("game", range(3))
def test_it_beats_the_random_bot(side: int, game: int) -> None:
    bots = ("planner", "random") if side == PRUSSIAN else ("random", "planner")
    line = play_one(RULES, Plan("campaign", {}, bots, "random beaten"), game)
    assert line["winner"] == RULES.sides[side]


@pytest.mark.parametrize("habit", HABITS)
def test_without_a_habit_it_still_plays_by_the_rules(habit: str) -> None:
    seats = planner(frozenset({habit})), planner(frozenset({habit}))
    assert sum(1 for _ in positions(seats, 3, 1757)) > 50


@pytest.mark.parametrize("option", [("march-die", "force"), ("besieged-redeployment", "barred"), ("last-year", "1757")])
def test_it_plays_by_every_option(option: tuple[str, str]) -> None:
    line = play_one(RULES, Plan("campaign", {"last-year": "1758", **dict([option])}, ("planner", "planner"), "o"), 0)
    assert line["how"]


def test_the_registry_makes_it() -> None:
    assert "planner" in BOTS
    assert isinstance(make_bot("planner", "frederick", PRUSSIAN, 1), type(planner()))
    with pytest.raises(Invalid, match="frederick"):
        make_bot("planner", "toy", AUSTRIAN, 1)


def test_an_unknown_habit_is_refused() -> None:
    with pytest.raises(Invalid, match="«dancing» is no habit"):
        planner(frozenset({"dancing"}))


def test_the_deployment_garrisons_every_fortress() -> None:
    state = next(state for state, _ in positions((planner(), planner()), 1, 1757) if state.phasing in SIDES)
    held = [{stack.hex for stack in state.stacks_of(side) if stack.inside} for side in SIDES]
    for here, fort in state.data.fortresses.items():
        assert fort.power not in SIDES or here in held[fort.power], fort.name

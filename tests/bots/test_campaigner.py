"""What holds for the general of the campaigns as a whole: he sees views only, keeps nothing, beats `random`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from leuthen.bots import bots_for, make_bot
from leuthen.bots.campaigner import HABITS, Campaigner, planner
from leuthen.bots.campaigner.odds import Corps, battle
from leuthen.campaigns.gamedata import COALITION, PRUSSIAN
from leuthen.campaigns.state import State
from leuthen.campaigns.view import make_view
from leuthen.core.refusal import Invalid
from leuthen.core.ruleset import CHANCE
from leuthen.load import load
from leuthen.simulate.game import Plan, play_one

RULES = load("campaigns")
SCENARIOS = ("1756", "1757", "1758", "1759")


def positions(
    bot: Campaigner, seed: int, turns: int, scenario: str = "1757", **options: str
) -> Iterator[tuple[State, int]]:
    """The decisions of both sides in some turns, before they are taken."""
    rng, state = Random(seed), RULES.new_game(scenario, options)
    last = state.clock + turns
    while state.clock < last and (awaited := RULES.pending(state)):
        side = awaited[0].actor
        if side == CHANCE:
            answers = RULES.chances(state)
            action = answers[int(rng.random() * len(answers))][0]
        else:
            yield state, side
            action = answer(state, side, bot)
        state = RULES.apply(state, side, action).state


def answer(state: State, side: int, bot: Campaigner | None = None) -> Any:
    pending = next(p for p in RULES.pending(state) if p.actor == side)
    legal = RULES.legal_actions(state, side)
    return (bot or planner()).choose(lambda: make_view(state, side), legal, pending)


@pytest.mark.parametrize("seed", range(2))
def test_in_another_world_of_the_same_view_it_gives_the_same_order(seed: int) -> None:
    rng = Random(seed)
    for number, (state, side) in enumerate(positions(planner(), seed, 4, hidden="yes")):
        if number % 9 == seed:
            world = RULES.worlds(make_view(state, side), rng)
            assert answer(world, side) == answer(state, side), f"turn {state.turn}, decision {number}"


def test_it_keeps_nothing_from_one_decision_to_the_next() -> None:
    rng, bot = Random(5), planner()
    seen = [moment for moment in positions(planner(), 5, 3) if rng.random() < 0.2]
    fresh = [answer(state, side) for state, side in seen]
    rng.shuffle(order := list(range(len(seen))))
    for number in order:
        assert answer(*seen[number], bot) == fresh[number]


@pytest.mark.parametrize(("scenario", "side"), list(zip(SCENARIOS, (PRUSSIAN, COALITION) * 2, strict=True)))
def test_it_beats_the_random_bot(scenario: str, side: int) -> None:
    bots = ("planner", "random") if side == PRUSSIAN else ("random", "planner")
    assert play_one(RULES, Plan(scenario, {}, bots, "random beaten"), 0)["winner"] == RULES.sides[side]


@pytest.mark.parametrize("side", [PRUSSIAN, COALITION])
def test_it_beats_the_random_bot_where_strengths_are_hidden(side: int) -> None:
    bots = ("planner", "random") if side == PRUSSIAN else ("random", "planner")
    assert play_one(RULES, Plan("1758", {"hidden": "yes"}, bots, "hidden"), 0)["winner"] == RULES.sides[side]


@pytest.mark.parametrize("habit", HABITS)
def test_without_a_habit_it_still_plays_by_the_rules(habit: str) -> None:
    assert sum(1 for _ in positions(planner(frozenset({habit})), 3, 2)) > 30


@pytest.mark.parametrize("options", [{"rules": "base"}, {"need25": "yes"}, {"hidden": "yes"}])
def test_it_plays_by_every_option(options: dict[str, str]) -> None:
    assert play_one(RULES, Plan("1756", options, ("planner", "planner"), "options"), 0)["how"]


def test_a_campaign_ends_by_the_rules() -> None:
    assert play_one(RULES, Plan("campaign", {}, ("planner", "planner"), "campaign"), 0)["how"]


def test_the_registry_makes_it() -> None:
    assert bots_for("campaigns") == ["planner", "random"]
    assert isinstance(make_bot("planner", "campaigns", PRUSSIAN, 1), Campaigner)


def test_an_unknown_habit_is_refused() -> None:
    with pytest.raises(Invalid, match="«dancing» is no habit"):
        planner(frozenset({"dancing"}))


@pytest.mark.parametrize(
    ("attacker", "defender", "wins"),
    [
        (Corps(30, 2, 1, 8, False, False), Corps(30, 2, 1, 8, False, False), (0.40, 0.56)),
        (Corps(60, 2, 1, 8, False, False), Corps(30, 2, 1, 8, False, False), (0.65, 0.85)),
        (Corps(33, 4, 3, 10, False, False), Corps(65, 1, 0, 8, False, False), (0.75, 0.95)),
        (Corps(64, 4, 3, 10, False, False), Corps(62, 1, 0, 8, False, False), (0.85, 1.00)),
    ],
)
def test_the_odds_of_battles_are_about_those_of_the_check_table(
    attacker: Corps, defender: Corps, wins: tuple[float, float]
) -> None:
    state = RULES.new_game("1757", {})
    odds = battle(state, attacker, defender, (False, False), {})
    assert wins[0] <= odds.attacker_wins <= wins[1]

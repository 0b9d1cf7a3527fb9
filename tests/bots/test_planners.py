"""What holds for the planner of every rule set: it sees views only, keeps nothing, and needs none of its habits."""

from __future__ import annotations

from random import Random

import pytest

from leuthen.engine.refusal import Invalid
from leuthen.load import RULESETS
from tests.bots.decisions import PLANNERS, War

WARS = (
    War("frederick", "campaign", (1758, 0)),
    War("campaigns", "1757", (1757, 5), {"hidden": "yes"}),
)
SHORT = {"frederick": (1757, 0), "campaigns": (1757, 3)}
MANY = 30
"""Decisions of a short war, and more."""


def test_every_planner_is_looked_at() -> None:
    assert {war.ruleset for war in WARS} == {name for name, shelf in RULESETS.items() if "planner" in shelf.bots}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("war", WARS, ids=lambda war: war.ruleset)
def test_in_another_world_of_the_same_view_it_gives_the_same_order(war: War, seed: int) -> None:
    rng = Random(seed)
    for number, (state, side) in enumerate(war.positions(seed)):
        if number % 8 == seed:
            world = war.rules.worlds(war.rules.view(state, side), rng)
            where = f"{war.rules.date(state)}, decision {number}"
            assert war.answer(world, side) == war.answer(state, side), where


@pytest.mark.parametrize("war", WARS, ids=lambda war: war.ruleset)
def test_it_keeps_nothing_from_one_decision_to_the_next(war: War) -> None:
    rng, bot = Random(5), war.bot()
    seen = [moment for moment in war.positions(5) if rng.random() < 0.2]
    fresh = [war.answer(state, side) for state, side in seen]
    rng.shuffle(order := list(range(len(seen))))
    for number in order:
        state, side = seen[number]
        assert war.answer(state, side, bot) == fresh[number]


@pytest.mark.parametrize(
    ("war", "habit"),
    [pytest.param(war, habit, id=f"{war.ruleset}-{habit}") for war in WARS for habit in PLANNERS[war.ruleset].HABITS],
)
def test_without_a_habit_it_still_plays_by_the_rules(war: War, habit: str) -> None:
    war = war._replace(until=SHORT[war.ruleset], options={})
    assert sum(1 for _ in war.positions(3, war.bot(frozenset({habit})))) > MANY


@pytest.mark.parametrize("war", WARS, ids=lambda war: war.ruleset)
def test_an_unknown_habit_is_refused(war: War) -> None:
    with pytest.raises(Invalid, match="«dancing» is no habit"):
        war.bot(frozenset({"dancing"}))

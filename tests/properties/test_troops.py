from collections import Counter
from itertools import islice

import pytest

from tests.campaigns.positions import play, rules
from tests.laws.course import Turn, first_broken_law
from tests.laws.games import Step
from tests.prove.sample import EVERY, sample_games

SCENARIOS: tuple[tuple[str, dict[str, str]], ...] = (
    ("1756", {}),
    ("1757", {}),
    ("1757", {"rules": "base"}),
    ("1758", {}),
    ("1759", {}),
    ("1759", {"rules": "base"}),
)

EVENTS = (
    "reaction-tried",
    "battle-opened",
    "combat-rolled",
    "losses-taken",
    "battle-ended",
    "retreat-made",
    "recovered",
)


def check(number: int, step: Step) -> None:
    turn = Turn(rules(), step.state, step.pending.actor, step.action, step.transition.facts, step.transition.state)
    fault = first_broken_law(turn, number)
    assert not fault, f"action {number}, {step.action}: {fault}"


@pytest.mark.parametrize(("scenario", "options"), SCENARIOS)
def test_the_laws_hold_until_a_campaign_ends(scenario: str, options: dict[str, str]) -> None:
    for seed in (3, 7) if EVERY else (3,):  # these seeds play without zeal, and so to the end
        state = None
        for number, step in enumerate(play(seed, scenario, options)):
            check(number, step)
            state = step.transition.state
        assert state is not None
        assert state.outcome is not None


@pytest.mark.parametrize(("scenario", "options"), sample_games([*SCENARIOS, ("campaign", {})]))
def test_the_laws_hold_in_eager_play(scenario: str, options: dict[str, str]) -> None:
    counts: Counter[str] = Counter()
    for number, step in enumerate(islice(play(2, scenario, options), 700)):
        check(number, step)
        counts.update(str(fact.__struct_config__.tag) for fact in step.transition.facts)
    assert not [word for word in EVENTS if not counts[word]], counts

from collections import Counter
from itertools import islice

import pytest

from tests.campaigns.positions import play, rules
from tests.laws.course import Turn, broken
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

SEEN = ("reaction-tried", "battle-opened", "combat-rolled", "losses-taken", "battle-ended", "retreat-made", "recovered")


def check(number: int, step: Step) -> None:
    turn = Turn(rules(), step.state, step.pending.actor, step.action, step.transition.facts, step.transition.state)
    fault = broken(turn, number)
    assert not fault, f"action {number}, {step.action}: {fault}"


@pytest.mark.parametrize(("scenario", "options"), SCENARIOS)
def test_the_laws_hold_and_the_game_ends(scenario: str, options: dict[str, str]) -> None:
    for seed in (3, 7) if EVERY else (3,):  # these seeds play without zeal, and so to the end
        state = None
        for number, step in enumerate(play(seed, scenario, options)):
            check(number, step)
            state = step.transition.state
        assert state is not None
        assert state.outcome is not None


@pytest.mark.parametrize(("scenario", "options"), sample_games([*SCENARIOS, ("campaign", {})]))
def test_the_laws_hold_in_war(scenario: str, options: dict[str, str]) -> None:
    told: Counter[str] = Counter()
    for number, step in enumerate(islice(play(2, scenario, options), 700)):
        check(number, step)
        told.update(str(fact.__struct_config__.tag) for fact in step.transition.facts)
    assert not [word for word in SEEN if not told[word]], told


def test_a_view_survives_its_bytes() -> None:
    game = rules()
    for state, *_ in islice(play(2, "1758"), 0, 900, 90):
        view = game.view(state, 0)
        assert game.decode_view(game.encode_view(view)) == view

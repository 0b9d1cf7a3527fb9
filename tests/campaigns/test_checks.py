import pytest

from bench.checks import FIGHTS, SIEGES, TURNS, Fight, fall_chances, sample_battles
from tests.campaigns.positions import rules

BATTLES = 120


@pytest.mark.parametrize(("kind", "modifier", "percentages"), SIEGES)
def test_sieges_fall_as_in_the_published_table(kind: str, modifier: int, percentages: tuple[int, ...]) -> None:
    exact = fall_chances(rules(), kind, modifier)
    for turn, percent in zip(TURNS, percentages, strict=True):
        assert abs(100 * float(exact[turn - 1]) - percent) < 1.2, (turn, float(exact[turn - 1]))


@pytest.mark.parametrize("fight", FIGHTS, ids=lambda fight: fight.name)
def test_battles_end_as_in_the_published_table(fight: Fight) -> None:
    result = sample_battles(rules(), fight, BATTLES)
    won, rounds, mine, theirs = fight.expected
    assert abs(result.won - won) <= 14
    assert abs(result.rounds - rounds) <= 0.5
    assert abs(result.losses[0] - mine) <= 1.4
    assert abs(result.losses[1] - theirs) <= 2.6

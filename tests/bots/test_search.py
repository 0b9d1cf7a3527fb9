from functools import partial
from statistics import mean, stdev

import pytest

from leuthen.wargame.search import Stream, halving, seed_of


def noise(*parts: int) -> float:
    return Stream(seed_of(*parts)).random()


def test_it_finds_the_best_of_many() -> None:
    worth = (0.4, 0.5, 0.9, 0.3, 0.6)
    verdict = halving(5, 80, lambda one, world: worth[one] + 0.2 * noise(one, world) + noise(world))
    assert verdict.best == 2
    assert verdict.gain == pytest.approx(0.5, abs=0.1)
    assert verdict.gain > verdict.error


def test_the_first_stands_unless_it_is_clearly_beaten() -> None:
    wins = sum(halving(4, 40, partial(noise, case)).best != 0 for case in range(200))
    assert wins < 100  # the best of three, at one standard error, where all are alike
    assert halving(2, 2, lambda one, world: float(one)).best == 0  # one world says nothing


@pytest.mark.parametrize(("candidates", "rollouts"), [(1, 50), (2, 7), (3, 1), (5, 64), (9, 100)])
def test_it_asks_for_no_more_rollouts_than_it_may(candidates: int, rollouts: int) -> None:
    asked: list[tuple[int, int]] = []

    def payoff(one: int, world: int) -> float:
        asked.append((one, world))
        return 0.0

    halving(candidates, rollouts, payoff)
    assert len(asked) <= rollouts
    assert len(set(asked)) == len(asked)
    assert all((0, world) in asked for _, world in asked)


def test_a_stream_follows_from_its_seed_and_is_even() -> None:
    numbers = [Stream(seed).random() for seed in range(2000)]
    assert mean(numbers) == pytest.approx(0.5, abs=0.03)
    assert stdev(numbers) == pytest.approx(12**-0.5, abs=0.02)
    assert Stream(7).random() == Stream(7).random() != Stream(8).random()
    assert seed_of(b"ab", b"c") != seed_of(b"a", b"bc")

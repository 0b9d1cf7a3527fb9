import pytest

from leuthen.report import sampling
from leuthen.report.course import course_of
from leuthen.report.sampling import Disagreement, Effort, Sampling, compare_orders, gather_knowledge
from tests.report import wars
from tests.report.wars import War, play_war

WORLDS = range(8)


@pytest.fixture(scope="module")
def war() -> War:
    return play_war("frederick", 0, ("campaign", {"last-year": "1757"}))


@pytest.fixture(scope="module")
def questions(war: War) -> tuple[Disagreement, ...]:
    course = course_of(wars.rules(), war.recorded)
    return gather_knowledge(wars.headquarters(), course, 0, Sampling("seed", Effort(chance=1))).questions


def test_only_planted_orders_differ_from_the_staff_s(war: War, questions: tuple[Disagreement, ...]) -> None:
    assert {question.line for question in questions} <= war.planted
    assert len(questions) > len(war.planted) / 2


def test_two_seeds_find_the_same_large_mistake(questions: tuple[Disagreement, ...]) -> None:
    one, two = ([compare_orders(wars.headquarters(), asked, WORLDS, seed).cost for asked in questions] for seed in "ab")
    assert one != two
    assert min(max(one), max(two)) > 3
    assert two[one.index(max(one))] > 3


@pytest.mark.parametrize(("gain", "enough", "worlds"), [(0.05, 4, 4), (-0.2, 4, 8), (0.05, None, 8)])
def test_a_clear_comparison_uses_fewer_worlds(
    questions: tuple[Disagreement, ...], monkeypatch: pytest.MonkeyPatch, gain: float, enough: int | None, worlds: int
) -> None:
    monkeypatch.setattr(sampling, "_gain", lambda *_: gain)
    assert compare_orders(wars.headquarters(), questions[0], range(8), "a", enough).gains == (gain,) * worlds

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leuthen.play import dice
from leuthen.play.dice import Dice, Key

SIXTH = Fraction(1, 6)
DIE = tuple((face, SIXTH) for face in range(1, 7))


def chi_square(counts: dict[int, int], expected: dict[int, float]) -> float:
    return sum((counts.get(key, 0) - mean) ** 2 / mean for key, mean in expected.items())


def test_each_answer_gets_its_share_of_the_numbers() -> None:
    script = [0, 1, 2, 3, 4, 5]

    class Scripted(Dice):
        def uniform_below(self, bound: int, place: int) -> int:
            assert bound == 6
            return script.pop(0)

    odds = (("half", Fraction(1, 2)), ("never", Fraction(0)), ("third", Fraction(1, 3)), ("sixth", Fraction(1, 6)))
    dice = Scripted(b"")
    assert [dice.pick(odds) for _ in range(6)] == ["half"] * 3 + ["third"] * 2 + ["sixth"]


@given(st.integers(1, 2**200), st.integers(0, 100))
def test_draws_stay_below_their_bound(bound: int, seed: int) -> None:
    assert 0 <= Key.from_seed(seed).dice().uniform_below(bound, seed) < bound


def test_the_uneven_rest_of_a_random_word_is_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    script = iter([2**64 - 1, 2**64 - 4, 7])
    monkeypatch.setattr(dice, "random_words_at", lambda material, place: script)
    assert Dice(b"").uniform_below(6, 0) == 1
    assert list(script) == []


def test_large_bounds_reach_their_upper_half() -> None:
    dice = Key.from_seed("large").dice()
    bound = 3 * 2**70
    assert {dice.uniform_below(bound, place) * 4 // bound for place in range(200)} == {0, 1, 2, 3}


@pytest.mark.parametrize("bound", [0, -1])
def test_a_bound_below_one_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        Dice(b"").uniform_below(bound, 0)


@pytest.mark.parametrize(
    "odds",
    [
        (),
        ((1, Fraction(1, 2)),),
        ((1, Fraction(1, 2)), (2, Fraction(2, 3))),
        ((1, Fraction(3, 2)), (2, Fraction(-1, 2))),
    ],
)
def test_odds_that_do_not_sum_to_one_are_refused(odds: tuple[tuple[int, Fraction], ...]) -> None:
    with pytest.raises(ValueError, match="do not sum to one"):
        Dice(b"").pick(odds)


def test_a_seed_determines_the_dice() -> None:
    def rolls(*seed: str | int) -> list[int]:
        dice = Key.from_seed(*seed).dice()
        return [dice.uniform_below(1000, place) for place in range(20)]

    assert rolls("a", 1) == rolls("a", 1)
    assert len({tuple(rolls(*seed)) for seed in [("a", 1), ("a", 11), ("a1", 1), ("b",), ("a",)]}) == 5


def test_new_keys_differ() -> None:
    assert len({Key.fresh().dice().uniform_below(2**64, 0) for _ in range(8)}) == 8


def test_bots_and_dice_of_a_key_have_different_seeds() -> None:
    key = Key.from_seed("streams")
    thoughts = {key.bot_seed("prussia"), key.bot_seed("austria"), key.dice().uniform_below(2**64, 0)}
    assert len(thoughts) == 3
    assert key.bot_seed("prussia") == key.bot_seed("prussia")


def test_a_key_does_not_print_its_secret() -> None:
    key = Key(b"secret" * 5)
    assert "secret" not in repr(key)
    assert "secret" not in repr(key.dice())


def test_many_different_odds_are_kept_apart() -> None:
    dice = Dice(b"k")
    for number in range(2000):
        assert dice.pick(((number, Fraction(1)),)) == number


def test_a_place_always_has_the_same_outcome() -> None:
    dice = Key.from_seed("places").dice()
    first = [dice.outcome_at(place, DIE) for place in range(300)]
    assert [dice.outcome_at(place, DIE) for place in reversed(range(300))] == first[::-1]
    again = Key.from_seed("places").dice()
    assert [again.pick(DIE) for _ in range(300)] == first


@pytest.mark.parametrize("step", [1, 2, 8, 256])
def test_dice_of_different_places_are_even_and_independent(step: int) -> None:
    dice = Key.from_seed("spread", step).dice()
    faces = [dice.outcome_at(place, DIE) for place in range(0, 12_001 * step, step)]
    pairs = Counter(6 * one + other - 7 for one, other in pairwise(faces))
    assert chi_square(pairs, dict.fromkeys(range(36), 12_000 / 36)) < 66.6, "one in a thousand, for 35 degrees"


def test_published_dice_of_a_key_are_unchanged() -> None:
    dice = Key(bytes(range(32))).dice()
    assert (
        "".join(str(dice.outcome_at(place, DIE)) for place in range(40)) == "5345633614214454523421345442532232461434"
    )
    assert "".join(str(Key(bytes(32)).for_game("g").dice().outcome_at(n, DIE)) for n in range(10)) == "4555224624"


def test_each_game_of_a_key_has_dice_of_its_own() -> None:
    key = Key.from_seed("many")
    assert (
        len({tuple(key.for_game(str(n)).dice().outcome_at(place, DIE) for place in range(20)) for n in range(20)}) == 20
    )
    assert len({key.for_game(str(n)).game_id() for n in range(20)} | {key.game_id()}) == 21

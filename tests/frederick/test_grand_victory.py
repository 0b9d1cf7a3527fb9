"""C9.3, C12, C13: victory points, victory, the end of the war."""

from __future__ import annotations

import pytest

from leuthen.engine.ruleset import NOBODY, Outcome
from leuthen.rulesets.frederick.model.data import AUSTRIA, EMPIRE, FRANCE, HANOVER, PRUSSIA, SAXONY, GameOptions
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.rules.c12_victory import (
    VictoryCheck,
    great_fortresses,
    holder,
    marginal_victor,
    silesian_fortresses,
    victor,
    victory_points,
    vp_of,
)
from leuthen.rulesets.frederick.rules.c14_scenarios import FinalVictory
from tests.frederick.grand_kit import Scene, game_data, hexagon

GREAT = {"Breslau", "Prague", "Vienna", "Magdeburg", "Dresden"}
LARGE = GREAT | {"Hanover"}
SILESIA = {"Glatz", "Neisse", "Cosel", "Schweidnitz", "Breslau", "Glogau"}


def test_the_great_fortresses_and_the_values_of_all() -> None:
    forts = game_data().fortresses.values()
    assert {fort.name for fort in forts if fort.great} == GREAT
    for fort in forts:
        assert fort.vp == (10 if fort.name in LARGE else 0 if fort.name == "Russian base" else 5)
    assert {fort.name for fort in forts if fort.province == "silesia"} == SILESIA


def test_a_fortress_needs_sp_of_its_side_in_it() -> None:
    scene = Scene()
    assert victory_points(scene.pos) == (0, 0)
    scene.put("1733", PRUSSIAN, PRUSSIA, 1, inside=True).put("1432", PRUSSIAN, PRUSSIA, 2)
    scene.put("1125", AUSTRIAN, AUSTRIA, 0, "Browne", inside=True).put("0232", AUSTRIAN, AUSTRIA, 1)
    assert victory_points(scene.pos) == (15, 10)


def test_an_allys_sp_count() -> None:
    scene = Scene().sides(france=AUSTRIAN).put("1125", AUSTRIAN, FRANCE, 1, inside=True)
    assert victory_points(scene.pos) == (0, 10)


def test_a_besieger_gets_nothing_and_the_besieged_all() -> None:
    scene = Scene().put("1125", AUSTRIAN, AUSTRIA, 1, inside=True).put("1125", PRUSSIAN, PRUSSIA, 30)
    assert holder(scene.pos, hexagon("1125")) == AUSTRIAN
    assert victory_points(scene.pos) == (0, 10)


def test_a_fortress_that_was_taken_counts_for_its_new_owner() -> None:
    scene = Scene().put("1125", PRUSSIAN, PRUSSIA, 3, inside=True)
    assert holder(scene.pos, hexagon("1125")) == NOBODY  # it does not belong to them yet
    scene.draft.set_owner(hexagon("1125"), PRUSSIAN)
    assert victory_points(scene.pos) == (10, 0)
    assert great_fortresses(scene.pos) == (1, 0)


def test_neutral_fortresses_never_count() -> None:
    scene = Scene().put("1623", NOBODY, SAXONY, 8, inside=True)
    assert victory_points(scene.pos) == (0, 0)


@pytest.mark.parametrize(("france", "hanover", "counts"), [
    (AUSTRIAN, PRUSSIAN, True), (PRUSSIAN, AUSTRIAN, True), (AUSTRIAN, AUSTRIAN, False),
    (PRUSSIAN, NOBODY, False), (NOBODY, AUSTRIAN, False), (NOBODY, NOBODY, False),
])  # fmt: skip
def test_the_german_states_count_with_france_against_hanover(france: int, hanover: int, counts: bool) -> None:
    scene = Scene().sides(france=france, hanover=hanover).put("1811", PRUSSIAN, PRUSSIA, 1)
    scene.draft.set_owner(hexagon("1811"), PRUSSIAN)
    assert vp_of(scene.pos, hexagon("1811")) == (5 if counts else 0)
    assert victory_points(scene.pos)[0] == (5 if counts else 0)


def test_a_surrendered_power_counts_as_on_its_last_side() -> None:
    scene = Scene(surrendered=frozenset({HANOVER})).sides(france=AUSTRIAN, hanover=PRUSSIAN)
    assert vp_of(scene.pos, hexagon("1811")) == 5


def test_nuremberg_lies_in_the_german_states() -> None:
    scene = Scene().sides(empire=AUSTRIAN).put("0816", AUSTRIAN, EMPIRE, 5, inside=True)
    assert victory_points(scene.pos) == (0, 0)
    scene.sides(france=AUSTRIAN, hanover=PRUSSIAN)
    assert victory_points(scene.pos) == (0, 5)


@pytest.mark.parametrize(("points", "great", "winner"), [
    ((90, 40), (4, 0), PRUSSIAN), ((90, 45), (5, 0), NOBODY), ((90, 40), (3, 1), NOBODY),  # worked example 5
    ((40, 90), (0, 4), AUSTRIAN), ((45, 90), (0, 5), NOBODY), ((45, 91), (1, 4), AUSTRIAN), ((0, 0), (0, 0), NOBODY),
    ((40, 0), (4, 0), PRUSSIAN),
])  # fmt: skip
def test_twice_the_points_and_four_of_five(points: tuple[int, int], great: tuple[int, int], winner: int) -> None:
    assert victor(points, great) == winner


def conquest(year: int) -> Scene:
    """Prussia holds four of the five, and Austria a single fortress."""
    scene = Scene(year).put("1230", AUSTRIAN, AUSTRIA, 4, inside=True)
    for place in ("1733", "1125", "2217", "1623"):
        scene.put(place, PRUSSIAN, PRUSSIA, 2, inside=True)
        scene.draft.set_owner(hexagon(place), PRUSSIAN)
    return scene


def test_the_check_ends_the_game() -> None:
    scene = conquest(1757).begin(VictoryCheck())
    assert scene.draft.outcome == Outcome(PRUSSIAN, "decisive", "C12.3", 1757)
    assert "Prussian side 40, Austrian side 5; great fortresses 4 to 0" in scene.told(2)


def test_there_is_no_check_after_1756() -> None:
    scene = conquest(1756).begin(VictoryCheck())
    assert scene.draft.outcome is None
    assert not scene.facts


def test_otherwise_the_war_goes_on() -> None:
    scene = conquest(1758).put("0232", AUSTRIAN, AUSTRIA, 1).put("1034", AUSTRIAN, AUSTRIA, 1).begin(VictoryCheck())
    assert scene.draft.outcome is None
    assert not scene.asked


@pytest.mark.parametrize(("points", "silesia", "winner"), [
    ((50, 45), (6, 0, 0), PRUSSIAN), ((50, 45), (5, 1, 0), NOBODY), ((50, 45), (5, 0, 1), NOBODY),
    ((45, 45), (6, 0, 0), NOBODY), ((45, 50), (4, 2, 0), AUSTRIAN), ((45, 50), (5, 1, 0), NOBODY),
    ((50, 45), (3, 3, 0), NOBODY), ((45, 45), (4, 2, 0), NOBODY),
])  # fmt: skip
def test_the_marginal_victory(points: tuple[int, int], silesia: tuple[int, int, int], winner: int) -> None:
    assert marginal_victor(points, silesia) == winner


def test_silesia_is_held_with_or_without_a_garrison() -> None:
    scene = Scene()
    assert silesian_fortresses(scene.pos) == (6, 0, 0)
    scene.draft.set_owner(hexagon("1432"), AUSTRIAN)  # Glatz
    assert silesian_fortresses(scene.pos) == (5, 1, 0)


def test_the_war_ends_with_its_last_year() -> None:
    scene = Scene(1762).put("2422", PRUSSIAN, PRUSSIA, 3).begin(FinalVictory())
    assert scene.draft.outcome == Outcome(PRUSSIAN, "marginal", "C13.1", 1762)
    assert "Victory points 5 to 0, fortresses of Silesia 6 to 0: the Prussian side wins" in scene.told(2)


def test_a_draw() -> None:
    scene = Scene(1762).begin(FinalVictory())
    assert scene.draft.outcome == Outcome(None, "draw", "C13.1", 1762)


def test_austria_wins_with_two_fortresses_of_silesia() -> None:
    scene = Scene(1762).put("1125", AUSTRIAN, AUSTRIA, 3)
    for place in ("1432", "1434"):
        scene.draft.set_owner(hexagon(place), AUSTRIAN)
    assert scene.begin(FinalVictory()).draft.outcome == Outcome(AUSTRIAN, "marginal", "C13.1", 1762)


@pytest.mark.parametrize(("last", "year", "ends"), [(1762, 1761, False), (1758, 1758, True), (1756, 1756, True)])
def test_the_last_year_is_an_option(last: int, year: int, ends: bool) -> None:
    scene = Scene(year, options=GameOptions(last_year=last)).begin(FinalVictory())
    assert (scene.draft.outcome is not None) == ends

"""C5: diplomacy."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from leuthen.engine.decision import Done
from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.frederick.model.actions import Envoys, Reopen
from leuthen.rulesets.frederick.model.data import EMPIRE, FRANCE, HANOVER, MINORS, RUSSIA, SAXONY, SWEDEN, GameOptions
from leuthen.rulesets.frederick.model.events import Joined
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.rules.c05_diplomacy import (
    DiplomacyPhase,
    DiplomacyRoll,
    DiplomacyRolls,
    EnvoyChoice,
    diplomacy_modifiers,
    has_added_places,
    is_rolled,
)
from leuthen.rulesets.frederick.rules.c05_table import diplomacy_result
from leuthen.rulesets.frederick.rules.c11_allegiance import Reaction
from leuthen.wargame.strength import PowerId
from tests.frederick.grand_kit import Scene, game_data, hexagon

# Typed again from the article: rows −1 to 7; P Prussia, A Austria, N neutral; France, Hanover, Russia, Sweden, Saxony,
# Empire.
TABLE = {
    -1: ("P", "P**", "P", "P", "P", "P"),
    0: ("P", "P**", "P", "P", "P", "P"),
    1: ("P", "P**", "P", "N", "N", "N"),
    2: ("P", "P", "P", "N", "N", "N"),
    3: ("N", "P", "N", "N", "N", "N"),
    4: ("A*", "N", "N", "A", "A", "N"),
    5: ("A*", "A", "A", "A", "A", "A"),
    6: ("A*", "A", "A", "A", "A", "A"),
    7: ("A*", "A", "A", "A", "A", "A"),
}
MEANING = {"P": PRUSSIAN, "A": AUSTRIAN, "N": NOBODY}
COLUMNS = (FRANCE, HANOVER, RUSSIA, SWEDEN, SAXONY, EMPIRE)
NONE = (0,) * 6


def autumn_1756(**fields: Any) -> Scene:
    """After 1756, each minor with its SP at home."""
    scene = Scene(1756, 18, **fields)
    for power, place in zip(COLUMNS, ("0703", "2413", "3742", "3321", "1623", "0816"), strict=True):
        scene.put(place, NOBODY, power, 5, inside=True)
    return scene


@pytest.mark.parametrize(("row", "column"), [(row, column) for row in TABLE for column in range(6)])
def test_the_table_as_the_article_prints_it(row: int, column: int) -> None:
    text = TABLE[row][column]
    assert game_data().diplomacy[row, COLUMNS[column]] == MEANING[text[0]]
    assert ((row, COLUMNS[column]) in game_data().stars) == ("*" in text)


@pytest.mark.parametrize(("die", "modifier", "rolled"), [(6, 4, 7), (5, 2, 7), (1, -2, -1), (1, -9, -1), (3, 0, 3)])
def test_a_result_stays_within_its_limits(die: int, modifier: int, rolled: int) -> None:
    assert diplomacy_result(game_data(), FRANCE, die, modifier)[0] == rolled


def test_points_are_allocated_in_secret_and_at_the_same_time() -> None:
    scene = autumn_1756().begin(DiplomacyPhase())
    assert scene.asked == (PRUSSIAN, AUSTRIAN)
    scene.do(Envoys((0, 0, 0, 0, 2, 0)), side=PRUSSIAN)
    assert "2" not in scene.told(AUSTRIAN)
    assert scene.learned == 0
    scene.do(Reopen(), side=PRUSSIAN).do(Envoys((1, 0, 0, 0, 0, 0)), side=PRUSSIAN)
    scene.do(Envoys((2, 0, 1, 0, 0, 1)), side=AUSTRIAN)
    assert scene.learned == 0b111
    assert "France 1:2, Russia 0:1, Empire 0:1" in scene.told(2)
    assert scene.draft.sealed == (None, None)
    assert scene.frame == DiplomacyRoll(FRANCE, 1, 2)


def test_a_side_has_two_points_or_four_and_may_keep_some() -> None:
    scene = autumn_1756().begin(EnvoyChoice())
    assert scene.rule_against(Envoys((1, 1, 1, 0, 0, 0)), PRUSSIAN) == "C5.1"
    assert scene.rule_against(Envoys((5, 0, 0, 0, 0, 0)), AUSTRIAN) == "C5.1"
    assert scene.rule_against(Envoys((0,) * 5), PRUSSIAN) == "C5.1"
    assert scene.rule_against(Done(), PRUSSIAN) == "C5.1"
    for points in ((2, 0, 0, 0, 0, 0), NONE, (0, 1, 0, 0, 0, 1)):
        assert scene.why_not(Envoys(points), PRUSSIAN) is None
    assert scene.why_not(Envoys((1, 1, 1, 1, 0, 0)), AUSTRIAN) is None


def test_diplomacy_is_played_after_1756_only() -> None:
    assert not Scene(1757).begin(DiplomacyPhase()).asked


def test_one_die_per_power_in_the_order_of_the_table() -> None:
    scene = autumn_1756().begin(DiplomacyRolls(NONE, NONE))
    for power in COLUMNS:
        assert isinstance(scene.frame, DiplomacyRoll)
        assert scene.frame.power == power
        scene.roll(3)
    assert not scene.asked
    assert scene.draft.allegiance[HANOVER] == PRUSSIAN
    assert [scene.draft.allegiance[power] for power in COLUMNS if power != HANOVER] == [NOBODY] * 5


def test_a_power_invaded_in_1756_is_not_rolled_and_points_on_it_are_lost() -> None:
    scene = autumn_1756(invaded=frozenset({SAXONY}), saxon_invader=PRUSSIAN).sides(saxony=AUSTRIAN)
    assert not is_rolled(scene.pos, SAXONY)
    scene.begin(DiplomacyRolls((0, 0, 0, 0, 2, 0), NONE)).roll(3, 3, 3, 3)
    assert scene.frame == DiplomacyRoll(EMPIRE, 0, 0)
    assert scene.draft.allegiance[SAXONY] == AUSTRIAN


def test_a_power_that_surrendered_is_not_rolled() -> None:
    scene = autumn_1756(invaded=frozenset({SAXONY}), surrendered=frozenset({SAXONY}))
    assert not is_rolled(scene.pos, SAXONY)


def test_two_austrian_points_and_one_prussian_add_one() -> None:  # worked example 1
    parts = diplomacy_modifiers(autumn_1756().pos, EMPIRE, 1, 2)
    assert sum(points for _, points in parts) == 1
    assert len(parts) == 2


SAXON = {  # C5.6: if Prussia, if Austria invaded Saxony
    FRANCE: (1, -2),
    HANOVER: (0, 0),
    RUSSIA: (1, -1),
    SWEDEN: (1, 0),
    SAXONY: (0, 0),
    EMPIRE: (0, 0),
}


@pytest.mark.parametrize("power", MINORS)
@pytest.mark.parametrize("invader", [PRUSSIAN, AUSTRIAN, NOBODY])
def test_who_invaded_saxony_modifies(power: PowerId, invader: int) -> None:
    pos = autumn_1756(saxon_invader=invader).pos
    wanted = 0 if invader == NOBODY else SAXON[power][invader]
    assert sum(points for _, points in diplomacy_modifiers(pos, power, 0, 0)) == wanted


@pytest.mark.parametrize("power", MINORS)
@pytest.mark.parametrize(("side", "wanted"), [(PRUSSIAN, 2), (AUSTRIAN, -2), (NOBODY, 0)])
def test_france_modifies_hanover_alone(power: PowerId, side: int, wanted: int) -> None:
    pos = autumn_1756().sides(france=side).pos
    assert sum(points for _, points in diplomacy_modifiers(pos, power, 0, 0)) == (wanted if power == HANOVER else 0)


def test_a_france_that_surrendered_does_not() -> None:
    pos = autumn_1756(surrendered=frozenset({FRANCE})).sides(france=AUSTRIAN).pos
    assert diplomacy_modifiers(pos, HANOVER, 0, 0) == ()


def test_each_result_is_in_force_before_the_next_die() -> None:
    scene = autumn_1756().begin(DiplomacyRolls(NONE, (1, 0, 0, 0, 0, 0)))
    scene.roll(3)  # France: 3 + 1 = 4
    assert scene.draft.allegiance[FRANCE] == AUSTRIAN
    assert scene.draft.owners[hexagon("0703")] == scene.draft.owners[hexagon("0406")] == AUSTRIAN
    assert "die 3, +1 (Austrian Diplomacy Points) = 4: turns to the Austrian side" in scene.told()
    assert any(isinstance(fact, Joined) for fact in scene.facts)
    assert scene.draft.german_open
    scene.roll(5)  # Hanover: 5 − 2 = 3
    assert "die 5, -2 (France is on Austria's side) = 3: turns to the Prussian side" in scene.told()
    assert scene.draft.allegiance[HANOVER] == PRUSSIAN


def test_a_power_that_joins_brings_what_it_has() -> None:
    scene = autumn_1756().begin(DiplomacyRoll(SAXONY, 0, 0)).roll(5)
    assert scene.sp("1623", AUSTRIAN, SAXONY) == (0, 5)
    assert scene.draft.inside(hexagon("1623"), NOBODY) is None
    assert scene.draft.owners[hexagon("1821")] == AUSTRIAN


def test_all_modifiers_are_told_and_cumulative() -> None:
    scene = autumn_1756(saxon_invader=PRUSSIAN).begin(DiplomacyRoll(FRANCE, 2, 4)).roll(5)
    parts = "+4 (Austrian Diplomacy Points), -2 (Prussian Diplomacy Points), +1 (Prussia invaded Saxony in 1756) = 7"
    assert parts in scene.told()


def test_reactions_read_the_same_table() -> None:  # worked example 2: C5.7
    scene = Scene(1757, 4).sides(saxony=AUSTRIAN, hanover=PRUSSIAN, russia=AUSTRIAN, sweden=AUSTRIAN, empire=AUSTRIAN)
    scene.begin(Reaction(PRUSSIAN)).roll(2)
    assert scene.draft.allegiance[FRANCE] == AUSTRIAN
    assert not scene.asked


def test_a_starred_result_is_remembered() -> None:
    for die, starred in ((1, True), (2, False)):
        scene = autumn_1756().begin(DiplomacyRoll(HANOVER, 0, 0)).roll(die)
        assert scene.draft.allegiance[HANOVER] == PRUSSIAN
        assert (HANOVER in scene.draft.starred) == starred
        assert has_added_places(scene.pos, HANOVER)


@pytest.mark.parametrize(("starred", "note", "wanted"), [
    (False, "any", True), (True, "any", True), (False, "marked", False), (True, "marked", True),
])  # fmt: skip
def test_the_note_on_hanover_is_an_option(starred: bool, note: str, wanted: bool) -> None:
    options = GameOptions(hanover_note=note)
    pos = Scene(options=options, starred=frozenset({HANOVER} if starred else ())).sides(hanover=PRUSSIAN).pos
    assert has_added_places(pos, HANOVER) == wanted


def test_the_notes_hold_for_one_side_only() -> None:
    pos = Scene(options=GameOptions(hanover_note="marked")).sides(france=AUSTRIAN, hanover=AUSTRIAN).pos
    assert has_added_places(pos, FRANCE)
    assert not has_added_places(pos, HANOVER)
    assert not has_added_places(Scene().sides(france=PRUSSIAN).pos, FRANCE)
    assert not any(has_added_places(pos, power) for power in (RUSSIA, SWEDEN, SAXONY, EMPIRE))


def test_random_envoys_are_legal() -> None:
    scene, rng = autumn_1756().begin(EnvoyChoice()), Random(1)
    for _ in range(50):
        points = scene.legal(AUSTRIAN).sample(rng).points
        assert len(points) == 6
        assert sum(points) <= 4

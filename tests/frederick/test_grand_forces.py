"""C6, C7, C10: Resource Points, commitment, the subsidy."""

from __future__ import annotations

from typing import Any

import pytest

from leuthen.engine.decision import Done
from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.frederick.model.actions import Lose, Raise, Reopen
from leuthen.rulesets.frederick.model.data import (
    AUSTRIA,
    EMPIRE,
    FRANCE,
    HANOVER,
    MINORS,
    PRUSSIA,
    RUSSIA,
    SAXONY,
    SWEDEN,
)
from leuthen.rulesets.frederick.model.decisions import covered
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.rules.c06_resources import (
    ForceIncrementPhase,
    RaiseChoice,
    SubsidyPhase,
    SubsidyRoll,
    share_of,
    subsidy,
)
from leuthen.rulesets.frederick.rules.c07_commitment import (
    CommitmentPhase,
    CommitmentRoll,
    LossDue,
    Losses,
    commitment,
    commitment_modifiers,
    raised,
)
from leuthen.rulesets.frederick.ruleset import read_options
from leuthen.wargame.strength import PowerId, bag, of
from tests.frederick.grand_kit import Scene, game_data, hexagon

COLUMNS = (FRANCE, HANOVER, RUSSIA, SWEDEN, SAXONY, EMPIRE)
TABLE = {  # typed again from the article, per cent; * Russia switches sides
    -1: ("-10", "-10", "-20*", "0", "0", "-30"),
    0: ("0", "0", "-10*", "0", "0", "-20"),
    1: ("+10", "0", "0*", "0", "0", "-10"),
    2: ("+20", "0", "0", "0", "0", "0"),
    3: ("+30", "+10", "+10", "+10", "+10", "+10"),
    4: ("+40", "+20", "+20", "+10", "+10", "+20"),
    5: ("+50", "+40", "+30", "+10", "+10", "+30"),
    6: ("+60", "+60", "+40", "+10", "+20", "+40"),
}
LIMITS = {FRANCE: 80, HANOVER: 60, RUSSIA: 45, SWEDEN: 7, SAXONY: 11, EMPIRE: 16}
SUBSIDY = {1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 3}


@pytest.mark.parametrize(
    ("sp", "percent", "new"),
    [(49, 50, 25), (22, 40, 9), (22, 10, 3), (10, 10, 1), (11, 10, 2), (0, 90, 0), (33, 0, 0), (43, 220, 95)],
)
def test_fractions_are_rounded_up_once(sp: int, percent: int, new: int) -> None:  # C6.3, C7.4
    assert share_of(sp, percent) == new


def test_both_majors_receive_their_points_once() -> None:
    scene = Scene(1756).put("2422", PRUSSIAN, PRUSSIA, 43).begin(ForceIncrementPhase())
    assert scene.draft.rp == (22, 30)
    assert scene.asked == (PRUSSIAN, AUSTRIAN)
    assert "receives 22 RP" in scene.told(2)
    assert Scene(1757, rp=(3, 0)).begin(ForceIncrementPhase()).draft.rp == (3, 0)


def test_austria_receives_the_points_of_the_option() -> None:  # C6.1
    scene = Scene(1756, options=read_options({"austrian-points": "36"})).put("2422", PRUSSIAN, PRUSSIA, 43)
    assert scene.begin(ForceIncrementPhase()).draft.rp == (22, 36)


def test_five_points_on_49_sp_raise_25() -> None:  # worked example 3
    scene = Scene(1759, rp=(9, 4)).put("2422", PRUSSIAN, PRUSSIA, 40).put("1733", PRUSSIAN, PRUSSIA, 9, inside=True)
    scene.put("1125", AUSTRIAN, AUSTRIA, 30).begin(ForceIncrementPhase())
    scene.do(Raise(5), side=PRUSSIAN)
    assert "5" not in scene.told(AUSTRIAN)
    assert scene.learned == 0
    scene.do(Raise(0), side=AUSTRIAN)
    assert scene.learned == 0b111
    assert not scene.asked
    assert scene.draft.rp == (4, 4)
    assert scene.draft.waiting == bag(PRUSSIA, 25)
    assert scene.draft.sealed == (None, None)
    assert "Prussia spends 5 RP: 50 % of 49 SP = 25 new SP" in scene.told(PRUSSIAN)
    assert "Prussia spends 5 RP: 50 % of ? SP = ? new SP" in scene.told(AUSTRIAN)


def test_allies_prisoners_and_sp_that_wait_are_not_counted() -> None:
    fields: dict[str, Any] = {"rp": (10, 0), "prisoners": (0, bag(PRUSSIA, 20)), "waiting": bag(PRUSSIA, 7)}
    scene = Scene(1758, **fields).sides(hanover=PRUSSIAN).put("2413", PRUSSIAN, HANOVER, 30)
    scene.put("2413", PRUSSIAN, PRUSSIA, 10).begin(ForceIncrementPhase()).do(Raise(10), side=PRUSSIAN)
    assert scene.draft.waiting == bag(PRUSSIA, 17)


def test_any_number_of_points_but_no_more_than_there_are() -> None:
    scene = Scene(1758, rp=(3, 8)).put("2422", PRUSSIAN, PRUSSIA, 20).begin(RaiseChoice())
    refusal = scene.why_not(Raise(4), PRUSSIAN)
    assert refusal is not None
    assert refusal.text == "4 RP: there are only 3 (C6.2)"
    assert all(scene.why_not(Raise(n), AUSTRIAN) is None for n in range(9))
    assert scene.rule_against(Done(), PRUSSIAN) == "C6.2"
    assert scene.legal(PRUSSIAN).options(("raise",)).prices[2] == "4 new SP, 1 RP left"


def test_a_sealed_number_may_be_taken_back() -> None:
    scene = Scene(1758, rp=(3, 8)).begin(RaiseChoice()).do(Raise(1), side=PRUSSIAN).do(Reopen(), side=PRUSSIAN)
    assert scene.asked == (PRUSSIAN, AUSTRIAN)
    scene.do(Raise(2), side=PRUSSIAN).do(Raise(3), side=AUSTRIAN)
    assert scene.draft.rp == (1, 5)


def test_who_has_no_points_is_not_asked() -> None:
    scene = Scene(1758, rp=(0, 2)).begin(ForceIncrementPhase())
    assert scene.asked == (AUSTRIAN,)
    assert scene.why_not(Reopen(), PRUSSIAN)
    assert not scene.frame.is_open_to(scene.pos, PRUSSIAN)
    scene.do(Raise(2))
    assert not scene.asked
    assert not Scene(1758).begin(ForceIncrementPhase()).asked


@pytest.mark.parametrize(("row", "column"), [(row, column) for row in TABLE for column in range(6)])
def test_the_commitment_table_as_the_article_prints_it(row: int, column: int) -> None:
    text = TABLE[row][column]
    assert game_data().commitment[row, COLUMNS[column]] == (int(text.rstrip("*")), "*" in text)


def test_the_limits_as_the_article_prints_them() -> None:
    assert {power: game_data().powers[power].limit for power in MINORS} == LIMITS


def test_only_powers_on_a_side_roll_in_table_order() -> None:
    scene = Scene(surrendered=frozenset({SAXONY}))
    scene.sides(empire=PRUSSIAN, saxony=AUSTRIAN, france=AUSTRIAN, russia=PRUSSIAN).begin(CommitmentPhase())
    for power in (FRANCE, RUSSIA, EMPIRE):
        assert scene.frame == CommitmentRoll(power)
        scene.roll(2)
    assert not scene.asked


@pytest.mark.parametrize(("year", "wanted"), [(1756, 0), (1757, 0), (1759, 0), (1760, -1), (1761, -2)])
def test_the_war_makes_weary(year: int, wanted: int) -> None:
    pos = Scene(year).sides(sweden=AUSTRIAN).pos
    assert sum(points for _, points in commitment_modifiers(pos, SWEDEN)) == wanted


@pytest.mark.parametrize(("power", "other"), [(FRANCE, HANOVER), (HANOVER, FRANCE)])
def test_france_and_hanover_want_each_other_at_war(power: PowerId, other: int) -> None:
    alone = Scene(1760).sides(russia=AUSTRIAN)
    assert [points for _, points in commitment_modifiers(alone.pos, power)] == [-1, -1]
    both = Scene(1758).sides(france=AUSTRIAN, hanover=AUSTRIAN)
    assert not commitment_modifiers(both.pos, power)
    out = Scene(1758, surrendered=frozenset({other})).sides(france=AUSTRIAN, hanover=PRUSSIAN)
    assert not commitment_modifiers(out.pos, power)  # surrendered is not neutral
    never_joined = Scene(1758, surrendered=frozenset({other}))
    assert not commitment_modifiers(never_joined.pos, power)
    assert not commitment_modifiers(Scene(1758).pos, RUSSIA)


def test_below_minus_one_reads_minus_one() -> None:
    pos = Scene(1761).sides(france=AUSTRIAN).pos  # −2, −1
    assert commitment(pos, FRANCE, 1) == (-1, -10, False)
    assert commitment(pos, FRANCE, 6) == (3, 30, False)


def test_france_with_22_sp_and_40_per_cent_raises_9() -> None:  # worked example 4
    scene = Scene(1759).sides(france=AUSTRIAN, hanover=PRUSSIAN).put("0703", AUSTRIAN, FRANCE, 22)
    scene.begin(CommitmentRoll(FRANCE)).roll(4)
    assert scene.draft.waiting == bag(FRANCE, 9)
    assert "France: die 4: +40 % of 22 SP = 9 SP" in scene.told(AUSTRIAN)
    assert "France: die 4: +40 % of ? SP = ? SP" in scene.told(PRUSSIAN)


@pytest.mark.parametrize(
    ("here", "waiting", "percent", "new"),
    [(70, 0, 60, 10), (70, 4, 60, 6), (80, 0, 10, 0), (79, 5, 10, 0), (20, 3, 10, 2), (0, 0, 60, 0)],
)
def test_what_exceeds_the_limit_is_not_raised(here: int, waiting: int, percent: int, new: int) -> None:
    scene = Scene(waiting=bag(FRANCE, waiting), prisoners=(bag(FRANCE, 9), 0)).sides(france=AUSTRIAN)
    if here:
        scene.put("0703", AUSTRIAN, FRANCE, here)
    assert raised(scene.pos, FRANCE, percent) == new


def losing(points: int = 22, **more: Any) -> Scene:
    """France loses 10 %: 3 of 22."""
    scene = Scene(1761, **more).sides(france=AUSTRIAN).put("0703", AUSTRIAN, FRANCE, points - 2, band=(15, 30, 176102))
    scene.put("0406", AUSTRIAN, FRANCE, 2, inside=True, band=(2, 2, 176103)).put("1125", AUSTRIAN, AUSTRIA, 9)
    return scene.begin(CommitmentRoll(FRANCE)).roll(1)


def test_losses_are_rounded_up_and_chosen_by_the_owner() -> None:
    scene = losing()
    assert scene.asked == (AUSTRIAN,)
    assert scene.draft.sealed[AUSTRIAN] == LossDue(False, 3)
    assert scene.frame == Losses(AUSTRIAN, FRANCE, -10)
    scene.do(Lose(scene.key("0703", AUSTRIAN), FRANCE, 2), Lose(scene.key("0406", AUSTRIAN, True), FRANCE, 1))
    assert scene.sp("0703", AUSTRIAN, FRANCE) == (18, 0)
    assert scene.sp("0406", AUSTRIAN, FRANCE) == (0, 1)
    assert scene.asked == (AUSTRIAN,)
    scene.done()
    assert not scene.asked
    assert scene.draft.sealed[AUSTRIAN] is None


def test_the_other_side_does_not_learn_which_sp_go() -> None:
    scene = losing()
    known = {stack.hex: (stack.low, stack.high, stack.since) for stack in scene.draft.stacks_of(AUSTRIAN)}
    assert known[hexagon("0703")] == (7, 30, 176102)  # 8 is the most that 10 % of 80 can be
    assert known[hexagon("0406")] == (1, 2, 176103)
    scene.do(Lose(scene.key("0703", AUSTRIAN), FRANCE, 3))
    assert scene.told(PRUSSIAN) == ""
    assert "3 SP of France go home, 0 still to go" in scene.told(AUSTRIAN)
    assert covered(scene.draft.sealed[AUSTRIAN]) is None
    assert scene.learned == 0b101
    for stack in scene.draft.stacks_of(AUSTRIAN):
        assert stack.low <= stack.strength <= stack.high


def test_not_more_than_the_loss_and_not_somebody_elses() -> None:
    scene = losing()
    here = scene.key("0703", AUSTRIAN)
    assert scene.rule_against(Lose(here, FRANCE, 4)) == "C7.5"
    assert scene.rule_against(Lose(here, FRANCE, 0)) == "C7.5"
    assert scene.rule_against(Lose(scene.key("0406", AUSTRIAN, True), FRANCE, 3)) == "C7.5"
    assert scene.rule_against(Lose(scene.key("1125", AUSTRIAN), FRANCE, 1)) == "C7.5"
    assert scene.rule_against(Lose(here, AUSTRIA, 1)) == "C7.5"
    assert scene.rule_against(Done()) == "C7.5"
    scene.do(Lose(here, FRANCE, 3))
    assert scene.rule_against(Lose(here, FRANCE, 1)) == "C7.5"


def test_the_owner_is_asked_even_if_nobody_is_left_to_lose() -> None:
    scene = Scene(1761).sides(france=AUSTRIAN).put("1125", AUSTRIAN, AUSTRIA, 9).begin(CommitmentRoll(FRANCE)).roll(1)
    assert scene.asked == (AUSTRIAN,)
    scene.done()
    assert not scene.asked


def test_a_stack_may_be_lost_whole() -> None:
    scene = (
        Scene(1761).sides(empire=AUSTRIAN).put("0816", AUSTRIAN, EMPIRE, 1, inside=True).begin(CommitmentRoll(EMPIRE))
    )
    scene.roll(1)
    scene.do(Lose(scene.key("0816", AUSTRIAN, True), EMPIRE, 1)).done()
    assert not scene.draft.stacks


def russia(points: int, die: int, **more: Any) -> Scene:
    scene = Scene(1761, **more).sides(russia=AUSTRIAN).put("3742", AUSTRIAN, RUSSIA, points, "Apraxin", inside=True)
    return scene.begin(CommitmentRoll(RUSSIA)).roll(die)


def test_russia_takes_the_loss_and_then_changes_sides() -> None:  # C7.6
    scene = russia(20, 1)  # 1 − 2 = −1: −20 %, changes sides
    assert scene.asked == (AUSTRIAN,)  # the player who loses it chooses
    assert scene.draft.allegiance[RUSSIA] == AUSTRIAN
    scene.do(Lose(scene.key("3742", AUSTRIAN, True), RUSSIA, 4)).done()
    assert scene.draft.allegiance[RUSSIA] == PRUSSIAN
    assert scene.learned == 0b111
    assert scene.sp("3742", PRUSSIAN, RUSSIA) == (0, 16)
    assert scene.draft.owners[hexagon("3742")] == PRUSSIAN
    assert not scene.asked


def test_russia_may_change_sides_without_a_loss() -> None:
    scene = russia(20, 3)
    assert scene.draft.allegiance[RUSSIA] == PRUSSIAN
    assert "it changes sides" in scene.told(2)


def test_russians_held_by_the_new_friend_wait() -> None:  # C7.7
    scene = russia(20, 3, prisoners=(bag(RUSSIA, 3) + bag(AUSTRIA, 2), bag(PRUSSIA, 4)))
    assert scene.draft.waiting == bag(RUSSIA, 3)
    assert scene.draft.prisoners == (bag(AUSTRIA, 2), bag(PRUSSIA, 4))


@pytest.mark.parametrize("side", [PRUSSIAN, AUSTRIAN])
@pytest.mark.parametrize("die", SUBSIDY)
def test_the_subsidy_as_the_article_prints_it(die: int, side: int) -> None:
    scene = Scene(1757, rp=(2, 5)).sides(hanover=side).begin(SubsidyPhase()).roll(die)
    gained = tuple(now - before for now, before in zip(scene.draft.rp, (2, 5), strict=True))
    assert gained[side] == SUBSIDY[die]
    assert gained[1 - side] == 0
    assert f"{SUBSIDY[die]} RP to the" in scene.told(2)


@pytest.mark.parametrize(("year", "modifier"), [(1756, 0), (1757, 0), (1758, -1), (1759, -1), (1760, -2), (1761, -2)])
def test_the_subsidy_shrinks_but_never_below_one(year: int, modifier: int) -> None:
    pos = Scene(year).sides(hanover=PRUSSIAN).pos
    for die in range(1, 7):
        row = max(1, die + modifier)
        assert subsidy(pos, die) == (row, SUBSIDY[row])


def test_no_roll_while_hanover_is_neutral_or_has_surrendered() -> None:
    assert not Scene().begin(SubsidyPhase()).asked
    assert not Scene(surrendered=frozenset({HANOVER})).sides(hanover=PRUSSIAN).begin(SubsidyPhase()).asked
    assert Scene().sides(hanover=AUSTRIAN).begin(SubsidyPhase()).frame == SubsidyRoll()


def test_all_modifiers_are_told() -> None:
    scene = Scene(1760).sides(hanover=PRUSSIAN).begin(SubsidyPhase()).roll(2)
    assert "die 2, -2 (after 1760) = 1: 0 RP" in scene.told(2)
    scene = Scene(1760).sides(france=AUSTRIAN).put("0703", AUSTRIAN, FRANCE, 10).begin(CommitmentRoll(FRANCE)).roll(5)
    assert "die 5, -1 (before 1761), -1 (Hanover is neutral) = 3" in scene.told(PRUSSIAN)
    assert of(scene.draft.waiting, FRANCE) == 3
    assert scene.draft.allegiance[HANOVER] == NOBODY

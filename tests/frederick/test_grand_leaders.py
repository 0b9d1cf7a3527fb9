"""C8.1–C8.5, C8.9: new leaders and leaders sacked."""

from __future__ import annotations

from fractions import Fraction

import pytest

from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.model.actions import Draw, Sack
from leuthen.rulesets.frederick.model.data import AUSTRIA, EMPIRE, FRANCE, NATIONS, PRUSSIA, SAXONY, SWEDEN
from leuthen.rulesets.frederick.model.pieces import ABSENT, AUSTRIAN, CAPTIVE, GONE, ON_MAP, POOL, PRUSSIAN, WAITING
from leuthen.rulesets.frederick.model.stacks import by_seniority
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.rulesets.frederick.rules.c08_redeployment import (
    LeaderDraw,
    LeaderRoll,
    LeaderRolls,
    Sacking,
    leaders_in,
)
from leuthen.wargame.strength import PowerId
from tests.frederick.grand_kit import Scene, game_data, leader

TABLE = {1: (0, 0), 2: (0, 0), 3: (1, 0), 4: (1, 1), 5: (2, 1), 6: (2, 1)}  # the article's: new, sack


def prussia(*names: str) -> Scene:
    return Scene().put("2422", PRUSSIAN, PRUSSIA, 20, *(names or ("Frederick", "Keith", "Maurice")))


def emptied(scene: Scene, power: PowerId, status: int = GONE) -> Scene:
    """The pool of a power is empty."""
    for number in leaders_in(scene.pos, power, POOL):
        scene.draft.set_roster(number, ABSENT if number == game_data().nameless(power) else status)
    return scene


@pytest.mark.parametrize("die", TABLE)
def test_the_leader_table(die: int) -> None:
    new, sack = TABLE[die]
    scene = prussia().begin(LeaderRoll(PRUSSIA)).roll(die)
    drawn = 0
    while isinstance(scene.frame, LeaderDraw):
        drawn += 1
        scene.draw(("Henry", "Zieten")[drawn - 1])
    assert drawn == new
    assert isinstance(scene.frame, Sacking) == bool(sack)


def test_every_power_at_war_rolls_austria_first() -> None:
    scene = Scene(surrendered=frozenset({SAXONY})).sides(saxony=AUSTRIAN, france=AUSTRIAN, empire=PRUSSIAN)
    for power, name in ((AUSTRIA, "Browne"), (PRUSSIA, "Frederick"), (FRANCE, "Contades"), (EMPIRE, "Zweibrücken")):
        scene.put("2422", scene.draft.allegiance[power], power, 5, name)
    scene.begin(LeaderRolls())
    for power in (AUSTRIA, PRUSSIA, FRANCE, EMPIRE):
        assert scene.frame == LeaderRoll(power)
        scene.roll(1)
    assert not scene.asked


def test_each_draws_and_sacks_before_the_next_rolls() -> None:
    scene = prussia().put("1125", AUSTRIAN, AUSTRIA, 5, "Browne", "Lacy").begin(LeaderRolls()).roll(4)
    assert scene.frame == LeaderDraw(AUSTRIA, 1)
    scene.draw("Daun")
    assert scene.frame == Sacking(AUSTRIA)
    scene.do(Sack(leader("Lacy")))
    assert scene.frame == LeaderRoll(PRUSSIA)


def test_all_in_the_pool_are_equally_likely() -> None:
    scene = prussia().begin(LeaderRoll(PRUSSIA)).roll(5)
    pool = [n for n in leaders_in(scene.pos, PRUSSIA, POOL) if n != game_data().nameless(PRUSSIA)]
    chances = scene.frame.chances(scene.pos)
    assert {odds for _, odds in chances} == {Fraction(1, len(chances))}
    assert leader("Frederick") not in [action.leader for action, _ in chances if isinstance(action, Draw)]
    scene.draw("Henry")
    assert len(scene.frame.chances(scene.pos)) == len(chances) - 1
    assert len(pool) + 1 == len(chances) or len(pool) == len(chances)


def test_who_is_drawn_waits_and_his_name_is_open() -> None:
    scene = prussia().begin(LeaderRoll(PRUSSIA)).roll(3).draw("Henry")
    assert scene.draft.roster[leader("Henry")] == WAITING
    assert "Henry is drawn for Prussia" in scene.told(AUSTRIAN)


def test_between_equals_the_one_longer_there_is_senior() -> None:
    scene = prussia("Maurice", "Brunswick").begin(LeaderRoll(PRUSSIA)).roll(5).draw("Lehwaldt", "Winterfeldt")
    pos = scene.pos
    names = ("Winterfeldt", "Lehwaldt", "Maurice", "Brunswick")
    order = by_seniority(pos, tuple(leader(name) for name in names))
    assert order == tuple(leader(name) for name in ("Brunswick", "Maurice", "Lehwaldt", "Winterfeldt"))


def test_a_new_leader_of_rank_2_is_senior_to_one_of_rank_3() -> None:  # worked example 7
    scene = prussia("Keith").begin(LeaderRoll(PRUSSIA)).roll(3).draw("Henry")
    assert by_seniority(scene.pos, (leader("Keith"), leader("Henry")))[0] == leader("Henry")


def test_a_leader_sacked_is_gone_for_good() -> None:
    scene = prussia().begin(LeaderRoll(PRUSSIA)).roll(4).draw("Henry").do(Sack(leader("Frederick")))
    assert scene.draft.roster[leader("Frederick")] == GONE
    stack = scene.draft.stacks[scene.key("2422", PRUSSIAN)]
    assert stack.commander == leader("Keith")
    assert "Prussia sacks Frederick" in scene.told(AUSTRIAN)
    assert scene.learned == 0b110  # his successor is now seen
    assert not scene.asked


def test_a_junior_sacked_shows_nothing() -> None:
    scene = prussia().put("1733", PRUSSIAN, PRUSSIA, 3, band=(3, 3, 175702)).begin(LeaderRoll(PRUSSIA)).roll(4)
    scene.draw("Henry").do(Sack(leader("Maurice")))
    assert scene.learned == 0


def test_who_may_be_sacked() -> None:
    scene = prussia().put("1125", AUSTRIAN, AUSTRIA, 5, "Browne").begin(LeaderRoll(PRUSSIA)).roll(4).draw("Henry")
    assert scene.rule_against(Sack(leader("Henry"))) == "C8.3"  # not on the map yet
    assert scene.rule_against(Sack(leader("Browne"))) == "C8.3"
    assert scene.rule_against(Done()) == "C8.3"
    assert scene.why_not(Sack(leader("Keith"))) is None


def test_the_only_leader_is_not_sacked() -> None:
    scene = prussia("Keith").begin(LeaderRoll(PRUSSIA)).roll(4).draw("Henry")
    assert not scene.asked


def test_a_leader_who_stood_alone_leaves_the_hex_empty() -> None:
    scene = prussia().put("1733", PRUSSIAN, PRUSSIA, 0, "Schwerin").begin(Sacking(PRUSSIA))
    scene.do(Sack(leader("Schwerin")))
    assert scene.key("1733", PRUSSIAN) not in scene.draft.stacks


def test_a_power_without_a_leader_draws_one_even_on_a_one() -> None:
    scene = Scene().put("2422", PRUSSIAN, PRUSSIA, 9).begin(LeaderRoll(PRUSSIA)).roll(1)
    assert scene.frame == LeaderDraw(PRUSSIA, 1)
    assert "none is left on the map" in scene.told(2)


def test_but_no_more_than_the_table_gives_beyond_that() -> None:
    scene = Scene().put("2422", PRUSSIAN, PRUSSIA, 9).begin(LeaderRoll(PRUSSIA)).roll(3)
    assert scene.frame == LeaderDraw(PRUSSIA, 1)


def test_captives_are_not_on_the_map() -> None:
    scene = Scene(captives=((), (leader("Keith"),)))
    scene.draft.set_roster(leader("Keith"), CAPTIVE)
    assert scene.begin(LeaderRoll(PRUSSIA)).roll(2).frame == LeaderDraw(PRUSSIA, 1)


def test_a_short_pool_gives_what_it_has() -> None:
    scene = emptied(prussia(), PRUSSIA)
    scene.draft.set_roster(leader("Henry"), POOL)
    scene.begin(LeaderRoll(PRUSSIA)).roll(5)
    assert scene.frame == LeaderDraw(PRUSSIA, 1)
    assert "Prussia rolls 5 for leaders: 1 new, one to sack (the pool is short)" in scene.told(2)
    scene.draw("Henry")
    assert isinstance(scene.frame, Sacking)


@pytest.mark.parametrize(("die", "told"), [
    (1, "0 new"), (3, "1 new"), (4, "1 new, one to sack"), (6, "2 new, one to sack"),
])  # fmt: skip
def test_the_die_is_told(die: int, told: str) -> None:
    scene = prussia().begin(LeaderRoll(PRUSSIA)).roll(die)
    assert scene.told(2) == f"Prussia rolls {die} for leaders: {told}"


def test_an_empty_pool_gives_nothing() -> None:
    scene = emptied(prussia("Keith"), PRUSSIA).begin(LeaderRoll(PRUSSIA)).roll(3)
    assert not scene.asked
    assert leaders_in(scene.pos, PRUSSIA, WAITING) == ()


@pytest.mark.parametrize("die", [1, 3, 6])
def test_with_nobody_left_at_all_a_nameless_one_comes(die: int) -> None:
    scene = emptied(Scene().put("2422", PRUSSIAN, PRUSSIA, 9), PRUSSIA).begin(LeaderRoll(PRUSSIA)).roll(die)
    nameless = game_data().nameless(PRUSSIA)
    assert leaders_in(scene.pos, PRUSSIA, WAITING) == (nameless,)
    one = game_data().leaders[nameless]
    assert (one.name, one.initiative, one.attack, one.defence) == ("Prussian general", 0, 0, 0)
    assert all(other.rank < one.rank for other in game_data().leaders[:-8])  # junior to all
    assert "with ratings 0" in scene.told(AUSTRIAN)
    scene.begin(LeaderRoll(PRUSSIA)).roll(1)
    assert leaders_in(scene.pos, PRUSSIA, WAITING) == (nameless,)


def test_a_nameless_one_who_is_a_prisoner_is_replaced() -> None:
    nameless = game_data().nameless(PRUSSIA)
    scene = emptied(Scene(captives=((), (nameless,))), PRUSSIA)
    scene.draft.set_roster(nameless, CAPTIVE)
    scene.begin(LeaderRoll(PRUSSIA)).roll(1)
    assert scene.draft.roster[nameless] == WAITING
    assert scene.draft.captives == ((), ())


def test_each_power_has_its_nameless_general() -> None:
    data = game_data()
    for power, nation in enumerate(NATIONS):
        one = data.leaders[data.nameless(PowerId(power))]
        assert (one.power, one.name) == (power, f"{nation} general")


@pytest.mark.parametrize("die", range(1, 7))
def test_for_sweden_the_die_changes_nothing(die: int) -> None:
    scene = Scene().sides(sweden=AUSTRIAN).put("3321", AUSTRIAN, SWEDEN, 6, "Hamilton").begin(LeaderRoll(SWEDEN))
    scene.roll(die)
    assert not scene.asked
    assert leaders_in(scene.pos, SWEDEN, WAITING) == ()
    assert scene.told(2) == f"Sweden rolls {die} for leaders: 0 new (the die changes nothing)"


@pytest.mark.parametrize(("power", "name"), [(SWEDEN, "Hamilton"), (EMPIRE, "Zweibrücken")])
def test_their_leader_killed_or_captured_returns(power: PowerId, name: str) -> None:
    scene = Scene().sides(sweden=AUSTRIAN, empire=AUSTRIAN)
    scene.draft.set_roster(leader(name), GONE)
    before = scene.draft.arrival
    scene.begin(LeaderRoll(power)).roll(6)
    assert leaders_in(scene.pos, power, WAITING) == (leader(name),)
    assert scene.draft.arrival == before
    assert f"{name} returns" in scene.told(PRUSSIAN)
    scene.begin(LeaderRoll(power)).roll(6)
    assert leaders_in(scene.pos, power, WAITING) == (leader(name),)


def test_their_pool_is_drawn_from_only_if_nobody_is_there_to_return() -> None:
    scene = Scene().sides(sweden=AUSTRIAN)
    scene.begin(LeaderRoll(SWEDEN)).roll(1)
    assert scene.frame == LeaderDraw(SWEDEN, 1)
    scene = emptied(Scene().sides(sweden=AUSTRIAN), SWEDEN, ABSENT).begin(LeaderRoll(SWEDEN)).roll(1)
    assert leaders_in(scene.pos, SWEDEN, WAITING) == (game_data().nameless(SWEDEN),)


def test_nobody_on_the_map_but_one_waiting_draws_again() -> None:
    scene = Scene()
    scene.draft.set_roster(leader("Henry"), WAITING)
    assert leaders_in(scene.pos, PRUSSIA, ON_MAP) == ()
    assert scene.begin(LeaderRoll(PRUSSIA)).roll(1).frame == LeaderDraw(PRUSSIA, 1)
    assert isinstance(scene.draft, Draft)

"""C11.1: the exchange of prisoners."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.model.actions import Free, Offer
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA, RUSSIA, SAXONY
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, CAPTIVE, ON_MAP, PRUSSIAN
from leuthen.rulesets.frederick.model.stacks import by_seniority
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.rulesets.frederick.rules.c11_prisoners import (
    Freeing,
    LeaderOffers,
    LeaderReturn,
    PrisonerExchange,
    countable,
    havens,
    may_return,
    offerable,
)
from leuthen.wargame.strength import NO_LEADER, LeaderId, PowerId, bag, of
from tests.frederick.grand_kit import Scene, game_data, hexagon, leader


def free(power: PowerId, points: int, place: str, who: str = "") -> Free:
    return Free(power, points, hexagon(place), leader(who) if who else NO_LEADER)


def war(turn: int = 4, **more: Any) -> Scene:
    """Garrisons in Breslau, Berlin, Prague and Vienna; the French at Metz, Hanover at home."""
    scene = Scene(1758, turn, **more).sides(hanover=PRUSSIAN, france=AUSTRIAN)
    for place, side, power in (
        ("1733", PRUSSIAN, PRUSSIA), ("2422", PRUSSIAN, PRUSSIA), ("2413", PRUSSIAN, HANOVER),
        ("1125", AUSTRIAN, AUSTRIA), ("0232", AUSTRIAN, AUSTRIA), ("0703", AUSTRIAN, FRANCE),
    ):  # fmt: skip
        scene.put(place, side, power, 3, inside=True)
    return scene


def captured(scene: Scene, *who: str) -> Scene:
    """Leaders are prisoners of the other side."""
    held: list[tuple[LeaderId, ...]] = list(scene.draft.captives)
    for name in who:
        number = leader(name)
        captor = 1 - scene.draft.side_of(game_data().leaders[number].power)
        held[captor] = (*held[captor], number)
        scene.draft.set_roster(number, CAPTIVE)
    scene.draft.captives = (held[0], held[1])
    return scene


def test_as_many_as_the_side_with_fewer_holds() -> None:
    scene = war(prisoners=(bag(AUSTRIA, 4) + bag(FRANCE, 2), bag(PRUSSIA, 5))).begin(PrisonerExchange())
    assert "Exchange of prisoners: 5 for 5" in scene.told(2)
    assert scene.frame == Freeing(PRUSSIAN, 5)  # the Prussian side's choices first
    scene.do(free(PRUSSIA, 2, "1733"), free(PRUSSIA, 3, "2422"))
    assert scene.frame == Freeing(AUSTRIAN, 5)
    scene.do(free(FRANCE, 1, "0703"), free(AUSTRIA, 4, "0232"))
    assert not scene.asked
    assert scene.draft.prisoners == (bag(FRANCE, 1), 0)
    assert scene.sp("1733", PRUSSIAN, PRUSSIA) == (0, 5)
    assert scene.sp("0232", AUSTRIAN, AUSTRIA) == (0, 7)


def test_only_on_even_turns_and_only_if_both_hold_some() -> None:
    held = (bag(AUSTRIA, 4), bag(PRUSSIA, 5))
    assert not war(5, prisoners=held).begin(PrisonerExchange()).asked
    assert not war(prisoners=(0, bag(PRUSSIA, 5))).begin(PrisonerExchange()).asked
    assert war(18, prisoners=held).begin(PrisonerExchange()).asked


def test_the_number_is_learned_by_both() -> None:
    scene = war(prisoners=(bag(AUSTRIA, 4), bag(PRUSSIA, 5))).begin(PrisonerExchange())
    assert scene.learned == 0b111
    assert war(prisoners=(0, bag(PRUSSIA, 5))).begin(PrisonerExchange()).learned == 0


def test_the_exchange_is_open() -> None:
    scene = war(prisoners=(bag(AUSTRIA, 1), bag(PRUSSIA, 1))).begin(PrisonerExchange())
    scene.do(free(PRUSSIA, 1, "1733"))
    assert "Exchanged: 1 SP of Prussia at 1733 Breslau" in scene.told(AUSTRIAN)
    stack = scene.draft.stacks[scene.key("1733", PRUSSIAN, True)]
    assert (stack.low, stack.high) == (1, 999)  # joined: what was known lapses


def test_nationality_does_not_matter_but_a_place_does() -> None:
    scene = war(prisoners=(bag(AUSTRIA, 6), bag(HANOVER, 2) + bag(SAXONY, 3)))
    scene.draft.set_allegiance(SAXONY, PRUSSIAN)
    assert countable(scene.pos, PRUSSIAN) == {HANOVER: 2}  # no Saxon fortress is friendly
    scene.begin(PrisonerExchange())
    assert scene.frame == Freeing(PRUSSIAN, 2)
    assert scene.rule_against(free(SAXONY, 1, "1623")) == "C11.1"
    assert scene.rule_against(free(PRUSSIA, 1, "1733")) == "C11.1"
    assert scene.rule_against(free(HANOVER, 3, "2413")) == "C11.1"
    assert scene.rule_against(free(HANOVER, 1, "3011")) == "C11.1"
    assert scene.rule_against(free(HANOVER, 1, "1125")) == "C11.1"
    assert scene.rule_against(free(HANOVER, 1, "1224")) == "C11.1"
    assert scene.rule_against(Done()) == "C11.1"
    scene.do(free(HANOVER, 2, "2413"))


def test_they_return_to_friendly_fortresses_that_are_not_besieged() -> None:
    scene = war().put("1733", AUSTRIAN, AUSTRIA, 9).put("1125", PRUSSIAN, PRUSSIA, 9)
    assert havens(scene.pos, PRUSSIAN, PRUSSIA) == (hexagon("2422"),)
    assert havens(scene.pos, AUSTRIAN, AUSTRIA) == (hexagon("0232"),)
    scene.put("1733", PRUSSIAN, PRUSSIA, 1)  # relieved
    assert havens(scene.pos, PRUSSIAN, PRUSSIA) == (hexagon("1733"), hexagon("2422"))


def test_whose_only_fortress_is_besieged_has_no_place() -> None:
    scene = war(prisoners=(0, bag(HANOVER, 2))).put("2413", AUSTRIAN, FRANCE, 9)
    assert havens(scene.pos, PRUSSIAN, HANOVER) == ()  # Stade is empty, but SP are on a fortress hex
    assert may_return(scene.pos, PRUSSIAN, HANOVER) == 0
    scene.begin(Freeing(PRUSSIAN, 1))
    assert scene.rule_against(free(HANOVER, 1, "2413")) == "C11.1"


def test_a_power_with_no_sp_on_a_fortress_returns_to_an_empty_home() -> None:  # C8.8
    scene = Scene(1758, 4, prisoners=(bag(AUSTRIA, 2), bag(HANOVER, 2))).sides(hanover=PRUSSIAN)
    scene.put("2411", PRUSSIAN, HANOVER, 4).put("1125", AUSTRIAN, AUSTRIA, 3, inside=True)
    scene.draft.set_owner(hexagon("2413"), AUSTRIAN)
    homes = {game_data().fortresses[here].name for here in havens(scene.pos, PRUSSIAN, HANOVER)}
    assert homes == {"Stade"}  # Hanover is not friendly, Minden and Münster are not its side's yet
    scene.begin(PrisonerExchange()).do(free(HANOVER, 1, "3011"))
    stack = scene.draft.stacks[scene.key("3011", PRUSSIAN, True)]
    assert (stack.low, stack.high, stack.since) == (1, 1, 175804)  # all saw how many came
    scene.do(free(HANOVER, 1, "3011"))


@pytest.mark.parametrize(("here", "waits", "held", "counts"), [(3, 0, 5, 5), (8, 0, 5, 3), (8, 1, 5, 2), (11, 0, 5, 0)])
def test_nobody_returns_above_the_limit(here: int, waits: int, held: int, counts: int) -> None:
    scene = Scene(1758, 4, prisoners=(0, bag(SAXONY, held)), waiting=bag(SAXONY, waits)).sides(saxony=PRUSSIAN)
    scene.put("1623", PRUSSIAN, SAXONY, here, inside=True)
    assert may_return(scene.pos, PRUSSIAN, SAXONY) == counts
    if not counts:
        scene.begin(Freeing(PRUSSIAN, 1))
        assert scene.rule_against(free(SAXONY, 1, "1623")) == "C7.5"


def test_late_friends_in_prison_do_not_count() -> None:
    scene = war(prisoners=(bag(RUSSIA, 3), bag(PRUSSIA, 3))).sides(russia=PRUSSIAN)
    assert countable(scene.pos, AUSTRIAN) == {}
    assert not scene.begin(PrisonerExchange()).asked


def test_freed_men_join_a_demoralized_garrison() -> None:
    scene = war(prisoners=(bag(AUSTRIA, 1), bag(PRUSSIA, 1)))
    scene.begin(PrisonerExchange()).do(free(PRUSSIA, 1, "2422"), free(AUSTRIA, 1, "1125"))
    assert scene.sp("2422", PRUSSIAN, PRUSSIA) == (0, 4)


def test_leaders_one_for_one_and_the_captor_chooses() -> None:
    scene = captured(war(), "Keith", "Maurice", "Daun").begin(PrisonerExchange())
    assert "Exchange of leaders: 1 for 1" in scene.told(2)
    assert scene.frame == LeaderOffers(1)
    assert scene.asked == (PRUSSIAN,)
    assert scene.rule_against(Offer(leader("Keith"))) == "C11.1"
    scene.do(Offer(leader("Daun")))
    assert scene.asked == (AUSTRIAN,)
    scene.do(Offer(leader("Maurice")))
    assert scene.frame == LeaderReturn(PRUSSIAN, (leader("Maurice"),))
    assert scene.rule_against(free(PRUSSIA, 0, "1733", "Keith")) == "C11.1"
    assert scene.rule_against(free(PRUSSIA, 0, "1125", "Maurice")) == "C11.1"
    assert scene.rule_against(free(PRUSSIA, 1, "1733", "Maurice")) == "C11.1"
    scene.do(free(PRUSSIA, 0, "1733", "Maurice"))
    assert scene.frame == LeaderReturn(AUSTRIAN, (leader("Daun"),))
    scene.do(free(AUSTRIA, 0, "1125", "Daun"))
    assert not scene.asked
    assert scene.draft.captives == ((), (leader("Keith"),))
    assert scene.draft.roster[leader("Maurice")] == scene.draft.roster[leader("Daun")] == ON_MAP
    assert scene.draft.stacks[scene.key("1125", AUSTRIAN, True)].commander == leader("Daun")


def test_two_for_two() -> None:
    scene = captured(war(), "Keith", "Maurice", "Daun", "Lacy", "Soubise").begin(PrisonerExchange())
    scene.do(Offer(leader("Lacy")))
    assert scene.rule_against(Offer(leader("Lacy"))) == "C11.1"
    scene.do(Offer(leader("Soubise")), Offer(leader("Keith")), Offer(leader("Maurice")))
    scene.do(free(PRUSSIA, 0, "1733", "Maurice"), free(PRUSSIA, 0, "1733", "Keith"))
    scene.do(free(AUSTRIA, 0, "1125", "Lacy"), free(FRANCE, 0, "0703", "Soubise"))
    assert scene.draft.captives == ((leader("Daun"),), ())


def test_a_leader_without_a_place_is_not_counted() -> None:
    scene = captured(war(), "Keith", "Soubise").put("0703", PRUSSIAN, PRUSSIA, 9)
    assert offerable(scene.pos, PRUSSIAN) == ()
    scene.begin(PrisonerExchange())
    assert not scene.asked
    scene = captured(war(), "Keith", "Soubise", "Daun").put("0703", PRUSSIAN, PRUSSIA, 9).begin(PrisonerExchange())
    assert scene.rule_against(Offer(leader("Soubise"))) == "C11.1"


def test_sp_freed_first_make_a_place_for_their_leader() -> None:
    scene = Scene(1758, 4, prisoners=(bag(AUSTRIA, 1), bag(SAXONY, 1))).sides(saxony=PRUSSIAN)
    captured(scene.put("1125", AUSTRIAN, AUSTRIA, 3, inside=True), "Rutowski", "Daun").begin(PrisonerExchange())
    scene.do(free(SAXONY, 1, "1821"), free(AUSTRIA, 1, "1125"), Offer(leader("Daun")), Offer(leader("Rutowski")))
    assert scene.rule_against(free(SAXONY, 0, "1623", "Rutowski")) == "C11.1"
    scene.do(free(SAXONY, 0, "1821", "Rutowski"))


def test_who_was_a_prisoner_keeps_his_place() -> None:  # C8.2
    scene = captured(war(), "Brunswick", "Daun").put("1733", PRUSSIAN, PRUSSIA, 0, "Maurice", inside=True)
    scene.begin(PrisonerExchange()).do(Offer(leader("Daun")), Offer(leader("Brunswick")))
    scene.do(free(PRUSSIA, 0, "1733", "Brunswick"))
    order = by_seniority(scene.pos, (leader("Maurice"), leader("Brunswick")))
    assert order[0] == leader("Brunswick")
    assert scene.draft.stacks[scene.key("1733", PRUSSIAN, True)].commander == leader("Brunswick")


@pytest.mark.parametrize("seed", range(20))
def test_random_exchanges_end_and_lose_nobody(seed: int) -> None:
    rng = Random(seed)
    held = [bag(AUSTRIA, rng.randrange(5)) + bag(FRANCE, rng.randrange(5)), bag(PRUSSIA, 3) + bag(HANOVER, 4)]
    scene = captured(war(prisoners=(held[0], held[1])), "Keith", "Karl", "Daun", "Lacy", "Soubise")
    before = {power: _everywhere(scene.draft, PowerId(power)) for power in range(8)}
    scene.begin(PrisonerExchange())
    while scene.asked:
        scene.do(scene.legal().sample(rng))
    assert {power: _everywhere(scene.draft, PowerId(power)) for power in range(8)} == before
    assert not scene.draft.prisoners[0] or not scene.draft.prisoners[1]
    assert len(scene.draft.captives[0]) == 1
    for stack in scene.draft.stacks.values():
        assert stack.low <= stack.strength <= stack.high


def _everywhere(draft: Draft, power: PowerId) -> int:
    return sum(of(stack.sp, power) for stack in draft.stacks.values()) + sum(of(sp, power) for sp in draft.prisoners)

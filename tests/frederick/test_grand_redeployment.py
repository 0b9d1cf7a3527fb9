"""C8.6–C8.8, C8.10, C5.5, C5.9: re-deployment and reinforcements."""

from __future__ import annotations

from typing import Any

import pytest

from leuthen.engine.decision import Done
from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.frederick.model.actions import Place
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA, SAXONY, GameOptions
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, ON_MAP, PRUSSIAN, WAITING
from leuthen.rulesets.frederick.rules.c08_redeployment import (
    Redeploying,
    Reinforcing,
    arrivals,
    destinations,
)
from leuthen.wargame.strength import PowerId, bag
from tests.frederick.grand_kit import Scene, game_data, hexagon, leader

BARRED = GameOptions(besieged_redeployment="barred")


def names(places: object) -> set[str]:
    assert isinstance(places, dict)
    return {game_data().fortresses[here].name for here in places}


def move(
    scene: Scene, start: str, end: str, points: int, *who: str, power: PowerId = PRUSSIA, side: int = PRUSSIAN,
    inside: bool = False, out_of: bool = False,
) -> Place:  # fmt: skip
    leaders = tuple(sorted(leader(name) for name in who))
    return Place(power, hexagon(end), inside, leaders, bag(power, points), scene.key(start, side, out_of))


def come(end: str, points: int, *who: str, power: PowerId = PRUSSIA, inside: bool = False) -> Place:
    return Place(power, hexagon(end), inside, tuple(sorted(leader(name) for name in who)), bag(power, points))


def prussia(**more: Any) -> Scene:
    """Frederick in Bohemia, garrisons in Breslau and Berlin."""
    scene = Scene(**more).put("1224", PRUSSIAN, PRUSSIA, 20, "Frederick", "Keith")
    return scene.put("1733", PRUSSIAN, PRUSSIA, 3, inside=True).put("2422", PRUSSIAN, PRUSSIA, 2, inside=True)


# --- C8.6 -------------------------------------------------------------------------------------------------------------


def test_any_friendly_fortress_with_sp_of_the_nationality() -> None:
    scene = prussia().put("1125", PRUSSIAN, PRUSSIA, 4)  # before Prague, which is Austria's
    scene.put("1125", AUSTRIAN, AUSTRIA, 4, inside=True)
    assert names(destinations(scene.pos, PRUSSIAN, PRUSSIA)) == {"Breslau", "Berlin"}
    scene.draft.set_owner(hexagon("1125"), PRUSSIAN)
    assert "Prague" in names(destinations(scene.pos, PRUSSIAN, PRUSSIA))


def test_sp_and_leaders_move_from_anywhere() -> None:
    scene = prussia().begin(Redeploying(PRUSSIAN)).do(move(prussia(), "1224", "1733", 12, "Keith"))
    assert scene.sp("1733", PRUSSIAN, PRUSSIA) == (12, 3)
    assert scene.sp("1224", PRUSSIAN, PRUSSIA) == (8, 0)
    scene.do(move(scene, "1224", "1733", 8, "Frederick", inside=True))
    assert scene.sp("1733", PRUSSIAN, PRUSSIA) == (12, 11)
    assert scene.key("1224", PRUSSIAN) not in scene.draft.stacks
    assert scene.draft.stacks[scene.key("1733", PRUSSIAN, True)].commander == leader("Frederick")


def test_it_is_seen_but_not_how_many() -> None:
    scene = prussia().begin(Redeploying(PRUSSIAN)).do(move(prussia(), "1224", "1733", 12, "Frederick", "Keith"))
    seen = scene.told(AUSTRIAN)
    assert "Re-deployment from 1224 to 1733 Breslau: Frederick, ? Prussian SP" in seen
    assert "Breslau" in seen
    assert "Keith" not in seen
    assert "12" not in seen.replace("1224", "")
    assert scene.learned == 0b110
    for stack in scene.draft.stacks_of(PRUSSIAN):
        assert stack.low <= stack.strength <= stack.high or not stack.sp


def test_what_was_known_of_divided_stacks_lapses() -> None:
    scene = Scene().put("1224", PRUSSIAN, PRUSSIA, 20, "Frederick", band=(20, 20, 175702))
    scene.put("1733", PRUSSIAN, PRUSSIA, 3, inside=True, band=(3, 3, 175703)).begin(Redeploying(PRUSSIAN))
    scene.do(move(scene, "1224", "1733", 5, inside=True))
    assert {(stack.low, stack.high) for stack in scene.draft.stacks_of(PRUSSIAN)} == {(1, 999)}


def test_a_leader_may_go_alone_and_does_not_change_what_is_known() -> None:
    scene = Scene().put("1224", PRUSSIAN, PRUSSIA, 20, "Frederick", "Keith", band=(20, 20, 175702))
    scene.put("1733", PRUSSIAN, PRUSSIA, 3, inside=True, band=(3, 3, 175703)).begin(Redeploying(PRUSSIAN))
    scene.do(move(scene, "1224", "1733", 0, "Keith", inside=True))
    assert {(stack.low, stack.high) for stack in scene.draft.stacks_of(PRUSSIAN)} == {(20, 20), (3, 3)}
    assert "Keith, without troops" in scene.told(AUSTRIAN)


def test_each_piece_moves_once() -> None:
    scene = prussia().begin(Redeploying(PRUSSIAN)).do(move(prussia(), "1224", "1733", 12, "Keith"))
    assert scene.rule_against(move(scene, "1733", "2422", 12)) == "C8.6"
    assert scene.rule_against(move(scene, "1733", "2422", 0, "Keith")) == "C8.6"
    assert scene.why_not(move(scene, "1733", "2422", 3, out_of=True)) is None
    scene.do(move(scene, "1733", "2422", 2, out_of=True)).do(move(scene, "1733", "1733", 1, out_of=True))
    assert scene.sp("1733", PRUSSIAN, PRUSSIA) == (13, 0)


def test_nobody_moves_to_where_he_is() -> None:
    scene = prussia().begin(Redeploying(PRUSSIAN))
    refusal = scene.why_not(move(scene, "1733", "1733", 1, out_of=True, inside=True))
    assert refusal is not None
    assert refusal.rule == "C8.6"


def test_sp_of_the_nationality_must_be_there_at_each_move() -> None:
    scene = prussia().begin(Redeploying(PRUSSIAN))
    assert scene.rule_against(move(scene, "1224", "1432", 1)) == "C8.6"
    scene.do(move(scene, "2422", "1733", 2, out_of=True))
    assert scene.rule_against(move(scene, "1224", "2422", 1)) == "C8.6"


def test_an_ally_goes_where_his_own_countrymen_are() -> None:
    scene = prussia().sides(hanover=PRUSSIAN).put("2413", PRUSSIAN, HANOVER, 5, inside=True)
    scene.put("1224", PRUSSIAN, HANOVER, 6).begin(Redeploying(PRUSSIAN))
    assert scene.rule_against(move(scene, "1224", "1733", 6, power=HANOVER)) == "C8.6"
    scene.do(move(scene, "1224", "2413", 6, power=HANOVER, inside=True))
    assert scene.sp("2413", PRUSSIAN, HANOVER) == (0, 11)
    assert scene.rule_against(move(scene, "2413", "2413", 1, power=PRUSSIA, out_of=True)) == "C8.6"
    assert scene.rule_against(move(scene, "1224", "2413", 1, power=AUSTRIA)) == "C8.6"


def test_a_fortress_in_an_enemys_hands_is_no_place() -> None:
    scene = prussia().begin(Redeploying(PRUSSIAN))
    assert scene.rule_against(move(scene, "1224", "1125", 1)) == "C8.10"
    assert scene.rule_against(move(scene, "1224", "1623", 1)) == "C8.10"
    assert scene.rule_against(move(scene, "1224", "1225", 1)) == "C8.6"


def test_nobody_has_to_move() -> None:
    scene = prussia().begin(Redeploying(PRUSSIAN)).done()
    assert not scene.asked
    assert next(iter(prussia().begin(Redeploying(PRUSSIAN)).legal())) == Done()


def besieged(**more: Any) -> Scene:
    return prussia(**more).put("1733", AUSTRIAN, AUSTRIA, 30, "Browne")


def test_a_besieged_fortress_receives_inside_and_sends() -> None:
    scene = besieged().begin(Redeploying(PRUSSIAN))
    assert scene.rule_against(move(scene, "1224", "1733", 5)) == "C8.7"
    scene.do(move(scene, "1224", "1733", 5, inside=True), move(scene, "1733", "2422", 3, out_of=True))
    assert scene.sp("1733", PRUSSIAN, PRUSSIA) == (0, 5)


def test_or_by_the_option_neither() -> None:
    scene = besieged(options=BARRED).begin(Redeploying(PRUSSIAN))
    assert names(destinations(scene.pos, PRUSSIAN, PRUSSIA)) == {"Berlin"}
    assert scene.rule_against(move(scene, "1224", "1733", 5, inside=True)) == "C8.7"
    assert scene.rule_against(move(scene, "1733", "2422", 3, out_of=True)) == "C8.7"
    assert scene.why_not(move(scene, "1224", "2422", 5)) is None


def test_a_fortress_left_to_the_besieger_is_his() -> None:
    scene = besieged().begin(Redeploying(PRUSSIAN)).do(move(besieged(), "1733", "2422", 3, out_of=True))
    assert scene.draft.owners[hexagon("1733")] == AUSTRIAN


def test_a_relief_force_keeps_a_fortress_open() -> None:
    scene = besieged().put("1733", PRUSSIAN, PRUSSIA, 4).begin(Redeploying(PRUSSIAN))
    assert scene.why_not(move(scene, "1224", "1733", 5)) is None


# --- C5.5, C5.9 -------------------------------------------------------------------------------------------------------


def french(side: int = AUSTRIAN, **more: Any) -> Scene:
    scene = Scene(german_open=True, **more).sides(france=side)
    return scene.put("0703", side, FRANCE, 18, "d'Estrées", "Chevert", inside=True).put("0405", side, FRANCE, 5)


def test_france_with_austria_also_goes_to_the_three_places() -> None:
    scene = french()
    assert names(destinations(scene.pos, AUSTRIAN, FRANCE)) == {"Metz", "Venlo", "Roermond", "Wesel"}
    assert names(destinations(french(PRUSSIAN).pos, PRUSSIAN, FRANCE)) == {"Metz"}


def test_not_if_enemy_sp_are_there_but_leaders_are_no_presence() -> None:
    scene = french().put("2004", PRUSSIAN, PRUSSIA, 1).put("1702", PRUSSIAN, PRUSSIA, 0, "Keith")
    assert names(destinations(scene.pos, AUSTRIAN, FRANCE)) == {"Metz", "Venlo", "Roermond"}


def test_such_a_place_is_taken_by_sp_if_it_is_nobodys() -> None:
    scene = french()
    scene.draft.set_owner(hexagon("2004"), PRUSSIAN)
    scene.begin(Redeploying(AUSTRIAN))
    taken = move(scene, "0703", "2004", 8, power=FRANCE, side=AUSTRIAN, out_of=True, inside=True)
    assert scene.rule_against(taken) == "C5.9"
    scene.draft.set_owner(hexagon("2004"), NOBODY)
    scene.begin(Redeploying(AUSTRIAN))
    alone = move(scene, "0703", "2004", 0, "Chevert", power=FRANCE, side=AUSTRIAN, out_of=True, inside=True)
    assert scene.rule_against(alone) == "O2.7"
    scene.do(move(scene, "0703", "2004", 8, power=FRANCE, side=AUSTRIAN, out_of=True, inside=True))
    assert scene.sp("2004", AUSTRIAN, FRANCE) == (0, 8)
    assert scene.draft.owners[hexagon("2004")] == AUSTRIAN


@pytest.mark.parametrize(("note", "starred", "wanted"), [
    ("any", (), {"Hanover", "Minden", "Münster"}),
    ("marked", (), {"Hanover"}),
    ("marked", (HANOVER,), {"Hanover", "Minden", "Münster"}),
])  # fmt: skip
def test_hanover_with_prussia_also_goes_to_minden_and_munster(
    note: str, starred: tuple[int, ...], wanted: set[str]
) -> None:
    scene = Scene(options=GameOptions(hanover_note=note), starred=frozenset(starred)).sides(hanover=PRUSSIAN)
    scene.put("2413", PRUSSIAN, HANOVER, 5)
    assert names(destinations(scene.pos, PRUSSIAN, HANOVER)) == wanted


def test_new_sp_need_their_own_there_first() -> None:  # C5.9
    scene = french()
    assert names(arrivals(scene.pos, AUSTRIAN, FRANCE)) == {"Metz"}
    scene.put("2004", AUSTRIAN, FRANCE, 1)
    scene.draft.set_owner(hexagon("2004"), AUSTRIAN)
    assert names(arrivals(scene.pos, AUSTRIAN, FRANCE)) == {"Metz", "Wesel"}


def shut_in_at_wesel(points: int) -> Scene:
    """Chevert stands before Wesel, which is nobody's; Venlo and Roermond are the enemy's."""
    scene = Scene(german_open=True).sides(france=AUSTRIAN).put("2004", AUSTRIAN, FRANCE, points, "Chevert")
    return scene.put("1802", PRUSSIAN, PRUSSIA, 1).put("1702", PRUSSIAN, PRUSSIA, 1).begin(Redeploying(AUSTRIAN))


def test_who_has_nowhere_to_go_is_not_asked_where() -> None:
    inside = move(Scene(), "2004", "2004", 0, "Chevert", power=FRANCE, side=AUSTRIAN, inside=True)
    assert shut_in_at_wesel(0).rule_against(inside) == "C8.6"
    scene = shut_in_at_wesel(3)
    scene.draft.set_owner(hexagon("2004"), NOBODY)
    assert scene.rule_against(inside) == "C8.6"
    scene.do(move(scene, "2004", "2004", 1, "Chevert", power=FRANCE, side=AUSTRIAN, inside=True))
    assert scene.draft.owners[hexagon("2004")] == AUSTRIAN


# --- C8.7, C8.8 -------------------------------------------------------------------------------------------------------


def waiting(scene: Scene, points: int, *who: str, power: PowerId = PRUSSIA) -> Scene:
    scene.draft.waiting += bag(power, points)
    for name in who:
        scene.draft.set_roster(leader(name), WAITING)
    return scene


def test_new_sp_and_leaders_come_to_fortresses_with_their_countrymen() -> None:
    scene = waiting(prussia(), 9, "Henry").begin(Reinforcing(PRUSSIAN))
    assert scene.rule_against(come("1432", 9)) == "C8.7"
    assert scene.rule_against(come("1224", 9)) == "C8.7"
    assert scene.rule_against(come("1125", 9)) == "C8.10"
    scene.do(come("1733", 4, "Henry"))
    assert "Arrival at 1733 Breslau: Henry, ? Prussian SP" in scene.told(AUSTRIAN)
    assert scene.learned == 0b110
    assert scene.draft.roster[leader("Henry")] == ON_MAP
    scene.do(come("2422", 5, inside=True))
    assert scene.sp("1733", PRUSSIAN, PRUSSIA) == (4, 3)
    assert scene.sp("2422", PRUSSIAN, PRUSSIA) == (0, 7)
    assert scene.draft.waiting == 0
    assert scene.done().asked == ()


def test_they_must_be_placed_as_far_as_possible() -> None:
    scene = waiting(prussia(), 1, "Henry").begin(Reinforcing(PRUSSIAN)).do(come("1733", 1))
    assert scene.rule_against(Done()) == "C8.7"
    scene.do(come("1733", 0, "Henry", inside=True))
    assert scene.rule_against(come("1733", 1)) == "C8.8"
    scene.done()


def test_not_more_than_wait_and_somebody() -> None:
    scene = waiting(prussia(), 3, "Henry").begin(Reinforcing(PRUSSIAN))
    refusal = scene.why_not(come("1733", 4))
    assert refusal is not None
    assert refusal.text == "only 3 SP wait to be placed (C8.7)"
    assert scene.rule_against(come("1733", 0)) == "C8.7"
    assert scene.rule_against(come("1733", 1, "Zieten")) == "C8.7"
    assert scene.rule_against(come("1733", 1, power=AUSTRIA)) == "C8.7"


def test_a_besieged_fortress_takes_them_inside_or_by_the_option_not_at_all() -> None:
    scene = waiting(besieged(), 3).begin(Reinforcing(PRUSSIAN))
    assert scene.rule_against(come("1733", 3)) == "C8.7"
    assert scene.why_not(come("1733", 3, inside=True)) is None
    scene = waiting(besieged(options=BARRED), 3).begin(Reinforcing(PRUSSIAN))
    assert scene.rule_against(come("1733", 3, inside=True)) == "C8.7"
    assert scene.why_not(come("2422", 3)) is None


def test_a_power_driven_into_the_field_comes_to_any_empty_home() -> None:  # C8.8
    scene = waiting(Scene().sides(saxony=PRUSSIAN).put("1523", PRUSSIAN, SAXONY, 2), 4, power=SAXONY)
    assert names(arrivals(scene.pos, PRUSSIAN, SAXONY)) == {"Dresden", "Torgau"}
    scene.draft.set_owner(hexagon("1821"), AUSTRIAN)
    assert names(arrivals(scene.pos, PRUSSIAN, SAXONY)) == {"Dresden"}
    assert scene.begin(Reinforcing(PRUSSIAN)).rule_against(come("1821", 1, power=SAXONY)) == "C8.8"
    scene.draft.set_owner(hexagon("1821"), NOBODY)
    scene.begin(Reinforcing(PRUSSIAN)).do(come("1821", 1, power=SAXONY, inside=True))
    assert scene.draft.owners[hexagon("1821")] == PRUSSIAN  # O12.4
    assert scene.rule_against(come("1623", 1, power=SAXONY)) == "C8.7"  # now there are SP on a fortress hex
    scene.do(come("1821", 3, power=SAXONY))


def test_a_leader_may_come_before_his_men() -> None:
    scene = waiting(prussia(), 3, "Henry").begin(Reinforcing(PRUSSIAN)).do(come("1733", 0, "Henry"))
    assert "Arrival at 1733 Breslau: Henry, without troops" in scene.told(AUSTRIAN)
    scene.do(come("1733", 3))


def test_added_places_are_homes_only_while_friendly() -> None:  # C5.9
    scene = Scene(german_open=True).sides(france=AUSTRIAN)
    assert names(arrivals(scene.pos, AUSTRIAN, FRANCE)) == {"Metz", "Strasburg"}
    scene.draft.set_owner(hexagon("2004"), AUSTRIAN)
    scene.draft.set_owner(hexagon("0703"), PRUSSIAN)
    assert names(arrivals(scene.pos, AUSTRIAN, FRANCE)) == {"Strasburg", "Wesel"}


def test_a_leader_alone_does_not_take_an_empty_home() -> None:
    scene = waiting(Scene().sides(saxony=PRUSSIAN), 0, "Xaver", power=SAXONY)
    scene.draft.set_owner(hexagon("1821"), NOBODY)
    scene.begin(Reinforcing(PRUSSIAN))
    assert scene.rule_against(come("1821", 0, "Xaver", power=SAXONY, inside=True)) == "C8.7"
    scene.do(come("1821", 0, "Xaver", power=SAXONY))
    assert scene.draft.owners[hexagon("1821")] == NOBODY


def test_enemy_sp_bar_a_home_and_then_they_wait_a_year() -> None:
    scene = waiting(Scene().sides(saxony=PRUSSIAN), 4, "Xaver", power=SAXONY)
    scene.put("1623", AUSTRIAN, AUSTRIA, 1, inside=True).put("1821", AUSTRIAN, AUSTRIA, 1)
    scene.begin(Reinforcing(PRUSSIAN))
    assert scene.rule_against(come("1623", 4, power=SAXONY)) == "C8.8"
    scene.done()
    assert scene.draft.waiting == bag(SAXONY, 4)
    assert scene.draft.roster[leader("Xaver")] == WAITING


def test_barred_and_besieged_they_wait_although_a_home_is_empty() -> None:
    scene = Scene(options=BARRED).sides(saxony=PRUSSIAN).put("1623", PRUSSIAN, SAXONY, 2, inside=True)
    scene = waiting(scene.put("1623", AUSTRIAN, AUSTRIA, 9), 4, power=SAXONY).begin(Reinforcing(PRUSSIAN))
    assert scene.why_not(Done()) is None


def test_nobody_comes_above_the_limit() -> None:  # C7.5
    scene = Scene().sides(saxony=AUSTRIAN).put("1623", AUSTRIAN, SAXONY, 9, inside=True)
    scene = waiting(scene, 5, power=SAXONY).begin(Reinforcing(AUSTRIAN))
    assert scene.rule_against(come("1623", 3, power=SAXONY)) == "C8.7"
    scene.do(come("1623", 2, power=SAXONY)).done()
    assert scene.draft.waiting == bag(SAXONY, 3)


def test_a_side_is_asked_even_if_nothing_waits() -> None:
    assert Scene().begin(Reinforcing(AUSTRIAN)).asked == (AUSTRIAN,)

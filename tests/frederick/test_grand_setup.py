"""C2: the set-up."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from leuthen.engine.decision import Done
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import NOBODY, as_side
from leuthen.rulesets.frederick.model.actions import Clear, Place, PlaceDepot, Reopen, Seal
from leuthen.rulesets.frederick.model.data import (
    AUSTRIA,
    EMPIRE,
    FRANCE,
    HANOVER,
    PRUSSIA,
    RUSSIA,
    SAXONY,
    SWEDEN,
    GameOptions,
)
from leuthen.rulesets.frederick.model.pieces import ABSENT, AUSTRIAN, ON_MAP, POOL, PRUSSIAN, WAITING
from leuthen.rulesets.frederick.rules.c02_setup import SetupPlan, new_position
from leuthen.wargame.board import stack_key
from leuthen.wargame.strength import PowerId, bag, of, total
from tests.frederick.grand_kit import Scene, game_data, hexagon, leader, opening

FIXED = {  # the article's own list
    "1623": (SAXONY, 8, ("Rutowski",), True),
    "1821": (SAXONY, 1, (), True),
    "3321": (SWEDEN, 6, ("Hamilton",), True),
    "0703": (FRANCE, 18, ("d'Estrées", "de Broglie", "Chevert"), True),
    "0406": (FRANCE, 12, ("Contades", "St. Germain"), True),
    "3742": (RUSSIA, 20, ("Apraxin", "Fermor"), True),
    "2413": (HANOVER, 10, ("Cumberland",), True),
    "2411": (HANOVER, 4, ("Karl",), False),
    "3011": (HANOVER, 1, ("Zastrow",), True),
    "0816": (EMPIRE, 5, ("Zweibrücken",), True),
}
PRUSSIANS = ("Frederick", "Schwerin", "Ferdinand", "Brunswick", "Keith", "Maurice")
AUSTRIANS = ("Browne", "Piccolomini", "Serbelloni", "Lacy", "Nadasdy")


def place(power: PowerId, hex_: str, points: int, *names: str, inside: bool = False) -> Place:
    leaders = tuple(sorted(leader(name) for name in names))
    return Place(power, hexagon(hex_), inside, leaders, bag(power, points))


def all_prussians(scene: Scene) -> Scene:
    scene.do(place(PRUSSIA, "2422", 40, *PRUSSIANS), place(PRUSSIA, "3741", 3, inside=True), side=PRUSSIAN)
    return scene.do(PlaceDepot(hexagon("2422")), side=PRUSSIAN)


def all_austrians(scene: Scene) -> Scene:
    return scene.do(place(AUSTRIA, "1125", 20, *AUSTRIANS), place(AUSTRIA, "0232", 12, inside=True), side=AUSTRIAN)


def test_the_minors_stand_where_the_article_puts_them() -> None:
    pos = opening().pos
    assert len(pos.stacks) == len(FIXED)
    for place_, (power, points, names, inside) in FIXED.items():
        stack = pos.stacks[stack_key(hexagon(place_), NOBODY, inside)]
        assert stack.sp == bag(power, points)
        assert sorted(stack.leaders) == sorted(leader(name) for name in names)
        assert (stack.low, stack.high, stack.since) == (points, points, 175609)  # C2.6: open while neutral


def test_the_calendar_sides_owners_and_depots_at_the_start() -> None:
    pos = opening().pos
    assert (pos.year, pos.turn, pos.phasing, pos.rp) == (1756, 9, NOBODY, (0, 0))
    assert pos.allegiance == (PRUSSIAN, AUSTRIAN, *(NOBODY,) * 6)
    assert {hexagon("2411"): HANOVER, hexagon("3742"): RUSSIA} == {h: d.power for h, d in pos.depots.items()}
    assert all(depot.complete for depot in pos.depots.values())
    mine = {fort.name for here, fort in game_data().fortresses.items() if pos.owners[here] == AUSTRIAN}
    assert mine == {"Vienna", "Brünn", "Olmütz", "Eger", "Prague", "Königgrätz"}
    assert pos.owners[hexagon("3741")] == PRUSSIAN  # C9.4
    assert not pos.german_open
    assert pos.owners[hexagon("1623")] == pos.owners[hexagon("1811")] == NOBODY


def test_whoever_is_not_set_up_is_in_the_pool() -> None:
    pos = opening().pos
    data = game_data()
    started = {leader(name) for *_, names, _ in FIXED.values() for name in names}
    majors = {leader(name) for name in PRUSSIANS + AUSTRIANS}
    for number, status in enumerate(pos.roster):
        nameless = number >= len(data.leaders) - 8
        wanted = ON_MAP if number in started else WAITING if number in majors else ABSENT if nameless else POOL
        assert status == wanted, data.leaders[number].name
    assert pos.roster[leader("Henry")] == POOL
    assert pos.arrival[leader("Henry")] == 0
    assert [pos.arrival[leader(name)] for name in PRUSSIANS] == [1, 2, 3, 4, 5, 6]  # C8.2: the order of C2


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(Invalid):
        new_position(game_data(), "waterloo", GameOptions())


def test_both_deploy_at_the_same_time_in_any_order() -> None:
    scene = opening()
    assert scene.asked == (PRUSSIAN, AUSTRIAN)
    all_austrians(scene).do(Seal(), side=AUSTRIAN)
    assert scene.asked == (PRUSSIAN,)
    assert "sealed" in scene.told(PRUSSIAN)


def test_the_draft_of_a_set_up_is_told_to_its_side() -> None:
    scene = opening().do(PlaceDepot(hexagon("2422")), side=PRUSSIAN)
    assert scene.told(PRUSSIAN) == "Depot at 2422 Berlin"
    scene.do(place(PRUSSIA, "2422", 2, "Keith", inside=True), side=PRUSSIAN)
    assert scene.told(PRUSSIAN) == "inside 2422 Berlin: Keith, 2 Prussian SP"
    assert scene.do(Clear(), side=PRUSSIAN).told(PRUSSIAN) == "The Prussian side begins its set-up anew"


def test_a_scenario_without_a_major_is_refused() -> None:
    data = game_data()
    forces = tuple(force for force in data.scenarios["campaign"].forces if force.power != AUSTRIA)
    plan = msgspec.structs.replace(data.scenarios["campaign"], forces=forces)
    faulty = msgspec.structs.replace(data, scenarios={"campaign": plan})
    with pytest.raises(Invalid):
        new_position(faulty, "campaign", GameOptions())


def test_everything_must_be_placed_before_the_seal() -> None:
    scene = opening().do(place(PRUSSIA, "2422", 40, "Frederick"), side=PRUSSIAN)
    refusal = scene.why_not(Seal(), PRUSSIAN)
    assert refusal is not None
    assert refusal.rule == "C2.6"
    assert refusal.numbers == (3, 5, 1)


def test_nobody_sees_what_the_other_places() -> None:
    scene = opening().do(place(PRUSSIA, "2422", 40, "Frederick"), side=PRUSSIAN)
    assert scene.told(AUSTRIAN) == scene.told(2) == ""
    assert "Frederick" in scene.told(PRUSSIAN)
    assert not scene.learned
    assert scene.draft.stacks == opening().draft.stacks


def test_the_reveal_hides_strengths_and_juniors() -> None:
    scene = all_austrians(all_prussians(opening())).do(Seal(), side=PRUSSIAN)
    assert not scene.learned
    scene.do(Seal(), side=AUSTRIAN)
    assert scene.learned == 0b111
    assert scene.asked == ()
    assert "2422 Berlin: Frederick, ? Prussian SP" in scene.told(AUSTRIAN)
    assert "Keith" not in scene.told(AUSTRIAN)
    assert "40" not in scene.told(AUSTRIAN)
    assert "40 Prussian SP" in scene.told(PRUSSIAN)
    army = scene.draft.stacks[scene.key("2422", PRUSSIAN)]
    assert (army.strength, army.low, army.high, army.since) == (40, 1, 999, 0)
    assert army.commander == leader("Frederick")
    assert scene.draft.sealed == (None, None)
    assert scene.draft.depots[hexagon("2422")].complete
    assert scene.draft.roster[leader("Maurice")] == ON_MAP


def test_what_lies_in_one_place_is_one_stack_and_not_seen() -> None:
    scene = opening().do(place(AUSTRIA, "1125", 1), place(AUSTRIA, "1125", 4, "Browne"), side=AUSTRIAN)
    scene.do(place(AUSTRIA, "1125", 27, "Piccolomini", "Serbelloni", "Nadasdy", "Lacy"), side=AUSTRIAN)
    all_prussians(scene).do(Seal(), side=PRUSSIAN).do(Seal(), side=AUSTRIAN)
    stack = scene.draft.stacks[scene.key("1125", AUSTRIAN)]
    assert (stack.strength, len(stack.leaders), stack.low, stack.high) == (32, 5, 1, 999)


def test_a_sealed_choice_may_be_opened_until_the_other_has_sealed() -> None:
    scene = all_prussians(opening()).do(Seal(), side=PRUSSIAN)
    assert scene.frame.is_open_to(scene.pos, PRUSSIAN)
    assert scene.rule_against(Clear(), PRUSSIAN) == "C2.4"
    scene.do(Reopen(), side=PRUSSIAN)
    assert scene.asked == (PRUSSIAN, AUSTRIAN)
    assert not scene.frame.is_open_to(scene.pos, AUSTRIAN)
    scene.do(Clear(), side=PRUSSIAN)
    assert scene.draft.sealed[PRUSSIAN] == SetupPlan()
    assert scene.why_not(Reopen(), PRUSSIAN)


def test_prussia_deploys_in_its_fortresses_or_on_its_depot() -> None:
    scene = opening()
    assert scene.rule_against(place(PRUSSIA, "1623", 1), PRUSSIAN) == "C2.1"
    assert scene.rule_against(place(PRUSSIA, "2423", 1), PRUSSIAN) == "C2.1"
    scene.do(PlaceDepot(hexagon("2423")), side=PRUSSIAN)
    assert scene.why_not(place(PRUSSIA, "2423", 1), PRUSSIAN) is None
    assert scene.rule_against(place(PRUSSIA, "2423", 1, inside=True), PRUSSIAN) == "C2.6"
    for silesian in ("1432", "1733", "3741"):
        assert scene.why_not(place(PRUSSIA, silesian, 1), PRUSSIAN) is None
    assert scene.rule_against(PlaceDepot(hexagon("2423")), PRUSSIAN) == "C2.6"


def test_austria_deploys_in_its_fortresses_and_has_no_depot() -> None:
    scene = opening()
    assert scene.rule_against(place(AUSTRIA, "1733", 1), AUSTRIAN) == "C2.2"
    assert scene.rule_against(PlaceDepot(hexagon("1125")), AUSTRIAN) == "C2.6"
    assert scene.rule_against(place(PRUSSIA, "1733", 1), AUSTRIAN) == "C2.4"
    for own in ("0232", "1125", "0733"):
        assert scene.why_not(place(AUSTRIA, own, 1), AUSTRIAN) is None


def test_the_depot_stands_in_no_enemy_and_no_neutral_land() -> None:
    scene, board = opening(), game_data().board
    lands = {"brandenburg", "silesia", "east-prussia", "poland", "mecklenburg", "holstein", "schleswig"}
    for here, territory in board.territory.items():
        if board.in_play(here):
            refusal = scene.why_not(PlaceDepot(here), PRUSSIAN)
            assert (refusal is None) == (territory in lands), territory


def test_too_much_or_nobody_is_refused_with_numbers() -> None:
    scene = opening()
    refusal = scene.why_not(place(PRUSSIA, "2422", 44), PRUSSIAN)
    assert refusal is not None
    assert refusal.text == "only 43 SP are left to place (C2.6)"
    assert scene.rule_against(place(PRUSSIA, "2422", 0), PRUSSIAN) == "C2.6"
    assert scene.rule_against(place(PRUSSIA, "2422", 1, "Henry"), PRUSSIAN) == "C2.6"
    assert scene.rule_against(Done(), PRUSSIAN) == "C2.4"
    scene.do(place(PRUSSIA, "2422", 43, "Keith"), side=PRUSSIAN)
    assert scene.rule_against(place(PRUSSIA, "2422", 0), PRUSSIAN) == "C2.6"
    assert scene.rule_against(place(PRUSSIA, "2422", 0, "Keith"), PRUSSIAN) == "C2.6"
    assert scene.why_not(place(PRUSSIA, "2422", 0, "Maurice"), PRUSSIAN) is None


@pytest.mark.parametrize("seed", range(10))
def test_random_deployments_end_and_place_all(seed: int) -> None:
    scene, rng = opening(), Random(seed)
    while scene.asked:
        side = scene.asked[int(rng.random() * len(scene.asked))]
        scene.do(scene.legal(side).sample(rng), side=side)
    for side, sp in ((PRUSSIAN, 43), (AUSTRIAN, 32)):
        assert sum(total(stack.sp) for stack in scene.draft.stacks_of(as_side(side))) == sp
    leaders = [n for side in (0, 1) for stack in scene.draft.stacks_of(side) for n in stack.leaders]
    assert sorted(leaders) == sorted(leader(name) for name in PRUSSIANS + AUSTRIANS)
    assert all(of(stack.sp, AUSTRIA) == 0 for stack in scene.draft.stacks_of(PRUSSIAN))


def test_the_canonical_subset_and_its_prices() -> None:
    legal = opening().legal(AUSTRIAN)
    actions = list(legal)
    assert 0 < len(actions) < 1000
    assert all(action in legal for action in actions)
    options = legal.options(("place", AUSTRIA, leader("Browne"), -1))
    assert options.slot == "sp"
    assert options.prices[10] == "22 left"
    refused = dict(legal.options(("place", AUSTRIA, -1, 5)).refused)
    assert refused[hexagon("1733")].rule == "C2.2"

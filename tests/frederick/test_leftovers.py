from random import Random
from typing import Any

import pytest

from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge.view import make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, Depot
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.rules.c05_diplomacy import EnvoyChoice
from leuthen.rulesets.frederick.rules.c06_resources import RaiseChoice
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.rulesets.frederick.rules.o13_siege import Occupation, SiegePhase
from leuthen.rulesets.frederick.rules.o14_attrition import AttritionRoll, ReinforcementPhase
from leuthen.rulesets.frederick.screen.leftovers import dice_text, hungry_stacks, left_undone
from leuthen.screen.values import Left
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import bag
from tests.frederick.handmade import Table, game_data, hexagon, leader
from tests.laws.games import games
from tests.properties.armies import armies
from tests.properties.games import seeds


def left(state: State, viewer: int = PRUSSIAN) -> list[Left]:
    return list(left_undone(game_data(), make_view(state, as_viewer(viewer))))


def field() -> Table:
    table = Table()
    table.put("0733", PRUSSIAN, bag(PRUSSIA, 8), "Keith")
    table.put("1632", PRUSSIAN, bag(PRUSSIA, 12), "Winterfeldt", "Zieten")
    table.put("1834", PRUSSIAN, bag(PRUSSIA, 4), demoralized=True)
    table.put("1128", AUSTRIAN, bag(AUSTRIA, 20), "Daun")
    return table


def test_the_end_of_a_march_phase() -> None:
    state = field().state(frames=(MarchPhase(PRUSSIAN, 4),), depots={hexagon("1836"): Depot(PRUSSIA, False)})
    found = left(state)
    assert found[0] == Left("Depot under construction at 1836 will be given up: nobody stays with it", "O10.10", "1836")
    assert found[1] == Left(
        "Keith, 8 SP, at 0733 Brünn: out of supply, rolls on 2–4 for 5 %, on 5–6 for 10 %: 0.3 SP on average",
        "O10.8",
        "0733",
    )
    texts = [one.text for one in found]
    assert "Keith with 8 SP at 0733 Brünn may still march, 5 MP left" in texts
    assert "Winterfeldt, Zieten with 12 SP at 1632 may still march, 6 MP left" in texts
    assert "No leader, 4 SP, at 1834: demoralized, and without a commander it does not recover" in texts


def test_who_has_marched_is_not_listed() -> None:
    spent = {leader("Keith"): 5, leader("Zieten"): 2, leader("Winterfeldt"): 99}
    table = field()
    state = table.state(frames=(MarchPhase(PRUSSIAN, 4),), spent=spent)
    texts = [one.text for one in left(state) if one.rule == "O5.2"]
    assert texts == ["Zieten with 12 SP at 1632 may still march, 4 MP left"]


def test_battles_and_sieges_that_are_not_fought() -> None:
    table = field()
    table.put("1632", AUSTRIAN, bag(AUSTRIA, 9), "Browne", low=4, high=9, since=175702)
    table.put("0733", AUSTRIAN, bag(AUSTRIA, 3), inside=True, low=2, high=5, since=175702)
    combat = CombatPhase(PRUSSIAN, PRUSSIAN)
    text = "Browne with 4–9 SP at 1632 is not attacked by Winterfeldt, 12 SP, at 1632"
    assert left(table.state(frames=(combat,))) == [Left(text, "O9.2", "1632")]
    (bound,) = left(table.state(frames=(combat,), bound=frozenset({hexagon("1632")})))
    assert (bound.rule, bound.text.startswith(text)) == ("O5.17", True)
    declared = CombatPhase(PRUSSIAN, PRUSSIAN, ((PRUSSIAN, hexagon("1632")),))
    assert left(table.state(frames=(declared,))) == []
    siege = table.state(frames=(SiegePhase(PRUSSIAN),), depots={hexagon("0733"): Depot(PRUSSIA, True)})
    (one,) = left(siege)
    assert one.text == "Siege of 0733 Brünn, 2–5 SP inside, 0 rolls so far: not rolled in this phase"
    march = left(table.state(frames=(MarchPhase(PRUSSIAN, 4),)))
    assert [one.rule for one in march if one.text.startswith("Siege of")] == ["O13.1"]


def test_a_force_march_that_is_not_tried() -> None:
    table = field()
    table.put("1632", AUSTRIAN, bag(AUSTRIA, 9), "Browne", low=4, high=9, since=175702)
    found = left(table.state(frames=(ForceMarchPhase(PRUSSIAN),)))
    assert [one.rule for one in found] == ["O10.8", "O10.8", "O6.2"]  # his zone cuts off 1834
    assert found[2].text == "Winterfeldt, 12 SP, at 1632 may still try to get away from Browne with 4–9 SP"


def test_depots_quarters_envoys_and_points() -> None:
    table = field()
    depots = left(table.state(frames=(DepotPhase(PRUSSIAN, True),)))
    assert [one.text for one in depots] == ["Winterfeldt, 12 SP, at 1632 could begin a depot"]
    winter = left(table.state(frames=(ReinforcementPhase(PRUSSIAN),), turn=16))
    assert [(one.place, one.rule) for one in winter] == [("1632", "O14.2"), ("0733", "O10.8"), ("1834", "O14.2")]
    assert winter[0].text.startswith("Winterfeldt, 12 SP, at 1632: not in quarters (quarters are taken in or at")
    assert [one.rule for one in left(table.state(frames=(EnvoyChoice(),)))] == ["C5.1"]
    (raised,) = left(table.state(frames=(RaiseChoice(),)))
    assert raised.text == "22 RP: each raises about 3 SP; what is not spent is kept"
    (fallen,) = left(table.state(frames=(Occupation(PRUSSIAN, hexagon("1632")),), owners=_owners("1632")))
    assert fallen.rule == "O13.5"


def _owners(place: str) -> dict[int, int]:
    return {**Table().values["owners"], parse_hex(place): PRUSSIAN}


def test_a_deployment_that_is_not_complete() -> None:
    state = load("frederick").new_game("campaign", {})
    assert [one.text for one in left(state)] == [
        "43 SP are not placed",
        "Not placed: Frederick, Schwerin, Keith, Ferdinand, Maurice, Brunswick",
        "The depot is not placed",
    ]


def test_nobody_else_is_told() -> None:
    state = field().state(frames=(MarchPhase(PRUSSIAN, 4),))
    assert left(state, AUSTRIAN) == left(state, WATCHER) == left(state, EVERYTHING) == []


@pytest.mark.parametrize("seed", seeds(2))
def test_who_is_listed_as_hungry_is_who_rolls(seed: int) -> None:
    door: Any = load("frederick")
    for moment in games("frederick", seed, often=20):
        frame = moment.state.frames[-1]
        if isinstance(frame, AttritionRoll) and moment.actor == CHANCE:
            side = moment.state.stacks[frame.stack].side
            hungry = {one.stack.key: one for one in hungry_stacks(moment.state, side)}
            assert frame.stack in hungry
            for number, (action, _) in enumerate(door.chances(moment.state)):
                after = door.apply(moment.state, CHANCE, action).state
                stood = after.stacks.get(frame.stack)
                lost = moment.state.stacks[frame.stack].strength - (stood.strength if stood is not None else 0)
                assert lost == hungry[frame.stack].losses[number][1]


@pytest.mark.parametrize("seed", seeds(2))
def test_the_list_is_the_same_in_every_world_of_the_viewer(seed: int) -> None:
    door: Any = load("frederick")
    for moment in games("frederick", seed, often=60):
        for viewer in SIDES:
            view = door.view(moment.state, viewer)
            found = left_undone(game_data(), view)
            other = door.worlds(view, Random(seed))
            assert left_undone(game_data(), door.view(other, viewer)) == found
            assert all(one.text and one.rule for one in found)


def test_whatever_stands_on_the_board_has_a_list() -> None:
    found = 0
    for seed in range(10):
        state = armies(seed)
        for side in SIDES:
            for frame in (MarchPhase(side, 3), ForceMarchPhase(side), CombatPhase(side, side), DepotPhase(side, True)):
                draft = Draft(state)
                draft.frames, draft.moving = (frame,), None
                lines = left(draft.freeze(), side)
                assert all(one.text and one.rule for one in lines)
                found += len(lines)
    assert found > 20


def test_dice_are_told_in_spans() -> None:
    assert dice_text(((0, 0), (5, 1), (5, 1), (5, 1), (10, 1), (10, 1))) == "rolls on 2–4 for 5 %, on 5–6 for 10 %"
    assert dice_text(((0, 0),) * 5 + ((5, 1),)) == "rolls on 6 for 5 %"
    assert dice_text(((0, 0),) * 6) == "rolls, and no die hurts"

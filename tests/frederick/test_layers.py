from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, NOBODY, OTHER, WATCHER, ViewerId, as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge.view import AT_LEAST, complete_view, make_view
from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.data import HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES, Depot
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.rules.c12_victory import holder, vp_of
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o07_zones import in_zone
from leuthen.rulesets.frederick.rules.o10_supply import is_supplied, open_hexes, sources, supply
from leuthen.rulesets.frederick.screen.layers import LAYERS, make_layer, supply_lines, working_links
from leuthen.screen.values import Layer
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import bag
from tests.frederick.handmade import Table, game_data, hexagon, some_state
from tests.properties.armies import armies
from tests.properties.games import positions, seeds


def layer(state: State, name: str, viewer: ViewerId = PRUSSIAN, place: str = "") -> Layer:
    return make_layer(game_data(), make_view(state, as_viewer(viewer)), name, place)


def states(seed: int) -> list[State]:
    return [armies(seed * 7 + more) for more in range(5)] + [state for _, state in positions(seed, 499)]


@pytest.mark.parametrize("seed", seeds(3))
def test_the_ways_of_supply_lead_to_what_supplies(seed: int) -> None:
    for state in states(seed):
        for side in SIDES:
            lines = supply_lines(state, side)
            fed = {link for link, _ in working_links(state, side)} | {
                here for here in state.data.fortresses if sources(state, side) >> here & 1
            }
            open_ = open_hexes(state, side)
            for line in lines:
                assert len(line.path) - 1 <= line.most
                assert line.path[-1] in fed
                assert all(open_ >> here & 1 for here in line.path[1:])
                assert all(
                    there in state.data.board.neighbours[here]
                    for here, there in zip(line.path, line.path[1:], strict=False)
                )
            starts = {line.path[0] for line in lines}
            for stack in state.own(side):
                if stack.sp and not stack.inside:
                    assert is_supplied(state, stack) == (stack.hex in starts or stack.hex in fed), hex_name(stack.hex)
            for here, _ in working_links(state, side):
                assert here in starts or sources(state, side) >> here & 1


def test_supply_is_shaded_as_the_rules_have_it() -> None:
    table = Table()
    table.put("1632", PRUSSIAN, bag(PRUSSIA, 5), "Keith")
    table.put("0733", PRUSSIAN, bag(PRUSSIA, 8), "Zieten")
    state = table.state(depots={hexagon("1836"): Depot(PRUSSIA, True)})
    found = layer(state, "supply")
    assert found.shades["1631"].level == 4
    assert "source" in found.shades["1631"].text
    fields = supply(complete_view(game_data(), make_view(state, PRUSSIAN), AT_LEAST), PRUSSIAN)
    shaded = {here for here, shade in found.shades.items() if shade.side == PRUSSIAN}
    assert shaded == {hex_name(here) for here in state.data.board.terrain if fields[5] >> here & 1}
    assert found.shades["0733"].side == NOBODY  # out of supply
    assert any(
        note.startswith("Zieten, 8 SP at 0733 Brünn: out of supply, rolls on 2–4 for 5 %") for note in found.notes
    )
    assert [line.path[0] for line in found.lines if line.text.startswith("1632")] == ["1632"]
    assert not layer(state, "supply", WATCHER).notes[:-1]


@pytest.mark.parametrize("seed", seeds(2))
def test_zones_are_shaded_where_the_mover_pays_for_them(seed: int) -> None:
    for state in states(seed):
        for viewer in SIDES:
            found = layer(state, "zones", viewer)
            dear = {here for here, shade in found.shades.items() if shade.level in (2, 3)}
            board = state.data.board
            expected = {
                hex_name(here) for here in board.terrain if board.neighbours[here] and in_zone(state, here, PRUSSIAN)
            }
            casters = {here for here, shade in found.shades.items() if shade.level == 4}
            assert dear | (casters & expected) == expected


@pytest.mark.parametrize("seed", seeds(3))
def test_no_march_goes_farther_than_the_threat(seed: int) -> None:
    door, rng, checked = load("frederick"), Random(seed), 0
    for state in states(seed):
        for side in SIDES:
            draft = Draft(state)
            draft.frames, draft.moving, draft.spent = (MarchPhase(side, 6),), None, {}
            marching = draft.freeze()
            if marching.outcome is not None:
                continue
            warned = {here for here, shade in layer(marching, "threat", OTHER[side]).shades.items() if shade.level > 1}
            for _ in range(12):
                action = door.legal_actions(marching, side).sample(rng)
                if isinstance(action, March) and action.sp and action.path:
                    checked += 1
                    assert hex_name(action.path[-1]) in warned
    assert checked > 20


@pytest.mark.parametrize("seed", seeds(2))
def test_the_reach_of_a_stack_holds_every_march_of_it(seed: int) -> None:
    door, rng = load("frederick"), Random(seed)
    for state in states(seed):
        side, die = as_side(rng.randrange(2)), rng.randrange(1, 7)
        draft = Draft(state)
        draft.frames, draft.moving, draft.spent = (MarchPhase(side, die),), None, {}
        marching = draft.freeze()
        if marching.outcome is not None:
            continue
        for _ in range(12):
            action = door.legal_actions(marching, side).sample(rng)
            if not isinstance(action, March) or len(action.path) < 1 or not action.sp or action.companions:
                continue
            start = next(stack for stack in marching.own(as_side(side)) if action.leader in stack.leaders)
            if start.inside or action.path == (start.hex,) or start.hex == action.path[-1]:
                continue
            found = layer(marching, "reach", side, hex_name(start.hex))
            assert hex_name(action.path[-1]) in found.shades


def test_holders_are_those_of_the_victory_points() -> None:
    state = some_state()
    found = layer(state, "holders")
    for here, fort in state.data.fortresses.items():
        shade = found.shades[hex_name(here)]
        assert shade.side == state.owners[here]
        assert f"{vp_of(state, here)} VP" in shade.text
        assert ("held" in shade.text) == (holder(state, here) != NOBODY)
        assert shade.level == (4 if fort.great else 3 if vp_of(state, here) >= 5 else 2)
    assert found.shades["2523"].text.startswith("Prussia")
    assert found.shades["2523"].level == 1


@pytest.mark.parametrize("seed", seeds(1))
def test_layers_are_the_same_in_every_world_of_the_viewer(seed: int) -> None:
    door: Any = load("frederick")
    for state in states(seed)[:10]:
        for viewer in (*SIDES, WATCHER):
            view = make_view(state, viewer)
            other = door.worlds(view, Random(seed))
            for name in LAYERS:
                here = hex_name(next(iter(state.stacks.values())).hex) if name == "reach" else ""
                assert _bytes(state, name, viewer, here) == _bytes(other, name, viewer, here)


def _bytes(state: State, name: str, viewer: ViewerId, place: str) -> bytes:
    try:
        return msgspec.json.encode(layer(state, name, viewer, place))
    except Invalid as error:
        return str(error).encode()


@pytest.mark.parametrize(("name", "place"), [("moon", ""), ("reach", ""), ("reach", "9999"), ("reach", "2523")])
def test_what_is_no_layer(name: str, place: str) -> None:
    with pytest.raises(Invalid):
        layer(some_state(), name, place=place)


def test_everything_is_layered_for_him_who_knows_everything() -> None:
    for name in ("supply", "zones", "threat", "holders"):
        assert layer(some_state(), name, EVERYTHING).notes


def test_paths_of_supply_are_as_long_as_the_power_may_have_them() -> None:
    table = Table()
    table.put("2710", PRUSSIAN, bag(HANOVER, 5), "Karl")
    (line,) = supply_lines(table.state(), PRUSSIAN)
    assert line.path[0] == hexagon("2710")
    assert line.most == game_data().powers[HANOVER].supply
    shown = layer(table.state(), "supply").lines
    assert [one.text for one in shown] == ["2710 Bremen from 3011 Stade: 3 of 5 hexes"]


def test_the_supply_of_the_enemy_is_shown_where_he_stands() -> None:
    state = some_state()
    assert {shade.side for shade in layer(state, "supply", place="1128").shades.values()} == {AUSTRIAN}
    assert {shade.side for shade in layer(state, "supply", place="1126").shades.values()} >= {PRUSSIAN}

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import STOP, Slot, Token
from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, EVERYTHING, OTHER, WATCHER, Side, ViewerId, as_side, as_viewer
from leuthen.load import Rulebook, load, read_rulebook, ruleset
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN, SIDES
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.rules.o05_forces import Walk
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o10_supply import is_in_zone, is_supplied, open_hexes, sources
from leuthen.rulesets.frederick.rules.o14_attrition import AttritionRoll
from leuthen.rulesets.frederick.screen.layers import (
    LAYERS,
    hungry_stacks,
    supply_lines,
    working_links,
)
from leuthen.rulesets.frederick.screen.scene import Report
from leuthen.rulesets.frederick.screen.setting import combat_spot
from leuthen.screen.forces import make_layer
from leuthen.screen.values import Layer, Reached, TableCard
from leuthen.wargame.board import Hex, as_hex, hex_name
from leuthen.wargame.strength import LeaderId
from tests.frederick.handmade import game_data, some_state
from tests.laws.games import Moment, shared
from tests.properties.armies import armies
from tests.properties.games import positions, seeds
from tests.prove.sample import sample_games


def layer(state: State, name: str, viewer: ViewerId = PRUSSIAN, place: str = "") -> Layer:
    view = make_view(state, as_viewer(viewer))
    return make_layer(LAYERS, lambda view: Report(game_data(), view), view, name, place)


def states(seed: int) -> list[State]:
    return [armies(seed * 7 + more) for more in range(5)] + [state for _, state in positions(seed, 499)]


@pytest.mark.parametrize("seed", seeds(3))
def test_supply_lines_lead_to_sources(seed: int) -> None:
    for state in states(seed):
        for side in SIDES:
            lines = supply_lines(state, side)
            fed = {link for link, _ in working_links(state, side)} | {
                here for here in state.data.fortresses if sources(state, side) >> here & 1
            }
            open_ = open_hexes(state, side)
            for path, most in lines:
                assert len(path) - 1 <= most
                assert path[-1] in fed
                assert all(open_ >> here & 1 for here in path[1:])
                assert all(there in state.data.board.neighbours[here] for here, there in pairwise(path))
            starts = {path[0] for path, _ in lines}
            for stack in state.own(side):
                if stack.sp and not stack.inside:
                    assert is_supplied(state, stack) == (stack.hex in starts or stack.hex in fed), hex_name(stack.hex)
            for here, _ in working_links(state, side):
                assert here in starts or sources(state, side) >> here & 1


@pytest.mark.parametrize("seed", seeds(2))
def test_zones_are_shaded_where_they_cost_points(seed: int) -> None:
    for state in states(seed):
        for viewer in SIDES:
            found = layer(state, "zones", viewer)
            dear = {here for here, shade in found.shades.items() if shade.level in (2, 3)}
            board = state.data.board
            expected = {
                hex_name(here) for here in board.terrain if board.neighbours[here] and is_in_zone(state, here, PRUSSIAN)
            }
            casters = {here for here, shade in found.shades.items() if shade.level == 4}
            assert dear | (casters & expected) == expected


@pytest.mark.parametrize("seed", seeds(3))
def test_every_march_ends_in_the_threat_and_reach_layers(seed: int) -> None:
    rules, rng, checked = load("frederick"), Random(seed), 0
    for state in states(seed):
        for side in SIDES:
            marching = at_march(state, side, 6)
            if marching.outcome is not None:
                continue
            warned = {here for here, shade in layer(marching, "threat", OTHER[side]).shades.items() if shade.level > 1}
            for _ in range(12):
                action = rules.legal_actions(marching, side).sample(rng)
                if isinstance(action, March) and action.sp and action.path:
                    checked += 1
                    assert hex_name(action.path[-1]) in warned
                    start = next(stack for stack in marching.own(side) if action.leader in stack.leaders)
                    leaves = not start.inside and not action.companions and start.hex not in action.path
                    if leaves:
                        shades = layer(marching, "reach", side, hex_name(start.hex)).shades
                        assert hex_name(action.path[-1]) in shades
    assert checked > 20


@pytest.mark.parametrize(("name", "place"), [("moon", ""), ("reach", ""), ("reach", "9999"), ("reach", "2523")])
def test_an_unknown_layer_or_place_is_refused(name: str, place: str) -> None:
    with pytest.raises(Invalid):
        layer(some_state(), name, place=place)


@pytest.mark.parametrize("seed", seeds(2))
def test_listed_hungry_stacks_match_the_attrition_rolls(seed: int) -> None:
    rules: Any = load("frederick")
    for moment in shared("frederick", seed, often=20):
        frame = moment.state.frames[-1]
        if isinstance(frame, AttritionRoll) and moment.actor == CHANCE:
            side = moment.state.stacks[frame.stack].side
            hungry = {one.stack.key: one for one in hungry_stacks(moment.state, side)}
            assert frame.stack in hungry
            for number, (action, _) in enumerate(rules.chances(moment.state)):
                after = rules.apply(moment.state, CHANCE, action).state
                stood = after.stacks.get(frame.stack)
                lost = moment.state.stacks[frame.stack].strength - (stood.strength if stood is not None else 0)
                assert lost == hungry[frame.stack].losses[number][1]


FEW_POINTS = 3


def at_march(state: State, side: Side, die: int) -> State:
    draft = Draft(state)
    draft.frames, draft.moving, draft.spent = (MarchPhase(as_side(side), die),), None, {}
    return draft.freeze()


def forces(seed: int) -> Iterator[tuple[State, Side, int]]:
    states = [armies(seed * 5 + more) for more in range(4)] + [state for _, state in positions(seed, 997)]
    rng = Random(seed)
    for state in states:
        side, die = as_side(rng.randrange(2)), rng.randrange(1, 7)
        moving = at_march(state, side, die)
        if moving.outcome is None:
            leaders = [leader for stack in moving.own(side) if not stack.quartered for leader in stack.leaders]
            for leader in rng.sample(leaders, min(4, len(leaders))):
                yield moving, side, leader


def shaded(state: State, side: Side, leader: LeaderId) -> dict[str, Reached]:
    rules: Any = load("frederick")
    found = rules.presenter.form(state, as_side(side), {"do": "march", "leader": str(leader)})
    return dict(found.reach)


def next_hexes(state: State, side: Side, leader: LeaderId, path: tuple[Hex, ...]) -> list[Hex]:
    values: list[Token] = []

    def answer(slot: Slot) -> Token | None:
        if slot.name == "path":
            if slot.index == len(path):
                values.extend(slot.values)
                return None
            return path[slot.index or 0]
        fixed: dict[str, Token] = {"do": "march", "leader": leader}
        return fixed.get(slot.name, STOP if STOP in slot.values else slot.values[-1])

    load("frederick").legal_actions(state, side).fill(answer)
    return [as_hex(there) for there in values if there != STOP]


def spent_on(state: State, side: Side, leader: LeaderId, path: tuple[Hex, ...]) -> int:
    walk = walk_of(state, side, leader)
    for there in path:
        walk.enter(there)
    return walk.spent


def walk_of(state: State, side: Side, leader: LeaderId) -> Walk:
    found: list[Walk] = []

    def answer(slot: Slot) -> Token | None:
        if isinstance(slot.about, Walk):
            found.append(slot.about)
            return None
        fixed: dict[str, Token] = {"do": "march", "leader": leader}
        return fixed.get(slot.name, STOP if STOP in slot.values else slot.values[-1])

    load("frederick").legal_actions(state, side).fill(answer)
    return found[0]


@pytest.mark.parametrize("seed", seeds(4))
def test_the_reach_matches_the_legal_set(seed: int) -> None:
    checked = 0
    for state, side, mover in forces(seed):
        walk = walk_of(state, side, LeaderId(mover))
        start, is_exhaustive = walk.here, walk.allowance - walk.spent <= FEW_POINTS
        best: dict[Hex, int] = {}
        edge: list[tuple[Hex, ...]] = [()]
        while edge:
            path = edge.pop()
            for there in next_hexes(state, side, LeaderId(mover), path):
                if there == start:
                    continue
                spent = spent_on(state, side, LeaderId(mover), (*path, there))
                if spent < best.get(there, 999) or (is_exhaustive and there not in path):
                    best[there] = min(spent, best.get(there, 999))
                    edge.append((*path, there))
        shown = shaded(state, side, LeaderId(mover))
        assert {here: min(one.spent, walk.allowance) for here, one in shown.items()} == {
            hex_name(here): min(spent, walk.allowance) for here, spent in best.items()
        }
        checked += len(best)
    assert checked


@pytest.mark.parametrize("seed", seeds(2))
def test_each_shaded_hex_is_reachable_at_its_price(seed: int) -> None:
    rules: Any = load("frederick")
    rng = Random(seed)
    for state, side, mover in forces(seed):
        shown = shaded(state, side, LeaderId(mover))
        for place in rng.sample(sorted(shown), min(4, len(shown))):
            partial_order = {"do": "march", "leader": str(mover), "path": place}
            found = rules.presenter.form(state, as_side(side), partial_order)
            action = rules.parse_action(state, side, found.order)
            assert isinstance(action, March)
            assert hex_name(action.path[-1]) == place
            walk = walk_of(state, side, LeaderId(mover))
            for there in action.path:
                walk.enter(there)
            assert max(0, walk.allowance - walk.spent) == shown[place].left
            assert walk.ended == shown[place].stops
            before = hex_name(action.path[-2]) if len(action.path) > 1 else hex_name(walk.force.hex)
            assert shown[place].before == before
            after = rules.apply(state, side, action).state
            assert after.spent[mover] == walk.spent


SEATS = (0, 1, WATCHER)
SEEDS = sample_games(range(3))


def moments(seed: int) -> Iterator[Moment]:
    return shared("frederick", seed, often=250)


def test_the_text_of_a_decision_is_shown_to_its_actor_only() -> None:
    for moment in moments(2):
        for viewer in (*SEATS, EVERYTHING):
            shown = moment.game.presenter.asked(moment.pending, viewer)
            assert (shown.actor, shown.decision, shown.rule) == (
                moment.actor,
                moment.pending.decision,
                moment.pending.rule,
            )
            own = viewer == moment.actor and viewer != CHANCE
            assert shown.text == (moment.pending.text if own else "")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_moment_of_a_game_has_a_scene(seed: int) -> None:
    phases: set[str] = set()
    last: Moment | None = None
    for moment in moments(seed):
        for viewer in (*SEATS, EVERYTHING):
            scene = moment.game.presenter.scene(moment.game.view(moment.state, viewer))
            assert scene.viewer == viewer
            assert scene.phase
            assert not scene.result
            assert all(key.startswith(piece.place) for key, piece in scene.pieces.items())
            now = [index for index, stage in enumerate(scene.stages) if stage.when == "now"]
            assert len(now) == 1
            assert {stage.when for stage in scene.stages[: now[0]]} <= {"past"}
            assert {stage.when for stage in scene.stages[now[0] + 1 :]} <= {"next"}
        phases.add(scene.phase.partition(" of the ")[0].partition(":")[0])
        last = moment
    assert {"Deployment", "March", "Force March", "Attrition"} <= phases
    assert last is not None
    ended = last.game.apply(last.state, last.actor, last.action).state
    while pending := last.game.pending(ended):
        answers = last.game.chances(ended)
        action = answers[0][0] if answers else last.game.legal_actions(ended, pending[0].actor).default()
        ended = last.game.apply(ended, pending[0].actor, action).state
    for viewer in (*SEATS, EVERYTHING):
        assert last.game.presenter.scene(last.game.view(ended, viewer)).result


GAME: Any = load("frederick")
SETTING = GAME.presenter.setting()
TABLES: dict[str, TableCard] = {card.id: card for card in SETTING.tables}


def cell(table: str, row: str, column: str) -> str:
    card = TABLES[table]
    return next(line for line in card.rows if line[0] == row)[card.columns.index(column)]


def test_every_table_card_is_complete() -> None:
    numbers = {rule.number for rule in Rulebook(read_rulebook("frederick")).rules}
    assert len(TABLES) == len(SETTING.tables)
    for card in SETTING.tables:
        assert card.rule in numbers or card.rule == "C2"
        assert all(len(row) == len(card.columns) for row in card.rows), card.id
        assert len({row[0] for row in card.rows}) == len(card.rows) or card.id in ("setup", "fortresses")
        assert len(card.rows) > 1
        assert len(set(card.columns)) == len(card.columns)


def test_the_combat_table_shows_the_data() -> None:
    data = game_data()
    for (die, column), (attacker, defender) in data.combat.items():
        spot = combat_spot(data, die, column)
        shown = cell("combat", spot.row, spot.column)
        assert tuple(int(part.removesuffix("L")) for part in shown.split("/")) == (attacker, defender)
        assert [part.endswith("L") for part in shown.split("/")] == [attacker >= 25, defender >= 25]
    assert combat_spot(data, 3, 83).column == "66–99"
    assert combat_spot(data, 3, 399).column == "300–399"


FREDERICK = ruleset("frederick")
STARTS = [name for name, plan in FREDERICK.data.scenarios.items() if plan.par is not None]


def new_position(name: str) -> State:
    return FREDERICK.new_game(name, {})


@pytest.mark.parametrize("name", STARTS)
def test_every_scenario_starts_in_supply(name: str) -> None:
    pos = new_position(name)
    armies = [stack for side in SIDES for stack in pos.own(side) if stack.sp and not stack.inside]
    assert armies
    assert [hex_name(stack.hex) for stack in armies if not is_supplied(pos, stack)] == []
    assert all(pos.data.board.is_in_play(stack.hex) for stack in armies)


@pytest.mark.parametrize("name", STARTS)
def test_every_scenario_has_all_screens(name: str) -> None:
    pos, shown = new_position(name), FREDERICK.presenter
    here = next(hex_name(stack.hex) for stack in pos.own(0) if stack.leaders and not stack.inside)
    for viewer in (*SIDES, WATCHER, EVERYTHING):
        view = FREDERICK.view(pos, viewer)
        assert len(shown.scene(view).holdings) == len(pos.owners)
        assert all(shown.layer(view, layer, here) for layer in LAYERS)
        assert shown.about(view, here).lines
    side = FREDERICK.pending(pos)[0].actor
    assert shown.form(pos, side, {}).fields
    assert digest_of(FREDERICK, FREDERICK.restore(FREDERICK.dump(pos))) == digest_of(FREDERICK, pos)


def test_a_scenario_refuses_another_last_year() -> None:
    with pytest.raises(Invalid, match="last-year"):
        FREDERICK.new_game("1758", {"last-year": "1760"})

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import STOP, LegalSet, Refusal, Slot, Token
from leuthen.engine.ruleset import Side, as_side
from leuthen.load import load
from leuthen.rulesets.frederick.cases.position import build_position
from leuthen.rulesets.frederick.model.actions import Go, March
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.rules.o05_forces import Walk
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase, walk_from
from leuthen.rulesets.frederick.screen.layers import ForceLeg, ranges, reach, threats
from leuthen.screen.values import Reached
from leuthen.wargame.board import Hex, as_hex, hex_name, parse_hex
from leuthen.wargame.strength import LeaderId, bag
from tests.frederick.handmade import Table, game_data
from tests.properties.armies import armies
from tests.properties.games import positions, seeds

PLAINLY = 3


def marching(state: State, side: Side, die: int) -> State:
    draft = Draft(state)
    draft.frames, draft.moving, draft.spent = (MarchPhase(as_side(side), die),), None, {}
    return draft.freeze()


def forces(seed: int) -> Iterator[tuple[State, Side, int]]:
    states = [armies(seed * 5 + more) for more in range(4)] + [state for _, state in positions(seed, 997)]
    rng = Random(seed)
    for state in states:
        side, die = as_side(rng.randrange(2)), rng.randrange(1, 7)
        moving = marching(state, side, die)
        if moving.outcome is None:
            leaders = [leader for stack in moving.own(side) if not stack.quartered for leader in stack.leaders]
            for leader in rng.sample(leaders, min(4, len(leaders))):
                yield moving, side, leader


def shaded(state: State, side: Side, leader: LeaderId) -> dict[str, Reached]:
    door: Any = load("frederick")
    found = door.presenter.form(state, as_side(side), {"do": "march", "leader": str(leader)})
    return dict(found.reach)


def legs(state: State, side: Side, leader: LeaderId) -> LegalSet[Any]:
    found: LegalSet[Any] = load("frederick").legal_actions(state, side)
    return found


def ahead(state: State, side: Side, leader: LeaderId, path: tuple[Hex, ...]) -> list[Hex]:
    values: list[Token] = []

    def answer(slot: Slot) -> Token | None:
        if slot.name == "path":
            if slot.index == len(path):
                values.extend(slot.values)
                return None
            return path[slot.index or 0]
        fixed: dict[str, Token] = {"do": "march", "leader": leader}
        return fixed.get(slot.name, STOP if STOP in slot.values else slot.values[-1])

    legs(state, side, leader).fill(answer)
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

    legs(state, side, leader).fill(answer)
    return found[0]


@pytest.mark.parametrize("seed", seeds(4))
def test_the_reach_is_what_the_legal_set_lets_a_leg_enter(seed: int) -> None:
    checked = 0
    for state, side, leader in forces(seed):
        walk = walk_of(state, side, LeaderId(leader))
        start, plainly = walk.here, walk.allowance - walk.spent <= PLAINLY
        best: dict[Hex, int] = {}
        edge: list[tuple[Hex, ...]] = [()]
        while edge:
            path = edge.pop()
            for there in ahead(state, side, LeaderId(leader), path):
                if there == start:
                    continue
                spent = spent_on(state, side, LeaderId(leader), (*path, there))
                if spent < best.get(there, 999) or (plainly and there not in path):
                    best[there] = min(spent, best.get(there, 999))
                    edge.append((*path, there))
        shown = shaded(state, side, LeaderId(leader))
        assert {here: min(one.spent, walk.allowance) for here, one in shown.items()} == {
            hex_name(here): min(spent, walk.allowance) for here, spent in best.items()
        }
        checked += len(best)
    assert checked


@pytest.mark.parametrize("seed", seeds(2))
def test_each_shaded_hex_can_be_marched_to_at_its_price(seed: int) -> None:
    door: Any = load("frederick")
    rng = Random(seed)
    for state, side, leader in forces(seed):
        shown = shaded(state, side, LeaderId(leader))
        for place in rng.sample(sorted(shown), min(4, len(shown))):
            partial_order = {"do": "march", "leader": str(leader), "path": place}
            found = door.presenter.form(state, as_side(side), partial_order)
            action = door.parse_action(state, side, found.order)
            assert isinstance(action, March)
            assert hex_name(action.path[-1]) == place
            walk = walk_of(state, side, LeaderId(leader))
            for there in action.path:
                walk.enter(there)
            assert max(0, walk.allowance - walk.spent) == shown[place].left
            assert walk.ended == shown[place].stops
            before = hex_name(action.path[-2]) if len(action.path) > 1 else hex_name(walk.force.hex)
            assert shown[place].before == before
            after = door.apply(state, side, action).state
            assert after.spent[leader] == walk.spent


@pytest.mark.parametrize("seed", seeds(2))
def test_out_of_reach_says_why(seed: int) -> None:
    rng = Random(seed)
    for state, side, leader in forces(seed):
        walk = walk_of(state, side, LeaderId(leader))
        found = reach(walk)
        for goal in rng.sample(sorted(state.data.board.terrain), 12):
            leg = ForceLeg(walk).through([goal])
            if goal in found or goal == walk.here:
                assert not isinstance(leg, Refusal)
            else:
                assert isinstance(leg, Refusal)
                assert leg.rule.startswith("O") or leg.rule == "C3.3"
                assert leg.text


def open_country() -> Table:
    table = Table()
    table.put("2422", PRUSSIAN, bag(PRUSSIA, 12), "Frederick", "Keith")
    table.put("1128", AUSTRIAN, bag(AUSTRIA, 12), "Daun")
    return table


def test_a_leg_goes_through_the_places_named() -> None:
    state = open_country().state(frames=(MarchPhase(PRUSSIAN, 6),))
    walk = walk_of(state, PRUSSIAN, state.data.leader_named("Frederick"))
    straight = ForceLeg(walk).through([parse_hex("2425")])
    bent = ForceLeg(walk).through([parse_hex("2523"), parse_hex("2425")])
    assert not isinstance(straight, Refusal)
    assert not isinstance(bent, Refusal)
    assert parse_hex("2523") in bent
    assert straight[-1] == bent[-1] == parse_hex("2425")


def test_what_is_barred_is_refused_by_its_rule() -> None:
    table = Table()
    table.put("1633", PRUSSIAN, bag(PRUSSIA, 5), "Keith", demoralized=True)
    table.put("1634", AUSTRIAN, bag(AUSTRIA, 9), "Daun")
    state = table.state(frames=(MarchPhase(PRUSSIAN, 6),))
    leg = ForceLeg(walk_of(state, PRUSSIAN, state.data.leader_named("Keith"))).through([parse_hex("1634")])
    assert isinstance(leg, Refusal)
    assert (leg.rule, hex_name(leg.place)) == ("O5.15", "1634")


def test_the_ranges_of_a_stack_grow_with_the_die() -> None:
    state = open_country().state()
    found = ranges(state, parse_hex("2422"), PRUSSIAN)
    assert found is not None
    marcher, least = found
    assert (state.leader(marcher.leader).name, marcher.initiative) == ("Frederick", 3)
    assert {die for die, _ in least.values()} <= {1, 2, 3}  # 3 + 3 are all the MP there are (O5.2)
    assert all(points <= die + 3 for die, points in least.values())
    walk = walk_from(state, state.own(PRUSSIAN)[0], (marcher.leader,), bag(PRUSSIA, 12), 1, forced=False)
    assert {here for here, (die, _) in least.items() if die == 1} == set(reach(walk))
    assert ranges(state, parse_hex("2523"), PRUSSIAN) is None


def test_the_worst_that_the_enemy_can_do() -> None:
    table = open_country()
    table.put("0733", AUSTRIAN, bag(AUSTRIA, 30))
    state = table.state()
    found = threats(state, AUSTRIAN)
    daun = state.data.leader_named("Daun")
    assert {one.leader for one in found.values()} == {daun}
    assert found[parse_hex("1128")].points == 0
    once = [one for one in found.values() if not one.is_twice]
    assert max(one.points for one in once) == 6
    assert len(found) > len(once) > 20
    assert not threats(table.state(turn=16, stacks={}), AUSTRIAN)
    table.put("1034", AUSTRIAN, bag(AUSTRIA, 3), "Serbelloni")  # initiative 0
    serbelloni = [one for one in threats(table.state(), AUSTRIAN).values() if one.start == parse_hex("1034")]
    assert max(one.points for one in serbelloni if not one.is_twice) == 6
    winter = threats(table.state(turn=16), AUSTRIAN)
    assert max(one.points for one in winter.values() if not one.is_twice) == 5


def test_a_march_that_goes_on_is_shaded_as_well() -> None:
    door: Any = load("frederick")
    state = open_country().state(frames=(MarchPhase(PRUSSIAN, 6),))
    begun = door.presenter.form(state, PRUSSIAN, {"leader": str(state.data.leader_named("Frederick")), "path": "2425"})
    after = door.apply(state, PRUSSIAN, door.parse_action(state, PRUSSIAN, begun.order)).state
    onward = door.presenter.form(after, PRUSSIAN, {"do": "go"})
    assert onward.start == "2425"
    assert onward.reach
    assert max(one.left for one in onward.reach.values()) < begun.reach["2425"].left
    order = door.presenter.form(after, PRUSSIAN, {"path": min(onward.reach)}).order
    assert isinstance(door.parse_action(after, PRUSSIAN, order), Go)


def test_a_way_into_neutral_land_is_refused_by_the_violation() -> None:
    given = (
        "year 1756 turn 10 phase march prussia die 6",
        "Prussia 1719 12 Keith",
        "Austria Prague 10",
        "Saxony neutral",
    )
    state = build_position(game_data(), list(enumerate(given, 1))).transition.state
    walk = walk_of(marching(state, PRUSSIAN, 6), PRUSSIAN, state.data.leader_named("Keith"))
    leg = ForceLeg(walk).through([parse_hex("1721")])
    assert isinstance(leg, Refusal)
    assert leg.rule == "C3.3"
    assert leg.text.startswith("this violates the neutrality of Saxony: the leg ends at ")

from collections.abc import Iterator, Mapping
from random import Random

import msgspec
import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, WATCHER, as_side
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase
from leuthen.screen.values import Form, Objection
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import bag
from tests.frederick.handmade import PositionBuilder, form, leader, marching, rules
from tests.laws.games import Moment, shared
from tests.properties.armies import armies
from tests.properties.games import seeds
from tests.rows import rows

NOISE = ("", "-1", "0", "1", "7", "99999", "x", "1623", "9999", "Dresden", "1623-0f", "1821-1822", "march", "done", "-")
KEYS = (
    *("do", "leader", "companions.0", "leaders.1", "sp.0", "sp.1", "path", "path.0", "path.1", "hex", "start", "at"),
    *("inside", "overwhelm", "power", "points", "points.2", "moon"),
)


@pytest.mark.parametrize(("here", "is_marked"), [("2025", True), ("2422", False)])
def test_a_depot_or_an_army_out_of_supply_is_marked_before_it_is_placed(here: str, is_marked: bool) -> None:
    state = rules().new_game("campaign", {})
    later = rules().apply(state, PRUSSIAN, rules().parse_action(state, PRUSSIAN, "depot-at 2025")).state
    for at, chosen in ((state, {"do": "depot-at"}), (later, {"do": "place", "sp.0": "9", "inside": "0"})):
        found = rules().presenter.form(at, PRUSSIAN, {**chosen, "hex": here})
        assert found.order
        assert any("Out of supply" in line for line in found.summary) is is_marked, chosen


def player_moments(seed: int, often: int = 40) -> Iterator[Moment]:
    return (moment for moment in shared("frederick", seed, often=often) if moment.actor != CHANCE)


def draw(moment: Moment) -> Action:
    action: Action = rules().legal_actions(moment.state, moment.actor).sample(moment.rng)
    return action


def some_partial_orders(moment: Moment) -> Iterator[dict[str, str]]:
    rng = moment.rng
    whole = rules().presenter.choices(moment.state, moment.actor, draw(moment))
    yield {}
    yield whole
    for _ in range(3):
        yield {**whole, rng.choice([*whole]): rng.choice(NOISE)}
        yield dict(list(whole.items())[: rng.randrange(len(whole) + 1)])
        yield {rng.choice(KEYS): rng.choice(NOISE) for _ in range(rng.randrange(1, 5))}
    stacks = [stack for stack in moment.state.stacks.values() if stack.side == moment.actor]
    here = hex_name(rng.choice(stacks).hex) if stacks else "1623"
    yield {"at": here}
    yield {**{key: value for key, value in whole.items() if not key.startswith("path")}, "path": here}


@pytest.mark.parametrize("seed", seeds(3))
def test_forms_are_equal_in_every_world_of_the_actor(seed: int) -> None:
    game = rules()
    for moment in player_moments(seed, often=80):
        view = game.view(moment.state, moment.actor)
        worlds = [game.sample_state(view, Random(moment.rng.random())) for _ in range(2)]
        for partial_order in some_partial_orders(moment):
            shown = msgspec.json.encode(game.presenter.form(moment.state, as_side(moment.actor), partial_order))
            for world in worlds:
                assert msgspec.json.encode(game.presenter.form(world, as_side(moment.actor), partial_order)) == shown, (
                    partial_order
                )


def contacts(state: State, side: int) -> Iterator[dict[str, str]]:
    enemies = {hex_name(stack.hex) for stack in state.stacks.values() if stack.side == 1 - side}
    frame = state.frames[-1]
    if isinstance(frame, MarchPhase):
        for stack in state.own(as_side(side)):
            for number in stack.leaders[:2]:
                for place in enemies & {*rules().presenter.form(state, as_side(side), {"leader": str(number)}).reach}:
                    yield {"leader": str(number), "path": place}
                    yield {"leader": str(number), "path": place, "overwhelm": "1"}
    else:
        yield from ({"at": place} for place in sorted(enemies))
        yield from ({"do": do, "hex": place} for place in sorted(enemies) for do in ("attack", "besiege"))


@pytest.mark.parametrize("seed", seeds(1))
def test_forms_of_attacks_reveal_nothing_hidden(seed: int) -> None:
    game, odds = rules(), 0
    for side in (PRUSSIAN, AUSTRIAN):
        for frame in (MarchPhase(side, 6), CombatPhase(side, side), SiegePhase(side)):
            draft = Draft(armies(seed))
            draft.frames, draft.moving, draft.spent, draft.phasing = (frame,), None, {}, side
            state = draft.freeze()
            view = game.view(state, side)
            worlds = [game.sample_state(view, Random(seed + number)) for number in range(3)]
            for partial_order in contacts(state, side):
                found = game.presenter.form(state, side, partial_order)
                odds += found.odds is not None
                shown = msgspec.json.encode(found)
                for world in worlds:
                    assert msgspec.json.encode(game.presenter.form(world, side, partial_order)) == shown, partial_order
    assert odds > 4


def test_a_side_without_a_decision_gets_no_form() -> None:
    state = marching()
    for side in (AUSTRIAN, WATCHER, CHANCE, 7):
        found = rules().presenter.form(state, as_side(side), {"do": "march"})
        assert found == Form((), refused=(Objection("O4.2", "you are not being asked"),))


def test_a_distant_hex_becomes_a_whole_leg() -> None:
    found = form(marching(), leader=str(leader("Keith")), path="1634")
    assert found.order == "march Keith +12 1632-1633-1634"
    assert found.summary[3:6] == (
        "1633: 2 MP: enemy zone +1",
        "1634 Brieg: 1 MP",
        "Meets Daun, 4–9 SP: the march ends there (O5.8)",
    )
    assert found.odds is not None
    assert [case.label.split(" SP")[0] for case in found.odds.cases][0::7] == ["4"]
    assert found.reach["1633"].left == 3
    again = form(marching(), leader=str(leader("Keith")), path_0="1633", path="1634")
    assert again.order == found.order
    assert "1632" in again.reach
    assert form(marching(), leader=str(leader("Keith")), path="1633-1634").order == found.order


def test_a_hex_out_of_reach_is_refused_with_its_cost() -> None:
    found = form(marching(die=1), leader=str(leader("Keith")), path="1634")
    assert not found.order
    (reason,) = found.refused
    assert (reason.rule, reason.place) == ("O5.3", "1634")
    assert reason.text == "1634 needs 3 MP, has 2 (1633 2 MP: enemy zone +1; 1634 1 MP)"
    nowhere = form(marching(), leader=str(leader("Keith")), path="moon")
    assert nowhere.refused[0].text == '"moon" is not a valid town or hex'


@pytest.mark.parametrize(("partial_order", "rule", "text"), rows("frederick-forms-why-not"))
def test_an_impossible_form_names_the_rule(partial_order: Mapping[str, str], rule: str, text: str) -> None:
    found = form(marching(), PRUSSIAN, leader=str(leader("Keith")), **partial_order)
    assert [(one.rule, one.text) for one in found.refused] == ([(rule, text)] if rule else [])


def test_a_failed_overwhelming_attack_is_fought_by_the_stack() -> None:
    builder = PositionBuilder()
    builder.put("1632", PRUSSIAN, bag(PRUSSIA, 20), "Keith", "Zieten")
    builder.put("1632", AUSTRIAN, bag(AUSTRIA, 5), "Daun", low=4, high=9, since=175702)
    state = builder.state(frames=(MarchPhase(PRUSSIAN, 6),))
    found = form(state, leader=str(leader("Zieten")), sp_0="8", path="1632")
    assert found.order == "march Zieten +8 1632 !"
    assert found.odds is not None
    assert found.odds.notes == ("Overwhelming with 8 SP against 4 to 9 SP is hopeless (O5.9)",)
    assert found.odds.cases[1].label == "4 SP (500 %)"

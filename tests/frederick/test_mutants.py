from pathlib import Path
from typing import Any

import pytest

from leuthen.cases.run import read_cases
from leuthen.engine.ruleset import Transition
from leuthen.load import load
from leuthen.rulesets.frederick.cases import build_position
from leuthen.rulesets.frederick.model.events import LeaderCaught
from leuthen.wargame.board import hex_name
from tests.rows import rows


@pytest.mark.parametrize(("where", "is_fed"), [("1632", True), ("1124", False)])
def test_an_incomplete_depot_is_fed_only_in_supply(where: str, is_fed: bool) -> None:
    given = (
        f"phase attrition prussia ; Prussia 1123 10 Henry hungry 2 ; depot Prussia {where} begun ; Prussia {where} 3"
    )
    state = after(given, "chance roll 3").state
    assert [depot.fed for depot in state.depots.values()] == [is_fed]


@pytest.mark.parametrize(("points", "is_held"), [(6, False), (5, True)])
def test_a_depot_is_held_while_field_sp_stay(points: int, is_held: bool) -> None:
    given = "phase march prussia ; Prussia 1632 6 Keith ; depot Prussia 1632 begun"
    state = after(given, "chance roll 6", f"prussia march Keith +{points} 1632-1633").state
    assert [depot.held for depot in state.depots.values()] == [is_held]


@pytest.mark.parametrize(("side", "one", "two"), [(0, "Prussia", "Austria"), (1, "Austria", "Prussia")])
def test_refused_attacks_list_only_own_field_stacks(side: int, one: str, two: str) -> None:
    rules: Any = load("frederick")
    who = ("Henry", "Browne")[side]
    given = f"phase combat {one.lower()} ; {one} 1632 9 {who} ; {two} 1632 7 ; {one} 1733 3 ; {one} 1730 2"
    state = after(f"{given} ; {one} Glogau inside 2 ; {two} 1430 3").state
    options = rules.legal_actions(state, side).options(("attack",))
    assert [hex_name(here) for here in options.values] == ["1632"]
    assert [hex_name(int(here)) for here, _ in options.refused] == ["1730", "1733"]


def test_a_march_decision_states_the_remaining_points() -> None:
    rules: Any = load("frederick")
    state = after(
        "phase march prussia ; Prussia 1632 6 Keith", "chance roll 4", "prussia march Keith +6 1632-1633"
    ).state
    assert [pending.text for pending in rules.pending(state)] == [
        "Keith at 1633, 4 MP left: march on, leave or pick up troops, or halt"
    ]


@pytest.mark.parametrize(("side", "one", "two"), [(0, "Prussia", "Austria"), (1, "Austria", "Prussia")])
def test_refused_depots_list_only_own_field_stacks(side: int, one: str, two: str) -> None:
    rules: Any = load("frederick")
    home = ("1632", "1128")[side]
    given = f"phase depot {one.lower()} ; {one} {home} 12 ; {one} 1833 1 ; {one} 1230 inside 2 ; {two} 1430 3"
    options = rules.legal_actions(after(given).state, side).options(("build",))
    assert [hex_name(int(here)) for here in options.values] == [home]
    assert [hex_name(int(here)) for here, _ in options.refused] == ["1833"]


def test_a_leader_caught_by_a_change_of_sides_is_reported() -> None:
    given = (
        "; year 1758 turn 18 phase commitment ; Russia austria ; Prussia Berlin 10 Keith ; Austria Vienna 5 Browne ; "
        "Austria Prague inside 6 Daun Fermor ; Russia 1836 5"
    )
    caught = [event for event in after(given, "chance roll 1").events(1) if isinstance(event, LeaderCaught)]
    assert [hex_name(event.hex) for event in caught] == ["1125"]


ACTORS = ("prussia", "austria", "chance")


def after(given: str, *orders: str) -> Transition:
    rules: Any = load("frederick")
    (case,) = read_cases(Path("given"), f"CASE O3.1-x\nGIVEN bare {given}\n")
    transition = build_position(rules.data, case.given).transition
    for order in orders:
        word, _, text = order.partition(" ")
        actor = ACTORS.index(word)
        state = transition.state
        transition = rules.apply(state, actor, rules.parse_action(state, actor, text))
    return transition


@pytest.mark.parametrize(("given", "orders", "viewers"), rows("frederick-learned"))
def test_an_action_reveals_facts_to_the_listed_viewers(given: str, orders: str, viewers: str) -> None:
    learned = after(given, *filter(None, orders.split(" ; "))).learned
    assert "".join(letter for number, letter in enumerate("PAWE") if learned >> number & 1) == viewers

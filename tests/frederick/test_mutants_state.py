from typing import Any

import pytest

from leuthen.load import load
from leuthen.rulesets.frederick.model.events import LeaderCaught
from leuthen.wargame.board import hex_name
from tests.frederick.test_mutants_learned import after


@pytest.mark.parametrize(("where", "fed"), [("1632", True), ("1124", False)])
def test_a_depot_under_construction_is_fed_in_supply_only(where: str, fed: bool) -> None:
    """O10.10."""
    given = (
        f"phase attrition prussia ; Prussia 1123 10 Henry hungry 2 ; depot Prussia {where} begun ; Prussia {where} 3"
    )
    state = after(given, "chance roll 3").state
    assert [depot.fed for depot in state.depots.values()] == [fed]


@pytest.mark.parametrize(("points", "held"), [(6, False), (5, True)])
def test_a_depot_is_held_while_field_sp_stay(points: int, held: bool) -> None:
    """O10.10."""
    given = "phase march prussia ; Prussia 1632 6 Keith ; depot Prussia 1632 begun"
    state = after(given, "chance roll 6", f"prussia march Keith +{points} 1632-1633").state
    assert [depot.held for depot in state.depots.values()] == [held]


@pytest.mark.parametrize(("side", "one", "two"), [(0, "Prussia", "Austria"), (1, "Austria", "Prussia")])
def test_the_attacks_that_are_refused_are_those_of_the_own_field_stacks(side: int, one: str, two: str) -> None:
    """O9.2."""
    door: Any = load("frederick")
    who = ("Henry", "Browne")[side]
    given = f"phase combat {one.lower()} ; {one} 1632 9 {who} ; {two} 1632 7 ; {one} 1733 3 ; {one} 1730 2"
    state = after(f"{given} ; {one} Glogau inside 2 ; {two} 1430 3").state
    options = door.legal_actions(state, side).options(("attack",))
    assert [hex_name(here) for here in options.values] == ["1632"]
    assert [hex_name(int(here)) for here, _ in options.refused] == ["1730", "1733"]


def test_a_march_is_told_what_it_has_left() -> None:
    """O5.2."""
    door: Any = load("frederick")
    state = after(
        "phase march prussia ; Prussia 1632 6 Keith", "chance roll 4", "prussia march Keith +6 1632-1633"
    ).state
    assert [pending.text for pending in door.pending(state)] == [
        "Keith at 1633, 4 MP left: go on, drop or take, or halt"
    ]


@pytest.mark.parametrize(("side", "one", "two"), [(0, "Prussia", "Austria"), (1, "Austria", "Prussia")])
def test_the_depots_that_are_refused_are_those_of_the_own_field_stacks(side: int, one: str, two: str) -> None:
    """O10.4."""
    door: Any = load("frederick")
    home = ("1632", "1128")[side]
    given = f"phase depot {one.lower()} ; {one} {home} 12 ; {one} 1833 1 ; {one} 1230 inside 2 ; {two} 1430 3"
    options = door.legal_actions(after(given).state, side).options(("build",))
    assert [hex_name(int(here)) for here in options.values] == [home]
    assert [hex_name(int(here)) for here, _ in options.refused] == ["1833"]


def test_a_leader_who_has_nowhere_to_go_when_his_power_changes_sides_is_told_of() -> None:
    """C7.7."""
    given = (
        "; year 1758 turn 18 phase commitment ; Russia austria ; Prussia Berlin 10 Keith ; Austria Vienna 5 Browne ; "
        "Austria Prague inside 6 Daun Fermor ; Russia 1836 5"
    )
    told = [event for event in after(given, "chance roll 1").events(1) if isinstance(event, LeaderCaught)]
    assert [hex_name(event.hex) for event in told] == ["1125"]

from pathlib import Path
from typing import Any

import pytest

from leuthen.cases.text import read_cases
from leuthen.engine.ruleset import Transition
from leuthen.load import load
from leuthen.rulesets.frederick.cases import build_position
from leuthen.rulesets.frederick.model.events import LeaderCaught
from leuthen.wargame.board import hex_name


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
def test_refused_attacks_are_those_of_the_own_field_stacks(side: int, one: str, two: str) -> None:
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
        "Keith at 1633, 4 MP left: march on, leave or pick up troops, or halt"
    ]


@pytest.mark.parametrize(("side", "one", "two"), [(0, "Prussia", "Austria"), (1, "Austria", "Prussia")])
def test_refused_depots_are_those_of_the_own_field_stacks(side: int, one: str, two: str) -> None:
    """O10.4."""
    door: Any = load("frederick")
    home = ("1632", "1128")[side]
    given = f"phase depot {one.lower()} ; {one} {home} 12 ; {one} 1833 1 ; {one} 1230 inside 2 ; {two} 1430 3"
    options = door.legal_actions(after(given).state, side).options(("build",))
    assert [hex_name(int(here)) for here in options.values] == [home]
    assert [hex_name(int(here)) for here, _ in options.refused] == ["1833"]


def test_a_leader_left_nowhere_by_a_change_of_sides_is_reported() -> None:
    """C7.7."""
    given = (
        "; year 1758 turn 18 phase commitment ; Russia austria ; Prussia Berlin 10 Keith ; Austria Vienna 5 Browne ; "
        "Austria Prague inside 6 Daun Fermor ; Russia 1836 5"
    )
    told = [event for event in after(given, "chance roll 1").events(1) if isinstance(event, LeaderCaught)]
    assert [hex_name(event.hex) for event in told] == ["1125"]


ACTORS = ("prussia", "austria", "chance")
VIEWERS = "PAWE"


def after(given: str, *orders: str) -> Transition:
    door: Any = load("frederick")
    (case,) = read_cases(Path("learned"), f"CASE O3.1-x\nGIVEN bare {given}\n")
    transition = build_position(door.data, case.given).transition
    for order in orders:
        word, _, text = order.partition(" ")
        actor = ACTORS.index(word)
        state = transition.state
        transition = door.apply(state, actor, door.parse_action(state, actor, text))
    return transition


def learned(given: str, *orders: str) -> str:
    mask = after(given, *orders).learned
    return "".join(letter for number, letter in enumerate(VIEWERS) if mask >> number & 1)


PRUSSIANS = "phase march prussia ; Prussia Breslau inside 5 ; Prussia 1632 9 Henry Keith ; Prussia 1633 3"
AUSTRIANS = "phase march austria ; Austria Prague inside 5 ; Austria 1128 9 Daun Lacy ; Austria 1129 3"
ROUT = "phase combat austria ; Prussia 1632 9 Lehwaldt ; Austria 1632 25 Browne"
SIEGE = "phase siege prussia ; Prussia 1034 field 12 Dohna ; depot Prussia 1034 ; Austria 1034 inside 4"
BATTLE = "phase combat {} ; Prussia 1632 9 Henry ; Austria 1632 7 Browne"


@pytest.mark.parametrize(
    ("given", "orders", "who"),
    [
        (PRUSSIANS, ["chance roll 6", "prussia shift Breslau out +2"], "AW"),
        (AUSTRIANS, ["chance roll 6", "austria shift Prague out +2"], "PW"),
        (PRUSSIANS, ["chance roll 6", "prussia march Henry Keith +9 1632-1633"], "AW"),
        (AUSTRIANS, ["chance roll 6", "austria march Daun Lacy +9 1128-1129"], "PW"),
        (PRUSSIANS, ["chance roll 6", "prussia march Henry Keith +9 1632-1633", "prussia drop +2"], "AW"),
        (AUSTRIANS, ["chance roll 6", "austria march Daun Lacy +9 1128-1129", "austria drop +2"], "PW"),
        (PRUSSIANS, ["chance roll 6", "prussia march Henry Keith +9 1632-1633", "prussia take +2"], "AW"),
        (AUSTRIANS, ["chance roll 6", "austria march Daun Lacy +9 1128-1129", "austria take +2"], "PW"),
        (PRUSSIANS, ["chance roll 6", "prussia march Henry Keith +9 1632-1633", "prussia halt"], "AW"),
        (AUSTRIANS, ["chance roll 6", "austria march Daun Lacy +9 1128-1129", "austria halt"], "PW"),
        (f"{PRUSSIANS} ; option march-die=force", ["prussia march Henry +5"], "AW"),
        (f"{AUSTRIANS} ; option march-die=force", ["austria march Daun +5"], "PW"),
        (f"{PRUSSIANS} ; option march-die=force", ["prussia march Henry +5", "chance roll 3"], "AW"),
        (f"{AUSTRIANS} ; option march-die=force", ["austria march Daun +5", "chance roll 3"], "PW"),
        (PRUSSIANS.replace("march", "force-march"), ["prussia march Henry +5"], "AW"),
        (AUSTRIANS.replace("march", "force-march"), ["austria march Daun +5"], "PW"),
        (SIEGE, ["prussia besiege 1034", "chance roll 3"], "PAW"),
        (f"{PRUSSIANS} ; Austria 1634 Lacy", ["chance roll 6", "prussia march Henry +9 1632-1633-1634"], "PAW"),
        (f"{AUSTRIANS} ; Prussia 1130 1", ["chance roll 6", "austria march Daun +9 1128-1129-1130 !"], "PAW"),
        (BATTLE.format("prussia"), ["prussia attack 1632"], "PAW"),
        (BATTLE.format("austria"), ["austria attack 1632"], "PAW"),
        (BATTLE.format("prussia"), ["prussia attack 1632", "chance roll 6", "chance roll 1"], "PW"),
        (ROUT, ["austria attack 1632", "chance roll 6", "chance roll 1"], "AW"),
        ("phase attrition austria ; Austria 1034 inside 8 ; Prussia 1034 12 Dohna", [], "PW"),
        ("phase attrition prussia ; Prussia 1733 inside 8 ; Austria 1733 12 Lacy", [], "AW"),
        ("phase attrition prussia ; Prussia 1124 10 Henry hungry 2", ["chance roll 3"], "AW"),
        ("phase attrition austria ; Austria 1832 10 Lacy hungry 2", ["chance roll 3"], "PW"),
    ],
)
def test_who_learns(given: str, orders: list[str], who: str) -> None:
    assert learned(given, *orders) == who

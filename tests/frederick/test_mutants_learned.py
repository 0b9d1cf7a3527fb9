from pathlib import Path
from typing import Any

import pytest

from leuthen.cases.text import read_cases
from leuthen.engine.ruleset import Transition
from leuthen.load import load
from leuthen.rulesets.frederick.cases.position import build_position

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

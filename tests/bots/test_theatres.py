"""Which nation's armies belong where, and the figures by which the machine's wars are held beside the war."""

from __future__ import annotations

import pytest

from bench.campaign_tally import Tally, Year
from bench.campaign_wars import rows
from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Transition
from leuthen.load import load
from leuthen.play.table import Step
from leuthen.rulesets.campaigns.bot.theatres import is_astray
from leuthen.rulesets.campaigns.model.data import NATIONS
from leuthen.rulesets.campaigns.model.events import StepBegan
from leuthen.wargame.strength import PowerId

RULES = load("campaigns")
DATA = RULES.new_game("1757", {}).data


@pytest.mark.parametrize(
    ("nation", "place", "astray"),
    [
        ("austria", "Gotha", True),
        ("austria", "Dresden", False),
        ("france", "Anklam", True),
        ("france", "Cassel", False),
        ("france", "Breslau", True),
        ("sweden", "Cosel", True),
        ("russia", "Cüstrin", False),
        ("russia", "Hanover", True),
        ("hanover", "Prague", True),
        ("prussia", "Olmütz", False),
        ("prussia", "Metz", True),
    ],
)
def test_every_nation_has_its_country(nation: str, place: str, astray: bool) -> None:
    here = next(here for here, one in DATA.strongholds.items() if one.name == place)
    assert is_astray(DATA, PowerId(NATIONS.index(nation)), here) is astray


def test_a_spring_is_counted_and_a_turn_mustered() -> None:
    """Of the start of 1757: 190 TP or so of Prussia, Henry among those without men, nobody astray."""
    state = RULES.new_game("1757", {})
    tally = Tally()
    for step in ("D", "I"):
        facts = (StepBegan(step=step),)
        tally.acted(Step(0, Action(), state, Transition(state, facts, 0)))
    (year,) = tally.years
    assert year.turns == 1
    assert 0 < year.idle < year.leaders
    assert year.forces > 10
    assert not year.astray
    assert 150 < year.springs[0] < 200


def test_figures_are_reckoned_for_a_whole_year() -> None:
    """Six turns of a year count three times; shares do not."""
    found = {row.name: row.values for row in rows([Year(1757, turns=6, great=1, leaders=10, idle=4)])}
    assert found["battles with 20 TP on each side, a year"] == [3.0]
    assert found["leaders without men, of leader turns"] == [0.4]

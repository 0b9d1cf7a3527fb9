"""What the captain of *Frederick* minds beyond the planner's habits."""

from __future__ import annotations

from leuthen.engine.ruleset import Side, as_viewer
from leuthen.rulesets.frederick.bot.generals import memory
from leuthen.rulesets.frederick.bot.generals.depots import is_tethered
from leuthen.rulesets.frederick.bot.generals.intent import Intent
from leuthen.rulesets.frederick.bot.generals.proposer import candidates, is_abroad
from leuthen.rulesets.frederick.bot.situation import Goal, Situation, situation_of
from leuthen.rulesets.frederick.knowledge.view import make_view
from leuthen.rulesets.frederick.model.state import AUSTRIAN, PRUSSIAN, Stack
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.wargame.plans import Mission, Plan, Thought
from tests.bots.positions import War
from tests.frederick.handmade import hexagon

NOVEMBER = 15
BRESLAU, GLOGAU, STRASBURG = map(hexagon, ("1733", "2030", "0406"))
PRAGUE = "1125"
EDGE = "1630"
"""Four hexes from Königgrätz, towards Glogau."""


def seen(war: War, side: Side = PRUSSIAN) -> Situation:
    """What a side sees in its March Phase."""
    state = war.at(MarchPhase(side, 3))
    return situation_of(state.data, make_view(state, as_viewer(side)))


def army_of(s: Situation, where: str) -> Stack:
    found = s.pos.field(hexagon(where), s.side)
    assert found is not None
    return found


def beside_the_shaken(*, demoralized: bool) -> Situation:
    war = War()
    war.prussians("1733", 4, "Keith")
    war.prussians("1732", 20, "Schwerin", demoralized=demoralized)
    return seen(war)


def test_a_few_join_no_friends_who_would_demoralize_them() -> None:
    for shaken in (False, True):
        s = beside_the_shaken(demoralized=shaken)
        goals = candidates(s, army_of(s, "1733"), None, [])
        assert any((goal.kind, goal.hex) == ("join", hexagon("1732")) for goal in goals) is not shaken


def test_nobody_sound_halts_among_the_shaken() -> None:
    s = beside_the_shaken(demoralized=True)
    taste = Intent(Plan(), {}).taste(s, army_of(s, "1733"))
    assert taste(hexagon("1732")) < 0
    assert taste(hexagon("1632")) == 0


def test_a_major_saves_no_place_of_an_ally_far_away_but_takes_one() -> None:
    war = War()
    war.prussians("1733", 24, "Schwerin")
    s = seen(war)
    army = army_of(s, "1733")
    assert is_abroad(s, army, Goal("relief", STRASBURG, 1.0))
    assert not is_abroad(s, army, Goal("siege", STRASBURG, 1.0))
    assert not is_abroad(s, army, Goal("relief", BRESLAU, 1.0))


def test_who_may_not_leave_supply_begins_a_depot_where_it_ends() -> None:
    fed: dict[str, bool] = {}
    for leader in ("Serbelloni", "Browne"):
        war = War()
        war.austrians(EDGE, 20, leader)
        s = seen(war, AUSTRIAN)
        army = army_of(s, EDGE)
        s.guide = Intent(Plan(missions=(Mission("besiege", army.leaders, GLOGAU),)), {})
        fed[leader] = is_tethered(s, army)
    assert fed == {"Serbelloni": True, "Browne": False}


def takes_quarters(points: int) -> bool:
    """Whether Schwerin goes into quarters from a siege of Prague with his depot complete, or from none."""
    war = War()
    war.prussians(PRAGUE, points, "Schwerin")
    war.depot(PRAGUE)
    state = war.at(MarchPhase(PRUSSIAN, 3), turn=NOVEMBER)
    s = situation_of(state.data, make_view(state, as_viewer(PRUSSIAN)))
    army = army_of(s, PRAGUE)
    return Intent(Plan(missions=(Mission("besiege", army.leaders, army.hex),)), {}).winters(s, army)


def test_an_army_stays_at_a_siege_that_may_still_succeed() -> None:
    assert not takes_quarters(20)
    assert takes_quarters(8)
    assert takes_quarters(60)


def test_only_places_between_which_somebody_went_are_remembered() -> None:
    thought = Thought("frederick", PRUSSIAN, 0)
    for where in (EDGE, EDGE, "1631", "1631", EDGE):
        war = War()
        war.prussians(where, 20, "Schwerin")
        thought = Thought("frederick", PRUSSIAN, 0, notes=memory.noted(seen(war), thought.notes))
    (stood,) = {places for places in memory.halts(thought).values() if len(places) > 1}
    assert stood == (hexagon(EDGE), hexagon("1631"), hexagon(EDGE))

from leuthen.engine.decision import Done
from leuthen.engine.ruleset import SIDES, Side
from leuthen.rulesets.frederick.model.actions import (
    Attack,
    Besiege,
    Build,
    Drop,
    Envoys,
    Follow,
    Garrison,
    March,
    Place,
    Quarter,
    Raise,
    Shelter,
    Shift,
)
from leuthen.rulesets.frederick.model.data import PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c05_diplomacy import EnvoyChoice
from leuthen.rulesets.frederick.rules.c06_resources import RaiseChoice
from leuthen.rulesets.frederick.rules.c08_redeployment import Redeploying
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o09_retreat import Pursuit, Routed
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.rulesets.frederick.rules.o13_siege import Occupation, SiegePhase
from leuthen.rulesets.frederick.rules.o14_attrition import ReinforcementPhase
from leuthen.wargame.board import NOWHERE, Hex, stack_key
from leuthen.wargame.strength import PowerId, bag, total
from tests.bots.positions import War, after, order
from tests.frederick.handmade import hexagon

GLATZ, KOENIGGRAETZ, SCHWEIDNITZ, PRAGUE, BRESLAU = map(hexagon, ("1432", "1230", "1631", "1125", "1733"))


def goes_to(state: State, side: Side = PRUSSIAN) -> Hex:
    action = order(state, side)
    while isinstance(action, Shift):
        state = after(state, action, side)
        action = order(state, side)
    return action.path[-1] if isinstance(action, March) else NOWHERE


# Sieges


def before_koeniggraetz(*, depot: bool) -> War:
    war = War()
    war.prussians("1230", 20, "Frederick")
    if depot:
        war.depot("1230")
    return war


def test_who_stands_before_a_fortress_begins_a_depot() -> None:
    state = before_koeniggraetz(depot=False).at(DepotPhase(PRUSSIAN, True))
    assert order(state) == Build(KOENIGGRAETZ)


def test_with_a_depot_he_besieges() -> None:
    state = before_koeniggraetz(depot=True).at(SiegePhase(PRUSSIAN))
    assert order(state) == Besiege(KOENIGGRAETZ)


def test_an_army_marches_on_a_fortress_that_it_can_take() -> None:
    war = War()
    war.prussians("1432", 24, "Frederick")
    state = war.at(MarchPhase(PRUSSIAN, 3))
    assert goes_to(state) == KOENIGGRAETZ


def test_besiegers_stay_until_it_falls() -> None:
    state = before_koeniggraetz(depot=True).at(MarchPhase(PRUSSIAN, 6))
    assert order(state) == Done()


# Depots


def beyond_supply() -> War:
    war = War()
    war.prussians("1326", 24, "Frederick")
    war.prussians("1230", 2, inside=True)
    del war.values["stacks"][stack_key(KOENIGGRAETZ, AUSTRIAN, 1)]
    war.values["owners"][KOENIGGRAETZ] = PRUSSIAN
    return war


def test_a_chain_of_depots_grows_towards_the_goal() -> None:
    assert order(beyond_supply().at(DepotPhase(PRUSSIAN, True))) == Build(hexagon("1326"))


def test_no_depot_where_the_goal_is_in_supply() -> None:
    war = War()
    war.prussians("1331", 24, "Frederick")
    assert order(war.at(DepotPhase(PRUSSIAN, True))) == Done()


# Garrisons


def test_what_has_fallen_gets_a_garrison() -> None:
    war = before_koeniggraetz(depot=False)
    del war.values["stacks"][stack_key(KOENIGGRAETZ, AUSTRIAN, 1)]
    war.values["owners"][KOENIGGRAETZ] = PRUSSIAN
    state = war.at(Occupation(PRUSSIAN, KOENIGGRAETZ))
    action = order(state)
    assert isinstance(action, Garrison)
    assert 1 <= total(action.sp) <= 4


def test_an_army_at_an_empty_fortress_leaves_men_inside() -> None:
    war = War()
    del war.values["stacks"][stack_key(SCHWEIDNITZ, 0, 1)]
    war.prussians("1631", 20, "Frederick")
    state = war.at(MarchPhase(PRUSSIAN, 3))
    action = order(state)
    assert isinstance(action, Shift)
    assert action.hex == SCHWEIDNITZ
    assert action.inside


def test_a_march_that_takes_a_fortress_leaves_men_inside() -> None:
    war = War()
    del war.values["stacks"][stack_key(KOENIGGRAETZ, AUSTRIAN, 1)]
    war.prussians("1331", 20, "Frederick")
    state = war.at(MarchPhase(PRUSSIAN, 2))
    march = order(state)
    assert isinstance(march, March)
    assert march.path[-1] == KOENIGGRAETZ
    assert isinstance(order(after(state, march)), Drop)


# Battles


def facing(mine: int, theirs: int) -> War:
    war = War()
    war.prussians("1531", mine, "Frederick")
    war.austrians("1531", theirs, "Serbelloni")
    return war


def test_a_battle_that_should_be_won_is_fought() -> None:
    state = facing(30, 20).at(CombatPhase(PRUSSIAN, PRUSSIAN))
    assert order(state) == Attack(hexagon("1531"))


def test_a_battle_that_should_be_lost_is_declined() -> None:
    war = War()
    war.prussians("1531", 10, "Brunswick")
    war.austrians("1531", 30, "Daun")
    assert order(war.at(CombatPhase(PRUSSIAN, PRUSSIAN))) == Done()


# Hunting


def test_an_enemy_army_that_should_be_beaten_is_sought() -> None:
    war = War()
    war.prussians("1733", 30, "Frederick")
    war.austrians("1632", 14, "Serbelloni")
    state = war.at(MarchPhase(PRUSSIAN, 3))
    assert goes_to(state) == hexagon("1632")


def test_hunting_leads_beyond_one_march() -> None:
    war = War()
    war.prussians("2030", 30, "Frederick")
    war.austrians("1631", 12, "Serbelloni", demoralized=True)
    state = war.at(MarchPhase(PRUSSIAN, 1))
    board = state.data.board
    assert board.distances(SCHWEIDNITZ)[goes_to(state)] < board.distances(SCHWEIDNITZ)[hexagon("2030")]


# Caution


def test_a_weak_army_keeps_out_of_reach_of_a_strong_one() -> None:
    war = War()
    war.prussians("1733", 12, "Keith")
    war.austrians("1434", 40, "Daun")
    state = war.at(MarchPhase(PRUSSIAN, 6))
    distances = state.data.board.distances(hexagon("1434"))
    careful = goes_to(state)
    assert careful < 0 or distances[careful] >= distances[BRESLAU]


# Relief


def test_a_besieged_fortress_is_relieved() -> None:
    war = War()
    war.austrians("1631", 14, "Serbelloni")
    war.prussians("2030", 20, "Frederick")
    state = war.at(MarchPhase(PRUSSIAN, 3))
    assert goes_to(state) == SCHWEIDNITZ


# Concentration


def test_a_small_force_joins_the_army() -> None:
    war = War()
    war.prussians("1733", 24, "Frederick", marched=bag(PRUSSIA, 24))
    war.prussians("2030", 4, "Keith")
    state = war.at(MarchPhase(PRUSSIAN, 3))
    from tests.frederick.handmade import leader

    tired = war.at(MarchPhase(PRUSSIAN, 3), spent={leader("Frederick"): 99})
    distances = state.data.board.distances(BRESLAU)
    assert distances[goes_to(tired)] < distances[hexagon("2030")]


# Supply


def test_an_army_does_not_leave_its_supply() -> None:
    war = War()
    war.prussians("1230", 24, "Frederick")
    war.austrians("1230", 10, inside=True)
    state = war.at(MarchPhase(PRUSSIAN, 6))
    from leuthen.rulesets.frederick.rules.o10_supply import supply

    there = goes_to(state)
    assert there < 0 or supply(state, PRUSSIAN)[5] >> there & 1


# Winter


def test_armies_go_into_winter_quarters() -> None:
    war = War()
    war.prussians("1733", 24, "Frederick")
    state = war.at(ReinforcementPhase(PRUSSIAN), turn=15)
    assert isinstance(order(state), Quarter)


def test_before_winter_an_army_goes_where_quarters_are() -> None:
    war = War()
    war.prussians("1430", 24, "Frederick")
    war.austrians("1230", 10, inside=True)
    state = war.at(MarchPhase(PRUSSIAN, 3), turn=14)
    assert state.owners.get(goes_to(state)) == PRUSSIAN


# Force marches


def test_an_army_slips_away_from_one_that_would_beat_it() -> None:
    war = War()
    war.prussians("1531", 10, "Keith")
    war.austrians("1531", 30, "Daun")
    state = war.at(ForceMarchPhase(PRUSSIAN), phasing=AUSTRIAN)
    assert isinstance(order(state), March)


# Detachments


def test_a_large_army_sends_a_part_to_another_goal() -> None:
    war = War()
    war.prussians("1432", 60, "Frederick", "Ferdinand")
    state = war.at(MarchPhase(PRUSSIAN, 3))
    part = order(state)
    assert isinstance(part, March)
    assert total(part.sp) < 60


# Shelter and pursuit


def test_a_beaten_army_goes_inside_where_the_walls_feed_it() -> None:
    war = War()
    war.prussians("1733", 6, "Keith", demoralized=True)
    war.austrians("1733", 20, "Daun")
    state = war.at(Routed(PRUSSIAN, BRESLAU, 1), phasing=AUSTRIAN)
    assert order(state) == Shelter(True)


def test_a_victor_follows_where_it_is_safe() -> None:
    war = War()
    war.prussians("1531", 24, "Frederick")
    state = war.at(Pursuit(PRUSSIAN, hexagon("1531"), hexagon("1430")))
    assert isinstance(order(state), Follow)


# Points


def test_resource_points_are_spent_at_once() -> None:
    assert order(War().at(RaiseChoice(), year=1756, turn=18)) == Raise(22)
    assert order(War().at(RaiseChoice(), year=1761, turn=18, rp=(3, 4))) == Raise(3)


def test_all_envoys_are_sent() -> None:
    war = War()
    for where, power, points in (("0703", 2, 18), ("2413", 3, 10), ("3742", 4, 20), ("3321", 5, 6)):
        war.put(where, 2, bag(PowerId(power), points), inside=True)
    state = war.at(EnvoyChoice(), year=1756, turn=18)
    for side, points in zip(SIDES, (2, 4), strict=True):
        action = order(state, side)
        assert isinstance(action, Envoys)
        assert sum(action.points) == points


# Re-deployment


def test_redeployment_brings_the_army_back_to_the_front() -> None:
    war = War()
    war.prussians("3328", 20, "Frederick")
    state = war.at(Redeploying(PRUSSIAN), year=1757, turn=18)
    action = order(state)
    assert isinstance(action, Place)
    assert action.start == stack_key(hexagon("3328"), 0, 0)

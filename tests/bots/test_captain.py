from typing import Final

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import Side, as_viewer
from leuthen.load import ruleset
from leuthen.rulesets.frederick.bot import marching, winter
from leuthen.rulesets.frederick.bot.captain import Captain, answer_saxony
from leuthen.rulesets.frederick.bot.goals import candidates, goal_of, is_abroad
from leuthen.rulesets.frederick.bot.marching import (
    Prospects,
    detachment,
    force_march_price,
    is_bared,
    is_tethered,
    takes_quarters,
)
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.bot.winter import army_base
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.actions import (
    Drop,
    Free,
    Lose,
    March,
    Offer,
    Place,
    Raise,
    Remove,
    Sack,
    Shelter,
    Shift,
)
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, CAPTIVE, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c06_resources import RaiseChoice, counters_left, new_sp
from leuthen.rulesets.frederick.rules.c08_redeployment import Redeploying, Reinforcing, Sacking, arrivals
from leuthen.rulesets.frederick.rules.c11_prisoners import Freeing, LeaderOffers
from leuthen.rulesets.frederick.rules.o05_march import ForceLoss, MarchPhase
from leuthen.rulesets.frederick.rules.o09_retreat import Retreating, Routed
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.wargame.board import NOWHERE, Hex, stack_key
from leuthen.wargame.bot.commander import halts_in
from leuthen.wargame.bot.ranking import Goal
from leuthen.wargame.plans import Kind, Mission, Plan, Thought
from leuthen.wargame.strength import EMPTY, bag, total
from tests.bots.positions import War, after, order
from tests.frederick.handmade import hexagon, leader

NOVEMBER = 15
BRESLAU, GLOGAU, STRASBURG = map(hexagon, ("1733", "2030", "0406"))
FORCED: Final[tuple[Kind, ...]] = ("relieve", "besiege", "hunt")
PRAGUE = "1125"
EDGE = "1630"


def seen(war: War, side: Side = PRUSSIAN) -> Situation:
    state = war.at(MarchPhase(side, 3))
    return Situation(state.data, make_view(state, as_viewer(side)))


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
    army = army_of(s, "1733")
    against = Prospects(s, army, goal_of(s, army)).aversion
    assert against(hexagon("1732")) < 0
    assert against(hexagon("1632")) == 0


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
    for commander in ("Serbelloni", "Browne"):
        war = War()
        war.austrians(EDGE, 20, commander)
        s = seen(war, AUSTRIAN)
        army = army_of(s, EDGE)
        s.plan = Plan(missions=(Mission("besiege", army.leaders, GLOGAU),))
        fed[commander] = is_tethered(s, army)
    assert fed == {"Serbelloni": True, "Browne": False}


def goes_home(points: int) -> bool:
    war = War()
    war.prussians(PRAGUE, points, "Schwerin")
    war.depot(PRAGUE)
    state = war.at(MarchPhase(PRUSSIAN, 3), turn=NOVEMBER)
    s = Situation(state.data, make_view(state, as_viewer(PRUSSIAN)))
    army = army_of(s, PRAGUE)
    s.plan = Plan(missions=(Mission("besiege", army.leaders, army.hex),))
    return takes_quarters(s, army)


def test_an_army_stays_at_a_siege_that_may_still_succeed() -> None:
    assert not goes_home(20)
    assert goes_home(8)
    assert goes_home(60)


def test_only_places_between_which_somebody_went_are_remembered() -> None:
    thought = Thought("frederick", PRUSSIAN, 0)
    for where in (EDGE, EDGE, "1631", "1631", EDGE):
        war = War()
        war.prussians(where, 20, "Schwerin")
        state = war.at(MarchPhase(PRUSSIAN, 3))
        before = Thought("frederick", PRUSSIAN, 0, notes=thought.notes)
        _, thought = Captain(state.data, PRUSSIAN, 1).consider(make_view(state, PRUSSIAN), before)
    (stood,) = {places for places in halts_in(thought.notes).values() if len(places) > 1}
    assert stood == (hexagon(EDGE), hexagon("1631"), hexagon(EDGE))


def test_no_more_points_are_spent_than_there_are_counters_for() -> None:
    war = War()
    war.prussians("1733", 60, "Schwerin")
    state = war.state(frames=(RaiseChoice(),), year=1757)
    s = Situation(state.data, make_view(state, as_viewer(PRUSSIAN)))
    (order,) = winter.raise_actions(s)
    assert isinstance(order, Raise)
    assert 0 < new_sp(s.pos, PRUSSIAN, order.points) == counters_left(s.pos, PRUSSIAN)
    assert new_sp(s.pos, PRUSSIAN, order.points - 1) < counters_left(s.pos, PRUSSIAN)
    assert order.points < s.pos.rp[PRUSSIAN]


def beginning(seed: int, side: Side = PRUSSIAN, *, invades: bool = False) -> Situation:
    rules = ruleset("frederick")
    mind = Thought("frederick", side, seed, plan=answer_saxony(Plan(), invades))
    return Captain(rules.data, side, seed).situation(rules.view(rules.new_game("campaign", {}), side), mind)


def test_set_ups_and_envoys_follow_the_seed() -> None:
    for side in (PRUSSIAN, AUSTRIAN):
        bases = [army_base(beginning(seed, side)) for seed in range(40)]
        assert bases == [army_base(beginning(seed, side)) for seed in range(40)]
        assert len(set(bases)) > 1
    assert len({next(winter.envoy_actions(beginning(seed, AUSTRIAN))) for seed in range(40)}) > 1


def test_who_means_to_invade_saxony_has_her_fortresses_for_goals() -> None:
    dresden = next(here for here, fort in ruleset("frederick").data.fortresses.items() if fort.name == "Dresden")
    for invades in (False, True):
        s = beginning(1, invades=invades)
        assert (dresden in s.targets) is invades
        assert bool(s.neutral >> dresden & 1) is not invades


def test_a_force_march_to_save_a_place_saves_more_than_one() -> None:
    war = War()
    war.prussians("1733", 20, "Schwerin")
    s = seen(war)
    army = army_of(s, "1733")
    prices = {}
    for kind in FORCED:
        s.plan = Plan(missions=(Mission(kind, army.leaders, BRESLAU),))
        prices[kind] = force_march_price(s, army)
    assert prices["relieve"] < prices["besiege"] < prices["hunt"]


def without_a_general(*, aided: bool = True) -> War:
    war = War()
    war.prussians("1731", 20)
    war.prussians("1733", 1, *(("Schwerin",) if aided else ()), inside=True)
    return war


def first_order(state: State) -> Action:
    rules = ruleset("frederick")
    pending = next(one for one in rules.pending(state) if one.actor == PRUSSIAN)
    captain = Captain(rules.data, PRUSSIAN, 1)
    return captain.choose(lambda: make_view(state, as_viewer(PRUSSIAN)), rules.legal_actions(state, PRUSSIAN), pending)


def test_somebody_is_sent_to_men_without_a_general() -> None:
    order = first_order(without_a_general().at(MarchPhase(PRUSSIAN, 6)))
    assert isinstance(order, March)
    assert (order.leader, order.sp) == (leader("Schwerin"), EMPTY)
    assert order.path[-1] == hexagon("1731")


def test_who_is_inside_where_they_stand_comes_out_to_lead_them() -> None:
    war = War()
    war.prussians("1733", 20)
    war.prussians("1733", 1, "Schwerin", inside=True)
    order = first_order(war.at(MarchPhase(PRUSSIAN, 3)))
    assert order == Shift(hexagon("1733"), False, (leader("Schwerin"),), EMPTY)


def test_the_only_general_of_an_army_does_not_leave_it() -> None:
    war = without_a_general(aided=False)
    war.prussians("1630", 20, "Schwerin")
    assert not list(marching.lead_actions(seen(war), 6))


def test_in_winter_men_without_a_general_get_one() -> None:
    state = without_a_general().at(Redeploying(PRUSSIAN), turn=18)
    s = Situation(state.data, make_view(state, as_viewer(PRUSSIAN)))
    (order,) = winter.winter_postings(s)
    assert isinstance(order, Place)
    assert (order.hex, order.leaders, order.sp) == (hexagon("1731"), (leader("Schwerin"),), EMPTY)


def new_men(camp: str) -> State:
    war = War()
    war.prussians(camp, 10, "Schwerin", *(("Keith",) if camp == PRAGUE else ()))
    return war.at(Reinforcing(PRUSSIAN), turn=18, waiting=bag(PRUSSIA, 20))


def test_somebody_is_sent_where_new_men_will_come() -> None:
    state = new_men(PRAGUE)
    s = Situation(state.data, make_view(state, as_viewer(PRUSSIAN)))
    (order,) = winter.winter_postings(s)
    assert isinstance(order, Place)
    assert (order.leaders, order.sp) == ((leader("Keith"),), EMPTY)
    assert order.hex in arrivals(s.pos, PRUSSIAN, PRUSSIA)


@pytest.mark.parametrize("camp", ["1733", "2030", "1434"])
def test_new_men_go_where_a_general_stands(camp: str) -> None:
    order = first_order(new_men(camp))
    assert isinstance(order, Place)
    assert (order.hex, order.inside, order.sp) == (hexagon(camp), False, bag(PRUSSIA, 20))


def test_nothing_is_sent_away_from_an_army_that_needs_it() -> None:
    refused: dict[int, bool] = {}
    for enemies in (12, 60):
        war = War()
        war.prussians("1733", 50, "Frederick", "Keith")
        war.austrians("1732", enemies, "Daun")
        s = seen(war)
        whole = army_of(s, "1733")
        part = make_stack(s.pos, whole.hex, PRUSSIAN, False, bag(PRUSSIA, 24), (leader("Keith"),), whole)
        refused[enemies] = is_bared(s, whole, part)
    assert refused == {12: False, 60: True}


def ordered(s: Situation, army: Stack) -> Situation:
    s.plan = Plan(missions=(Mission("hold", army.leaders, army.hex, signed=True),))
    return s


def test_nobody_is_taken_from_where_a_player_has_told_him_to_stay() -> None:
    s = seen(without_a_general())
    assert list(marching.lead_actions(s, 6))
    inside = s.pos.inside(hexagon("1733"), PRUSSIAN)
    assert inside is not None
    assert not list(marching.lead_actions(ordered(s, inside), 6))


def test_an_army_that_a_player_has_given_a_mission_is_not_divided() -> None:
    war = War()
    war.prussians("1733", 60, "Frederick", "Keith")
    s = seen(war)
    army = army_of(s, "1733")
    s.plan = Plan(missions=(Mission("hold", army.leaders, army.hex),))
    assert detachment(s, army) is not None
    assert detachment(ordered(s, army), army) is None


def test_the_worst_leader_is_sacked() -> None:
    war = War()
    war.prussians("1733", 20, "Frederick", "Ferdinand", "Brunswick")
    assert order(war.at(Sacking(PRUSSIA))) == Sack(leader("Brunswick"))


def test_the_worst_captive_is_offered() -> None:
    war = War()
    held = tuple(leader(name) for name in ("Browne", "Serbelloni"))
    roster = tuple(CAPTIVE if n in held else status for n, status in enumerate(war.values["roster"]))
    state = war.at(LeaderOffers(1), captives=(held, (leader("Keith"),)), roster=roster)
    assert order(state) == Offer(leader("Serbelloni"))


def test_freed_men_go_where_the_enemy_is() -> None:
    war = War()
    war.austrians("1531", 20, "Daun")
    state = war.at(Freeing(PRUSSIAN, 2), prisoners=(bag(AUSTRIA, 2), bag(PRUSSIA, 2)))
    action = order(state)
    assert isinstance(action, Free)
    assert action.points == 2
    assert state.data.board.distances(hexagon("1531"))[action.hex] <= 6


def test_a_force_march_costs_the_ally_a_man() -> None:
    war = War()
    war.values["allegiance"] = (PRUSSIAN, AUSTRIAN, AUSTRIAN, PRUSSIAN, 2, 2, 2, 2)
    force = make_stack(
        war.state(), hexagon("2217"), PRUSSIAN, False, bag(PRUSSIA, 9) + bag(HANOVER, 3), (leader("Frederick"),)
    )
    assert order(war.at(ForceLoss(PRUSSIAN), moving=force)) == Lose(force.key, HANOVER, 1)


def test_a_retreat_ends_inside_a_fortress_that_feeds_all() -> None:
    war = War()
    war.austrians("1531", 20, "Daun")
    battle = hexagon("1531")
    there = make_stack(war.state(), hexagon("1733"), PRUSSIAN, False, bag(PRUSSIA, 8), (leader("Keith"),))
    left = (battle, hexagon("1632"), hexagon("1733"))
    assert order(war.at(Retreating(PRUSSIAN, battle, 2, left), moving=there)) == Shelter(True)


def test_idle_depots_are_removed_when_there_are_many() -> None:
    war = War()
    war.prussians("1733", 20, "Frederick")
    for where in ("2024", "2325", "2525", "2724", "2827"):
        war.depot(where)
    assert isinstance(order(war.at(DepotPhase(PRUSSIAN, True))), Remove)


def test_new_men_fill_garrisons_and_join_the_army() -> None:
    war = War()
    state = war.at(Reinforcing(PRUSSIAN), waiting=bag(PRUSSIA, 20))
    action = order(state)
    assert isinstance(action, Place)
    assert action.power == PRUSSIA
    assert not action.inside
    assert action.power != FRANCE


GLATZ, KOENIGGRAETZ, SCHWEIDNITZ, PRAGUE_HEX = map(hexagon, ("1432", "1230", "1631", "1125"))


def goes_to(state: State, side: Side = PRUSSIAN) -> Hex:
    action = order(state, side)
    while isinstance(action, Shift):
        state = after(state, action, side)
        action = order(state, side)
    return action.path[-1] if isinstance(action, March) else NOWHERE


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


def test_a_weak_army_keeps_out_of_reach_of_a_strong_one() -> None:
    war = War()
    war.prussians("1733", 12, "Keith")
    war.austrians("1434", 40, "Daun")
    state = war.at(MarchPhase(PRUSSIAN, 6))
    distances = state.data.board.distances(hexagon("1434"))
    careful = goes_to(state)
    assert careful < 0 or distances[careful] >= distances[BRESLAU]


def test_an_army_does_not_leave_its_supply() -> None:
    war = War()
    war.prussians("1230", 24, "Frederick")
    war.austrians("1230", 10, inside=True)
    state = war.at(MarchPhase(PRUSSIAN, 6))
    from leuthen.rulesets.frederick.rules.o10_supply import supply

    there = goes_to(state)
    assert there < 0 or supply(state, PRUSSIAN)[5] >> there & 1


def test_before_winter_an_army_goes_where_quarters_are() -> None:
    war = War()
    war.prussians("1430", 24, "Frederick")
    war.austrians("1230", 10, inside=True)
    state = war.at(MarchPhase(PRUSSIAN, 3), turn=14)
    assert state.owners.get(goes_to(state)) == PRUSSIAN


def test_a_large_army_sends_a_part_to_another_goal() -> None:
    war = War()
    war.prussians("1432", 60, "Frederick", "Ferdinand")
    state = war.at(MarchPhase(PRUSSIAN, 3))
    part = order(state)
    assert isinstance(part, March)
    assert total(part.sp) < 60


def test_a_beaten_army_goes_inside_where_the_walls_feed_it() -> None:
    war = War()
    war.prussians("1733", 6, "Keith", demoralized=True)
    war.austrians("1733", 20, "Daun")
    state = war.at(Routed(PRUSSIAN, BRESLAU, 1), phasing=AUSTRIAN)
    assert order(state) == Shelter(True)


def test_resource_points_are_spent_at_once() -> None:
    assert order(War().at(RaiseChoice(), year=1756, turn=18)) == Raise(22)
    assert order(War().at(RaiseChoice(), year=1761, turn=18, rp=(3, 4))) == Raise(3)

from heapq import heappop, heappush
from itertools import islice
from random import Random

import pytest

from leuthen.engine.ruleset import Side, as_viewer
from leuthen.load import ruleset
from leuthen.rulesets.frederick.bot import marching, winter
from leuthen.rulesets.frederick.bot.captain import Captain, answer_saxony
from leuthen.rulesets.frederick.bot.goals import (
    all_goals,
    best_goal,
    best_sieges,
    every_siege,
)
from leuthen.rulesets.frederick.bot.marching import (
    Prospects,
    Reach,
    detachment,
)
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.bot.weights import CAPTAIN
from leuthen.rulesets.frederick.bot.winter import army_base
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.actions import (
    Free,
    Lose,
    Offer,
    Place,
    Raise,
    Sack,
    Shelter,
)
from leuthen.rulesets.frederick.model.data import AUSTRIA, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, CAPTIVE, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c05_council import RaiseChoice, counters_left, new_sp
from leuthen.rulesets.frederick.rules.c08_redeployment import (
    Freeing,
    LeaderOffers,
    Reinforcing,
    Sacking,
)
from leuthen.rulesets.frederick.rules.o05_march import ForceLoss, MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import Retreating, Routed
from leuthen.wargame.board import ENDLESS, FAR, Hex, Search, Ways, hex_set, hexes_of, moves_of
from leuthen.wargame.bot.commander import halts_in
from leuthen.wargame.missions import Mission, Plan, Thought
from leuthen.wargame.strength import bag
from tests.bots.frederick_positions import Position, order
from tests.bots.wars import War
from tests.frederick.handmade import game_data, hexagon, leader

BRESLAU = hexagon("1733")
EDGE = "1630"


def situation(position: Position, side: Side = PRUSSIAN) -> Situation:
    state = position.at(MarchPhase(side, 3))
    return Situation(state.data, make_view(state, as_viewer(side)))


def army_of(s: Situation, where: str) -> Stack:
    found = s.pos.field(hexagon(where), s.side)
    assert found is not None
    return found


def test_a_thought_records_only_halts_after_a_move() -> None:
    thought = Thought("frederick", PRUSSIAN, 0)
    for where in (EDGE, EDGE, "1631", "1631", EDGE):
        position = Position()
        position.prussians(where, 20, "Schwerin")
        state = position.at(MarchPhase(PRUSSIAN, 3))
        before = Thought("frederick", PRUSSIAN, 0, notes=thought.notes)
        _, thought = Captain(state.data, PRUSSIAN, 1).consider(make_view(state, PRUSSIAN), before)
    (stood,) = {places for places in halts_in(thought.notes).values() if len(places) > 1}
    assert stood == (hexagon(EDGE), hexagon("1631"), hexagon(EDGE))


def test_the_captain_spends_no_points_beyond_the_counters() -> None:
    position = Position()
    position.prussians("1733", 60, "Schwerin")
    state = position.state(frames=(RaiseChoice(),), year=1757)
    s = Situation(state.data, make_view(state, as_viewer(PRUSSIAN)))
    (order,) = winter.raise_actions(s)
    assert isinstance(order, Raise)
    assert 0 < new_sp(s.pos, PRUSSIAN, order.points) == counters_left(s.pos, PRUSSIAN)
    assert new_sp(s.pos, PRUSSIAN, order.points - 1) < counters_left(s.pos, PRUSSIAN)
    assert order.points < s.pos.rp[PRUSSIAN]


def first_situation(seed: int, side: Side = PRUSSIAN) -> Situation:
    rules = ruleset("frederick")
    mind = Thought("frederick", side, seed, plan=answer_saxony(Plan(), False))
    return Captain(rules.data, side, seed).situation(rules.view(rules.new_game("campaign", {}), side), mind)


def test_set_up_and_envoys_depend_on_the_seed() -> None:
    for side in (PRUSSIAN, AUSTRIAN):
        bases = [army_base(first_situation(seed, side)) for seed in range(40)]
        assert bases == [army_base(first_situation(seed, side)) for seed in range(40)]
        assert len(set(bases)) > 1
    assert len({next(winter.envoy_actions(first_situation(seed, AUSTRIAN))) for seed in range(40)}) > 1


def leaderless_troops() -> Position:
    position = Position()
    position.prussians("1731", 20)
    position.prussians("1733", 1, "Schwerin", inside=True)
    return position


def new_troops(camp: str) -> State:
    position = Position()
    position.prussians(camp, 10, "Schwerin")
    return position.at(Reinforcing(PRUSSIAN), turn=18, waiting=bag(PRUSSIA, 20))


@pytest.mark.parametrize("camp", ["1733", "2030", "1434"])
def test_new_troops_go_to_a_leader(camp: str) -> None:
    posting = order(new_troops(camp))
    assert isinstance(posting, Place)
    assert (posting.hex, posting.inside, posting.sp) == (hexagon(camp), False, bag(PRUSSIA, 20))


def with_signed_mission(s: Situation, army: Stack) -> Situation:
    s.plan = Plan(missions=(Mission("hold", army.leaders, army.hex, signed=True),))
    return s


def test_a_leader_with_a_signed_mission_stays() -> None:
    s = situation(leaderless_troops())
    assert list(marching.lead_actions(s, 6))
    inside = s.pos.inside(hexagon("1733"), PRUSSIAN)
    assert inside is not None
    assert not list(marching.lead_actions(with_signed_mission(s, inside), 6))


def test_an_army_with_a_signed_mission_is_not_divided() -> None:
    position = Position()
    position.prussians("1733", 60, "Frederick", "Keith")
    s = situation(position)
    army = army_of(s, "1733")
    s.plan = Plan(missions=(Mission("hold", army.leaders, army.hex),))
    assert detachment(s, army) is not None
    assert detachment(with_signed_mission(s, army), army) is None


def test_the_worst_leader_is_sacked() -> None:
    position = Position()
    position.prussians("1733", 20, "Frederick", "Ferdinand", "Brunswick")
    assert order(position.at(Sacking(PRUSSIA))) == Sack(leader("Brunswick"))


def test_the_worst_captive_is_offered() -> None:
    position = Position()
    held = tuple(leader(name) for name in ("Browne", "Serbelloni"))
    roster = tuple(CAPTIVE if n in held else status for n, status in enumerate(position.values["roster"]))
    state = position.at(LeaderOffers(1), captives=(held, (leader("Keith"),)), roster=roster)
    assert order(state) == Offer(leader("Serbelloni"))


def test_freed_troops_go_near_the_enemy() -> None:
    position = Position()
    position.austrians("1531", 20, "Daun")
    state = position.at(Freeing(PRUSSIAN, 2), prisoners=(bag(AUSTRIA, 2), bag(PRUSSIA, 2)))
    action = order(state)
    assert isinstance(action, Free)
    assert action.points == 2
    assert state.data.board.distances(hexagon("1531"))[action.hex] <= 6


def test_a_force_march_costs_an_allied_point() -> None:
    position = Position()
    position.values["allegiance"] = (PRUSSIAN, AUSTRIAN, AUSTRIAN, PRUSSIAN, 2, 2, 2, 2)
    force = position.state().make_stack(
        hexagon("2217"), PRUSSIAN, False, bag(PRUSSIA, 9) + bag(HANOVER, 3), (leader("Frederick"),)
    )
    assert order(position.at(ForceLoss(PRUSSIAN), moving=force)) == Lose(force.key, HANOVER, 1)


def test_a_retreat_ends_inside_a_fortress_that_feeds_all() -> None:
    position = Position()
    position.austrians("1531", 20, "Daun")
    battle = hexagon("1531")
    there = position.state().make_stack(hexagon("1733"), PRUSSIAN, False, bag(PRUSSIA, 8), (leader("Keith"),))
    left = (battle, hexagon("1632"), hexagon("1733"))
    assert order(position.at(Retreating(PRUSSIAN, battle, 2, left), moving=there)) == Shelter(True)


def test_a_routed_army_shelters_in_a_fortress() -> None:
    position = Position()
    position.prussians("1733", 6, "Keith", demoralized=True)
    position.austrians("1733", 20, "Daun")
    state = position.at(Routed(PRUSSIAN, BRESLAU, 1), phasing=AUSTRIAN)
    assert order(state) == Shelter(True)


BOARD = game_data().board


def dijkstra(start: Hex, slow: set[Hex], barred: set[Hex]) -> list[int]:
    found, waiting = [FAR] * BOARD.size, [(0, start)]
    while waiting:
        spent, here = heappop(waiting)
        if spent > ENDLESS or spent >= found[here]:
            continue
        found[here] = spent
        for there, cost in BOARD.steps[here].items():
            if there not in barred:
                heappush(waiting, (spent + cost + (there in slow), there))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_distance_table_equals_a_plain_search(seed: int) -> None:
    rng, land = Random(seed), list(hexes_of(BOARD.land))
    start, slow, barred = rng.choice(land), set(rng.sample(land, 40)), set(rng.sample(land, 40))
    barred -= {start}
    assert list(Ways(BOARD).table(start, hex_set(slow), hex_set(barred))) == dijkstra(start, slow, barred)


@pytest.mark.parametrize("seed", range(3))
def test_a_search_finds_the_nearest_of_several_starts(seed: int) -> None:
    rng, land = Random(seed), list(hexes_of(BOARD.land))
    starts, barred = rng.sample(land, 2), set(rng.sample(land, 500))
    tables = [dijkstra(start, set(), barred) for start in starts]
    search = Search(moves_of(BOARD), hex_set(starts), 0, BOARD.land & ~hex_set(barred), 1000)
    for here in rng.sample(land, 200):
        nearest = min(table[here] for table in tables)
        assert search.far(here) == nearest if nearest < ENDLESS else search.far(here) > ENDLESS - 1


SAMPLE_STEP = 9


@pytest.fixture(scope="module")
def armies() -> list[tuple[Situation, Stack]]:
    positions = islice(War("frederick", "campaign", (1757, 5)).positions(3), 0, None, SAMPLE_STEP)
    situations = [Situation(state.data, make_view(state, as_viewer(side))) for state, side in positions]
    return [(s, army) for s in situations for army in s.armies]


def test_the_best_sieges_include_the_most_valuable(armies: list[tuple[Situation, Stack]]) -> None:
    fewer = 0
    for s, army in armies:
        sieges = list(every_siege(s, army))
        most = max((goal.value for goal in sieges), default=0.0)
        few = list(best_sieges(s, army))
        assert {goal for goal in sieges if goal.value == most} <= set(few) <= set(sieges)
        fewer += len(few) < len(sieges)
        goals = list(all_goals(s, army))
        assert best_goal(s, army).value == max((goal.value for goal in goals), default=0.0)
    assert fewer > len(armies) / 4


def test_the_ranking_of_goals_omits_no_better_hex(armies: list[tuple[Situation, Stack]]) -> None:
    found = 0
    for s, army in armies:
        places = list(Reach(s, army, 5, first=True).found)
        prospects = Prospects(s, army, best_goal(s, army))
        stay = prospects.score(army.hex)
        ranking = sorted([(prospects.score(here), -here) for here in places], reverse=True)
        better = [(score - stay, -here) for score, here in ranking if score - stay > CAPTAIN.min_march_gain]
        assert list(prospects.better(places, stay, CAPTAIN.min_march_gain)) == better
        found += len(better)
    assert found > len(armies) / 4


def test_the_order_of_queries_does_not_change_a_search() -> None:
    start, *forts = game_data().fortresses
    slow = hex_set(BOARD.distances(start)) & ~BOARD.within(start, 6)
    table = Ways(BOARD).table(start, slow, 0)
    for asked in (forts, forts[::-1]):
        search = Ways(BOARD).search(start, slow, 0)
        assert [search.far(here) for here in asked] == [table[here] for here in asked]
    assert Ways(BOARD).search(start, 0, slow).far(max(forts, key=table.__getitem__)) == FAR

from heapq import heappop, heappush
from itertools import islice
from random import Random

import pytest

from leuthen.engine.ruleset import as_viewer
from leuthen.rulesets.frederick.bot.goals import all_goals, best_goal, best_sieges, every_siege
from leuthen.rulesets.frederick.bot.marching import Prospects, Reach
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.bot.weights import CAPTAIN
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.wargame.board import ENDLESS, FAR, Hex, Search, Ways, hex_set, hexes_of, moves_of
from tests.bots.wars import War
from tests.frederick.handmade import game_data

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
    for order in (forts, forts[::-1]):
        search = Ways(BOARD).search(start, slow, 0)
        assert [search.far(here) for here in order] == [table[here] for here in order]
    assert Ways(BOARD).search(start, 0, slow).far(max(forts, key=table.__getitem__)) == FAR

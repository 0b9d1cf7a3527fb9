from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import islice
from random import Random

import pytest

from leuthen.engine.ruleset import as_viewer
from leuthen.load import ruleset
from leuthen.rulesets.frederick.bot.goals import all_goals, best_goal, best_sieges, every_siege
from leuthen.rulesets.frederick.bot.marching import Prospects, Reach
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.bot.weights import CAPTAIN
from leuthen.rulesets.frederick.knowledge import make_view
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.board import Board, Hex, hex_set, hexes_of
from leuthen.wargame.ways import ENDLESS, FAR, Search, Ways, moves_of
from tests.bots.decisions import War


def board() -> Board:
    rules = ruleset("frederick")
    assert isinstance(rules, Frederick)
    return rules.data.board


def plain(on: Board, start: Hex, slow: set[Hex], barred: set[Hex]) -> list[int]:
    found, waiting = [FAR] * on.size, [(0, start)]
    while waiting:
        spent, here = heappop(waiting)
        if spent > ENDLESS or spent >= found[here]:
            continue
        found[here] = spent
        for there, cost in on.steps[here].items():
            if there not in barred:
                heappush(waiting, (spent + cost + (there in slow), there))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_table_holds_what_a_plain_search_finds(seed: int) -> None:
    on, rng = board(), Random(seed)
    land = list(hexes_of(on.land))
    start, slow, barred = rng.choice(land), set(rng.sample(land, 40)), set(rng.sample(land, 40))
    barred -= {start}
    assert list(Ways(on).table(start, hex_set(slow), hex_set(barred - {start}))) == plain(
        on, start, slow, barred - {start}
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_search_from_several_places_finds_the_nearest_however_far(seed: int) -> None:
    on, rng = board(), Random(seed)
    land = list(hexes_of(on.land))
    starts, barred = rng.sample(land, 2), set(rng.sample(land, 500))
    tables = [plain(on, start, set(), barred) for start in starts]
    search = Search(moves_of(on), hex_set(starts), 0, on.land & ~hex_set(barred), 1000)
    for here in rng.sample(land, 200):
        nearest = min(table[here] for table in tables)
        assert search.far(here) == nearest if nearest < ENDLESS else search.far(here) > ENDLESS - 1


APART = 9


@pytest.fixture(scope="module")
def armies() -> list[tuple[Situation, Stack]]:
    return list(_armies())


def _armies() -> Iterator[tuple[Situation, Stack]]:
    for state, side in islice(War("frederick", "campaign", (1757, 5)).positions(3), 0, None, APART):
        s = Situation(state.data, make_view(state, as_viewer(side)))
        yield from ((s, army) for army in s.armies)


def test_no_siege_left_out_is_worth_more(armies: list[tuple[Situation, Stack]]) -> None:
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


def test_no_place_left_out_is_better(armies: list[tuple[Situation, Stack]]) -> None:
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


def test_a_search_finds_the_same_in_any_order() -> None:
    rules = ruleset("frederick")
    assert isinstance(rules, Frederick)
    ways, start, forts = Ways(rules.data.board), *_ends(rules)
    slow = hex_set(rules.data.board.distances(start)) & ~rules.data.board.within(start, 6)
    table = ways.table(start, slow, 0)
    for order in (forts, forts[::-1]):
        search = Ways(rules.data.board).search(start, slow, 0)
        assert [search.far(here) for here in order] == [table[here] for here in order]
    assert Ways(rules.data.board).search(start, 0, slow).far(max(forts, key=table.__getitem__)) == FAR


def _ends(rules: Frederick) -> tuple[Hex, list[Hex]]:
    first, *others = rules.data.fortresses
    return first, others

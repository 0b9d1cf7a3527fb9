from heapq import heappop, heappush
from random import Random

import pytest

from leuthen.load import ruleset
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.board import Board, Hex, hex_set, hexes_of
from leuthen.wargame.ways import ENDLESS, FAR, Search, Ways, moves_of


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

"""Supply, reaction and reach against naive second implementations, in positions of random games."""

from __future__ import annotations

from itertools import islice

import pytest

from leuthen.campaigns.forces import is_besieged
from leuthen.campaigns.gamedata import AUSTRIA, SIDE_OF
from leuthen.campaigns.rules.reaction import ways_to
from leuthen.campaigns.rules.supply import depot_range
from leuthen.campaigns.rules.walk import Walk
from leuthen.campaigns.state import State
from leuthen.core.board import Hex
from leuthen.core.strength import of, total
from tests.campaigns.kit import play, rules

GAMES: tuple[tuple[int, str, dict[str, str]], ...] = ((0, "1757", {}), (1, "1759", {"rules": "base"}), (2, "1758", {}))


def positions(seed: int, scenario: str, options: dict[str, str]) -> list[State]:
    return [before for before, *_ in islice(play(seed, scenario, options), 0, 700, 70)]


def field(state: State, here: Hex, side: int) -> int:
    return sum(u.strength for n, u in state.units.items() if u.hex == here and not u.inside and state.side(n) == side)


def inside(state: State, here: Hex, side: int) -> int:
    found = sum(u.strength for n, u in state.units.items() if u.hex == here and u.inside and state.side(n) == side)
    tp = state.garrisons.get(here, 0)
    return found + sum(of(tp, n) for n in range(8) if SIDE_OF[n] == side)


def shut(state: State, here: Hex, side: int) -> bool:
    foes = field(state, here, 1 - side)
    return foes > 0 and foes * 2 >= inside(state, here, side) and field(state, here, side) == 0


def closed(state: State, here: Hex, side: int) -> bool:
    """Whether a path of supply may not lead through a hex."""
    if field(state, here, 1 - side) or inside(state, here, 1 - side):
        return True
    if side == 1 or not state.options.einhorn or field(state, here, 0):
        return False
    near = state.data.board.neighbours[here]
    return any(of(u.tp, AUSTRIA) and not u.inside and u.hex in near for u in state.units.values())


def supplied(state: State, here: Hex, side: int) -> bool:
    """Whether a working depot is within two hexes, by trying every path."""
    board = state.data.board

    def works(there: Hex) -> bool:
        depot = state.depots.get(there)
        return depot is not None and SIDE_OF[depot.nation] == side and not shut(state, there, side)

    if works(here):
        return True
    for first in board.neighbours[here]:
        if closed(state, first, side):
            continue
        if works(first):
            return True
        if any(works(second) and not closed(state, second, side) for second in board.neighbours[first]):
            return True
    return False


@pytest.mark.parametrize("game", GAMES)
def test_depot_range(game: tuple[int, str, dict[str, str]]) -> None:
    for state in positions(*game):
        for side in (0, 1):
            reach = depot_range(state, side)
            for here in range(0, state.data.board.size, 7):
                if state.data.board.in_play(here):
                    assert bool(reach >> here & 1) == supplied(state, here, side), (here, side)


@pytest.mark.parametrize("game", GAMES)
def test_besieged(game: tuple[int, str, dict[str, str]]) -> None:
    for state in positions(*game):
        for here in state.data.strongholds:
            for side in (0, 1):
                assert is_besieged(state, here, side) == shut(state, here, side)


def cheapest(state: State, start: Hex, goal: Hex, side: int, left: int) -> int:
    """The fewest MP of all paths, one by one; 99 if there is none."""
    if start == goal:
        return 0
    best = 99
    for there, price in state.data.board.steps[start].items():
        if price <= left and (there == goal or not field(state, there, 1 - side)):
            best = min(best, price + cheapest(state, there, goal, side, left - price))
    return best


@pytest.mark.parametrize("game", GAMES)
def test_who_is_near_enough_to_react(game: tuple[int, str, dict[str, str]]) -> None:
    for state in positions(*game):
        movers = [u for n, u in state.units.items() if state.side(n) == 0 and u.tp and not u.inside][:3]
        for mover in movers:
            ways = ways_to(state, mover.hex, 1)
            for number, unit in state.units.items():
                if state.side(number) == 1:
                    cost = cheapest(state, unit.hex, mover.hex, 1, 3)
                    assert (cost <= 3) == (unit.hex in ways)
                    assert cost > 3 or ways[unit.hex][0] == cost


def test_the_reach_of_a_march_is_that_of_all_its_paths() -> None:
    state = rules().new_game("1757", {})
    number = rules().data.leader_named("Schwerin")
    walk = Walk(state, (number,), number, 4)

    def widen(here: Hex, left: int, fresh: bool, found: dict[Hex, int]) -> None:
        found[here] = max(left, found.get(here, -1))
        if here != walk.here and field(state, here, 1):
            return
        for there, price in state.data.board.steps[here].items():
            rest = left - price - 2 * bool(field(state, here, 1))
            if rest >= 0 or fresh:
                widen(there, max(0, rest), False, found)

    found: dict[Hex, int] = {}
    widen(walk.here, 4, True, found)
    assert walk.reach == found


def test_tp_of_the_set_up() -> None:
    """A second count of R18.2: TP on the map at the start, by side, without garrisons."""
    for scenario, wanted in (("1756", (133, 72)), ("1757", (184, 192)), ("1758", (140, 210)), ("1759", (180, 231))):
        state = rules().new_game(scenario, {})
        found = [0, 0]
        for number, unit in state.units.items():
            found[state.side(number)] += total(unit.tp)
        assert tuple(found) == wanted, scenario

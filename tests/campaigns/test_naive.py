from fractions import Fraction
from itertools import islice
from math import ceil, floor
from random import Random

import pytest

from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, AUSTRIA, PRUSSIA, RUSSIA, SIDE_OF
from leuthen.rulesets.campaigns.model.forces import is_besieged
from leuthen.rulesets.campaigns.model.pieces import Depot, Unit
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.rules.r05_walk import Walk
from leuthen.rulesets.campaigns.rules.r07_reaction import reaction_range
from leuthen.rulesets.campaigns.rules.r09_supply import depot_range, is_cut, need
from leuthen.wargame.board import WIDTH, Hex, around
from leuthen.wargame.strength import PowerId, bag, of, total
from tests.campaigns.positions import play, rules

GAMES: tuple[tuple[int, str, dict[str, str]], ...] = ((0, "1757", {}), (1, "1759", {"rules": "base"}), (2, "1758", {}))


def positions(seed: int, scenario: str, options: dict[str, str]) -> list[State]:
    return [before for before, *_ in islice(play(seed, scenario, options), 0, 700, 70)]


def field(state: State, here: Hex, side: int) -> int:
    return sum(u.strength for n, u in state.units.items() if u.hex == here and not u.inside and state.side(n) == side)


def inside(state: State, here: Hex, side: int) -> int:
    found = sum(u.strength for n, u in state.units.items() if u.hex == here and u.inside and state.side(n) == side)
    tp = state.garrisons.get(here, 0)
    return found + sum(of(tp, n) for n in ALL_NATIONS if SIDE_OF[n] == side)


def is_shut_in(state: State, here: Hex, side: int) -> bool:
    foes = field(state, here, 1 - side)
    return foes > 0 and foes * 2 >= inside(state, here, side) and field(state, here, side) == 0


def is_closed(state: State, here: Hex, side: int) -> bool:
    if field(state, here, 1 - side) or inside(state, here, 1 - side):
        return True
    if side == 1 or not state.options.einhorn or field(state, here, 0):
        return False
    near = state.data.board.neighbours[here]
    return any(of(u.tp, AUSTRIA) and not u.inside and u.hex in near for u in state.units.values())


def is_supplied(state: State, here: Hex, side: int) -> bool:
    board = state.data.board

    def works(there: Hex) -> bool:
        depot = state.depots.get(there)
        mine = depot is not None and SIDE_OF[depot.nation] == side and state.owners[there] == side
        return mine and not is_shut_in(state, there, side)

    if works(here):
        return True
    for first in board.neighbours[here]:
        if is_closed(state, first, side):
            continue
        if works(first):
            return True
        if any(works(second) and not is_closed(state, second, side) for second in board.neighbours[first]):
            return True
    return False


@pytest.mark.parametrize("game", GAMES)
def test_sieges_match_the_oracle(game: tuple[int, str, dict[str, str]]) -> None:
    for state in positions(*game):
        for here in state.data.strongholds:
            for side in (0, 1):
                assert is_besieged(state, here, side) == is_shut_in(state, here, side)


def cheapest(state: State, start: Hex, goal: Hex, side: int, left: int) -> int:
    if start == goal:
        return 0
    best = 99
    for there, price in state.data.board.steps[start].items():
        if price <= left and (there == goal or not field(state, there, 1 - side)):
            best = min(best, price + cheapest(state, there, goal, side, left - price))
    return best


@pytest.mark.parametrize("game", GAMES)
def test_reaction_ranges_match_the_oracle(game: tuple[int, str, dict[str, str]]) -> None:
    for state in positions(*game):
        movers = [u for n, u in state.units.items() if state.side(n) == 0 and u.tp and not u.inside][:3]
        for mover in movers:
            ways = reaction_range(state, mover.hex, 1)
            for number, unit in state.units.items():
                if state.side(number) == 1:
                    cost = cheapest(state, unit.hex, mover.hex, 1, 3)
                    assert (cost <= 3) == (unit.hex in ways)
                    assert cost > 3 or ways[unit.hex][0] == cost


def with_scattered_armies(state: State, seed: int) -> State:
    rng, draft = Random(seed), Draft(state)
    centres = [
        rng.choice([here for here, place in state.data.strongholds.items() if place.nation not in (nation, -1)])
        for nation in (PRUSSIA, AUSTRIA)
    ]
    for here in list(draft.depots):
        draft.set_depot(here, None)
    for number in list(draft.units):
        centre = centres[state.side(number) ^ (rng.random() < 0.9)]
        here = rng.choice((centre, *near(state, centre), *near(state, centre)))
        draft.change(number, hex=here, inside=False, fodder=0, daunted=int(rng.random() < 0.1))
    for nation, here in zip((PRUSSIA, AUSTRIA), centres, strict=True):
        draft.set_owner(here, SIDE_OF[nation])
        draft.set_depot(here, Depot(nation))
        draft.set_garrison(here, bag(nation, rng.randrange(1, 30)))
    return draft.freeze()


def crowded_positions(game: tuple[int, str, dict[str, str]]) -> list[State]:
    found = positions(*game)[::3]
    return [*found, *(with_scattered_armies(state, seed) for seed, state in enumerate(found * 2))]


def price(state: State, here: Hex, there: Hex) -> int:
    """R5.1 from the features of the hexside; 99 if it cannot be crossed."""
    side = state.data.board.side(here, there)
    if side.water or (side.ridge and not side.pass_):
        return 99
    return 1 + bool(side.river) + bool(side.pass_)


def near(state: State, here: Hex) -> list[Hex]:
    """The neighbours over passable hexsides (R1.7)."""
    return [there for there in around(here) if state.data.board.is_in_play(there) and price(state, here, there) < 99]


@pytest.mark.parametrize("game", GAMES)
def test_cut_depots_match_the_oracle(game: tuple[int, str, dict[str, str]]) -> None:
    found = set()
    for state in crowded_positions(game):
        for start, depot in state.depots.items():
            expected = not any(
                is_source(state, here, depot.nation) for here in connected(state, start, SIDE_OF[depot.nation])
            )
            assert is_cut(state, start) == expected, (start, depot.nation)
            found.add(expected)
    assert found == {True, False}


def is_source(state: State, here: Hex, nation: PowerId) -> bool:
    """Return True if a hex supplies a depot of the power (R9.2)."""
    if nation == RUSSIA and here % WIDTH == 46:
        return True
    side = SIDE_OF[nation]
    return here in state.data.homes[nation] and state.owners[here] == side and not is_shut_in(state, here, side)


def connected(state: State, start: Hex, side: int) -> set[Hex]:
    """Return the hexes with a path to `start` that the enemy neither holds in the field nor cuts (R9.2, V3.2a)."""
    seen, edge = {start}, [start]
    while edge:
        for there in near(state, edge.pop()):
            if there not in seen and is_passed(state, there, side):
                seen.add(there)
                edge.append(there)
    return seen


def is_passed(state: State, here: Hex, side: int) -> bool:
    if field(state, here, 1 - side):
        return False
    is_safe = side == 1 or not state.options.einhorn or field(state, here, 0) > 0
    return is_safe or not any(austrians(state, there) for there in near(state, here))


def austrians(state: State, here: Hex) -> int:
    return sum(of(unit.tp, AUSTRIA) for unit in state.units.values() if unit.hex == here and not unit.inside)


@pytest.mark.parametrize("game", GAMES)
def test_depot_ranges_match_the_oracle(game: tuple[int, str, dict[str, str]]) -> None:
    for state in crowded_positions(game):
        for side in (0, 1):
            reach = depot_range(state, side)
            for unit in state.units.values():
                for here in (unit.hex, *near(state, unit.hex)):
                    assert bool(reach >> here & 1) == is_supplied(state, here, side), (here, side)


@pytest.mark.parametrize("game", GAMES)
def test_the_reach_of_a_march_matches_the_oracle(game: tuple[int, str, dict[str, str]]) -> None:
    for state in crowded_positions(game):
        for number, unit in list(state.units.items())[::3]:
            for kind, points in (("march", 5), ("forced", 4)):
                walk = Walk(state, (number,), number, points, kind=kind)
                found: dict[Hex, int] = {}
                widen(state, unit, unit.hex, points, kind == "march", found)
                assert walk.reach == found, (number, kind)


def widen(
    state: State, unit: Unit, here: Hex, left: int, fresh: bool, found: dict[Hex, int], gone: bool = False
) -> None:
    if left <= found.get(here, -1):
        return
    found[here] = left
    side = state.side(unit.number)
    if gone and field(state, here, 1 - side):
        return
    for there in near(state, here):
        gate = unit.inside and not gone
        rest = left - price(state, here, there) - gate - 2 * bool(field(state, here, 1 - side))
        if (rest >= 0 or fresh) and may_enter(state, unit, there, side):
            widen(state, unit, there, max(0, rest), False, found, True)


def may_enter(state: State, unit: Unit, there: Hex, side: int) -> bool:
    foes = field(state, there, 1 - side)
    if not unit.tp and foes:
        return False
    if state.options.einhorn and unit.daunted and (foes or inside(state, there, 1 - side)):
        return False
    if unit.tp or side or not state.options.einhorn or not state.data.is_wagon(unit.number):
        return True
    friends = field(state, there, 0) + inside(state, there, 0)
    return bool(friends) or not any(austrians(state, other) for other in near(state, there))


def test_supply_needs_match_the_rules() -> None:
    base, einhorn, option = (rules().new_game("1757", chosen) for chosen in ({"rules": "base"}, {}, {"need25": "yes"}))
    for tp in range(121):
        assert need(base, tp) == ceil(Fraction(tp, 20))
        assert need(einhorn, tp) == floor(Fraction(tp, 20))
        assert need(option, tp) == floor(Fraction(tp, 25) + Fraction(1, 2))


def test_the_set_up_has_the_listed_troops() -> None:
    for scenario, expected in (("1756", (133, 72)), ("1757", (184, 192)), ("1758", (140, 210)), ("1759", (180, 231))):
        state = rules().new_game(scenario, {})
        found = [0, 0]
        for number, unit in state.units.items():
            found[state.side(number)] += total(unit.tp)
        assert tuple(found) == expected, scenario

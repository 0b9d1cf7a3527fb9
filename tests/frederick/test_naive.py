import heapq
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec

from leuthen.engine.ruleset import CHANCE, as_side
from leuthen.load import load
from leuthen.rulesets.frederick.model.actions import Go, March
from leuthen.rulesets.frederick.model.pieces import DONE, SIDES, Stack
from leuthen.rulesets.frederick.model.state import FIELDS, State, state_of
from leuthen.rulesets.frederick.rules.o05_forces import allowance, initiative
from leuthen.rulesets.frederick.rules.o05_march import Marching, MarchPhase, available
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged, is_in_zone, is_supplied, supply
from leuthen.wargame.board import Hex, around, hex_name, hexes_of
from leuthen.wargame.strength import LeaderId, bag, of, powers
from tests.frederick.handmade import random_state
from tests.frederick.naive import Naive
from tests.properties.games import FIRST, MORE, positions

WORDS = ("prussian", "austrian")
GAMES = 1
EVERY = 61
ANYWHERE = 40


def game_positions() -> Iterator[tuple[str, State]]:
    for seed in range(FIRST, FIRST + GAMES * MORE):
        yield from ((name, state) for name, state in positions(seed, EVERY) if state.stacks)


def handmade_positions() -> Iterator[tuple[str, State]]:
    for seed in range(FIRST, FIRST + ANYWHERE * MORE):
        yield f"pieces anywhere, seed {seed}", random_state(seed)


def all_positions() -> Iterator[tuple[str, State, Naive]]:
    rules = load("frederick")
    for origin in (game_positions, handmade_positions):
        for name, state in origin():
            yield name, state, Naive(rules.dump(state))


def some_hexes(state: State, rng: Random) -> list[Hex]:
    board = state.data.board
    near = {stack.hex for stack in state.stacks.values()} | set(state.depots)
    near |= {there for here in list(near) for there in board.neighbours[here]}
    return sorted({*rng.sample(sorted(near), min(len(near), 25)), *rng.sample(list(hexes_of(board.land)), 8)})


def test_zones_and_sieges_match_the_oracle() -> None:
    rng = Random(1)
    for name, state, naive in all_positions():
        for here in some_hexes(state, rng):
            assert is_in_zone(state, here, 0) == naive.zone(hex_name(here)), f"{name}: zone at {hex_name(here)}"
            assert not is_in_zone(state, here, 1)
        for here in state.data.fortresses:
            for side in SIDES:
                where = f"{name}: siege at {hex_name(here)}"
                assert is_besieged(state, here, side) == naive.besieged(hex_name(here), WORDS[side]), where


def test_supply_of_hexes_matches_the_oracle() -> None:
    rng = Random(2)
    seen = [0, 0]
    for name, state, naive in all_positions():
        fields = [supply(state, side) for side in SIDES]
        for here in some_hexes(state, rng):
            for side in SIDES:
                for length in (4, 5):
                    fed = bool(fields[side][length] >> here & 1)
                    expected = naive.supplied_at(hex_name(here), length, WORDS[side])
                    assert fed == expected, f"{name}: {WORDS[side]} supply, {length} hexes, at {hex_name(here)}"
                    seen[fed] += 1
    assert min(seen) > 200, f"too few positions of one kind: {seen}"


def test_supply_of_stacks_matches_the_oracle() -> None:
    for name, state, naive in all_positions():
        notes = {(note["hex"], note["side"], note["inside"]): note for note in naive.stacks}
        for stack in state.stacks.values():
            if stack.sp and stack.side in SIDES:
                note = notes[hex_name(stack.hex), WORDS[stack.side], stack.inside]
                assert is_supplied(state, stack) == naive.supplied(note), f"{name}: {note}"


def engine_reach(rules: Any, state: State, march: March) -> dict[str, int]:
    side = state.phasing
    found: dict[str, int] = {}
    number = count()
    queue: list[tuple[int, int, State]] = [(0, next(number), state)]
    while queue:
        _, _, here = heapq.heappop(queue)
        for action in steps(here, march):
            if rules.why_not(here, side, action) is not None:
                continue
            after = resolve_interruptions(rules, rules.apply(here, side, action).state, side)
            place, used = position_of(after, march.leader)
            if used < found.get(place, 100):
                found[place] = used
                if after.outcome is None and isinstance(after.frames[-1], Marching):
                    heapq.heappush(queue, (used, next(number), after))
    return found


def steps(state: State, march: March) -> list[Any]:
    force = state.moving
    if force is None:
        stack = state.locate(march.leader)
        assert stack is not None
        return [msgspec.structs.replace(march, path=(there,)) for there in around(stack.hex)]
    return [Go((there,)) for there in around(force.hex)]


def resolve_interruptions(rules: Any, state: State, side: int) -> State:
    """Resolve interruptions by chance and the other side, such as leaders in the way (O5.10)."""
    while state.outcome is None and state.moving is not None and not isinstance(state.frames[-1], Marching):
        chances = rules.chances(state)
        if chances:
            state = rules.apply(state, CHANCE, chances[-1][0]).state
        else:
            actor = rules.pending(state)[0].actor
            state = rules.apply(state, actor, rules.legal_actions(state, actor).default()).state
    return state


def position_of(state: State, leader: LeaderId) -> tuple[str, int]:
    if state.moving is not None:
        march = state.frames[-1]
        used = max(state.spent.get(leader, 0) for leader in state.moving.leaders)
        return hex_name(state.moving.hex), used if isinstance(march, Marching) else DONE
    stack = state.locate(leader)
    assert stack is not None
    return hex_name(stack.hex), state.spent[leader]


def forces(state: State, side: int, rng: Random) -> Iterator[tuple[Stack, March]]:
    leaders = list(available(state, as_side(side), forced=False))
    for leader in rng.sample(leaders, min(2, len(leaders))):
        stack = state.locate(leader)
        assert stack is not None
        power = state.leader(leader).power
        sp = bag(power, of(stack.sp - stack.marched, power)) if rng.random() < 0.8 else 0
        companions: tuple[LeaderId, ...] = ()
        if stack.demoralized:  # O5.15: it marches whole
            companions = tuple(sorted(n for n in stack.leaders if n != leader))
            led = {state.leader(n).power for n in stack.leaders}
            sp = sum(bag(p, of(stack.sp, p)) for p in powers(stack.sp) if p in led)
        force = state.make_stack(stack.hex, as_side(side), stack.inside, sp, (leader, *companions), stack)
        if initiative(state, force):
            yield force, March(leader, companions, sp)


def fresh_phases(rng: Random) -> Iterator[tuple[str, State]]:
    for origin in (game_positions, handmade_positions):
        for name, state in origin():
            if state.moving is None and rng.random() < 0.4:
                side, die = rng.randrange(2), rng.randrange(1, 7)
                values = {field: getattr(state, field) for field in FIELDS}
                rested = {key: msgspec.structs.replace(one, marched=0) for key, one in state.stacks.items()}
                values |= {"frames": (MarchPhase(as_side(side), die),), "phasing": side, "stacks": rested, "spent": {}}
                yield f"{name}, {WORDS[side]} die {die}", state_of(state.data, values)


def test_reach_of_forces_matches_the_oracle() -> None:
    rng, compared = Random(3), 0
    for name, state in fresh_phases(rng):
        naive = Naive(load("frederick").dump(state))
        for force, march in forces(state, state.phasing, rng):
            compared += 1
            compare_reach(naive, state, force, march, f"{name}, {march}")
    assert compared > 15


def compare_reach(naive: Naive, state: State, force: Stack, march: March, where: str) -> None:
    side, here = WORDS[force.side], hex_name(force.hex)
    sally = force.inside and naive.besieged(here, side)
    die = getattr(state.frames[-1], "die", 0)
    expected: dict[str, int] = {}
    if not sally:  # O13.7
        points = allowance(state, die, force)
        expected = naive.reach(
            here,
            side,
            points,
            lambda there: naive.may_enter(there, side, alone=not force.sp, demoralized=force.demoralized),
        )
    found = engine_reach(load("frederick"), state, march)
    found.pop(here, None)
    expected.pop(here, None)
    assert set(found) == set(expected), f"{where}: {sorted(set(found) ^ set(expected))}"
    for there, spent in found.items():
        if spent != DONE:
            assert spent == expected[there], f"{where}: MP to {there}"

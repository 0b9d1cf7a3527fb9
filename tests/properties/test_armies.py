from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leuthen.rulesets.frederick.model.pieces import SIDES, Depot
from leuthen.rulesets.frederick.model.state import Draft, State, is_inside
from leuthen.wargame.board import Hex, hex_name
from tests.frederick.handmade import dump, restore
from tests.properties.armies import armies
from tests.properties.checks import check_position, check_step
from tests.properties.games import FIRST, MORE, RUNAWAY, play, rules

ACTIONS = 150
EVENTS = ("battle-fought", "overwhelmed", "siege-rolled", "retreated", "retreat-moved", "followed", "leader-fate")
MORE_EVENTS = ("starved", "recovered", "taken", "depot-changed", "sp-lost", "fled")


def test_the_laws_hold_for_armies_in_contact() -> None:
    counts: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + 30 * MORE):
        state = armies(seed)
        check_position(state, f"armies {seed} at the start")
        for number, step in enumerate(islice(play(state, seed, RUNAWAY), ACTIONS)):
            check_step(step, f"armies {step.name}", number)
            counts.update(str(fact.__struct_config__.tag) for fact in step.transition.facts)
    missing = [word for word in (*EVENTS, *MORE_EVENTS) if not counts[word]]
    assert not missing, f"{missing}: nothing of the kind happened in {sum(counts.values())} events"


@settings(max_examples=25 * MORE, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
@given(seed=st.integers(0, 10**6), draw=st.integers(0, 10**6))
def test_any_position_survives_its_dump_and_replays(seed: int, draw: int) -> None:
    state = armies(seed)
    for step in islice(play(state, draw, RUNAWAY), 60):
        line = rules().format_action(step.before, step.actor, step.action)
        assert rules().parse_action(step.before, step.actor, line) == step.action, f"{step.name}: {line}"
    text = dump(step.after)
    assert restore(step.after.data, text) == step.after
    again = rules().apply(restore(step.before.data, dump(step.before)), step.actor, step.action)
    assert again.state == step.after
    assert again.facts == step.transition.facts


LEGS = ("march", "go")
ENDS = "the leg ends"


def some_armies(seed: int) -> State:
    draft = Draft(armies(seed))
    if seed % 3 == 0:
        draft.options = msgspec.structs.replace(draft.options, march_die="force")
    return draft.freeze()


def with_siege_and_depot(state: State, start: Hex, side: int) -> State:
    draft = Draft(state)
    camp = draft.field(start, SIDES[side]) or draft.moving
    assert camp is None or camp.hex == start
    if is_inside(draft, start, SIDES[1 - side]):
        draft.sieges = {**draft.sieges, start: 2}
    if camp is not None and camp.sp and start not in draft.depots:
        draft.set_depot(start, Depot(camp.nation, False))
    return draft.freeze()


def whole_stack(state: State, action: Any) -> Any:
    if action.do == "go":
        return action
    stack = next(stack for stack in state.stacks.values() if action.leader in stack.leaders)
    others = tuple(sorted(number for number in stack.leaders if number != action.leader))
    return msgspec.structs.replace(action, companions=others, sp=stack.sp - stack.marched)


def paths(state: State, start: Hex, rng: Random) -> Iterator[tuple[Hex, ...]]:
    neighbours = state.data.board.neighbours
    for length in (2, 2, 3, 4):
        path = [start]
        for _ in range(length):
            back = len(path) > 1 and rng.random() < 0.5
            path.append(path[-2] if back else rng.choice(list(neighbours[path[-1]])))
        yield tuple(path[1:])


def in_legs(state: State, actor: int, action: Any, legs: Sequence[tuple[Hex, ...]]) -> State | str:
    ruleset = rules()
    for number, leg in enumerate(legs):
        if actor not in [pending.actor for pending in ruleset.pending(state)]:
            return "the march is over"
        legal: Any = ruleset.legal_actions(state, actor)
        if number == 0:
            step = msgspec.structs.replace(action, path=leg, overwhelm=False)
        elif "go" in legal.options().values:
            step = ruleset.parse_action(state, actor, "go " + "-".join(map(hex_name, leg)))
        else:
            return "it goes no farther"
        if refusal := legal.why_not(step):
            return str(refusal.text)
        state = ruleset.apply(state, actor, step).state
    return state


def splits(path: tuple[Hex, ...]) -> Iterator[list[tuple[Hex, ...]]]:
    yield [(there,) for there in path]
    for cut in range(1, len(path)):
        yield [path[:cut], path[cut:]]


def start_of(state: State, action: Any) -> Hex:
    if action.do == "go":
        assert state.moving is not None
        return state.moving.hex
    return next(stack.hex for stack in state.stacks.values() if action.leader in stack.leaders)


def test_a_march_can_be_split_at_any_hex() -> None:
    counts = Counter[str]()
    for seed in range(FIRST, FIRST + 60 * MORE):
        rng = Random(seed)
        for step in islice(play(some_armies(seed), seed, 10**6), 90):
            if step.action.do not in LEGS or not step.action.path:
                continue
            start = start_of(step.before, step.action)
            state = with_siege_and_depot(step.before, start, step.actor)
            for path in paths(state, start, rng):
                action = whole_stack(state, step.action) if rng.random() < 0.5 else step.action
                counts.update(compare(state, step.actor, action, path, step.name))
    assert all(counts[what] > 5 for what in ("equal", "siege ended", "depot left", "came back")), counts


def compare(state: State, actor: int, action: Any, path: tuple[Hex, ...], name: str) -> Iterator[str]:
    start, whole = start_of(state, action), in_legs(state, actor, action, [path])
    where = f"{name}: {'-'.join(map(hex_name, (start, *path)))}"
    if isinstance(whole, str) and ENDS in whole:
        return
    for legs in splits(path):
        parts = in_legs(state, actor, action, legs)
        if isinstance(whole, str) or isinstance(parts, str):
            assert isinstance(whole, str), f"{where}: legal, but not as {legs}: {parts}"
            assert isinstance(parts, str), f"{where}: {whole}, but legal as {legs}"
            continue
        assert dump(whole) == dump(parts), f"{where}: otherwise as {legs}"
        yield "equal"
        yield from ["siege ended"] * (start in state.sieges and start not in whole.sieges)
        yield from ["depot left"] * (start in state.depots and state.depots[start] != whole.depots.get(start))
        yield from ["came back"] * (path[-1] == start)

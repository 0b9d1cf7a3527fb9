from collections import Counter
from itertools import islice

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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

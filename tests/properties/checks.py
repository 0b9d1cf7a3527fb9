"""Properties of every position and action of every campaign: the laws, and the ownership of fortresses."""

from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.frederick.model.pieces import DONE
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o05_forces import MOST
from leuthen.rulesets.frederick.rules.o05_march import Marching
from leuthen.rulesets.frederick.rules.o09_combat import Strays
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import powers
from tests.laws.course import Turn, first_broken_law
from tests.properties.games import Step, rules


def check_owners(state: State, where: str) -> None:
    """SP of one side alone in a fortress hex own it (O12.2, O12.4), except neutral SP that garrison it (O5.19)."""
    amid_battle = any(isinstance(frame, Strays) for frame in state.frames)  # O9.13: commanders roll first
    if state.moving is not None or state.outcome is not None or amid_battle:
        return
    for here in state.data.fortresses:
        present = {stack.side for stack in state.stacks.values() if stack.hex == here and stack.sp}
        if len(present) == 1 and NOBODY not in present:
            assert {state.owners[here]} == present, f"{where}: {hex_name(here)} belongs to {state.owners[here]}"


def check_position(state: State, where: str) -> None:
    fault = first_broken_law(Turn(rules(), state, -1, None, (), state), 0, every=1)
    assert not fault, f"{where}: {fault}"
    check_owners(state, where)


def check_march(step: Step, where: str) -> None:
    """SP that leave a hex with a force have a leader of their power in it, and at most 6 MP (O5.1, O5.2)."""
    force, march = step.after.moving, step.after.frames[-1] if step.after.frames else None
    if step.action.do not in ("march", "go") or force is None or not isinstance(march, Marching) or not march.begun:
        return
    led = {step.after.leader(number).power for number in force.leaders}
    assert set(powers(force.sp)) <= led, f"{where}: SP of {set(powers(force.sp)) - led} march without a leader"
    assert march.carried <= MOST or march.carried == DONE, f"{where}: SP have used {march.carried} MP"


def check_step(step: Step, where: str, number: int) -> None:
    fault = first_broken_law(
        Turn(rules(), step.before, step.actor, step.action, step.transition.facts, step.after), number
    )
    assert not fault, f"{where}: {fault}"
    check_march(step, where)
    if number % 3 == 0:
        check_owners(step.after, where)

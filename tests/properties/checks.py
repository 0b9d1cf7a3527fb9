"""What holds in every position, and after every action, of every campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from leuthen.core.board import hex_name
from leuthen.core.strength import of, total
from leuthen.frederick.events.fighting import BattleFought
from leuthen.frederick.events.grand import CommitmentRolled, Disbanded, ForcesRaised
from leuthen.frederick.events.operations import SpLost, Starved, Surrendered
from leuthen.frederick.gamedata import NOBODY, POWERS
from leuthen.frederick.rules.combat import Strays
from leuthen.frederick.rules.setup import Deployment
from leuthen.frederick.stacks import by_seniority, commander_of, nation_of
from leuthen.frederick.state import ABSENT, CAPTIVE, ON_MAP, SIDES, UNKNOWN, Stack, State
from tests.properties.games import Step


def pieces(state: State) -> Iterator[Stack]:
    """All stacks, the force on the march included."""
    yield from state.stacks.values()
    if state.moving is not None:
        yield state.moving


def census(state: State, power: int) -> int:
    """The SP of a power that there are: on the map, prisoners, waiting."""
    held = sum(of(prisoners, power) for prisoners in state.prisoners)
    return sum(of(stack.sp, power) for stack in pieces(state)) + held + of(state.waiting, power)


def check_stacks(state: State, where: str) -> None:
    """Nobody is empty, each stands under its key, shows its true commander and nation, in play and in order."""
    for key, stack in state.stacks.items():
        assert stack.key == key, where
    for stack in pieces(state):
        here = f"{where}, stack at {hex_name(stack.hex)}"
        assert stack.leaders or stack.sp, here
        assert state.data.board.in_play(stack.hex), here
        assert not stack.inside or stack.hex in state.data.fortresses, here
        assert stack.leaders == by_seniority(state, stack.leaders), here
        assert stack.commander == commander_of(state, stack.sp, stack.leaders), here
        assert stack.nation == nation_of(state, stack.sp, stack.commander), here
        sides = {state.side_of(power) for power in range(len(POWERS)) if of(stack.sp, power)}
        sides |= {state.side_of(state.leader(number).power) for number in stack.leaders}
        assert sides == {stack.side}, here


def check_bands(state: State, where: str) -> None:
    """What the other side knows of a strength always holds the truth (O3.3)."""
    for stack in pieces(state):
        if stack.sp:
            assert 1 <= stack.low <= stack.strength <= stack.high <= UNKNOWN, f"{where}: {stack}"
            assert stack.marched == 0 or total(stack.marched) <= stack.strength, f"{where}: {stack}"


def check_leaders(state: State, where: str) -> None:
    """Every leader is in one place, and the roster says which."""
    standing = Counter(number for stack in pieces(state) for number in stack.leaders)
    held = Counter(number for captives in state.captives for number in captives)
    for number, status in enumerate(state.roster):
        name = f"{where}: {state.leader(number).name}, roster {status}"
        assert held[number] == (status == CAPTIVE), name
        if not isinstance(state.frames[-1] if state.frames else None, Deployment):
            stray = standing[number] == 0 and any(getattr(frame, "leader", -1) == number for frame in state.frames)
            assert stray or standing[number] == (status == ON_MAP), name
        if state.leader(number).power in state.surrendered:
            assert status == ABSENT, name


def check_owners(state: State, where: str) -> None:
    """SP of one side alone in a fortress hex make it theirs (O12.2, O12.4), but for neutral SP that hold it (O5.19)."""
    amid_battle = any(isinstance(frame, Strays) for frame in state.frames)  # O9.13: commanders roll first
    if state.moving is not None or state.outcome is not None or amid_battle:
        return
    for here in state.data.fortresses:
        present = {stack.side for stack in state.stacks.values() if stack.hex == here and stack.sp}
        if len(present) == 1 and NOBODY not in present:
            assert {state.owners[here]} == present, f"{where}: {hex_name(here)} belongs to {state.owners[here]}"


def check_prisoners(state: State, where: str) -> None:
    """Nobody holds his own men."""
    for captor in SIDES:
        for number in state.captives[captor]:
            assert state.side_of(state.leader(number).power) != NOBODY, where
        for power in range(len(POWERS)):
            if of(state.prisoners[captor], power):
                assert power not in state.surrendered, where


def check_position(state: State, where: str) -> None:
    """All that holds in every position."""
    check_stacks(state, where)
    check_bands(state, where)
    check_leaders(state, where)
    check_owners(state, where)
    check_prisoners(state, where)


def check_strength_points(step: Step) -> None:
    """SP are conserved over map, prisoners and waiting: what comes and goes was told."""
    facts = step.transition.facts
    gone = {fact.power for fact in facts if isinstance(fact, Surrendered)}
    for power in gone:
        assert census(step.after, power) == 0, step.name
    change = 0
    for power in set(range(len(POWERS))) - gone:
        change += census(step.after, power) - census(step.before, power)
    expected = gains(step) - losses(step)
    if gone:
        assert expected <= change <= 0, step.name
    else:
        assert change == expected, f"{step.name}: {change} SP, told were {expected}"


def gains(step: Step) -> int:
    """New SP that were told."""
    raised = sum(fact.raised or 0 for fact in step.transition.facts if isinstance(fact, ForcesRaised))
    rolls = (fact.change or 0 for fact in step.transition.facts if isinstance(fact, CommitmentRolled))
    return raised + sum(change for change in rolls if change > 0) + placed(step)


def placed(step: Step) -> int:
    """SP that come on the map as the deployment is revealed (C2.4)."""
    if not isinstance(step.before.frames[-1], Deployment):
        return 0
    return sum(census(step.after, power) - census(step.before, power) for power in SIDES)


def losses(step: Step) -> int:
    """SP that were told to be lost for good."""
    lost = 0
    for fact in step.transition.facts:
        if isinstance(fact, BattleFought):
            lost += sum(fact.losses)
        elif isinstance(fact, Starved):
            lost += fact.loss or 0
        elif isinstance(fact, SpLost):
            lost += 1
        elif isinstance(fact, Disbanded):
            lost += fact.points
    return lost

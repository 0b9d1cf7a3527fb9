"""Counts the canonical sequences of actions from a position, as chess programs do (perft)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from leuthen.cases.text import read_cases
from leuthen.core.ruleset import CHANCE
from leuthen.frederick.caseposition import build_position
from leuthen.load import load

HERE = Path(__file__).parent
POSITIONS = HERE / "positions.case"
NUMBERS = HERE / "numbers.txt"


class Start(NamedTuple):
    """A position with its name."""

    name: str
    state: Any


def starts() -> list[Start]:
    """The positions of positions.case, each in the form of a case without steps."""
    door: Any = load("frederick")
    cases = read_cases(POSITIONS, POSITIONS.read_text(encoding="utf-8"))
    return [Start(case.name, build_position(door.data, case.given).transition.state) for case in cases]


def answers(state: Any) -> Iterator[tuple[int, Any]]:
    """Each actor with each action of the canonical subset, and each answer of chance."""
    door: Any = load("frederick")
    for pending in door.pending(state):
        if pending.actor == CHANCE:
            yield from ((CHANCE, action) for action, _ in door.chances(state))
        else:
            yield from ((pending.actor, action) for action in door.legal_actions(state, pending.actor))


def perft(state: Any, depth: int) -> int:
    """How many sequences of so many actions there are; a game that has ended goes on in no way."""
    if depth == 0:
        return 1
    door: Any = load("frederick")
    if depth == 1:
        return sum(1 for _ in answers(state))
    return sum(perft(door.apply(state, actor, action).state, depth - 1) for actor, action in answers(state))


def divide(state: Any, depth: int) -> dict[str, int]:
    """The count by first action: the way to find where two counts part."""
    door: Any = load("frederick")
    names = (*door.sides, "chance")
    return {
        f"{names[actor]} {door.format_action(state, actor, action)}": perft(
            door.apply(state, actor, action).state, depth - 1
        )
        for actor, action in answers(state)
    }


def stored() -> dict[str, list[int]]:
    """The numbers on file: of each position those of depth 1, 2, …"""
    rows = [line.split() for line in NUMBERS.read_text().splitlines() if not line.startswith("#")]
    return {name: [int(number) for number in numbers] for name, *numbers in rows}


ENOUGH = 3_000
DEEPEST = 5


def counted(state: Any) -> list[int]:
    """The counts by depth, as far as they do not become too many."""
    numbers: list[int] = []
    while len(numbers) < DEEPEST and (not numbers or 0 < numbers[-1] < ENOUGH):
        numbers.append(perft(state, len(numbers) + 1))
    return numbers


def renew() -> None:
    """Counts anew and writes the numbers down."""
    rows = [f"{start.name} {' '.join(map(str, counted(start.state)))}" for start in starts()]
    head = "# Sequences of 1, 2, … canonical actions from the positions of positions.case; `make golden` renews them."
    NUMBERS.write_text("\n".join([head, *rows, ""]))

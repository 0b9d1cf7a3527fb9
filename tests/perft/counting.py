"""Counts the canonical sequences of actions from a position, as chess programs do (perft)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from leuthen.cases.text import read_cases
from leuthen.engine.ruleset import CHANCE, ActorId
from leuthen.load import RULESETS, casebook_of, load
from leuthen.screen.presenter import TableRuleset

HERE = Path(__file__).parent
POSITIONS, NUMBERS = "positions.case", "numbers.txt"
"""The files in the folder of each rule set."""


class Start(NamedTuple):
    """A position with its rule set and its name."""

    ruleset: str
    name: str
    state: Any

    @property
    def door(self) -> TableRuleset:
        """Its rule set."""
        return load(self.ruleset)


def starts(ruleset: str) -> list[Start]:
    """The positions of a rule set, each in the form of a case without steps."""
    door: Any = load(ruleset)
    path = HERE / ruleset / POSITIONS
    cases = read_cases(path, path.read_text(encoding="utf-8"))
    book = casebook_of(ruleset)
    return [Start(ruleset, case.name, book.build_position(door.data, case.given).transition.state) for case in cases]


def answers(door: TableRuleset, state: Any) -> Iterator[tuple[ActorId, Any]]:
    """Each actor with each action of the canonical subset, and each answer of chance."""
    for pending in door.pending(state):
        if pending.actor == CHANCE:
            yield from ((CHANCE, action) for action, _ in door.chances(state))
        else:
            yield from ((pending.actor, action) for action in door.legal_actions(state, pending.actor))


def perft(start: Start, depth: int) -> int:
    """How many sequences of so many actions there are; a game that has ended goes on in no way."""
    return _count(start.door, start.state, depth)


def _count(door: TableRuleset, state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in answers(door, state))
    ways = answers(door, state)
    return sum(_count(door, door.apply(state, actor, action).state, depth - 1) for actor, action in ways)


def divide(start: Start, depth: int) -> dict[str, int]:
    """The count by first action: the way to find where two counts part."""
    door, state = start.door, start.state
    names = (*door.sides, "chance")
    return {
        f"{names[actor]} {door.format_action(state, actor, action)}": _count(
            door, door.apply(state, actor, action).state, depth - 1
        )
        for actor, action in answers(door, state)
    }


def stored(ruleset: str) -> dict[str, list[int]]:
    """The numbers on file: of each position those of depth 1, 2, …"""
    lines = (HERE / ruleset / NUMBERS).read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: [int(number) for number in numbers] for name, *numbers in rows}


ENOUGH = 3_000
DEEPEST = 5


def counted(start: Start) -> list[int]:
    """The counts by depth, as far as they do not become too many."""
    numbers: list[int] = []
    while len(numbers) < DEEPEST and (not numbers or 0 < numbers[-1] < ENOUGH):
        numbers.append(perft(start, len(numbers) + 1))
    return numbers


def renew() -> None:
    """Counts anew and writes the numbers down."""
    head = f"# Sequences of 1, 2, … canonical actions from the positions of {POSITIONS}; `make golden` renews them."
    for ruleset in RULESETS:
        rows = [f"{start.name} {' '.join(map(str, counted(start)))}" for start in starts(ruleset)]
        (HERE / ruleset / NUMBERS).write_text("\n".join([head, *rows, ""]))

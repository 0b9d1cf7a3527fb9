"""Count the canonical action sequences from a position, as chess programs do (perft)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from leuthen.cases.run import read_cases
from leuthen.engine.ruleset import CHANCE, ActorId
from leuthen.load import RULESETS, casebook_of, load
from leuthen.screen.presenter import TableRuleset

HERE = Path(__file__).parent
POSITIONS, NUMBERS = "positions.case", "numbers.txt"


class Start(NamedTuple):
    ruleset: str
    name: str
    state: Any

    @property
    def rules(self) -> TableRuleset:
        return load(self.ruleset)


def starts(ruleset: str) -> list[Start]:
    rules: Any = load(ruleset)
    path = HERE / ruleset / POSITIONS
    cases = read_cases(path, path.read_text(encoding="utf-8"))
    book = casebook_of(ruleset)
    return [Start(ruleset, case.name, book.build_position(rules.data, case.given).transition.state) for case in cases]


def answers(rules: TableRuleset, state: Any) -> Iterator[tuple[ActorId, Any]]:
    for pending in rules.pending(state):
        if pending.actor == CHANCE:
            yield from ((CHANCE, action) for action, _ in rules.chances(state))
        else:
            yield from ((pending.actor, action) for action in rules.legal_actions(state, pending.actor))


def perft(start: Start, depth: int) -> int:
    return _count(start.rules, start.state, depth)


def _count(rules: TableRuleset, state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in answers(rules, state))
    ways = answers(rules, state)
    return sum(_count(rules, rules.apply(state, actor, action).state, depth - 1) for actor, action in ways)


def divide(start: Start, depth: int) -> dict[str, int]:
    rules, state = start.rules, start.state
    names = (*rules.sides, "chance")
    return {
        f"{names[actor]} {rules.format_action(state, actor, action)}": _count(
            rules, rules.apply(state, actor, action).state, depth - 1
        )
        for actor, action in answers(rules, state)
    }


def stored(ruleset: str) -> dict[str, list[int]]:
    lines = (HERE / ruleset / NUMBERS).read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: [int(number) for number in numbers] for name, *numbers in rows}


ENOUGH = 3_000
DEEPEST = 5


def counted(start: Start) -> list[int]:
    numbers: list[int] = []
    while len(numbers) < DEEPEST and (not numbers or 0 < numbers[-1] < ENOUGH):
        numbers.append(perft(start, len(numbers) + 1))
    return numbers


def renew() -> None:
    head = f"# Sequences of 1, 2, … canonical actions from the positions of {POSITIONS}; `make golden` renews them."
    for ruleset in RULESETS:
        rows = [f"{start.name} {' '.join(map(str, counted(start)))}" for start in starts(ruleset)]
        (HERE / ruleset / NUMBERS).write_text("\n".join([head, *rows, ""]))

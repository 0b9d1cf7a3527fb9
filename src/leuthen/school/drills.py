"""Drills: a case with orders of one side becomes a question on the board, which the rules answer (docs/school.md)."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from leuthen.cases import Case, happened_since, open_cases, state_before
from leuthen.engine.events import Event
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Ruleset, Side, as_side
from leuthen.load import load

_PACKAGE: Final = Path(__file__).parents[1]
INDEX: Final = Path(__file__).parent / "drills.csv"
HEAD: Final = ("name", "rules", "case", "file", "game", "title")
_ORDERS: Final = ("REFUSED", "ALLOWED", "DO")
_ANSWERED: Final = ("DICE", "EXPECT", "CHANCES")
"""What follows upon an order without another one."""
_DULL: Final = "done"
"""An order that is no answer to what may be done."""


def case_folder() -> Path:
    """The folder of the rule cases: a wheel carries it in the package, a checkout has it among the tests."""
    inside = _PACKAGE / "cases" / "files"
    return inside if inside.is_dir() else _PACKAGE.parents[1] / "tests" / "cases"


class Drill(NamedTuple):
    """A line of the index: by what it is asked for, the rules that a case proves, the case and its file, its rule set,
    and what it teaches."""

    name: str
    rules: tuple[str, ...]
    case: str
    file: str
    game: str
    title: str


class Question(NamedTuple):
    """What may a side do in a position? Of these orders the rules allow some, all or none.

    `done` is the one that the case goes on with, or "", and `events` are what it brings about, as the side is told.
    """

    drill: Drill
    state: object
    side: Side
    orders: tuple[str, ...]
    done: str = ""
    events: tuple[Event, ...] = ()


class Segment(NamedTuple):
    """The part of a case between two actions: the number of its first order, the side, its orders; what it is worth.

    `behind` is the number of the step behind it and what chance answers to it.
    """

    step: int
    side: str
    orders: tuple[str, ...]
    worth: int
    behind: int
    done: str = ""


@cache
def drills() -> Mapping[str, Drill]:
    """All drills, by the name of the case."""
    with INDEX.open(encoding="utf-8", newline="") as lines:
        rows = [[row[name] for name in HEAD] for row in csv.DictReader(lines)]
    return {name: Drill(name, tuple(rules.split()), *rest) for name, rules, *rest in rows}


@cache
def drills_by_rule(game: str) -> Mapping[str, tuple[str, ...]]:
    """The names of the drills of a rule set by the rule that they are about, those first that prove it first of all."""
    found = defaultdict[str, list[str]](list)
    for drill in sorted(drills().values(), key=lambda drill: len(drill.rules)):
        for rule in drill.rules if drill.game == game else ():
            found[rule].append(drill.name)
    return {rule: tuple(names) for rule, names in found.items()}


@lru_cache(maxsize=64)
def question(name: str) -> Question:
    """The question of a drill. Raises Invalid if there is none of that name."""
    drill = drills().get(name)
    if drill is None:
        raise Invalid(f"there is no drill «{name}»")
    case = next(case for case in open_cases(case_folder() / drill.file) if case.name == drill.case)
    segment = best_segment(case)
    if segment is None:
        raise Invalid(f"the case {drill.case} has no order to ask for")
    ruleset = load(drill.game)
    state, side = state_before(ruleset, case, segment.step), as_side(ruleset.sides.index(segment.side))
    steps = happened_since(ruleset, case, segment.step, segment.behind)
    events = tuple(event for step in steps for event in step.events(side))
    return Question(drill, state, side, tuple(sorted(segment.orders)), segment.done, events)


def best_segment(case: Case) -> Segment | None:
    """Where a case asks most: where its own rule refuses, then where there is more than one order."""
    return max(_segments(case), key=lambda segment: segment.worth, default=None)


def _segments(case: Case) -> Iterator[Segment]:
    first, side, orders, worth = -1, "", list[str](), 0
    for number, step in enumerate(case.steps):
        text, _, rule = step.line.text.partition(" -- ")
        who, _, order = text.strip().partition(" ")
        is_order = step.kind in _ORDERS and who in load(case.game).sides and not order.startswith("standing")
        if is_order and (first < 0 or who == side) and order != _DULL:
            first, side = (number if first < 0 else first), who
            orders.append(order.strip())
            worth += 10 * (step.kind == "REFUSED" and rule.split(" ")[0] in case.rules) + 1
        if (step.kind in ("DO", "ANSWERS", "DICE") or step is case.steps[-1]) and first >= 0:
            done = order.strip() if step.kind == "DO" and is_order and order != _DULL else ""
            yield Segment(first, side, tuple(dict.fromkeys(orders)), worth, _behind(case, number), done)
            first, side, orders, worth = -1, "", [], 0


def _behind(case: Case, number: int) -> int:
    """The number of the step behind a step and what chance answers to it."""
    after = case.steps[number + 1 :]
    return number + 1 + next((n for n, step in enumerate(after) if step.kind not in _ANSWERED), len(after))


def is_allowed(ruleset: Ruleset, state: object, side: Side, order: str) -> bool:
    """Whether the rules allow an order in a position."""
    try:
        ruleset.apply(state, side, ruleset.parse_action(state, side, order))
    except (Invalid, Illegal):
        return False
    return True

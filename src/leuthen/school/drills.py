"""Drills: the position of a rule case becomes a question on the board, which the rules answer (docs/school.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from leuthen.cases.run import happened_since, state_before
from leuthen.cases.text import open_cases
from leuthen.engine.events import Event
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Side, as_side
from leuthen.load import load
from leuthen.screen.presenter import TableRuleset

_PACKAGE: Final = Path(__file__).parents[1]
DRILLS: Final = Path(__file__).parent / "drills.toml"
_ENDING: Final = ("DO", "ANSWERS", "DICE")
"""Steps of a case that end a question."""
_ANSWERED: Final = ("DICE", "EXPECT", "CHANCES")
"""What follows upon an order without another one."""


def case_folder() -> Path:
    """Return the folder of the rule cases: a wheel has it in the package, a checkout among the tests."""
    inside = _PACKAGE / "cases" / "files"
    return inside if inside.is_dir() else _PACKAGE.parents[1] / "tests" / "cases"


class Drill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question about a case: the orders that a side has in mind before one of its steps, in words by their lines.

    `consequence` says what the rule means for the player. `point` are the places that the orders name.
    """

    name: str
    title: str
    consequence: str
    rules: tuple[str, ...]
    file: str
    step: int
    orders: dict[str, str]
    point: tuple[str, ...] = ()
    row: str = ""
    """The row of the case, if it has a table."""
    game: str = ""


class ChapterDrills(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The drills on one subject of a rule set."""

    game: str
    title: str
    drills: tuple[Drill, ...]


class Question(NamedTuple):
    """The position of a drill and the side that is asked.

    `done` is the order with which the case goes on, or "", and `events` are what it brings about, as the side sees it.
    """

    drill: Drill
    state: object
    side: Side
    done: str = ""
    events: tuple[Event, ...] = ()


@cache
def chapters() -> tuple[ChapterDrills, ...]:
    """Return the chapters in the order in which they are learned."""
    return msgspec.toml.decode(DRILLS.read_bytes(), type=dict[str, tuple[ChapterDrills, ...]])["chapters"]


@cache
def drills() -> Mapping[str, Drill]:
    """Return all drills by name."""
    replace = msgspec.structs.replace
    return {drill.name: replace(drill, game=one.game) for one in chapters() for drill in one.drills}


@lru_cache(maxsize=64)
def question(name: str) -> Question:
    """Return the question of a drill. Raise Invalid if there is none of that name."""
    drill = drills().get(name)
    if drill is None:
        raise Invalid(f"there is no drill «{name}»")
    wanted = f"{name}[{drill.row}]" if drill.row else name
    case = next(case for case in open_cases(case_folder() / drill.file) if case.name == wanted)
    ruleset, later = load(drill.game), case.steps[drill.step :]
    side = as_side(ruleset.sides.index(later[0].line.text.split()[0]))
    state = state_before(ruleset, case, drill.step)
    end = next((n for n, step in enumerate(later) if step.kind in _ENDING), len(later) - 1)
    done = later[end].line.text.partition(" ")[2].strip() if later[end].kind == "DO" else ""
    if done not in drill.orders:
        return Question(drill, state, side)
    answers = next((n for n, step in enumerate(later[end + 1 :]) if step.kind not in _ANSWERED), len(later) - end - 1)
    steps = happened_since(ruleset, case, drill.step, drill.step + end + 1 + answers)
    return Question(drill, state, side, done, tuple(event for step in steps for event in step.events(side)))


def is_allowed(ruleset: TableRuleset, state: object, side: Side, order: str) -> bool:
    """Return whether the rules allow an order in a position."""
    try:
        ruleset.apply(state, side, ruleset.parse_action(state, side, order))
    except (Invalid, Illegal):
        return False
    return True

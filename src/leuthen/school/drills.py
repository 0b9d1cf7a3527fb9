"""Drills: questions on the board about positions of rule cases, answered by the rules (docs/school.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from leuthen.cases.run import state_before, transitions_since
from leuthen.cases.text import open_cases
from leuthen.engine.events import Event
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Side, as_side
from leuthen.load import load
from leuthen.screen.presenter import TableRuleset

_PACKAGE: Final = Path(__file__).parents[1]
DRILLS: Final = Path(__file__).parent / "drills.toml"
_ENDING: Final = ("DO", "ANSWERS", "DICE")  # steps of a case that end a question
_ANSWERED: Final = ("DICE", "EXPECT", "CHANCES")  # steps of a case that may follow the same order


def case_folder() -> Path:
    """Return the folder of the rule cases: in a wheel it is in the package, in a checkout among the tests."""
    inside = _PACKAGE / "cases" / "files"
    return inside if inside.is_dir() else _PACKAGE.parents[1] / "tests" / "cases"


class Drill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question before one step of a case: a side's possible orders by line, with words for each.

    `consequence` explains the rule's effect for the player. `point` are places to highlight.
    """

    name: str
    title: str
    consequence: str
    rules: tuple[str, ...]
    file: str
    step: int
    orders: dict[str, str]
    point: tuple[str, ...] = ()
    row: str = ""  # the row of the case, if it has a table
    game: str = ""


class ChapterDrills(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The drills on one subject of a rule set."""

    game: str
    title: str
    drills: tuple[Drill, ...]


class Question(NamedTuple):
    """The position of a drill and the side that is asked.

    `done` is the order of the case, or "", and `events` its results, as the side sees them.
    """

    drill: Drill
    state: object
    side: Side
    done: str = ""
    events: tuple[Event, ...] = ()


@cache
def chapters() -> tuple[ChapterDrills, ...]:
    """Return the chapters in order of learning."""
    return msgspec.toml.decode(DRILLS.read_bytes(), type=dict[str, tuple[ChapterDrills, ...]])["chapters"]


@cache
def drills() -> Mapping[str, Drill]:
    """Return all drills by name."""
    replace = msgspec.structs.replace
    return {drill.name: replace(drill, game=one.game) for one in chapters() for drill in one.drills}


@lru_cache(maxsize=64)
def question(name: str) -> Question:
    """Return the question of a drill. Raise Invalid for an unknown name."""
    drill = drills().get(name)
    if drill is None:
        raise Invalid(f'there is no drill "{name}"')
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
    steps = transitions_since(ruleset, case, drill.step, drill.step + end + 1 + answers)
    return Question(drill, state, side, done, tuple(event for step in steps for event in step.events(side)))


def is_allowed(ruleset: TableRuleset, state: object, side: Side, order: str) -> bool:
    """Return whether an order is legal in a position."""
    try:
        ruleset.apply(state, side, ruleset.parse_action(state, side, order))
    except (Invalid, Illegal):
        return False
    return True

"""Lessons as their files tell them: a position, steps with what shows that each is done, and what the enemy does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from leuthen.cases.run import position
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.load import RULESETS
from leuthen.play.record import Recorded, RecordError
from leuthen.school.drills import question
from leuthen.screen.presenter import TableRuleset

LESSON: Final = "lesson:"
DRILL: Final = "drill:"
"""By what a game of the school begins: where another game has a scenario, it names a lesson or a drill."""
HERE: Final = Path(__file__).parent
SCRIPT: Final = "script"
"""Who leads the enemy where no machine does: the lesson's own orders."""
_FILE: Final = re.compile(r"\d+-([a-z-]+)")


class LessonPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a lesson's file holds."""


class Sign(LessonPart, frozen=True):
    """What shows that something was done. Of several words all must hold.

    `order`: a regular expression with which an order of the pupil's begins. `event`: the name of an event in his
    chronicle, and `text` words in its sentence. `fact`: words of EXPECT that hold (docs/cases.md). `asked`: the noun of
    the decision that he is asked. `since`: a year and a turn that have come.
    """

    order: str = ""
    event: str = ""
    text: str = ""
    fact: str = ""
    asked: str = ""
    since: tuple[int, int] = (0, 0)


class Stray(LessonPart, frozen=True):
    """Another way than the lesson's own: by what it is known, and a kind word on it."""

    sign: Sign
    say: str


class Remark(LessonPart, frozen=True):
    """What is said when a rule first bites: an event until the pupil's next order; else as long as its sign is seen.

    It is said no more once an order of the pupil's begins with `unless`, nor from the year and turn `before` on.
    """

    sign: Sign
    say: str
    unless: str = ""
    before: tuple[int, int] = (9999, 0)


class LessonStep(LessonPart, frozen=True):
    """One step: what is said, the places and the kind of order to point at, the signs of which one must be seen, the
    orders that a model pupil gives, and other ways that he may have gone."""

    say: str
    until: tuple[Sign, ...]
    point: tuple[str, ...] = ()
    press: str = ""
    orders: tuple[str, ...] = ()
    stray: tuple[Stray, ...] = ()


class EnemyOrder(LessonPart, frozen=True):
    """An order that the script gives for the enemy, once, as soon as it is legal and its turn has come."""

    order: str
    since: tuple[int, int] = (0, 0)


class Lesson(LessonPart, frozen=True):
    """A lesson. It begins with `given` (words of a case) or with a `scenario`. `seed` makes its dice, the same for
    everybody. The enemy is a machine's name or `script`: his orders, and otherwise what commits least. A `plain` lesson
    shows no rules and none of the tools that it does not need."""

    title: str
    goal: str
    about: str
    minutes: int
    steps: tuple[LessonStep, ...]
    ending: str
    given: str = ""
    scenario: str = ""
    options: dict[str, str] = {}
    side: Side = 0
    seed: int = 0
    enemy: str = SCRIPT
    enemy_orders: tuple[EnemyOrder, ...] = ()
    remarks: tuple[Remark, ...] = ()
    plain: bool = False
    name: str = ""
    ruleset: str = ""


@cache
def lessons() -> Mapping[str, Lesson]:
    """All lessons by name, in the order in which they are taken. Raises Invalid, naming the file."""
    found = (_read(path, ruleset) for ruleset in RULESETS for path in sorted((HERE / ruleset).glob("*.toml")))
    return {lesson.name: lesson for lesson in found}


def lesson(name: str) -> Lesson:
    """The lesson of that name. Raises Invalid."""
    if name not in lessons():
        raise Invalid(f"«{name}» is no lesson: {', '.join(lessons())}")
    return lessons()[name]


def _read(path: Path, ruleset: str) -> Lesson:
    named = _FILE.fullmatch(path.stem)
    if named is None:
        raise Invalid(f"{path.name}: a lesson's file is called by its number and name, such as 1-three-minutes.toml")
    try:
        read = msgspec.toml.decode(path.read_bytes(), type=Lesson)
    except (msgspec.DecodeError, ValueError) as error:
        raise Invalid(f"{path.name}: {error}") from error
    return msgspec.structs.replace(read, name=named[1], ruleset=ruleset)


def begin(ruleset: TableRuleset, scenario: str, options: Mapping[str, str]) -> object:
    """The position before the first decision: of a lesson, a drill or a scenario. Raises Invalid if it is unknown."""
    if scenario.startswith(DRILL):
        return question(scenario.removeprefix(DRILL)).state
    taught = lesson_of(scenario)
    if taught is None:
        return ruleset.new_game(scenario, options)
    if taught.ruleset != ruleset.name:
        raise Invalid(f"the lesson «{taught.name}» is one of {taught.ruleset}")
    return position(taught.given, ruleset.name) if taught.given else ruleset.new_game(taught.scenario, options)


def expect_scenario(recorded: Recorded) -> None:
    """Raises RecordError for the record of a lesson or a drill: its position is none that a rule set begins with."""
    scenario = recorded.header.scenario
    for kind in (LESSON, DRILL):
        if scenario.startswith(kind):
            said = f"this is a {kind[:-1]} of the school, «{scenario.removeprefix(kind)}», with a position of its own"
            line = recorded.lines.index(f"scenario {scenario}") + 1
            raise RecordError(recorded.path, f"{said}: only a scenario's record can be played again", line)


def lesson_of(scenario: str) -> Lesson | None:
    """The lesson that a game is, or None. Raises Invalid for one that does not exist."""
    return lesson(scenario.removeprefix(LESSON)) if scenario.startswith(LESSON) else None

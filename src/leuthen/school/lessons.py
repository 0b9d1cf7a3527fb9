"""Lessons as their files describe them: a position, steps with conditions, and the enemy's orders."""

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
from leuthen.play.record import Record, RecordError
from leuthen.school.drills import question
from leuthen.screen.presenter import TableRuleset

LESSON: Final = "lesson:"
DRILL: Final = "drill:"  # prefixes that name a lesson or a drill in place of a scenario
HERE: Final = Path(__file__).parent
SCRIPT: Final = "script"  # the enemy of a lesson without a bot: the lesson's own orders
_FILE: Final = re.compile(r"\d+-([a-z-]+)")


class LessonPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a lesson's file."""


class Sign(LessonPart, frozen=True):
    """A condition on the pupil's game; all its parts must hold.

    `order`: a regular expression for the beginning of one of the pupil's orders. `event`: the name of an event in the
    chronicle, `text`: words of its sentence. `fact`: words of EXPECT (docs/cases.md). `asked`: the noun of the pupil's
    decision. `since`: a year and a turn.
    """

    order: str = ""
    event: str = ""
    text: str = ""
    fact: str = ""
    asked: str = ""
    since: tuple[int, int] = (0, 0)


class Stray(LessonPart, frozen=True):
    """A known mistake, and what to say about it."""

    sign: Sign
    say: str


class Remark(LessonPart, frozen=True):
    """A text for the first effect of a rule: shown for an event until the pupil's next order, else while its sign
    holds.

    It is not shown after an order that begins with `unless`, or from the date `before` on.
    """

    sign: Sign
    say: str
    unless: str = ""
    before: tuple[int, int] = (9999, 0)


class LessonStep(LessonPart, frozen=True):
    """A step: its text, places and orders to highlight, the signs that end it, model orders, and known mistakes."""

    say: str
    until: tuple[Sign, ...]
    point: tuple[str, ...] = ()
    press: str = ""
    orders: tuple[str, ...] = ()
    stray: tuple[Stray, ...] = ()


class EnemyOrder(LessonPart, frozen=True):
    """An order for the enemy, given once, as soon as it is legal and its turn has come."""

    order: str
    since: tuple[int, int] = (0, 0)


class Lesson(LessonPart, frozen=True):
    """A lesson, which begins with `given` (words of a case) or a `scenario`.

    `seed` makes its dice, the same for every pupil. The enemy is a bot or `script`: the enemy orders, else default
    actions. A `plain` lesson hides rules and unneeded tools.
    """

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
    """Return all lessons by name, in order. Raise Invalid with the file's name."""
    found = (_read(path, ruleset) for ruleset in RULESETS for path in sorted((HERE / ruleset).glob("*.toml")))
    return {lesson.name: lesson for lesson in found}


def lesson(name: str) -> Lesson:
    """Return the lesson of that name. Raise Invalid."""
    if name not in lessons():
        raise Invalid(f'"{name}" is not a valid lesson: {", ".join(lessons())}')
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
    """Return the first position of a lesson, a drill or a scenario. Raise Invalid if it is unknown."""
    if scenario.startswith(DRILL):
        return question(scenario.removeprefix(DRILL)).state
    taught = lesson_of(scenario)
    if taught is None:
        return ruleset.new_game(scenario, options)
    if taught.ruleset != ruleset.name:
        raise Invalid(f'the lesson "{taught.name}" is one of {taught.ruleset}')
    return position(taught.given, ruleset.name) if taught.given else ruleset.new_game(taught.scenario, options)


def expect_scenario(recorded: Record) -> None:
    """Raise RecordError for the record of a lesson or a drill, whose position belongs to no scenario."""
    scenario = recorded.header.scenario
    for kind in (LESSON, DRILL):
        if scenario.startswith(kind):
            said = f'this is a {kind[:-1]} of the school, "{scenario.removeprefix(kind)}", with a position of its own'
            line = recorded.lines.index(f"scenario {scenario}") + 1
            raise RecordError(recorded.path, f"{said}: only a scenario's record can be played again", line)


def lesson_of(scenario: str) -> Lesson | None:
    """Return the lesson of a game, or None. Raise Invalid if it does not exist."""
    return lesson(scenario.removeprefix(LESSON)) if scenario.startswith(LESSON) else None

"""Lessons as their files describe them, with a pupil's progress, and drills, which are questions about rule cases.

Progress follows from the knowledge of the pupil's seat alone; the rules answer a drill (docs/school.md).
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from leuthen.cases.run import open_cases, position, state_before, transitions_since
from leuthen.engine.events import Event
from leuthen.engine.refusal import Illegal, Invalid, require
from leuthen.engine.ruleset import Side, as_side
from leuthen.load import RULESETS, casebook_of, load
from leuthen.play.record import Record, RecordError
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import LogEntry
from leuthen.wargame.case_words import CaseMoment, Unexpected

HERE: Final = Path(__file__).parent
_ENDING: Final = ("DO", "ANSWERS", "DICE")  # steps of a case that end a question
_ANSWERED: Final = ("DICE", "EXPECT", "CHANCES")  # steps of a case that may follow the same order


def case_folder() -> Path:
    """Return the folder of the rule cases: in a wheel it is in the package, in a checkout among the tests."""
    inside = HERE.parent / "cases" / "files"
    return inside if inside.is_dir() else HERE.parents[2] / "tests" / "cases"


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
    text = (HERE / "drills.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, tuple[ChapterDrills, ...]])["chapters"]


@cache
def drills() -> Mapping[str, Drill]:
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
    try:
        ruleset.apply(state, side, ruleset.parse_action(state, side, order))
    except (Invalid, Illegal):
        return False
    return True


LESSON: Final = "lesson:"
DRILL: Final = "drill:"  # prefixes that name a lesson or a drill in place of a scenario
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
    require(name in lessons(), f'"{name}" is not a valid lesson: {", ".join(lessons())}')
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
    require(taught.ruleset == ruleset.name, f'the lesson "{taught.name}" is one of {taught.ruleset}')
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


# --- progress ---------------------------------------------------------------------------------------------------------


class Pupil(NamedTuple):
    """A pupil's knowledge: view, orders, chronicle, pending decision and date.

    `fresh` is the index in the chronicle of the first result of the last order.
    """

    ruleset: TableRuleset
    view: object
    orders: Sequence[str]
    told: Sequence[LogEntry]
    asked: str
    date: tuple[int, int]
    fresh: int = 0


class LessonProgress(NamedTuple):
    """The number of completed steps, the text about a mistake and the remark about a rule, or ""."""

    done: int
    stray: str = ""
    remark: str = ""


def progress(lesson: Lesson, pupil: Pupil) -> LessonProgress:
    """Return the progress; a completed step includes all steps before it."""
    ends = [any(_is_seen(sign, pupil) for sign in step.until) for step in lesson.steps]
    done = max((number for number, is_done in enumerate(ends, 1) if is_done), default=0)
    strays = lesson.steps[done].stray if done < len(lesson.steps) else ()
    happened_first = sorted(lesson.remarks, key=lambda remark: not remark.sign.event)
    return LessonProgress(
        done,
        next((stray.say for stray in strays if _is_seen(stray.sign, pupil)), ""),
        next((remark.say for remark in happened_first if _bites(remark, pupil)), ""),
    )


def _bites(remark: Remark, pupil: Pupil) -> bool:
    sign = remark.sign
    if pupil.date >= remark.before or (remark.unless and any(re.match(remark.unless, one) for one in pupil.orders)):
        return False
    if sign.event or sign.text:
        first = next((at for at, line in enumerate(pupil.told) if _is_told(sign, line)), -1)
        return first >= pupil.fresh
    return _is_seen(sign, pupil)


def _is_seen(sign: Sign, pupil: Pupil) -> bool:
    return (
        (not sign.order or any(re.match(sign.order, order) for order in pupil.orders))
        and (not (sign.event or sign.text) or any(_is_told(sign, line) for line in pupil.told))
        and (not sign.asked or sign.asked == pupil.asked)
        and sign.since <= pupil.date
        and (not sign.fact or _holds(sign.fact, pupil))
    )


def _is_told(sign: Sign, line: LogEntry) -> bool:
    return sign.event in ("", line.event) and sign.text in line.text


def _holds(fact: str, pupil: Pupil) -> bool:
    ruleset: Any = pupil.ruleset
    world = ruleset.sample_state(pupil.view, Random(0))
    try:
        casebook_of(ruleset.name).check(CaseMoment(ruleset, ruleset.data, world, (), 0), fact)
    except Unexpected:
        return False
    return True

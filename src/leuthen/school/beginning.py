"""How a game of the school begins: where another game has a scenario, it names a lesson or a drill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.cases import position
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Ruleset
from leuthen.play.record import Recorded, RecordError
from leuthen.school.drills import question
from leuthen.school.lessons import Lesson, lesson

LESSON: Final = "lesson:"
DRILL: Final = "drill:"


def begin(ruleset: Ruleset, scenario: str, options: Mapping[str, str]) -> object:
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

"""What is done of a report in another process: each step is given and gives plain values, and keeps nothing."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from leuthen.engine.ruleset import SIDES
from leuthen.load import load_with
from leuthen.play.record import parse
from leuthen.report.course import Course, course_of
from leuthen.report.judging import Look, look_at
from leuthen.report.making import Sampling, SideKnowledge, WorldTask, known_of, told_to
from leuthen.report.playing import Headquarters
from leuthen.report.values import WarReport
from leuthen.report.whole import put_together

_CALLED: Final = Path("the record")


@lru_cache(maxsize=2)
def _headquarters(name: str, data: str) -> Headquarters:
    return Headquarters(load_with(name, data))


def _course(headquarters: Headquarters, record: str) -> Course:
    return course_of(headquarters.ruleset, parse(_CALLED, record.encode()))


def begin(name: str, data: str, record: str, trial: Sampling) -> list[SideKnowledge]:
    """What each side could know. Raises RecordError for a game that goes on or cannot be played again here."""
    headquarters = _headquarters(name, data)
    course = _course(headquarters, record)
    return [told_to(headquarters, course, side, trial) for side in SIDES]


def look(name: str, data: str, tasks: list[WorldTask], seed: str) -> list[Look]:
    """What some tasks find."""
    headquarters = _headquarters(name, data)
    return [look_at(headquarters, task.question, task.worlds, seed, task.enough) for task in tasks]


def finish(
    name: str,
    data: str,
    record: str,
    told: list[SideKnowledge],
    tasks: list[WorldTask],
    looks: list[Look],
    trial: Sampling,
) -> WarReport:
    """The report, of what the doubtful tasks have found."""
    headquarters = _headquarters(name, data)
    known = known_of(headquarters, told, tasks, looks)
    return put_together(headquarters, _course(headquarters, record), known, trial.seed)

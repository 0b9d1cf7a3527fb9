"""The report on a finished game, put together of what was done in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.ruleset import SIDES, Ruleset, as_side
from leuthen.report.course import Course
from leuthen.report.judging import Look, look_at
from leuthen.report.ledger import account, by_year, given_up, lucky, steps_of
from leuthen.report.making import Sampling, WorldTask, doubtful_tasks, first_tasks, known_of, told_to, turns_of
from leuthen.report.moments import beliefs_of, moments_of
from leuthen.report.playing import Headquarters, evaluator_of
from leuthen.report.values import ChanceAt, SideReport, WarReport

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told of each stage, how many of its tasks are done, of how many."""
Work: TypeAlias = Callable[[Sequence[WorldTask]], Iterator[Look]]
"""Does tasks, and gives what they found in their order."""
LUCK: Final = 0.005
"""Dice that brought less are not listed."""


def work_here(headquarters: Headquarters, seed: str) -> Work:
    """Does tasks one after the other."""
    return lambda tasks: (look_at(headquarters, task.question, task.worlds, seed, task.enough) for task in tasks)


def make_report(ruleset: Ruleset, course: Course, trial: Sampling, work: Work, progress: Progress) -> WarReport:
    """The report on the course of a game. Raises Invalid for a rule set without an evaluator."""
    headquarters, told = Headquarters(ruleset), []
    for side in SIDES:
        told.append(told_to(headquarters, course, side, trial))
        progress("what each side could know", side + 1, len(SIDES))
    tasks = first_tasks(told, trial.effort)
    looks = list(_done(work, tasks, "decisions", progress))
    again = doubtful_tasks(tasks, looks, trial.effort)
    known = known_of(headquarters, told, again, list(_done(work, again, "doubtful decisions", progress)))
    return put_together(headquarters, course, known, trial.seed)


def _done(work: Work, tasks: Sequence[WorldTask], stage: str, progress: Progress) -> Iterator[Look]:
    for number, look in enumerate(work(tasks), 1):
        progress(stage, number, len(tasks))
        yield look


def put_together(headquarters: Headquarters, course: Course, known: Sequence[SideReport], seed: str) -> WarReport:
    """The report, with the ledger and all that only open cards tell."""
    ruleset = headquarters.ruleset
    verdicts = [one for side in known for one in side.judged]
    steps = steps_of(headquarters, course)
    last, luck = given_up(course, steps[-1].after), lucky(ruleset, steps)
    positions = {act.line: act.before for act in course.acts}
    moments = [
        one if (judged := one.judged) is None
        else msgspec.structs.replace(
            one, beliefs=beliefs_of(headquarters, positions[one.line], as_side(judged.side), seed)
        )
        for one in moments_of(verdicts, luck)
    ]  # fmt: skip
    turns = enumerate(turns_of(ruleset, course))
    chances = [
        ChanceAt(
            turn.line,
            ruleset.date(turn.before),
            (known[0].chances[at], known[1].chances[at]),
            headquarters.chance(turn.before),
        )
        for at, turn in turns
    ]
    outcome = course.outcome
    winner = "nobody" if outcome.winner is None else ruleset.sides[outcome.winner]
    ended = f"{winner}, {outcome.how}, {outcome.year}"
    return WarReport(
        ruleset.name, ruleset.sides, evaluator_of(ruleset.name), seed, ended, tuple(chances),
        account(steps, verdicts, last), tuple(by_year(steps, verdicts, last)), tuple(known),
        tuple(one for one in luck if abs(one.gain) >= LUCK), tuple(moments),
    )  # fmt: skip

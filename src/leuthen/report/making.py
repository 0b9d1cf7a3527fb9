"""What each side could know of a game: its chances, its decisions, and which of them are to be tried how often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Final

import msgspec

from leuthen.engine.ruleset import Ruleset, Side
from leuthen.report.course import Act, Course, Position
from leuthen.report.judging import Disagreement, Look, judged
from leuthen.report.playing import Headquarters
from leuthen.report.values import SideReport
from leuthen.wargame.search import mean, seed_of

DOUBT: Final = 0.5
"""Points that a decision may differ by from the staff's, give or take a standard error, and be looked at no more."""


class Effort(msgspec.Struct, frozen=True):
    """How many worlds are drawn: for the chance when a turn begins, for the first look at a decision that differs from
    the staff's (no more than `enough` where hardly anything differs in them), and for those that the first look finds
    doubtful: others than its own, which chose them."""

    chance: int = 16
    enough: int = 4
    first: int = 8
    more: int = 64


class Sampling(msgspec.Struct, frozen=True):
    """By what the worlds and dice of a report are drawn, and how many: the same for the same."""

    seed: str
    effort: Effort = Effort()


class SideKnowledge(msgspec.Struct, frozen=True):
    """What a side could know: its chance at each turn, its decisions that differ from the staff's, how many do not."""

    chances: tuple[float, ...]
    questions: tuple[Disagreement, ...]
    alike: int


class WorldTask(msgspec.Struct, frozen=True):
    """A question, the numbers of the worlds in which it is to be tried, and how many of them may be enough."""

    question: Disagreement
    worlds: tuple[int, ...]
    enough: int | None = None


def told_to(headquarters: Headquarters, course: Course, side: Side, trial: Sampling) -> SideKnowledge:
    """What a side could know in the course of a game, whose staff sees what it saw and plans along with it.

    What a side did though it was not asked, to open again what it had sealed, is no decision beside its staff's.
    """
    ruleset, thought, found, alike = headquarters.ruleset, b"", [], 0
    for act in course.acts:
        if act.actor == side and any(one.actor == side for one in ruleset.pending(act.before)):
            question = _question(headquarters, act, side, thought)
            thought = question.thought
            if question.staff == question.order:
                alike += 1
            else:
                found.append(question)
    chances = [known_chance(headquarters, ruleset.view(turn.before, side), trial) for turn in turns_of(ruleset, course)]
    return SideKnowledge(tuple(chances), tuple(found), alike)


def _question(headquarters: Headquarters, act: Act, side: Side, thought: bytes) -> Disagreement:
    ruleset = headquarters.ruleset
    view = ruleset.view(act.before, side)
    staff = headquarters.staff(side, thought)
    order = headquarters.order(side, act.before, view)
    pending = next(one for one in ruleset.pending(act.before) if one.actor == side)
    return Disagreement(
        act.line, side, ruleset.date(act.before), pending.decision, ruleset.encode_view(view), staff.thought,
        ruleset.format_action(view, side, act.action), ruleset.format_action(view, side, order),
    )  # fmt: skip


def turns_of(ruleset: Ruleset, course: Course) -> list[Act]:
    """The first action of each turn."""
    dates = [ruleset.date(act.before) for act in course.acts]
    return list(compress(course.acts, (at == 0 or dates[at] != dates[at - 1] for at in range(len(dates)))))


def known_chance(headquarters: Headquarters, view: Position, trial: Sampling) -> float:
    """The first side's chance as a side could know it: the mean over worlds of its view."""
    text = headquarters.ruleset.encode_view(view)
    marks = (seed_of(trial.seed, text, number, "chance") for number in range(trial.effort.chance))
    return mean([headquarters.chance(headquarters.world(view, mark)) for mark in marks])


def first_tasks(told: Iterable[SideKnowledge], effort: Effort) -> list[WorldTask]:
    """What is tried first: every decision that differs from the staff's."""
    return [
        WorldTask(question, tuple(range(effort.first)), effort.enough) for one in told for question in one.questions
    ]


def doubtful_tasks(tasks: Iterable[WorldTask], looks: Iterable[Look], effort: Effort) -> list[WorldTask]:
    """What is tried once more: every decision that may have cost or brought half a point."""
    doubtful = [task for task, look in zip(tasks, looks, strict=True) if abs(look.cost) + look.error >= DOUBT]
    worlds = tuple(range(effort.first, effort.first + effort.more))
    return [WorldTask(task.question, worlds) for task in doubtful]


def known_of(
    headquarters: Headquarters, told: Sequence[SideKnowledge], tasks: Sequence[WorldTask], looks: Sequence[Look]
) -> list[SideReport]:
    """The reports of the sides as they could know it."""
    verdicts = [judged(headquarters, task.question, look) for task, look in zip(tasks, looks, strict=True)]
    return [
        SideReport(
            side,
            one.chances,
            tuple(verdict for verdict in verdicts if verdict.side == side),
            one.alike,
            len(one.questions),
        )
        for side, one in enumerate(told)
    ]

"""A pupil's progress in a lesson, from the knowledge of the pupil's seat alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from leuthen.load import casebook_of
from leuthen.school.lessons import Lesson, LessonStep, Remark, Sign
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import LogEntry
from leuthen.wargame.case_words import CaseMoment, Unexpected


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
    done = max((n for n, step in enumerate(lesson.steps, 1) if _is_done(step, pupil)), default=0)
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


def _is_done(step: LessonStep, pupil: Pupil) -> bool:
    return any(_is_seen(sign, pupil) for sign in step.until)


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

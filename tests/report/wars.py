"""A short war with a report, made once for all tests: captains on both sides, of whom Prussia's errs at times."""

from __future__ import annotations

from functools import cache
from typing import Final

from bench.report_wars import PLACE as PLACE
from bench.report_wars import played
from leuthen.engine.ruleset import Ruleset
from leuthen.load import load
from leuthen.play.record import Recorded, parse, text_of
from leuthen.play.replay import Replay
from leuthen.play.table import end_words
from leuthen.report.assemble import make_report, work_here
from leuthen.report.course import Course, course_of
from leuthen.report.sampling import Effort, Headquarters, Sampling
from leuthen.report.values import WarReport

LITTLE: Final = Sampling("test", Effort(chance=2, first=1, more=2))


def rules() -> Ruleset:
    return load("frederick")


@cache
def recorded() -> Recorded:
    """The record of the war, to the end of 1756."""
    return played("frederick", 23, begun=("campaign", {"last-year": "1756"})).recorded


@cache
def course() -> Course:
    return course_of(rules(), recorded())


@cache
def headquarters() -> Headquarters:
    return Headquarters(rules())


@cache
def report() -> WarReport:
    """The report on that war, with little effort."""
    work = work_here(headquarters(), LITTLE.seed)
    return make_report(rules(), course(), LITTLE, work, lambda stage, done, total: None)


def altered(*lines: tuple[str, str]) -> Course:
    """The course of the war whose record has these lines instead; Prussia resigns after them."""
    ended = [*lines, ("prussia", "resign")]
    open_one = parse(PLACE, text_of(recorded().header, ended, "").encode())
    words = end_words(Replay(rules(), open_one).run())
    return course_of(rules(), parse(PLACE, text_of(recorded().header, ended, words).encode()))


def given_up(lines: int = 60) -> str:
    """The record of the war as if Prussia had resigned after so many lines."""
    played = recorded()
    ended = [*((entry.actor, entry.text) for entry in played.entries[:lines]), ("prussia", "resign")]
    open_one = parse(PLACE, text_of(played.header, ended, "").encode())
    return text_of(played.header, ended, end_words(Replay(rules(), open_one).run()))

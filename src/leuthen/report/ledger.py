"""The ledger of a war: what dice and decisions brought, and what neither explains."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from leuthen.engine.ruleset import CHANCE, SIDES, Outcome, Ruleset
from leuthen.report.course import Act, Course, Position
from leuthen.report.playing import Headquarters
from leuthen.report.values import ChanceAccount, DieLuck, Judgement


class LedgerStep(NamedTuple):
    """An action in the ledger: the chances before and after it with open cards, and what was to be expected of a die.

    `expected` is None where a side acted.
    """

    act: Act
    year: int
    before: float
    after: float
    expected: float | None


def score_of(outcome: Outcome) -> float:
    """What the first side scored."""
    return 0.5 if outcome.winner is None else float(outcome.winner == 0)


def steps_of(headquarters: Headquarters, course: Course) -> list[LedgerStep]:
    """The chances along the course, and the expectation at every die."""
    ruleset, steps, before = headquarters.ruleset, [], headquarters.chance(course.first)
    for act in course.acts:
        expected = _expected(headquarters, act.before) if act.actor == CHANCE else None
        after = headquarters.chance(act.after)
        steps.append(LedgerStep(act, ruleset.date(act.before)[0], before, after, expected))
        before = after
    return steps


def _expected(headquarters: Headquarters, state: Position) -> float:
    ruleset = headquarters.ruleset
    return math.fsum(
        float(odds) * headquarters.chance(ruleset.apply(state, CHANCE, answer).state)
        for answer, odds in ruleset.chances(state)
    )


def account(
    steps: Sequence[LedgerStep], judged: Iterable[Judgement], given_up: tuple[float, float] = (0.0, 0.0)
) -> ChanceAccount:
    """Where the chance went over some steps that follow each other.

    A die brings what it differs from its expectation by, a decision what its error cost; what neither explains is left
    to the evaluator. `given_up`: what each side gave the first by ending the game with a word, after the last step.
    """
    lines = {step.act.line for step in steps}
    errors = [one for one in judged if one.line in lines]
    own = [math.fsum(_for_first(one) for one in errors if one.side == side) for side in SIDES]
    drift = (step.after - step.before if step.expected is None else step.expected - step.before for step in steps)
    return ChanceAccount(
        initial=steps[0].before,
        final=steps[-1].after + sum(given_up),
        luck=math.fsum(step.after - step.expected for step in steps if step.expected is not None),
        decisions=(own[0] + given_up[0], own[1] + given_up[1]),
        evaluator=math.fsum(drift) - math.fsum(own),
    )


def _for_first(judged: Judgement) -> float:
    """What a decision gave the first side, as a chance."""
    return (-judged.cost if judged.side == 0 else judged.cost) / 100


def given_up(course: Course, last: float) -> tuple[float, float]:
    """What each side gave the first by a word that ended the game: who resigned, or who lost by the draw agreed on."""
    gain = score_of(course.outcome) - last
    if course.closing < 0:
        return 0.0, 0.0
    side = course.closing if course.outcome.winner is not None else int(gain > 0)
    return (gain, 0.0) if side == 0 else (0.0, gain)


def by_year(
    steps: Sequence[LedgerStep], judged: Sequence[Judgement], last: tuple[float, float]
) -> list[tuple[int, ChanceAccount]]:
    """The accounts of the years; together they are that of the war."""
    years = [(year, list(group)) for year, group in groupby(steps, key=lambda step: step.year)]
    return [
        (year, account(group, judged, last if number == len(years) else (0.0, 0.0)))
        for number, (year, group) in enumerate(years, 1)
    ]


def lucky(ruleset: Ruleset, steps: Sequence[LedgerStep]) -> list[DieLuck]:
    """What each die brought the first side."""
    return [
        DieLuck(
            step.act.line,
            ruleset.date(step.act.before),
            ruleset.pending(step.act.before)[0].decision,
            ruleset.format_action(step.act.before, CHANCE, step.act.action),
            step.after - step.expected,
        )
        for step in steps
        if step.expected is not None
    ]

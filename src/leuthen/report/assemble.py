"""Assembly of a report: the ledger of winning chances and the key moments.

A report is made in one call, or step by step in another process with the same result.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec

from leuthen.engine.ruleset import CHANCE, OTHER, SIDES, Side, as_side
from leuthen.load import load_with
from leuthen.play.record import parse
from leuthen.report import sampling
from leuthen.report.course import Act, Course, Position, course_of
from leuthen.report.sampling import Headquarters, Sampling, SideKnowledge, TrialResult, WorldTask
from leuthen.report.values import Belief, ChanceAccount, ChanceAt, DieLuck, Judgement, KeyMoment, SideReport, WarReport
from leuthen.screen.presenter import TableRuleset
from leuthen.wargame.search import mean, seed_of

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with a stage, the number of its finished tasks, and the number of all."""
Work: TypeAlias = Callable[[Sequence[WorldTask]], Iterator[TrialResult]]
"""Does tasks and yields the results in their order."""
LUCK: Final = 0.005  # the least gain of a listed die
MOMENTS: Final = 10
MOST_DICE: Final = 4  # the most dice among the moments
BELIEFS: Final = 5  # the most forces in a moment
WORLDS: Final = 16  # the number of worlds sampled for beliefs
LEAST: Final = 0.5  # the least points of a moment
_CALLED: Final = Path("the record")


def make_report(ruleset: TableRuleset, course: Course, trial: Sampling, work: Work, progress: Progress) -> WarReport:
    """Return the report on the course of a game. Raises Invalid for a rule set without an evaluator."""
    headquarters, told = Headquarters(ruleset), []
    for side in SIDES:
        told.append(sampling.gather_knowledge(headquarters, course, side, trial))
        progress("knowledge of each side", side + 1, len(SIDES))
    tasks = sampling.first_tasks(told, trial.effort)
    looks = list(_done(work, tasks, "decisions", progress))
    again = sampling.doubtful_tasks(tasks, looks, trial.effort)
    known = sampling.side_reports(headquarters, told, again, list(_done(work, again, "doubtful decisions", progress)))
    return put_together(headquarters, course, known, trial.seed)


def _done(work: Work, tasks: Sequence[WorldTask], stage: str, progress: Progress) -> Iterator[TrialResult]:
    for number, look in enumerate(work(tasks), 1):
        progress(stage, number, len(tasks))
        yield look


def put_together(headquarters: Headquarters, course: Course, known: Sequence[SideReport], seed: str) -> WarReport:
    """Return the report, with the ledger and all else that needs the true positions."""
    ruleset = headquarters.ruleset
    verdicts = [one for side in known for one in side.judged]
    steps = steps_of(headquarters, course)
    last, rolled = concession(course, steps[-1].after), ruleset.format_action
    luck = [
        DieLuck(
            step.act.line,
            ruleset.date(step.act.before),
            ruleset.pending(step.act.before)[0].decision,
            rolled(step.act.before, CHANCE, step.act.action),
            step.after - step.expected,
        )
        for step in steps
        if step.expected is not None
    ]
    years = [(year, list(group)) for year, group in groupby(steps, key=lambda step: step.year)]
    ends = [*[(0.0, 0.0)] * (len(years) - 1), last]
    by_year = tuple([(year, account(group, verdicts, end)) for (year, group), end in zip(years, ends, strict=True)])
    positions = {act.line: act.before for act in course.acts}
    errors = [KeyMoment(one.line, one.cost, judged=one) for one in verdicts if one.cost >= LEAST]
    dice = [KeyMoment(one.line, abs(one.gain) * 100, luck=one) for one in luck if abs(one.gain) * 100 >= LEAST]
    dice = sorted(dice, key=_weight)[:MOST_DICE]
    moments = [
        one if (judged := one.judged) is None
        else msgspec.structs.replace(
            one, beliefs=beliefs_of(headquarters, positions[one.line], as_side(judged.side), seed)
        )
        for one in sorted([*errors, *dice], key=_weight)[:MOMENTS]
    ]  # fmt: skip
    turns = zip(sampling.turns_of(ruleset, course), known[0].chances, known[1].chances, strict=True)
    chances = [
        ChanceAt(act.line, ruleset.date(act.before), (first, second), headquarters.chance(act.before))
        for act, first, second in turns
    ]
    outcome = course.outcome
    winner = "no winner" if outcome.winner is None else ruleset.sides[outcome.winner]
    ended = f"{winner}, {outcome.how}, {outcome.year}"
    return WarReport(
        ruleset.name, ruleset.sides, sampling.evaluator_of(ruleset.name), seed, ended, tuple(chances),
        account(steps, verdicts, last), by_year, tuple(known),
        tuple(one for one in luck if abs(one.gain) >= LUCK), tuple(moments),
    )  # fmt: skip


# --- the ledger -------------------------------------------------------------------------------------------------------


class LedgerStep(NamedTuple):
    """An action in the ledger, with the chances before and after it by the true positions.

    `expected` is the expected chance at a die, None where a side acted.
    """

    act: Act
    year: int
    before: float
    after: float
    expected: float | None


def steps_of(headquarters: Headquarters, course: Course) -> list[LedgerStep]:
    ruleset, steps, before = headquarters.ruleset, [], headquarters.chance(course.first)
    for act in course.acts:
        expected = None
        if act.actor == CHANCE:
            expected = math.fsum(
                float(odds) * headquarters.chance(ruleset.apply(act.before, CHANCE, answer).state)
                for answer, odds in ruleset.chances(act.before)
            )
        after = headquarters.chance(act.after)
        steps.append(LedgerStep(act, ruleset.date(act.before)[0], before, after, expected))
        before = after
    return steps


def account(
    steps: Sequence[LedgerStep], judged: Iterable[Judgement], concession: tuple[float, float] = (0.0, 0.0)
) -> ChanceAccount:
    """Return the account of some consecutive steps.

    A die adds its difference from the expectation, a decision the cost of its error; the rest goes to the evaluator.
    `concession` is each side's gift to the first side by ending the game with a word, after the last step.
    """
    lines = {step.act.line for step in steps}
    errors = [one for one in judged if one.line in lines]
    own = [
        math.fsum((-one.cost if side == 0 else one.cost) / 100 for one in errors if one.side == side) for side in SIDES
    ]
    drift = (step.after - step.before if step.expected is None else step.expected - step.before for step in steps)
    return ChanceAccount(
        initial=steps[0].before,
        final=steps[-1].after + sum(concession),
        luck=math.fsum(step.after - step.expected for step in steps if step.expected is not None),
        decisions=(own[0] + concession[0], own[1] + concession[1]),
        evaluator=math.fsum(drift) - math.fsum(own),
    )


def concession(course: Course, last: float) -> tuple[float, float]:
    """Return each side's gift to the first side by a word that ended the game: by resigning, or by a draw agreed on."""
    winner = course.outcome.winner
    gain = (0.5 if winner is None else float(winner == 0)) - last
    if course.closing < 0:
        return 0.0, 0.0
    side = course.closing if winner is not None else int(gain > 0)
    return (gain, 0.0) if side == 0 else (0.0, gain)


# --- the moments ------------------------------------------------------------------------------------------------------


def _weight(moment: KeyMoment) -> tuple[float, int]:
    return -moment.points, moment.line


def beliefs_of(headquarters: Headquarters, state: Position, side: Side, seed: str) -> tuple[Belief, ...]:
    """Return a side's beliefs about the strength of enemy forces beside the truth, the most wrong first.

    Forces of known strength are left out.
    """
    ruleset, view = headquarters.ruleset, headquarters.ruleset.view(state, side)
    truth = headquarters.analyst.strengths(state, OTHER[side])
    marks = (seed_of(seed, ruleset.encode_view(view), number, "belief") for number in range(WORLDS))
    worlds = [headquarters.analyst.strengths(headquarters.world(view, mark), OTHER[side]) for mark in marks]
    beliefs = []
    for force, points in truth.items():
        guesses = [world.get(force, 0) for world in worlds]
        beliefs.append(Belief(force, mean(guesses), min(guesses), max(guesses), points))
    unsure = [one for one in beliefs if not one.least == one.most == one.truth]
    return tuple(sorted(unsure, key=lambda one: (-abs(one.mean - one.truth), one.force))[:BELIEFS])


# --- step by step in another process: each is given and gives plain values --------------------------------------------


@lru_cache(maxsize=2)
def _headquarters(name: str, data: str) -> Headquarters:
    return Headquarters(load_with(name, data))


def begin(name: str, data: str, record: str, trial: Sampling) -> list[SideKnowledge]:
    """Return the knowledge of each side. Raises RecordError for a game that goes on or cannot be replayed here."""
    headquarters = _headquarters(name, data)
    course = course_of(headquarters.ruleset, parse(_CALLED, record.encode()))
    return [sampling.gather_knowledge(headquarters, course, side, trial) for side in SIDES]


def look(name: str, data: str, tasks: list[WorldTask], seed: str) -> list[TrialResult]:
    headquarters = _headquarters(name, data)
    return [sampling.compare_orders(headquarters, task.question, task.worlds, seed, task.enough) for task in tasks]


def finish(
    name: str,
    data: str,
    record: str,
    told: list[SideKnowledge],
    tasks: list[WorldTask],
    looks: list[TrialResult],
    trial: Sampling,
) -> WarReport:
    headquarters = _headquarters(name, data)
    known = sampling.side_reports(headquarters, told, tasks, looks)
    course = course_of(headquarters.ruleset, parse(_CALLED, record.encode()))
    return put_together(headquarters, course, known, trial.seed)

"""The proofs of the staff's report, each with its number of cases: `python -m bench.report luck --games 40`, and so on.

`luck`: the mean luck of wars is zero. `calibration`: how far winning chances are off, beside a perfect forecaster's.
`seeds`: two seeds rank the errors alike, and planted errors are among the worst. `speed`: what a whole war takes.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from bench.report_wars import LONG, War, played
from leuthen import arguments
from leuthen.load import DEFAULT, load, value_of
from leuthen.report.assemble import account, given_up, make_report, steps_of, work_here
from leuthen.report.course import course_of
from leuthen.report.sampling import Headquarters, Sampling, doubtful_tasks, first_tasks, look_at, told_to
from leuthen.report.values import Judgement, WarReport
from leuthen.simulate.run import do_many
from tools.selfplay import Series, unpacked, wars_by

HOME: Final = Path(__file__).parents[1]
BINS: Final = 10
PERFECT: Final = 400
"""Forecasters who are right that are drawn beside."""
DEEP: Final = 2
"""Times as long as else a planted error is played on to know what it really costs."""
DEEP_WORLDS: Final = 32
WORTH: Final = 3.0
"""Points from which on a planted error must be found."""
LEVEL: Final = 1.96
TOLD: Final = 10
"""Luck is told after so many wars, since a run may be stopped."""


class Sample(NamedTuple):
    """On what a proof is run: a rule set, how many games, in how many processes."""

    ruleset: str
    games: int
    jobs: int


def luck(sample: Sample) -> Iterator[str]:
    """The mean luck of so many quick wars, with its interval."""
    found, apart = list[float](), list[float]()
    for war in do_many(partial(_luck_of, sample.ruleset), range(sample.games), sample.jobs):
        found.append(war[0])
        apart.append(war[1])
        if len(found) % TOLD == 0 or len(found) == sample.games > 1:
            spread = LEVEL * statistics.stdev(found) / len(found) ** 0.5
            yield f"luck of {len(found)} wars: {statistics.mean(found):+.2f} ± {spread:.2f} points a war, 95 %"
    yield f"its standard deviation {statistics.stdev(found):.1f}; the ledgers are off by {max(apart):.1e} at most"


def _luck_of(name: str, number: int) -> tuple[float, float]:
    """The luck of a war, in points, and by how much its ledger does not close."""
    headquarters = Headquarters(load(name))
    course = course_of(headquarters.ruleset, played(name, number).recorded)
    steps = steps_of(headquarters, course)
    told = account(steps, [], given_up(course, steps[-1].after))
    return 100 * told.luck, abs(told.final - told.initial - told.luck - sum(told.decisions) - told.evaluator)


def calibration(sample: Sample) -> Iterator[str]:
    """How far the chances are off in one position each of so many games of captains to which it was not fitted."""
    name, rng = sample.ruleset, random.Random(1)
    rules, value, series = load(name), value_of(name), Series(name, "unseen", sample.games, ("captain",))
    wars = wars_by(series, sample.jobs, "local", HOME / f"{name}-unseen-games.jsonl")
    states = [(rules.restore(unpacked(rng.choice(war.positions))), war.score) for war in wars if war.positions]
    pairs = [(value.chance(state), score) for state, score in states]
    error = off(pairs)
    chances = [chance for chance, _ in pairs]
    right = sorted(off([(one, float(rng.random() < one)) for one in chances]) for _ in range(PERFECT))
    yield f"calibration error of {len(pairs)} positions, one a game, in {BINS} bands: {100 * error:.1f} points"
    mean, most = 100 * statistics.mean(right), 100 * right[int(0.95 * PERFECT)]
    yield f"a perfect forecaster's: {mean:.1f}, 95 % below {most:.1f}"


def off(pairs: Sequence[tuple[float, float]]) -> float:
    """By how much what came differs from what was foretold, by band, on average over the positions."""
    bands: dict[int, float] = {}
    for chance, score in pairs:
        band = min(BINS - 1, int(chance * BINS))
        bands[band] = bands.get(band, 0.0) + score - chance
    return sum(map(abs, bands.values())) / len(pairs)


class Errors(NamedTuple):
    """What two seeds make of the errors of a war, in points; and of each planted one, whether it is among the worst."""

    pairs: Sequence[tuple[float, float]]
    found: Sequence[bool]


def seeds(sample: Sample) -> Iterator[str]:
    """How alike two seeds rank the errors of so many wars, and how many planted ones are in the worst tenth."""
    pairs: list[tuple[float, float]] = []
    found: list[bool] = []
    for number, war in enumerate(do_many(partial(_errors_of, sample.ruleset), range(sample.games), sample.jobs)):
        pairs += war.pairs
        found += war.found
        rank = f", ρ = {spearman(pairs):.2f}" if len(set(pairs)) > 2 else ""
        yield f"war {number}: {len(pairs)} errors so far{rank}; planted ones found {sum(found)} of {len(found)}"
    yield f"two seeds rank {len(pairs)} errors of {sample.games} wars with ρ = {spearman(pairs):.2f}"
    yield f"of {len(found)} planted errors worth {WORTH:.0f} points or more, {sum(found)} are in the worst tenth"


def _errors_of(name: str, number: int) -> Errors:
    war = played(name, number)
    costs = [by_line(reported(name, war, seed)) for seed in ("one", "two")]
    known = [{line: one.cost for line, one in told.items()} for told in costs]
    errors = sorted(line for line in {*costs[0], *costs[1]} if any(told.get(line, 0.0) >= 0.5 for told in known))
    pairs = [(known[0].get(line, 0.0), known[1].get(line, 0.0)) for line in errors]
    return Errors(pairs, list(planted_found(name, war, known[0])))


def reported(name: str, war: War, seed: str) -> WarReport:
    """The report on a war."""
    rules = load(name)
    work = work_here(Headquarters(rules), seed)
    return make_report(rules, course_of(rules, war.recorded), Sampling(seed), work, lambda stage, done, total: None)


def by_line(report: WarReport) -> Mapping[int, Judgement]:
    """What is said of Prussia's decisions, by their lines."""
    return {one.line: one for one in report.known[0].judged}


def planted_found(name: str, war: War, costs: Mapping[int, float]) -> Iterator[bool]:
    """For each planted error that a deeper search finds worth it, whether it is in the worst tenth of all decisions."""
    headquarters = Headquarters(load(name))
    course, trial = course_of(headquarters.ruleset, war.recorded), Sampling("deep")
    told = told_to(headquarters, course, 0, trial)
    headquarters.horizon *= DEEP
    asked = told.alike + len(told.questions)
    worst = set(sorted(costs, key=lambda line: -costs[line])[: asked // 10])
    for question in told.questions:
        if question.line in war.planted:
            deep = look_at(headquarters, question, range(DEEP_WORLDS), trial.seed)
            if deep.cost >= WORTH:
                yield question.line in worst


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    """The rank correlation; equal numbers share their ranks."""
    first, second = (ranks([pair[at] for pair in pairs]) for at in (0, 1))
    return statistics.correlation(first, second)


def ranks(numbers: Sequence[float]) -> list[float]:
    """The rank of each, of equal ones the middle."""
    order = sorted(numbers)
    return [(order.index(one) + len(order) - 1 - order[::-1].index(one)) / 2 for one in numbers]


def speed(sample: Sample) -> Iterator[str]:
    """What reports on long games take in which one order in three is at random, in seconds of one core."""
    name = sample.ruleset
    for number in range(sample.games):
        war, began = played(name, number, 1 / 3, LONG[name]), time.process_time()
        headquarters = Headquarters(load(name))
        course, trial = course_of(headquarters.ruleset, war.recorded), Sampling("speed")
        told = [told_to(headquarters, course, side, trial) for side in (0, 1)]
        tasks = first_tasks(told, trial.effort)
        some = tasks[:: max(1, len(tasks) // 30)]
        prepared = time.process_time()
        looks = [look_at(headquarters, task.question, task.worlds, trial.seed, task.enough) for task in some]
        looked = time.process_time()
        again = doubtful_tasks(some, looks, trial.effort)
        for task in again[:8]:
            look_at(headquarters, task.question, task.worlds, trial.seed)
        first, more = (looked - prepared) / len(some), (time.process_time() - looked) / max(1, len(again[:8]))
        doubtful = len(tasks) * len(again) / len(some)
        whole = prepared - began + first * len(tasks) + more * doubtful
        yield (
            f"war {number}: {len(course.acts)} actions, {len(tasks)} differ, about {doubtful:.0f} doubtful; "
            f"{prepared - began:.1f} s, and {first:.2f} and {more:.2f} s a decision: {whole:.0f} s, half on two cores"
        )


PROOFS: Final[Mapping[str, Callable[[Sample], Iterator[str]]]] = {
    "luck": luck,
    "calibration": calibration,
    "seeds": seeds,
    "speed": speed,
}


def main() -> None:
    """Runs one of them."""
    parser = argparse.ArgumentParser(prog="python -m bench.report", description=__doc__)
    parser.add_argument("proof", choices=PROOFS)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=arguments.positive, default=1, help="how many processes; speed takes one always")
    parser.add_argument("--ruleset", type=arguments.ruleset, default=DEFAULT)
    args = parser.parse_args()
    for line in PROOFS[args.proof](Sample(args.ruleset, args.games, args.jobs)):
        print(line, flush=True)


if __name__ == "__main__":
    main()

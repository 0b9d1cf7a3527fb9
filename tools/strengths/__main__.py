"""`make strengths` measures how strong the nations stay over the war, and writes docs/strengths.md.

With ARGS=--fit it first makes the numbers of R18.4 anew, from games of the machine against itself, and writes them into
the table of the rule set.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import statistics
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rich.progress import Progress

from leuthen.rulesets.campaigns.model.data import NATIONS
from tools.strengths.games import FIRST, LAST, YEARLY, Numbers, Spring, Task, play_all, yearly_text

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = ROOT / "src/leuthen/rulesets/campaigns/data" / YEARLY
PAGE: Final = ROOT / "docs/strengths.md"
TARGETS: Final = Path(__file__).with_name("targets.csv")
YEARS: Final = range(FIRST, LAST + 1)
CLOSE: Final = 0.15
"""A strength counts as reached within this share of it (R18.4)."""
HEAD: Final = """# How strong the nations stay

In the campaign of the second rule set with the variant, new troops (R18.4) are fitted so that a nation's mean strength
on turn 1 of a year, after the arrivals, is that of the war: so many thousand men, a TP each.

{fitted}

{measured}

A mean is over games in which the nation is at war in that spring and was in the year before; ± is half an interval of
95 %, and the number of games stands in brackets. **Bold**: further than {close:.0%} from the war. `make strengths`
makes this page.

"""
LASTING: Final = 0.85
"""How much of the new troops is left a year later."""
HELD: Final = frozenset({(1757, "prussia"), (1758, "prussia")})
"""Numbers that stay as they are: positions that must hold stand on them."""
SWEEPS: Final = 200
"""By then nothing changes any more."""
ONE_GAME: Final = 2
"""Fewer games than this have no interval."""


class Mean(NamedTuple):
    """A mean over `games` games, with half the width of its interval of 95 %."""

    value: float
    half: float
    games: int


def targets() -> dict[tuple[int, str], int]:
    """The strengths to be reached, by year and nation (R18.4)."""
    lines = (line for line in TARGETS.read_text().splitlines() if not line.startswith("#"))
    rows = csv.DictReader(lines)
    return {(int(row["year"]), nation): int(row[nation]) for row in rows for nation in NATIONS if row.get(nation)}


def springs(tasks: Sequence[Task], jobs: int, progress: Progress) -> list[Spring]:
    """The games that reach the spring of their tasks' year, with a bar of progress."""
    bar = progress.add_task(f"to spring {tasks[0].year}", total=len(tasks))
    found = []
    for spring in play_all(tasks, jobs):
        progress.advance(bar)
        found += [spring] if spring is not None else []
    return found


def follow(args: argparse.Namespace, progress: Progress) -> Iterator[tuple[int, list[Spring]]]:
    """Plays all games of a run from spring to spring."""
    tasks = [Task(None, FIRST, f"{args.seed} {number}", args.bot) for number in range(args.games)]
    for year in YEARS:
        found = springs([task._replace(year=year) for task in tasks], args.jobs, progress)
        if not found:
            return
        yield year, found
        tasks = [Task(spring.state, year, f"{args.seed} {n}", args.bot) for n, spring in enumerate(found)]


def fit(means: Mapping[tuple[int, str], Mean]) -> dict[tuple[int, str], int]:
    """The numbers of R18.4 that come nearest to the war, from mean strengths with those on file.

    Half of what comes is there in spring, all of it next spring, less what a year costs: so the years of a nation hang
    together, and the sum of the squares of their relative errors is made as small as it can be. HELD stay.
    """
    goals = targets()
    numbers = {key: float(points) for key, points in read_table().items()}
    for nation in NATIONS:
        years = [year for year, whose in goals if whose == nation and (year, nation) in means]
        errors = {year: means[year, nation].value - goals[year, nation] for year in years}
        for _ in range(SWEEPS):
            for year in (one for one in years if (one, nation) not in HELD):
                pull = {other: _share(year, other) / goals[other, nation] for other in years}
                slope = sum(errors[other] / goals[other, nation] * pull[other] for other in years)
                step = slope / sum(value**2 for value in pull.values())
                less = min(step, numbers.get((year, nation), 0.0))
                numbers[year, nation] = numbers.get((year, nation), 0.0) - less
                errors = {other: errors[other] - less * _share(year, other) for other in years}
    return {key: 2 * round(numbers.get(key, 0.0) / 2) for key in goals}


def _share(year: int, spring: int) -> float:
    """How much of what comes in a year is on the map in a spring."""
    return 0.0 if spring < year else 0.5 if spring == year else LASTING ** (spring - year)


def measure(args: argparse.Namespace, progress: Progress) -> dict[tuple[int, str], Mean]:
    """The mean strengths with the numbers on file."""
    found = dict(follow(args, progress))
    return {
        (year, nation): mean
        for year, some in found.items()
        for nation in NATIONS
        if (mean := mean_of(some, nation)) is not None
    }


def mean_of(found: Sequence[Spring], nation: str) -> Mean | None:
    """The mean strength of a nation over the games in which it is counted; None if there are none."""
    values = [spring.strengths[nation] for spring in found if nation in spring.strengths]
    if not values:
        return None
    half = 1.96 * statistics.stdev(values) / len(values) ** 0.5 if len(values) >= ONE_GAME else float("inf")
    return Mean(statistics.fmean(values), half, len(values))


def table_text(numbers: Numbers, provenance: str) -> str:
    """The data file of R18.4 with its provenance."""
    head = "# R18.4: TP of the year in the variant (campaign), half on turn 1 and half on turn 7.\n"
    return f"{head}# {provenance}\n{yearly_text(numbers)}"


def page(means: dict[tuple[int, str], Mean], args: argparse.Namespace) -> str:
    """The page of strengths by year beside the war's."""
    fitted = next(line for line in TABLE.read_text().splitlines()[1:]).removeprefix("# ")
    other = f"{args.games} other games of the {args.bot} against itself"
    measured = f"Measured on {other}, seed «{args.seed}», {today()}, {commit()}."
    head = HEAD.format(fitted=fitted, measured=measured, close=CLOSE)
    rows = ["| turn 1 of | nation | the war | the machine's wars | new troops of the year |", "|---|---|---|---|---|"]
    points = read_table()
    for (year, nation), goal in targets().items():
        rows.append(
            f"| {year} | {nation.title()} | {goal} | {cell(means.get((year, nation)), goal)} "
            f"| {points.get((year, nation), 0)} |"
        )
    return head + "\n".join(rows) + "\n\n" + out_of_reach(means, points)


def out_of_reach(means: dict[tuple[int, str], Mean], points: Numbers) -> str:
    """The strengths that are passed though nothing comes: no arrivals of that year can reach them."""
    passed = [
        f"{nation.title()} in {year} ({goal})"
        for (year, nation), goal in targets().items()
        if not points.get((year, nation)) and (mean := means.get((year, nation))) and mean.value > goal * (1 + CLOSE)
    ]
    if not passed:
        return "Every strength can be reached with arrivals that are not negative.\n"
    head = "Passed though nothing comes, so that no arrivals of that year that are not negative can reach them"
    return f"{head}: {', '.join(passed)}.\n"


def cell(mean: Mean | None, goal: int) -> str:
    """A mean with its interval and number of games, bold if it is far from the war's."""
    if mean is None:
        return "no game"
    text = f"{mean.value:.0f} ± {mean.half:.0f} ({mean.games})"
    return text if abs(mean.value - goal) <= CLOSE * goal else f"**{text}**"


def read_table() -> dict[tuple[int, str], int]:
    """The numbers on file."""
    lines = (line for line in TABLE.read_text().splitlines() if not line.startswith("#"))
    return {(int(row["year"]), row["nation"]): int(row["points"]) for row in csv.DictReader(lines)}


def today() -> str:
    """The date."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def commit() -> str:
    """The commit that was played with."""
    run = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return f"commit {run.stdout.strip()}" if run.returncode == 0 else "no commit"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="make strengths", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="find the numbers anew first, and write them")
    parser.add_argument("--rounds", type=int, default=2, help="so often they are found, each time from other games")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", default="strengths")
    parser.add_argument("--bot", default="captain", help="who plays both sides")
    args = parser.parse_args()
    if min(args.games, args.jobs, args.rounds) < 1:
        parser.error("--games, --jobs and --rounds are at least 1")
    return args


def refit(args: argparse.Namespace, progress: Progress) -> None:
    """Finds the numbers in some rounds, each from games with those of the round before, and writes them."""
    seeds = [f"fit {number} {args.seed}" for number in range(1, args.rounds + 1)]
    named, held = " and ".join(f"«{seed}»" for seed in seeds), ", ".join(f"{n.title()} {y}" for y, n in sorted(HELD))
    with_what = f"{args.rounds} times {args.games} games of the {args.bot} against itself, seeds {named}, {commit()}"
    for seed in seeds:
        numbers = fit(measure(argparse.Namespace(**{**vars(args), "seed": seed}), progress))
        TABLE.write_text(table_text(numbers, f"Fitted on {today()} with {with_what}; as before: {held}."))


def main() -> None:
    """Fits if asked, measures, and writes the page."""
    args = arguments()
    with Progress() as progress:
        if args.fit:
            refit(args, progress)
        PAGE.write_text(page(measure(args, progress), args))


if __name__ == "__main__":
    main()

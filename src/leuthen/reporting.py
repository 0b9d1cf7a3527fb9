"""The command `report`: what the staff says of a finished war."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from leuthen import arguments

if TYPE_CHECKING:
    from leuthen.play.record import Recorded
    from leuthen.report.values import WarReport
    from leuthen.screen.presenter import TableRuleset

SEED = "report"


def add_report(commands: arguments.Commands) -> None:
    """The command `report`."""
    text = "Judges a finished war: winning chances by turn, what decisions cost, what luck brought (docs/report.md)."
    report = arguments.command(commands, "report", "the staff's report on a finished war", text, _report)
    report.add_argument("file", metavar="FILE", type=Path, help="the record")
    report.add_argument("--json", action="store_true", help="all of it as JSON")
    report.add_argument("--side", metavar="SIDE", help="only the decisions and the knowledge of this side")
    report.add_argument("--seed", metavar="S", default=SEED, help="other worlds and dice to try decisions in")
    report.add_argument("--jobs", metavar="J", type=arguments.positive, default=2, help="how many processes")


def _report(args: argparse.Namespace) -> int:
    from leuthen.engine.refusal import Invalid
    from leuthen.load import load_with
    from leuthen.play.record import read

    recorded = read(args.file)
    ruleset = load_with(recorded.header.ruleset, recorded.header.data)
    if args.side and args.side not in ruleset.sides:
        raise Invalid(f"«{args.side}» is no side: {' or '.join(ruleset.sides)}")
    if recorded.notice:
        print(recorded.notice, file=sys.stderr)
    report = _made(ruleset, recorded, args.seed, args.jobs)
    if args.json:
        _print_json(report)
    else:
        _print_text(ruleset, report, args.side)
    return 0


def _made(ruleset: TableRuleset, recorded: Recorded, seed: str, jobs: int) -> WarReport:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from leuthen.report.assemble import make_report
    from leuthen.report.course import course_of
    from leuthen.report.processes import working
    from leuthen.report.sampling import Sampling
    from leuthen.ticking import ticking

    course = course_of(ruleset, recorded)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        working(ruleset, seed, jobs) as work,
        Progress(*columns, console=Console(stderr=True)) as bars,
        ticking(),
    ):
        shown = {}

        def progress(stage: str, done: int, total: int) -> None:
            if stage not in shown:
                shown[stage] = bars.add_task(stage, total=total)
            bars.update(shown[stage], completed=done)

        return make_report(ruleset, course, Sampling(seed), work, progress)


def _print_json(report: WarReport) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.encode(report).decode() + "\n")


def _print_text(ruleset: TableRuleset, report: WarReport, side: str | None) -> None:
    from leuthen.report.text import ReportText

    sides = [ruleset.sides.index(side)] if side else [0, 1]
    for line in ReportText(ruleset, report).tell(sides):
        print(line)

"""The command `verify`: whether a game was played as its file says, and what nobody can prove."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from leuthen import arguments

if TYPE_CHECKING:
    from leuthen.play.accountable.report import CheckReport
    from leuthen.play.record import Recorded


def add_verify(commands: arguments.Commands) -> None:
    """The command `verify`."""
    text = "Checks dice, secrets, order and rules of a game's file with its proof (docs/trust.md)."
    verify = arguments.command(commands, "verify", "check a game that a server umpired", text, _verify)
    verify.add_argument("file", metavar="FILE", type=Path, help="the record with its proof")
    words = "what a player kept of the game while it was played; may be repeated"
    verify.add_argument("--receipt", metavar="FILE", type=Path, action="append", default=[], help=words)
    arguments.add_data(verify)


def _verify(args: argparse.Namespace) -> int:
    from leuthen.play.accountable.check import check
    from leuthen.play.accountable.section import read_file, read_receipt
    from leuthen.play.record import parse

    receipts = [read_receipt(path) for path in args.receipt]
    recorded = parse(args.file, read_file(args.file))
    report = _with_rules(args.data, recorded, check(recorded, receipts))
    print(f"{args.file}: whole.\n\nWhat holds:")
    print("\n".join(f"- {line}" for line in report.holds))
    print("\nWhat this does not prove:")
    print("\n".join(f"- {line}" for line in report.unproved))
    return 0


def _with_rules(data: Path | None, recorded: Recorded, report: CheckReport) -> CheckReport:
    """The report with what the rules say, if they are here."""
    from leuthen.engine.refusal import Invalid
    from leuthen.load import load, load_with
    from leuthen.play.accountable.rules import check_rules

    header = recorded.header
    try:
        ruleset = load(header.ruleset, data) if data else load_with(header.ruleset, header.data)
    except Invalid as error:
        return report._replace(open=(*report.open, f"Whether every line was legal was not checked: {error}."))
    return check_rules(ruleset, recorded, report)

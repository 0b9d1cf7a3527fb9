"""The command `verify`: whether a game was played as its file says, and what nobody can prove."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from leuthen import arguments

WHOLE: Final = 0
"""Exit code: everything was checked."""
BROKEN: Final = 1
"""Exit code: a line does not hold, or the file is none that can be checked."""
SOUND: Final = 3
"""Exit code: nothing is wrong, and not everything was checked."""

if TYPE_CHECKING:
    from leuthen.play.proof.check import CheckReport
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
    """Print the verdict: `WHOLE`, `SOUND` or `BROKEN`, as the exit code says. Raises RecordError for an unread file."""
    from leuthen.play.proof.check import check
    from leuthen.play.proof.section import NotChecked, expect_checkable, parse_receipt, read_file
    from leuthen.play.record import RecordError, parse

    data, receipts = read_file(args.file), [(path, read_file(path)) for path in args.receipt]
    try:
        expect_checkable(args.file, data)
        recorded = parse(args.file, data)
        kept = [parse_receipt(path, found.decode(errors="replace")) for path, found in receipts]
        report = _with_rules(args.data, recorded, check(recorded, kept))
    except NotChecked as error:
        print(f"Cannot be checked: {error}.")
        return BROKEN
    except RecordError as error:
        print(f"Broken: {error}.")
        return BROKEN
    print(f"{args.file}: {'whole' if report.is_whole else 'sound, but not fully checked'}.")
    for title, lines in (
        ("What holds:", report.holds),
        ("What was not checked:", report.all_unchecked),
        ("What this does not prove:", report.open),
    ):
        if lines:
            print("\n".join(["", title, *(f"- {line}" for line in lines)]))
    return WHOLE if report.is_whole else SOUND


def _with_rules(data: Path | None, recorded: Recorded, report: CheckReport) -> CheckReport:
    """Return the report with what the rules say, if they are here."""
    from leuthen.engine.refusal import Invalid
    from leuthen.load import load, load_with
    from leuthen.play.proof.rules import check_rules

    header = recorded.header
    try:
        ruleset = load(header.ruleset, data) if data else load_with(header.ruleset, header.data)
    except Invalid as error:
        return report.unjudged(f"The rules could not be asked: {error}.")
    return check_rules(ruleset, recorded, report)

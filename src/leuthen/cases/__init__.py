"""Cases: positions as text, what is done in them and what must come of it (docs/cases.md)."""

from __future__ import annotations

import sys
from pathlib import Path

from leuthen.cases.run import CaseResult, happened_since, position, run_case, state_before
from leuthen.cases.text import Case, read_cases, sift_cases
from leuthen.engine.refusal import Invalid
from leuthen.load import load, text_of

__all__ = ["Case", "CaseResult", "happened_since", "main", "open_cases", "position", "run_case", "state_before"]


def open_cases(path: Path) -> list[Case]:
    """The cases of a file. Raises Invalid, naming file and line."""
    return read_cases(path, text_of(path))


def main(paths: list[Path]) -> int:
    """Runs the cases of some files and prints a line for each, with the place where one departs.

    A file, a case or a row that cannot be understood is named on standard error and spoils no other. Returns 2 if
    there is one, else 1 if a case departs.
    """
    failed = spoilt = 0
    for path in paths:
        cases, faults = _sift(path)
        for case in cases:
            report = run_case(load(case.game), case)
            print(report.text)
            spoilt += report.is_unclear
            failed += bool(report.fault)
        for fault in faults:
            print(f"leuthen: {fault}", file=sys.stderr)
        spoilt += len(faults)
    return 2 if spoilt else 1 if failed else 0


def _sift(path: Path) -> tuple[list[Case], list[Invalid]]:
    try:
        return sift_cases(path, text_of(path))
    except Invalid as error:
        return [], [error]

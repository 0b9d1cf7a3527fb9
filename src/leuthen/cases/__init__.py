"""Cases: positions as text, what is done in them and what must come of it (docs/cases.md)."""

from __future__ import annotations

from pathlib import Path

from leuthen.cases.run import Report, run_case
from leuthen.cases.text import Case, read_cases
from leuthen.core.refusal import Invalid
from leuthen.load import load

__all__ = ["Case", "Report", "main", "open_cases", "run_case"]


def open_cases(path: Path) -> list[Case]:
    """The cases of a file. Raises Invalid, naming file and line."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Invalid(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Invalid(f"{path}: is no UTF-8 text at byte {error.start}") from error
    return read_cases(path, text)


def main(paths: list[Path]) -> int:
    """Runs the cases of some files and prints a line for each, with the place where one departs; 1 if any does.

    Raises Invalid for a file that cannot be read or understood, naming it and the line.
    """
    failed = 0
    for case in [case for path in paths for case in open_cases(path)]:
        report = run_case(load(case.game), case)
        print(report.text)
        failed += bool(report.fault)
    return 1 if failed else 0

"""Every case of tests/cases and of docs/cases.md is a test; and the runner says plainly where a case departs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from leuthen.cases import Case, open_cases, run_case
from leuthen.cases.text import read_cases
from leuthen.load import load

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs" / "cases.md"


def doc_cases() -> list[Case]:
    blocks = re.findall(r"```case\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    return [case for block in blocks for case in read_cases(DOCS, block)]


CASES = [case for path in sorted((HERE / "cases").rglob("*.case")) for case in open_cases(path)]


@pytest.mark.parametrize("case", [*CASES, *doc_cases()], ids=lambda case: f"{case.path.stem}:{case.name}")
def test_case(case: Case) -> None:
    report = run_case(load("frederick"), case)
    assert not report.fault, report.text


def test_no_two_cases_have_one_name() -> None:
    names = [case.name for case in CASES]
    assert sorted(set(names)) == sorted(names)

import re
from pathlib import Path

import pytest

from leuthen.cases.run import main, run_case
from leuthen.cases.text import Case, open_cases, read_cases
from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.load import load
from tests.rows import rows

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs" / "cases.md"


def doc_cases() -> list[Case]:
    blocks = re.findall(r"```case\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    return [case for block in blocks for case in read_cases(DOCS, block)]


CASES = [case for path in sorted((HERE / "cases").rglob("*.case")) for case in open_cases(path)]


@pytest.mark.parametrize("case", [*CASES, *doc_cases()], ids=lambda case: f"{case.path.stem}:{case.name}")
def test_case(case: Case) -> None:
    report = run_case(load(case.game), case)
    if report.fault:
        pytest.fail(report.text, pytrace=False)


def test_no_two_cases_have_one_name() -> None:
    names = [case.name for case in CASES]
    assert sorted(set(names)) == sorted(names)


MARCH = """
GIVEN bare ; phase march prussia die 3 ; Prussia 1632 5 Keith ; Austria 1433 2
CASE one A march
DO prussia march Keith +5 1632-1633
EXPECT 1633 prussia moving 5 Keith ; mp 3
"""


def report_of(steps: str, given: str = "phase march prussia die 3 ; Prussia 1632 5 Keith") -> str:
    (case,) = read_cases(Path("a.case"), f"CASE one\nGIVEN bare ; {given}\n{steps}")
    report = run_case(load(case.game), case)
    return f"{report.line}: {report.fault}" if report.fault else ""


def invalid(text: str) -> str:
    with pytest.raises(Invalid) as caught:
        read_cases(Path("a.case"), text)
    return str(caught.value)


@pytest.mark.parametrize(("steps", "fault"), rows("cases-a-fact-that-is-not-so-is-shown"))
def test_a_fact_that_is_not_so_is_shown(steps: str, fault: str) -> None:
    found = report_of(steps)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(("steps", "fault"), rows("cases-a-step-that-departs-is-shown"))
def test_a_step_that_departs_is_shown(steps: str, fault: str) -> None:
    found = report_of(steps)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(("given", "fault"), rows("cases-a-position-that-cannot-be-is-shown"))
def test_a_position_that_cannot_be_is_shown(given: str, fault: str) -> None:
    assert report_of("EXPECT turn 4", given).startswith(fault)


@pytest.mark.parametrize(("text", "fault"), rows("cases-a-file-that-cannot-be-understood-is-named-with-its-line"))
def test_a_file_that_cannot_be_understood_is_named_with_its_line(text: str, fault: str) -> None:
    assert invalid(text).startswith(fault)


def test_a_row_with_bars_and_an_empty_value() -> None:
    text = "CASE one {a}\nGIVEN {b}\nROWS a | b\nx y | bare ; turn 3\n. | turn 5"
    first, second = read_cases(Path("a.case"), text)
    assert (first.name, first.title, [line.text for line in first.given]) == (
        "one[x y bare ; turn 3]",
        "x y",
        ["bare", "turn 3"],
    )
    assert (second.title, [line.text for line in second.given]) == ("", ["turn 5"])


def test_a_value_may_bring_its_own_keyword() -> None:
    text = "CASE one\nDO prussia done\n{a}\nROWS a\n| EXPECT turn 4 ; EXPECT turn 5\nprussia halt"
    first, second = read_cases(Path("a.case"), text)
    assert [(step.kind, step.line.text) for step in first.steps[1:]] == [("EXPECT", "turn 4"), ("EXPECT", "turn 5")]
    assert [(step.kind, step.line.text) for step in second.steps[1:]] == [("DO", "prussia halt")]


def test_the_command_prints_a_line_for_each_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my.case"
    path.write_text(MARCH + "CASE two Wrong\nEXPECT turn 5\n", encoding="utf-8")
    assert run(["case", str(path)]) == 1
    out = capsys.readouterr().out
    assert out == f"ok   one A march\nFAIL two Wrong\n     {path}, line 7: expected turn 5; it is turn 4\n"


def test_a_program_that_breaks_off_is_a_departure(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise AssertionError("oh")

    monkeypatch.setattr("leuthen.rulesets.frederick.rules.o05_march.halt", broken)
    steps = "DO prussia march Keith +5 1632-1633\nDO prussia halt"
    assert report_of(steps) == "4: the program breaks off with AssertionError: oh"


def test_a_case_that_shows_nothing_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "idle.case"
    file.write_text(
        "CASE idle\nGIVEN phase march prussia die 3 ; Prussia 1632 5 Keith\nDO prussia march Keith +5 1632-1633\n"
    )
    assert main([file]) == 1
    assert "line 1: the case shows nothing: it has none of EXPECT, REFUSED, ALLOWED" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        ("GIVEN nonsense 3\nEXPECT turn 1\n", 2, 2),
        ("GIVEN turn 4\nEXPECT nonsense 3\n", 2, 3),
        ("GIVEN turn 4\nCHANCES nonsense\n", 2, 3),
        ("GIVEN turn 4\nEXPECT turn 5\n", 1, 3),
        ("GIVEN phase march prussia die 3 ; Prussia 1632 5 Keith\nALLOWED prussia dance\n", 1, 3),
    ],
)
def test_what_is_unclear_is_told_from_what_departs(
    lines: str, code: int, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "unclear.case"
    file.write_text(f"CASE unclear\n{lines}")
    assert main([file]) == code
    assert f"unclear.case, line {line}: " in capsys.readouterr().out

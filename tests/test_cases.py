from pathlib import Path

import pytest

from leuthen.cases.run import Case, main, open_cases, read_cases, run_case, sift_cases
from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.load import load
from tests.rows import rows

TESTS = Path(__file__).parent


CASES = [case for path in sorted((TESTS / "cases").rglob("*.case")) for case in open_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.path.stem}:{case.name}")
def test_every_case_holds(case: Case) -> None:
    report = run_case(load(case.game), case)
    if report.fault:
        pytest.fail(report.text, pytrace=False)


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case.name for case in CASES]
    assert sorted(set(names)) == sorted(names)


MARCH_CASE = """
GIVEN bare ; phase march prussia die 3 ; Prussia 1632 5 Keith ; Austria 1433 2
CASE one A march
DO prussia march Keith +5 1632-1633
EXPECT 1633 prussia moving 5 Keith ; mp 3
"""


def run_steps(steps: str, given: str = "phase march prussia die 3 ; Prussia 1632 5 Keith") -> str:
    (case,) = read_cases(Path("a.case"), f"CASE one\nGIVEN bare ; {given}\n{steps}")
    report = run_case(load(case.game), case)
    return f"{report.line}: {report.fault}" if report.fault else ""


def reading_error(text: str) -> str:
    with pytest.raises(Invalid) as caught:
        read_cases(Path("a.case"), text)
    return str(caught.value)


@pytest.mark.parametrize(("steps", "fault"), rows("cases-wrong-facts") + rows("cases-failing-steps"))
def test_a_wrong_fact_or_failing_step_is_reported(steps: str, fault: str) -> None:
    found = run_steps(steps)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(("text", "fault"), rows("cases-unreadable-files"))
def test_an_unreadable_file_is_named_with_its_line(text: str, fault: str) -> None:
    assert reading_error(text).startswith(fault)


HEADERS = {
    "frederick": ("GIVEN bare ; phase march prussia", "die 3 ; Prussia 1821 5 Keith"),
    "campaigns": ("GAME campaigns\nGIVEN chit prussia-3", "Keith 1821 20 sp 2"),
}


def fault_of(game: str, given: str, steps: str) -> str:
    (case,) = read_cases(Path("a.case"), f"{HEADERS[game][0]}\nCASE one\nGIVEN {given}\n{steps}")
    return run_case(load(game), case).fault


@pytest.mark.parametrize(("game", "given", "fault"), rows("cases-impossible-positions"))
def test_an_impossible_position_is_refused(game: str, given: str, fault: str) -> None:
    assert fault_of(game, given, "EXPECT turn 4").startswith(fault)


@pytest.mark.parametrize(("game", "steps", "advice"), rows("cases-advice-in-faults"))
def test_a_fault_names_the_allowed_words(game: str, steps: str, advice: tuple[str, ...]) -> None:
    found = fault_of(game, HEADERS[game][1], steps)
    assert [words for words in advice if words not in found] == []


def test_the_command_prints_a_line_for_each_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my.case"
    path.write_text(MARCH_CASE + "CASE two Wrong\nEXPECT turn 5\n", encoding="utf-8")
    assert run(["case", str(path)]) == 1
    out = capsys.readouterr().out
    assert out == f"ok   one A march\nFAIL two Wrong\n     {path}, line 7: expected turn 5; it is turn 4\n"


def test_an_error_of_the_program_fails_the_case(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise AssertionError("oh")

    monkeypatch.setattr("leuthen.rulesets.frederick.rules.o05_march.halt", broken)
    steps = "DO prussia march Keith +5 1632-1633\nDO prussia halt"
    assert run_steps(steps) == "4: the program breaks off with AssertionError: oh"


def test_a_case_without_expectation_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "idle.case"
    file.write_text(
        "CASE idle\nGIVEN phase march prussia die 3 ; Prussia 1632 5 Keith\nDO prussia march Keith +5 1632-1633\n"
    )
    assert main([file]) == 1
    assert "line 1: the case shows nothing: it has none of EXPECT, REFUSED, ALLOWED" in capsys.readouterr().out


@pytest.mark.parametrize(("lines", "code", "line"), rows("cases-unclear"))
def test_an_unclear_case_has_another_exit_code_than_a_failing(
    lines: str, code: int, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "unclear.case"
    file.write_text(f"CASE unclear\n{lines}")
    assert main([file]) == code
    assert f"unclear.case, line {line}: " in capsys.readouterr().out


UNREADABLE_CASES = """CASE one A
EXPECT turn 4
CASE two A word in capitals
EXPECT turn 4
EXPCT turn 5
CASE three A short row
EXPECT turn {t}
ROWS t u
     4 1
     4
     4 2
CASE one Again
EXPECT turn 4
CASE four A column
EXPECT turn {x}
ROWS t
     4
CASE five
EXPECT turn 4
"""


def test_an_unreadable_case_leaves_the_others() -> None:
    cases, faults = sift_cases(Path("a.case"), UNREADABLE_CASES)
    assert [case.name for case in cases] == ["one", "three[4 1]", "three[4 2]", "five"]
    assert [str(fault).partition(", ")[2].partition(":")[0] for fault in faults] == [
        "line 5",
        "line 10",
        "line 12",
        "line 15",
    ]


def test_an_unreadable_file_leaves_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.case").write_bytes(b"CASE \xff")
    (tmp_path / "no.case").write_text("hello\nCASE one\nEXPECT turn 4\n")
    (tmp_path / "good.case").write_text("CASE one\nGIVEN die 3\nEXPECT turn 4\n")
    names = ("gone", "bad", "no", "good")
    assert main([tmp_path / f"{name}.case" for name in names]) == 2
    printed = capsys.readouterr()
    assert printed.out == "ok   one\n"
    assert [name for name in names[:3] if f"{name}.case" in printed.err] == [*names[:3]]


@pytest.mark.parametrize(
    ("number", "name", "other"), [("V8.2", "campaigns", "frederick"), ("O5.3", "frederick", "campaigns")]
)
def test_a_rule_is_looked_up_in_every_rule_set(
    number: str, name: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", number]) == 0
    out = capsys.readouterr().out
    assert f"In {name}:" in out
    assert f"**{number}**" in out
    assert other not in out
    assert run(["rules", "--ruleset", other, number]) == 2
    assert f'no rule contains "{number}"' in capsys.readouterr().err

import re
from pathlib import Path

import pytest

from leuthen.cases.run import main, run_case
from leuthen.cases.text import Case, open_cases, read_cases
from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.load import load

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


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ("EXPECT 1632 prussia 5 Keith", ""),
        ("EXPECT 1632 prussia 4", "3: expected 4 SP; it is 1632 prussia field 5 Prussia Keith known 1+ moved 0"),
        ("EXPECT 1632 prussia 5 Maurice", "3: expected Maurice, the first in command; it is 1632 prussia"),
        ("EXPECT 1632 prussia demoralized", "3: expected demoralized; it is"),
        ("EXPECT 1632 prussia leaderless", "3: expected no leaders; it is"),
        ("EXPECT 1632 prussia +5 Hanover", "3: expected 5 Hanover; it is"),
        ("EXPECT 1632 prussia known 5", "3: expected known 5; it is"),
        ("EXPECT 1632 prussia since 175704", "3: expected since 175704; it is since 0"),
        ("EXPECT 1632 prussia hungry 1", "3: expected hungry 1; it is hungry 0"),
        ("EXPECT 1632 prussia moved", "3: expected moved 5; it is moved 0"),
        ("EXPECT 1632 prussia inside 5", "3: expected a stack in 1632 prussia inside; there is 1632 prussia field"),
        ("EXPECT 1633 prussia 5", "3: expected a stack in 1633 prussia field; there is nobody"),
        ("EXPECT 1632 prussia none", "3: expected nothing; it is 1632 prussia field"),
        ("EXPECT 1632 empty", "3: expected nothing; it is 1632 prussia field"),
        ("EXPECT Saxony austria", "3: expected Saxony austria; it is Saxony neutral"),
        ("EXPECT rp 1 0", "3: expected rp 1 0; it is rp 0 0"),
        ("EXPECT vp 5 0", "3: expected vp 5 0; it is vp 0 0"),
        ("EXPECT year 1758", "3: expected year 1758; it is year 1757"),
        ("EXPECT turn 5", "3: expected turn 5; it is turn 4"),
        ("EXPECT phasing austria", "3: expected phasing austria; it is phasing prussia"),
        ("EXPECT owner Breslau austria", "3: expected owner 1733 austria; it is owner 1733 prussia"),
        ("EXPECT prisoners prussia 1 Austria", "3: expected prisoners 1 Austria; it is prisoners 0 SP"),
        ("EXPECT waiting 2 Prussia", "3: expected waiting 2 Prussia; it is waiting 0 SP"),
        ("EXPECT depot Prussia 1632", "3: expected depot Prussia complete; it is no depot"),
        ("EXPECT leader Keith gone", "3: expected Keith gone; it is Keith map"),
        ("EXPECT pool Saxony Xaver", "3: expected pool Xaver; it is pool Rutowski, Xaver"),
        ("EXPECT mp 1", "3: no force is on the march"),
        ("EXPECT spent Keith 1", "3: expected Keith spent 1; it is Keith spent 0"),
        ("EXPECT pending austria", "3: expected pending austria; asked is prussia March"),
        ("EXPECT no pending prussia March", "3: expected no pending prussia March; asked is prussia March"),
        ("EXPECT outcome prussia", "3: expected outcome prussia; it is no outcome"),
        ("EXPECT besieged Breslau", "3: expected besieged 1733; it is not so"),
        ("EXPECT not supplied 1632 prussia", "3: expected not supplied 1632 prussia; it is so"),
        ("EXPECT zone 1633", "3: expected zone 1633; it is not so"),
        ("EXPECT invaded Saxony", "3: expected Saxony invaded in 1756; it is not so"),
        ("EXPECT siege Breslau 1", "3: expected siege 1; it is siege 0"),
        ("EXPECT learned austria", "3: expected learned austria; it is not so"),
        ("EXPECT german-states open", "3: expected open; it is closed"),
        ("EXPECT view austria 1632 prussia Prussia Keith known 5", "3: expected Prussia Keith known 5; it is Prussia"),
        ('EXPECT event "Olmütz"', "3: event «Olmütz» was expected; there were: "),
        ('EXPECT no event "March die"', "3: no event «March die» was expected; there were: "),
        ("CHANCES die", "3: expected the chances die; they are none"),
        ("EXPECT nonsense", "3: «nonsense» is no hex or town"),
        ("EXPECT mp", "3: no force is on the march"),
        ("EXPECT turn", "3: a turn is missing at the end"),
        ("EXPECT turn 4 5", "3: «5» is not understood here"),
        ("EXPECT no 1632 prussia", "3: «1632» cannot be denied: say what is"),
        ("EXPECT no owner Breslau austria", "3: «owner» cannot be denied: say what is"),
        ("EXPECT no", "3: a fact is missing"),
    ],
)
def test_a_fact_that_is_not_so_is_shown(steps: str, fault: str) -> None:
    found = report_of(steps)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ("DO prussia march Keith +6 1632-1633", "3: «prussia march Keith +6 1632-1633» is refused: only 5 SP"),
        (
            "DO prussia march Keith +5 1632-1633\nDO prussia done",
            "4: «prussia done» is refused: a march is in progress",
        ),
        ("DO prussia dance", "3: «dance» is no order"),
        ("DO somebody done", "3: «somebody» is none of prussia, austria, chance"),
        (
            "REFUSED prussia march Keith +5 1632-1633 -- O5.3",
            "3: «prussia march Keith +5 1632-1633» must be refused by",
        ),
        (
            "REFUSED prussia march Keith +6 1632-1633 -- O5.3",
            "3: «prussia march Keith +6 1632-1633» must be refused by",
        ),
        ("REFUSED prussia march Keith +6 1632-1633 -- O2.4 bananas", "3: «prussia march Keith +6 1632-1633» must be"),
        ("REFUSED prussia march Keith +6 1632-1633 -- O2.4 only 5 SP", ""),
        ("REFUSED prussia done", "3: -- and the rule that refuses it are expected"),
        ("ALLOWED prussia march Keith +6 1632-1633", "3: «prussia march Keith +6 1632-1633» must be legal, and is"),
        ("ALLOWED prussia march Keith +5 1632-1633\nEXPECT 1632 prussia 5 fresh", ""),
        ("DICE 4", "3: «4» and what follows was never rolled"),
        ("DICE Nobody", "3: «Nobody» is neither a die nor a leader"),
        ("DICE 7\nDO prussia done ; austria done ; austria done", "3: «7» is no roll: a die shows 1 to 6"),
        ("DO prussia done ; austria done ; austria done ; austria done", "3: chance is awaited (March die), and DICE"),
    ],
)
def test_a_step_that_departs_is_shown(steps: str, fault: str) -> None:
    found = report_of(steps)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("Prussia 1632 5 Keith ; Prussia 1632 3", "2: another line has a stack there"),
        ("Prussia 1632 5 Keith ; Prussia 1633 3 Keith", "2: Keith is in two places"),
        ("Prussia 1632 5 Browne", "2: Austria (austria) cannot stand in one stack with Prussia (prussia)"),
        ("Prussia 1632 inside 5", "2: there is no fortress to be inside"),
        ("Prussia 3428 5", "2: nobody can stand in that hex"),
        ("Prussia 9999 5", "2: «9999» is not on the map"),
        ("Prussia 1632 5 Nobody", "2: «Nobody» is not understood"),
        ("Prussia 1632 5 known x", "2: «x» is no strength"),
        ("Atlantis 1632 5", "2: «Atlantis» is neither a power nor one of"),
        ("phase lunch", "2: «lunch» is no phase"),
        ("phase march neutral", "2: «neutral» is no side"),
        ("turn x", "2: «x» is no number: a turn is expected"),
        ("turn 5 Prussia 1632 5", "2: «Prussia» is not understood here: a `;` may be missing"),
        ("owner 1632 prussia", "2: there is no fortress"),
        ("option nonsense=1", "2: «nonsense» is no option"),
        ("Saxony surrendered austria ; Saxony 1623 5", "2: Saxony has surrendered"),
    ],
)
def test_a_position_that_cannot_be_is_shown(given: str, fault: str) -> None:
    assert report_of("EXPECT turn 4", given).startswith(fault)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("GIVEN bare\nDO prussia done", "a.case, line 2: only GIVEN may stand before the first CASE, not DO"),
        ("hello", "a.case, line 1: «hello»: a line begins with one of CASE, RULES"),
        ("GAME chess", "a.case, line 1: «chess» is no rule set: frederick, campaigns"),
        ("GIVEN bare\nGAME campaigns", "a.case, line 2: GAME stands before all else"),
        ("CASE one\nhello", "a.case, line 2: «hello»: a line begins with one of CASE, RULES"),
        ("CASE", "a.case, line 1: a case needs a name"),
        ("CASE one\nGIVEN bare\nCASE one", "a.case, line 3: there is another case named one"),
        ("CASE one\nRULES 5.3", "a.case, line 2: «5.3» is no rule number"),
        ("CASE one\nROWS a b\n1", "a.case, line 3: 1 values for the columns a, b"),
        ("CASE one\nROWS a b\n1 2\nTABLE x y z", "a.case, line 4: a case has one ROWS or TABLE"),
        ("CASE one\nDO {c}\nROWS a b\n1 2", "a.case, line 2: {c} is no column of the table: a, b"),
        ("CASE one\nTABLE a b\n1 2", "a.case, line 2: TABLE needs three names"),
        ("CASE one\nTABLE a b c\n1 2\nx 3", "a.case, line 4: 1 cells for 2 columns"),
        ("CASE one\nTABLE a,d b c\n1 2\nx 3 4", "a.case, line 4: «x» for a,d"),
    ],
)
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


def test_all_well_is_exit_code_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my.case"
    path.write_text(MARCH, encoding="utf-8")
    assert main([path]) == 0
    assert capsys.readouterr().out == "ok   one A march\n"


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["case", str(tmp_path / "no.case")]) == 2
    assert "no.case: cannot be read" in capsys.readouterr().err
    (tmp_path / "bad.case").write_bytes(b"CASE \xff")
    assert run(["case", str(tmp_path / "bad.case")]) == 2
    assert "bad.case: is no UTF-8 text at byte 5" in capsys.readouterr().err


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

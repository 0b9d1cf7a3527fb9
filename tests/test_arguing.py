from pathlib import Path

import pytest

from leuthen.cases.run import main, run_case
from leuthen.cases.text import read_cases, sift_cases
from leuthen.cli import run
from leuthen.load import load

FREDERICK = "GIVEN bare ; phase march prussia"
CAMPAIGNS = "GAME campaigns\nGIVEN chit prussia-3"


def report_of(head: str, given: str, steps: str = "EXPECT turn 4") -> str:
    (case,) = read_cases(Path("a.case"), f"{head}\nCASE one\nGIVEN {given}\n{steps}")
    return run_case(load(case.game), case).fault


@pytest.mark.parametrize(
    ("head", "given", "fault"),
    [
        (FREDERICK, "die 3 ; year 1763", "year 1763 cannot be: 1756 to 1762"),
        (CAMPAIGNS, "year 1763", "year 1763 cannot be: 1756 to 1762"),
        (FREDERICK, "die 3 ; year 1755", "year 1755 cannot be"),
        (FREDERICK, "die 3 ; turn 19", "turn 19 cannot be: 1 to 18"),
        (CAMPAIGNS, "turn 0", "turn 0 cannot be: 1 to 18"),
        (FREDERICK, "die 9", '"9" is not a valid roll: a die shows 1 to 6'),
        (CAMPAIGNS, "die 13", '"13" is not a valid roll: a die shows 1 to 6, two together 2 to 12'),
        (
            FREDERICK,
            "die 3 ; Saxony neutral ; Saxony Dresden inside 5 ; Prussia Dresden inside 3",
            "neutral and prussia inside Dresden together (O5.11); `bare` leaves out neutral forces",
        ),
        (
            FREDERICK,
            "die 3 ; Austria Dresden inside 5 ; Prussia Dresden inside 3",
            "austria and prussia inside Dresden",
        ),
        (
            CAMPAIGNS,
            "Keith Dresden inside 20 ; Browne Dresden inside 5",
            "prussia and coalition inside Dresden together",
        ),
        (CAMPAIGNS, "Keith Dresden inside 20 ; garrison Dresden 3 Austria", "prussia and coalition inside Dresden"),
        (
            CAMPAIGNS,
            "Saxony neutral ; garrison Dresden 3 Saxony ; Browne Dresden inside 5",
            "coalition and nobody inside Dresden together (R10.3)",
        ),
        (CAMPAIGNS, "Keith Halle inside 20", "Halle is a city: no leader or wagon is inside (R10.3)"),
        (CAMPAIGNS, "P1 Berlin inside 4", "Berlin is a city: no leader or wagon is inside (R10.3)"),
    ],
)
def test_a_position_that_cannot_be(head: str, given: str, fault: str) -> None:
    assert report_of(head, given).startswith(fault)


@pytest.mark.parametrize(
    ("head", "steps", "said"),
    [
        (
            FREDERICK,
            "EXPECT suplied 1821 prussia",
            ('"suplied" is not a valid hex or town', ", supplied, ", "besieged, "),
        ),
        (
            CAMPAIGNS,
            "EXPECT supplyed 1821 prussia",
            ('"supplyed" is not a valid leader or wagon', ", supplied, ", "area, "),
        ),
        (FREDERICK, "EXPECT 1821 prussia demoralised", ('"demoralised" is not understood', "demoralized, quartered")),
        (CAMPAIGNS, "EXPECT Keith 1821 stedy", ('"stedy" is not understood', ", steady, ", "hunger")),
        (FREDERICK, "EXPECT pending austria", ("asked is prussia March (done ends it)",)),
        (FREDERICK, "DO prussia halt", ("is refused", "asked is prussia March (done ends it)")),
        (CAMPAIGNS, "EXPECT pending coalition", ("asked is prussia", "(done ends it)")),
        (FREDERICK, "DICE 9", ('"9" is not a valid roll: a die shows 1 to 6',)),
        (CAMPAIGNS, "DICE 13", ('"13" is not a valid roll: a die shows 1 to 6, two together 2 to 12',)),
    ],
)
def test_what_is_said(head: str, steps: str, said: tuple[str, ...]) -> None:
    given = {FREDERICK: "die 3 ; Prussia 1821 5 Keith", CAMPAIGNS: "Keith 1821 20 sp 2"}[head]
    found = report_of(head, given, steps)
    assert [words for words in said if words not in found] == []


BROKEN = """CASE one A
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


def test_a_case_that_cannot_be_read_spoils_no_other() -> None:
    cases, faults = sift_cases(Path("a.case"), BROKEN)
    assert [case.name for case in cases] == ["one", "three[4 1]", "three[4 2]", "five"]
    assert [str(fault).partition(", ")[2].partition(":")[0] for fault in faults] == [
        "line 5",
        "line 12",
        "line 10",
        "line 15",
    ]


def test_a_file_that_cannot_be_read_spoils_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
def test_a_rule_is_found_in_whatever_rule_set_has_it(
    number: str, name: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", number]) == 0
    out = capsys.readouterr().out
    assert f"In {name}:" in out
    assert f"**{number}**" in out
    assert other not in out
    assert run(["rules", "--ruleset", other, number]) == 2
    assert f'no rule contains "{number}"' in capsys.readouterr().err

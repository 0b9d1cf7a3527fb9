from pathlib import Path

import msgspec
import pytest

from leuthen.cli import run
from leuthen.play.record import text_of
from leuthen.report.values import WarReport
from tests.report import wars


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "war.leuthen"
    path.write_text(wars.record_with_resignation(110), encoding="utf-8")
    return path


def test_a_report_does_not_depend_on_the_number_of_processes(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for jobs in ("1", "2"):
        assert run(["report", str(record), "--json", "--jobs", jobs]) == 0
        told.append(capsys.readouterr())
    assert told[0].out == told[1].out
    assert "decisions" in told[0].err
    report = msgspec.json.decode(told[0].out, type=WarReport)
    assert report.outcome == "austria, resignation, 1756"


def test_an_unsuitable_report_is_refused_in_one_line(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "letter.txt"
    wrong.write_text("Dear Sir,\n", encoding="utf-8")
    going_on = tmp_path / "going-on.leuthen"
    recorded = wars.recorded()
    lines = [(entry.actor, entry.text) for entry in recorded.entries[:9]]
    going_on.write_text(text_of(recorded.header, lines, ""), encoding="utf-8")
    refused = {
        ("report", str(wrong)): "letter.txt, line 1: is no record of Leuthen",
        ("report", str(tmp_path / "none")): "none: cannot be read",
        ("report", str(going_on)): "going-on.leuthen: this game is not finished: only finished games have reports",
        ("report", str(record), "--side", "france"): '"france" is not a valid side: prussia or austria',
    }
    for words, why in refused.items():
        assert run(words) == 2
        said = capsys.readouterr()
        assert (why in said.err, said.err.count("\n"), said.out) == (True, 1, "")


def test_a_game_at_the_terminal_names_the_report_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, bots = tmp_path / "war.leuthen", ["--prussia", "captain", "--austria", "captain"]
    assert run(["play", *bots, "--scenario", "liegnitz-torgau", "--record", str(path)]) == 0
    assert f"Get the staff report with: leuthen report {path}" in capsys.readouterr().out

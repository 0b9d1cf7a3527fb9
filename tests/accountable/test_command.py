from pathlib import Path
from random import Random

import pytest

from leuthen.cli import run
from tests.accountable.forgery import BY_RECEIPT, Book
from tests.accountable.umpire import Umpire
from tests.accountable.vectors import small


@pytest.fixture(scope="module")
def game() -> Umpire:
    return small(is_strict=True)


def kept(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_whole_game_is_told(tmp_path: Path, game: Umpire, capsys: pytest.CaptureFixture[str]) -> None:
    file = kept(tmp_path, "game.leuthen", game.file())
    receipts = [kept(tmp_path, f"receipt-{number}", text) for number, text in enumerate(game.receipts[-2:])]
    assert run(["verify", file, "--receipt", receipts[0], "--receipt", receipts[1]]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{file}: whole.\n\nWhat holds:\n- The server's secret is the one that it had bound")
    assert "- Every line is legal by the rules of campaigns, and so is every answer of chance.\n" in out
    assert "- The receipt receipt-1 (block" in out
    assert "No player's receipt" not in out


def test_what_a_receipt_reveals_is_one_line(tmp_path: Path, game: Umpire, capsys: pytest.CaptureFixture[str]) -> None:
    book = Book(game)
    assert BY_RECEIPT["seen"](Random(1), book)
    file, receipt = kept(tmp_path, "game.leuthen", book.file()), kept(tmp_path, "receipt", game.receipts[-1])
    assert run(["verify", file]) == 0
    assert "No player's receipt was compared" in capsys.readouterr().out
    assert run(["verify", file, "--receipt", receipt]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(f"Broken: {receipt}: the server showed this player another game")
    assert out.count("\n") == 1


def test_a_record_without_a_proof_is_told_what_it_does_not_prove(
    tmp_path: Path, game: Umpire, capsys: pytest.CaptureFixture[str]
) -> None:
    text = game.file()
    file = kept(tmp_path, "game.leuthen", text[: text.index("leuthen proof")])
    assert run(["verify", file]) == 1
    assert "has no proof behind it: a game at one screen, at a terminal" in capsys.readouterr().out
    assert run(["replay", file, "--verify"]) == 0


def test_rules_that_are_not_here_leave_the_rest_checked(
    tmp_path: Path, game: Umpire, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leuthen.load.RULESETS", {})
    assert run(["verify", kept(tmp_path, "game.leuthen", game.file())]) == 3
    out = capsys.readouterr().out
    assert "game.leuthen: sound, but not fully checked.\n" in out
    assert "What was not checked:\n- The rules could not be asked: " in out

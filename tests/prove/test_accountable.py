from pathlib import Path

import pytest

from tests.accountable.umpire import Umpire
from tests.prove import accountable
from tests.prove.sample import origin, said


def test_sound_games_are_whole(tmp_path: Path) -> None:
    found = accountable.sound_games(tmp_path, origin()[0], 6)
    assert not found["fault"], f"{said()}; {found}"


def test_forgeries_are_found(tmp_path: Path) -> None:
    found = accountable.forgeries(tmp_path, origin()[0], 60)
    assert not found["fault"], f"{said()}; {found}"
    assert found["forged"] >= 40


def test_a_secret_chosen_among_many_gives_even_dice(tmp_path: Path) -> None:
    found = accountable.ground_secrets(tmp_path, 0, 2**12)
    assert not found["fault"], found
    assert found["reckoned"] >= 3, "he did find one that would have been good"


def test_a_game_that_is_not_sound_is_told_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Umpire, "file", lambda self: "leuthen record 1\n")
    found = accountable.sound_games(tmp_path, 1, 1)
    assert "game 1-0: " in found["fault"]
    assert (tmp_path / "accountable-1-0.leuthen").exists()


def test_a_forgery_that_nobody_finds_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accountable, "_broken", lambda text, receipts: None)
    assert "is not found: game forged-1" in accountable.forgeries(tmp_path, 1, 3)["fault"]

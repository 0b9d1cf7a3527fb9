from pathlib import Path

import pytest

from tests.proof.umpire import Umpire
from tests.prove import verification
from tests.prove.sample import commit_seed, describe_seed


def test_sound_games_verify(tmp_path: Path) -> None:
    found = verification.sound_games(tmp_path, commit_seed()[0], 6)
    assert not found["fault"], f"{describe_seed()}; {found}"


def test_forgeries_are_found(tmp_path: Path) -> None:
    found = verification.forgeries(tmp_path, commit_seed()[0], 60)
    assert not found["fault"], f"{describe_seed()}; {found}"
    assert found["forged"] >= 40


def test_a_chosen_secret_gives_even_dice(tmp_path: Path) -> None:
    found = verification.ground_secrets(tmp_path, 0, 2**12)
    assert not found["fault"], found
    assert found["reckoned"] >= 3, "a good secret was found"


def test_an_unsound_game_is_reported_and_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Umpire, "file", lambda self: "leuthen record 1\n")
    found = verification.sound_games(tmp_path, 1, 1)
    assert "game 1-0: " in found["fault"]
    assert (tmp_path / "unsound-1-0.leuthen").exists()


def test_a_forgery_that_passes_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "find_fault", lambda text, receipts: None)
    assert "is not found: game forged-1" in verification.forgeries(tmp_path, 1, 3)["fault"]

"""A migration script directory that tests can extend."""

import shutil
from pathlib import Path

import pytest

from leuthen.storage import migrate


@pytest.fixture
def changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(migrate, "FOLDER", folder)
    return folder

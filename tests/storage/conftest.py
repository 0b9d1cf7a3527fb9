"""A migration script directory that tests can extend."""

import shutil
from pathlib import Path

import pytest

from leuthen.storage import tables


@pytest.fixture
def changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "migrations"
    shutil.copytree(tables.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(tables, "FOLDER", folder)
    return folder

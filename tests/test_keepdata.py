"""Data that are kept make the rule set that they made."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from leuthen import load
from leuthen.load import RULESETS, read_data
from leuthen.wargame.data_files import digest_of
from tools.keepdata import keep


@pytest.mark.parametrize("name", RULESETS)
def test_data_that_were_kept_are_those_they_were(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = read_data(name)
    changed = {path: f"# put right\n{text}" for path, text in files.items()}
    for texts in (files, changed):
        keep(tmp_path / digest_of(texts), texts)
    monkeypatch.setitem(RULESETS, name, msgspec.structs.replace(RULESETS[name], kept=tmp_path))
    today = load.load(name).digest
    assert load.load_with(name, today).digest == today == digest_of(files)
    former = load.load_with(name, digest_of(changed))
    assert former.digest == digest_of(changed) != today
    assert former.pending(former.new_game(next(iter(former.scenarios)), {}))

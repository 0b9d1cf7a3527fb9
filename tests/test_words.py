"""The wording of code, messages and docs stays within the allowed number of signs, which never rises."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import words


def test_the_wording_stays_within_its_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert words.main([]) == 0, capsys.readouterr().out


def test_a_new_hit_is_named_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hit = words.Text("docs", "docs/x.md:1", "Ask whoever sits there.")
    monkeypatch.setattr(words, "all_texts", lambda: iter([hit]))
    monkeypatch.setattr(words, "ALLOWED", tmp_path / "words.json")
    words.ALLOWED.write_text("{}")
    assert words.main(["--renew"]) == 1
    assert "docs/x.md:1: indefinite person; name the subject" in capsys.readouterr().out
    assert words.ALLOWED.read_text() == "{}"

"""Files and receipts that cannot be used are refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from leuthen.play.accountable import section
from leuthen.play.accountable.section import read_file, read_receipt
from leuthen.play.record import RecordError, Writer, parse
from tests.accountable.test_check import checked_text, ended, game


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section, "MOST_BYTES", 1000)
    path = tmp_path / "large"
    path.write_bytes(b"x" * 1001)
    with pytest.raises(RecordError, match="is too large to be checked"):
        read_file(path)
    with pytest.raises(RecordError, match="cannot be read"):
        read_file(tmp_path / "none")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("leuthen proof 1", "leuthen proof 2", r"line 15: is a proof of version «2»; this program reads version 1"),
        ("strict no", "strict perhaps", "a proof begins with its commit"),
        ("\nblock 1 ", "\nblock é ", "plain letters and digits"),
        ("\nblock 1 ", "\nblock 1" + "0" * 30_000, "no line of a proof is so long"),
        ("leuthen record 1", "leuthen record 2", "is a record of format «2»"),
        ("\nopen ", "\nopen 0", "this is no secret"),
    ],
)
def test_a_file_of_another_kind_is_refused(old: str, new: str, why: str) -> None:
    text = ended(game()).file()
    with pytest.raises(RecordError, match=why):
        checked_text(text.replace(old, new, 1))


def test_a_file_that_was_cut_off_says_so() -> None:
    text = ended(game()).file()
    with pytest.raises(RecordError, match="the file was cut off"):
        checked_text(text[:-20])
    with pytest.raises(RecordError, match="has no proof behind it"):
        checked_text(text[: text.index("leuthen proof")])


def test_what_is_no_receipt_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "receipt"
    for text in ("", "leuthen checkpoint 2\n", "leuthen checkpoint 1\ngame g\nblocks x y\nsigned z\n", "x" * 50_000):
        path.write_text(text)
        with pytest.raises(RecordError, match="is no receipt"):
            read_receipt(path)
    path.write_text(game().receipt("prussia"))
    assert read_receipt(path).side == "prussia"
    with pytest.raises(RecordError, match="is no receipt"):
        read_receipt(tmp_path / "none")


def test_a_record_with_a_proof_is_replayed_and_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "game.leuthen"
    path.write_text(game().file())
    recorded = parse(path, path.read_bytes())
    assert len(recorded.entries) == 3
    with pytest.raises(RecordError, match="has a server's proof behind it"):
        Writer.append(recorded)
    assert path.read_text() == game().file()

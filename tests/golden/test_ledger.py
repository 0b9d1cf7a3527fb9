"""No change of data or rules passes by the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from leuthen.load import RULESETS, load, load_with
from leuthen.play.record import read
from tests.golden import __main__ as command
from tests.golden import games
from tests.golden.ledger import Entry, add, entries, last, present
from tests.records.make import folder_of

BEFORE = Entry("toy", "2", "0", "abcd", "1111", "the beginning")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_rules_and_data_of_today_stand_in_the_ledger(ruleset: str) -> None:
    now, written = present(ruleset), last(ruleset)
    assert now[:5] == written[:5], (
        f"{ruleset} is another than the ledger has it (version, newest ruling, data, what games came to). "
        "If that is meant: `make golden WHY=…`."
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_data_of_this_version_are_kept(ruleset: str) -> None:
    version = load(ruleset).version
    digests = {entry.data for entry in entries() if (entry.ruleset, entry.version) == (ruleset, version)}
    digests |= {read(path).header.data for path in folder_of(ruleset, version).glob("*.leuthen")}
    assert [digest for digest in sorted(digests) if load_with(ruleset, digest).digest != digest] == []


def test_each_line_says_why() -> None:
    assert all(entry.why.strip() for entry in entries())


def test_lines_are_added_and_none_twice(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_text("")
    add([BEFORE], path)
    add([BEFORE._replace(why="once more"), BEFORE._replace(data="ef01")], path)
    assert entries(path) == [BEFORE, BEFORE._replace(data="ef01")]


def test_the_command_refuses_without_a_reason_and_touches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "renew", lambda: pytest.fail("renewed"))
    assert "say why" in command.main([""])

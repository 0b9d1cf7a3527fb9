from pathlib import Path

import pytest

from leuthen.load import RULESETS, load_with
from tests.golden import __main__ as command
from tests.golden import games
from tests.golden.ledger import Entry, add, current_entry, entries, last_entry

BEFORE = Entry("toy", "2", "abcd", "1111", "the beginning")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_ledger_has_the_current_rules_and_data(ruleset: str) -> None:
    now, written = current_entry(ruleset), last_entry(ruleset)
    assert now[:4] == written[:4], (
        f"{ruleset} differs from the ledger (version, data, results of games). "
        "If that is intended: `make golden WHY=…`."
    )


def test_the_data_of_every_release_are_available() -> None:
    missing = [entry for entry in entries() if load_with(entry.ruleset, entry.data).digest != entry.data]
    assert missing == [], "games continue with their first data (docs/decisions/versions.md)"


def test_each_ledger_entry_has_a_reason() -> None:
    assert all(entry.why.strip() for entry in entries())


def test_the_ledger_stores_no_entry_twice(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_text("")
    add([BEFORE], path)
    add([BEFORE._replace(why="once more"), BEFORE._replace(data="ef01")], path)
    assert entries(path) == [BEFORE, BEFORE._replace(data="ef01")]


def test_the_command_refuses_without_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "renew", lambda: pytest.fail("renewed"))
    assert "say why" in command.main([""])

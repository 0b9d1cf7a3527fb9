from pathlib import Path

import pytest

from leuthen.load import RULESETS, load_with
from tests.golden import __main__ as command
from tests.golden import games
from tests.golden.ledger import Entry, add, entries, last, present

BEFORE = Entry("toy", "2", "abcd", "1111", "the beginning")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_rules_and_data_of_today_stand_in_the_ledger(ruleset: str) -> None:
    now, written = present(ruleset), last(ruleset)
    assert now[:4] == written[:4], (
        f"{ruleset} is another than the ledger has it (version, data, what games came to). "
        "If that is meant: `make golden WHY=…`."
    )


def test_the_data_of_every_release_are_kept() -> None:
    missing = [entry for entry in entries() if load_with(entry.ruleset, entry.data).digest != entry.data]
    assert missing == [], "games go on with the data that they began with (docs/decisions/versions.md)"


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

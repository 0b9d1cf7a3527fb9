"""No change of data or rules passes by the ledger."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from leuthen.load import RULESETS, load, load_with
from leuthen.play.record import read
from tests.golden import __main__ as command
from tests.golden import games, ledger
from tests.golden.ledger import RESERVE, Entry, add, entries, last, missing, present
from tests.perft import counting
from tests.records.make import folder_of

BEFORE = Entry("toy", "2", "0", "abcd", "1111", "the beginning")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_rules_and_data_of_today_stand_in_the_ledger(ruleset: str) -> None:
    now, written = present(ruleset), last(ruleset)
    assert now[:5] == written[:5], (
        f"{ruleset} is another than the ledger has it (version, newest ruling, data, what games came to). "
        "Data: keep the former ones with `make keep`. Rules: add a ruling or a version. Then `make golden WHY=…`."
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_data_of_this_version_are_kept(ruleset: str) -> None:
    version = load(ruleset).version
    digests = {entry.data for entry in entries() if (entry.ruleset, entry.version) == (ruleset, version)}
    digests |= {read(path).header.data for path in folder_of(ruleset, version).glob("*.leuthen")}
    assert [digest for digest in sorted(digests) if load_with(ruleset, digest).digest != digest] == []


def test_each_line_says_why() -> None:
    assert all(entry.why.strip() for entry in entries())


@pytest.mark.parametrize(
    ("change", "why", "is_enough"),
    [
        ({"did": "2222"}, "mended a fault", False),
        ({"did": "2222"}, f"{RESERVE} the random player draws otherwise", True),
        ({"did": "2222", "ruling": "1"}, "ruling 1", True),
        ({"did": "2222", "version": "3"}, "version 3", True),
        ({"did": "2222", "data": "ef01"}, "a bank put right", True),
        ({}, "nothing", True),
        ({"did": "2222", "version": "3"}, " ", False),
    ],
)
def test_what_may_follow(change: dict[str, str], why: str, is_enough: bool) -> None:
    assert (missing(BEFORE._replace(**change), BEFORE, why) == "") == is_enough


def test_lines_are_added_and_none_twice(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_text("")
    add([BEFORE], path)
    add([BEFORE._replace(why="once more"), BEFORE._replace(data="ef01")], path)
    assert entries(path) == [BEFORE, BEFORE._replace(data="ef01")]


def test_the_command_refuses_without_a_reason_and_touches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "renew", lambda: pytest.fail("renewed"))
    assert "say why" in command.main([""])


def test_the_command_puts_back_what_it_must_not_renew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule has changed, and no version or ruling. The files are copies."""
    golden, perft = (shutil.copytree(module.HERE, tmp_path / module.HERE.name) for module in (games, counting))
    for module in (games, ledger):
        monkeypatch.setattr(module, "HERE", golden)
    monkeypatch.setattr(ledger, "PERFT", perft)
    monkeypatch.setattr(counting, "HERE", perft)
    path = games.GAMES[0].turns
    assert path.is_relative_to(tmp_path)
    before, added = path.read_bytes(), list[Entry]()
    monkeypatch.setattr(games, "renew", lambda: path.write_text("1756.9 another\n"))
    monkeypatch.setattr(counting, "renew", lambda: None)
    monkeypatch.setattr(ledger, "add", added.extend)
    said = {name: present(name) for name in RULESETS}
    monkeypatch.setattr(ledger, "last", said.__getitem__)
    assert "frederick plays otherwise" in command.main(["mended a fault"])
    assert (path.read_bytes(), added) == (before, [])

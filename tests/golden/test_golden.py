import os
from difflib import unified_diff
from itertools import zip_longest
from pathlib import Path

import pytest

from leuthen.load import RULESETS, load, load_with
from leuthen.play.record import read
from tests.golden import screens
from tests.golden.games import GAMES, HERE, RECORDS, Golden, play, stored
from tests.golden.ledger import current_entry, entries, last_entry
from tests.prove.sample import sample_games

IS_SAMPLE = bool(os.environ.get("LEUTHEN_SAMPLE"))


@pytest.mark.parametrize(
    "game", sample_games(GAMES) if IS_SAMPLE else GAMES, ids=lambda game: f"{game.ruleset}-{game.name}"
)
def test_a_golden_game_is_unchanged(game: Golden) -> None:
    last = "the set-up"
    for now, golden in zip_longest(play(game), stored(game), fillvalue=("over", "")):
        assert now == golden, (
            f"{game.ruleset}/{game.name} differs after {last}: now {' '.join(now)}, on file {' '.join(golden)}. "
            "If the rules were changed on purpose, `make golden` renews the games."
        )
        last = f"the start of {golden[0]}"


def test_every_golden_file_belongs_to_a_game() -> None:
    files = {path for ruleset in RULESETS for path in (HERE / ruleset).glob("*.txt")}
    assert files == {game.turns for game in GAMES}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_scenario_and_option_value_has_a_record(ruleset: str) -> None:
    rules, headers = load(ruleset), [read(game.record).header for game in RECORDS if game.ruleset == ruleset]
    assert {header.scenario for header in headers} == set(rules.scenarios)
    played = {pair for header in headers for pair in header.options.items()}
    assert played == {(option, value) for option, values in rules.options.items() for value in values}


FILES = screens.files()


@pytest.mark.parametrize("path", sample_games(FILES) if IS_SAMPLE else FILES, ids=lambda path: path.stem)
def test_the_screens_of_the_cases_are_unchanged(path: Path) -> None:
    shown, stored = screens.screens(path), screens.stored(path).read_text(encoding="utf-8").splitlines()
    changes = [line for line in unified_diff(stored, shown, lineterm="", n=0) if line[0] in "+-"]
    assert not changes, "\n".join(["if the change is intended: python -m tests.golden.screens", *changes[:40]])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_setting_is_unchanged(ruleset: str) -> None:
    assert screens.setting(ruleset) == (screens.HERE / f"{ruleset}.txt").read_text(encoding="utf-8").splitlines()


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

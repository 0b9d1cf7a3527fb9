import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.load import RULESETS, load, read_data
from leuthen.play.record import Header, Writer, read
from tests.damage import DAMAGE, copy_data, delete_file, replace_text
from tests.rows import rows
from tests.test_cli import error_line

BOTS = ["--prussia", "random", "--austria", "random"]
CAMPAIGN_BOTS = "--ruleset campaigns --prussia random --coalition random"
DAMAGED_FILES = int(os.environ.get("LEUTHEN_DAMAGED", "24"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setattr("leuthen.terminal.start.games_folder", lambda: folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_data("frederick", tmp_path / "data")


@pytest.mark.parametrize(("command", "reason"), rows("bad-input-commands"))
def test_an_invalid_command_line_is_refused_in_one_line(
    home: Path, capsys: pytest.CaptureFixture[str], command: str, reason: str
) -> None:
    words = command.replace("CAMPAIGN_BOTS", CAMPAIGN_BOTS).replace("BOTS", " ".join(BOTS)).split()
    assert reason in error_line(capsys, *words)
    assert not home.exists()


DAMAGES: list[tuple[str, Callable[[Path], object], str]] = [
    (name, DAMAGE[how](*what), reason)
    for name, table in (("frederick", "bad-input-damages"), ("campaigns", "campaigns-damages"))
    for how, *what, reason in rows(table)
]


@pytest.mark.parametrize(("name", "damage", "reason"), DAMAGES, ids=range(len(DAMAGES)))
def test_damaged_data_are_named_with_the_folder(
    tmp_path: Path, name: str, damage: Callable[[Path], object], reason: str
) -> None:
    folder = copy_data(name, tmp_path / "data")
    damage(folder)
    with pytest.raises(Invalid) as caught:
        load(name, folder)
    assert str(folder) in str(caught.value)
    assert reason in str(caught.value)


def test_damaged_data_end_every_command_with_one_line(
    folder: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    delete_file("tables/combat.csv")(folder)
    for command in (["play", *BOTS], ["simulate", *BOTS], ["scenarios"]):
        said = error_line(capsys, *command, "--data", str(folder))
        assert f"{folder}: the data folder has no file tables/combat.csv" in said
    assert not home.exists()


def damage_text(text: str, rng: Random) -> str:
    lines = text.splitlines()
    at = rng.randrange(1, len(lines))
    cells = lines[at].split(",")
    cells[rng.randrange(len(cells))] = rng.choice(("", "x", "-1", "0", "99", "prussia", "9999", "1.5", '"', '"'))
    cut = rng.randrange(len(text))
    return rng.choice(
        (
            "\n".join(lines[:at] + lines[at + 1 :]),
            "\n".join([*lines, lines[at]]),
            "\n".join([*lines[:at], lines[at].rpartition(",")[0], *lines[at + 1 :]]),
            "\n".join([*lines[:at], ",".join(cells), *lines[at + 1 :]]),
            text[:cut] + text[cut + rng.randrange(40) :],
        )
    )


@pytest.mark.parametrize("name", RULESETS)
def test_random_damage_of_data_is_named_or_harmless(name: str) -> None:
    files, rng, complaints = read_data(name), Random(3), list[str]()
    make: Any = type(load(name))
    for number in range(DAMAGED_FILES):
        path = sorted(files)[number % len(files)]
        damaged = {**files, path: damage_text(files[path], rng)}
        try:
            ruleset = make(damaged)
            for scenario in ruleset.scenarios:
                ruleset.new_game(scenario, {})
        except Invalid as error:
            complaints.append(str(error))
    assert all(".csv" in complaint for complaint in complaints)
    assert len(complaints) > DAMAGED_FILES / 3


def write_record(path: Path, **changes: str) -> Path:
    ruleset: Any = load("frederick")
    header = {
        "ruleset": ruleset.name,
        "version": ruleset.version,
        "scenario": "campaign",
        "data": ruleset.digest,
        **changes,
    }
    seats = {"prussia": "random", "austria": "random"}
    with Writer.create(path, Header(**header, options={}, seats=seats, game="g1")) as writer:
        writer.write("prussia", "clear")
    return path


OTHER_RULES: Any = [
    ({"version": "0"}, "version 0 of the rules"),
    ({"data": "0123456789abcdef"}, "the data 0123456789abcdef"),
]
UNKNOWN_GAMES: Any = [
    ({"ruleset": "chess"}, '"chess" is not a valid rule set: frederick'),
    ({"scenario": "1813"}, 'line 3: "1813" is not a valid scenario: campaign'),
]


@pytest.mark.parametrize(
    ("command", "changes", "reason"),
    [
        *((command, *case) for command in ("resume", "replay --verify") for case in (*OTHER_RULES, *UNKNOWN_GAMES)),
        *(("replay", *case) for case in UNKNOWN_GAMES),
    ],
)
def test_a_record_of_another_game_is_refused_and_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, changes: dict[str, str], reason: str
) -> None:
    path = write_record(tmp_path / "game", **changes)
    before, (name, *options) = path.read_bytes(), command.split()
    assert reason in error_line(capsys, name, str(path), *options)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("changes", "reason"), OTHER_RULES)
def test_a_record_of_other_rules_is_replayed_as_far_as_possible(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], reason: str
) -> None:
    path = write_record(tmp_path / "game", **changes)
    assert run(["replay", str(path)]) == 0
    out = capsys.readouterr().out
    assert f'{path}, line 9: "clear"' in out
    assert f"from here on {reason} would be needed" in out


def test_a_record_of_other_data_is_verified_with_that_data(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace_text("leaders.csv", "prussia,Keith,3,1", "prussia,Keith,3,2")(folder)
    path = tmp_path / "game"
    options = ["--seed", "2", "--option", "last-year=1756", "--data", str(folder), "--record", str(path)]
    assert run(["play", *BOTS, *options]) == 0
    capsys.readouterr()
    assert "would be needed" in error_line(capsys, "replay", str(path), "--verify")
    assert run(["replay", str(path), "--verify", "--data", str(folder)]) == 0
    assert read(path).end

"""Tests on a Ray cluster: the games are the same, a killed process loses none, and a run can be stored as Parquet."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from leuthen.cli import run
from leuthen.simulate.run import GameFailed, GameTask, play_many
from tests.failing_bots import KILLED_FOLDER
from tests.test_simulate import KILLED_MATCH, tasks, without_seconds
from tests.toy import Toy

GAME = ("simulate", "--scenario", "bohemia", "--prussia", "random", "--austria", "random", "--seed", "s", "--games")


def test_a_cluster_plays_the_same_games(toy: Toy) -> None:
    there = list(play_many(toy, tasks(range(30)), 2, "ray"))
    assert without_seconds(there) == without_seconds(list(play_many(toy, tasks(range(30)))))


def test_games_of_a_killed_process_are_repeated(toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KILLED_FOLDER, str(tmp_path))
    there = list(play_many(toy, tasks(range(12), KILLED_MATCH), 2, "ray"))
    assert any(tmp_path.iterdir()), "some processes were killed"
    assert without_seconds(there) == without_seconds(list(play_many(toy, tasks(range(12)))))


def test_a_game_that_always_kills_its_process_is_named(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KILLED_FOLDER, raising=False)
    with pytest.raises(GameFailed, match="game 0 broke off: its process was lost 3 times"):
        list(play_many(toy, [GameTask(KILLED_MATCH, 0)], 1, "ray"))


def test_a_game_that_fails_is_named() -> None:
    with pytest.raises(GameFailed, match="game 3 broke off: Runaway: after"):
        list(play_many(Toy(endless=True), tasks([3], limit=100), 1, "ray"))


def test_a_missing_cluster_is_reported() -> None:
    words = [sys.executable, "-m", "leuthen", *GAME, "1", "--on", "ray://localhost:1"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "leuthen: ray://localhost:1: no cluster answers there" in done.stderr


def test_a_run_on_a_cluster_continues_and_becomes_a_table(tmp_path: Path) -> None:
    parquet = importlib.import_module("pyarrow.parquet")
    kept, table = tmp_path / "games.jsonl", tmp_path / "games.parquet"
    assert run([*GAME, "3", "--keep", str(kept)]) == 0
    before = kept.read_text()
    assert run([*GAME, "5", "--keep", str(kept), "--on", "ray", "--parquet", str(table)]) == 0
    assert kept.read_text().startswith(before)
    lines = [json.loads(line) for line in kept.read_text().splitlines()[1:]]
    found = parquet.read_table(table)
    assert found.column("winner").to_pylist() == [line["winner"] for line in lines]
    assert json.loads(found.schema.metadata[b"leuthen.run"])["seed"] == "s"


def test_the_program_runs_without_ray() -> None:
    code = "import sys, leuthen.cli, leuthen.simulate.run; sys.exit('ray' in sys.modules or 'pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

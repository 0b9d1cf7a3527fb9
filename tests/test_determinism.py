"""The same seed gives the same game: in every process, whatever its hash seed, and however many share the work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

YEAR = ["--option", "last-year=1756"]
BOTS = {
    "random": ["--prussia", "random", "--austria", "random"],
    "planner": ["--prussia", "planner", "--austria", "random"],
}


def simulated(hash_seed: str, *argv: object) -> list[dict[str, object]]:
    """What a process of its own says of its games, without how long they took."""
    command = [sys.executable, "-m", "leuthen", "simulate", *map(str, argv)]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(line.pop("seconds") >= 0 for line in lines)
    return lines


@cache
def records(bots: str, hash_seed: str) -> list[bytes]:
    """The records of two games, byte by byte."""
    with TemporaryDirectory() as folder:
        simulated(hash_seed, *BOTS[bots], *YEAR, "--seed", "hash", "--games", 2, "--records", folder)
        return [path.read_bytes() for path in sorted(Path(folder).iterdir())]


@pytest.mark.parametrize("bots", BOTS)
def test_a_seed_is_the_same_game_under_any_hash_seed(bots: str) -> None:
    one, two = records(bots, "1"), records(bots, "4242")
    assert one == two
    assert one[0].splitlines()[-1] != one[1].splitlines()[-1]


@pytest.mark.parametrize("first", [0, 7])
def test_games_are_the_same_whatever_the_number_of_jobs(first: int) -> None:
    asked = [*BOTS["random"], *YEAR, "--seed", "jobs", "--games", 4, "--first", first]
    alone, shared = simulated("0", *asked, "--jobs", 1), simulated("0", *asked, "--jobs", 2)
    assert alone == shared
    assert [line["game"] for line in alone] == list(range(first, first + 4))


def test_a_game_of_a_run_is_the_same_when_it_is_played_alone() -> None:
    asked = [*BOTS["random"], *YEAR, "--seed", "jobs"]
    assert simulated("0", *asked, "--games", 2)[1:] == simulated("0", *asked, "--games", 1, "--first", 1)

"""Records and bulk play of the second rule set."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from leuthen.load import load
from leuthen.record import read
from leuthen.replay import Replay
from leuthen.simulate.game import Plan, play_one


@pytest.mark.parametrize(("scenario", "rules"), [("1756", "einhorn"), ("1757", "base"), ("1758", "einhorn")])
def test_a_game_of_two_bots_is_recorded_and_replayed(scenario: str, rules: str, tmp_path: Path) -> None:
    game = load("campaigns")
    plan = Plan(scenario, {"rules": rules}, ("random", "random"), "seed", tmp_path)
    line = play_one(game, plan, 3)
    assert line["how"] in ("draw", "marginal", "substantial", "decisive")
    table = Replay(game, read(tmp_path / "game-00003.leuthen")).run()
    assert game.outcome(table.state) is not None
    assert list(game.summary(table.state)["vp"]) == line["vp"]


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    game = load("campaigns")
    lines = [play_one(game, Plan("1756", {}, ("random", "random"), "seed"), 5) for _ in range(2)]
    assert {**lines[0], "seconds": 0} == {**lines[1], "seconds": 0}


def test_every_process_plays_the_same_game_whatever_its_hashes() -> None:
    told = []
    for hash_seed in ("1", "77"):
        words = "simulate --ruleset campaigns --scenario 1756 --prussia random --coalition random --seed hash --games 2"
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-m", "leuthen", *words.split()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        told.append([{**json.loads(line), "seconds": 0} for line in done.stdout.splitlines()])
    assert told[0] == told[1]
    assert len(told[0]) == 2


def test_what_may_follow_is_told_from_the_legal_actions() -> None:
    game = load("campaigns")
    state = game.new_game("1757", {})
    assert game.complete(state, 0, "rem") == ["remove"]
    assert "1733" in game.complete(state, 0, "remove 17")
    assert game.complete(state, 0, "nonsense ") == []

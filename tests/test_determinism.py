import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from leuthen.engine.codec import digest_of
from leuthen.load import RULESETS, load
from leuthen.play.record import read
from leuthen.play.replay import Replay

SHORT = {
    "frederick": ["--ruleset", "frederick", "--option", "last-year=1756"],
    "campaigns": ["--ruleset", "campaigns", "--scenario", "1756"],
}
BOTS = [("random", "random"), ("cadet", "random")]


def asked(ruleset: str, bots: tuple[str, str] = BOTS[0]) -> list[str]:
    seats = [word for side, bot in zip(load(ruleset).sides, bots, strict=True) for word in (f"--{side}", bot)]
    return [*SHORT[ruleset], *seats]


def simulated(hash_seed: str, *argv: object) -> list[dict[str, object]]:
    command = [sys.executable, "-m", "leuthen", "simulate", *map(str, argv)]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(line.pop("seconds") >= 0 for line in lines)
    return lines


@cache
def records(ruleset: str, bots: tuple[str, str], hash_seed: str) -> list[bytes]:
    with TemporaryDirectory() as folder:
        simulated(hash_seed, *asked(ruleset, bots), "--seed", "hash", "--games", 2, "--records", folder)
        return [path.read_bytes() for path in sorted(Path(folder).iterdir())]


@pytest.mark.parametrize("bots", BOTS, ids="-".join)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_seed_is_the_same_game_under_any_hash_seed(ruleset: str, bots: tuple[str, str]) -> None:
    one, two = records(ruleset, bots, "1"), records(ruleset, bots, "4242")
    assert one == two
    assert one[0].splitlines()[-1] != one[1].splitlines()[-1]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_record_is_replayed_to_its_end(ruleset: str, tmp_path: Path) -> None:
    for number, record in enumerate(records(ruleset, BOTS[1], "1")):
        path = tmp_path / str(number)
        path.write_bytes(record)
        door, recorded = load(ruleset), read(path)
        table = Replay(door, recorded).run()
        assert door.outcome(table.state) is not None
        assert recorded.end.endswith(digest_of(door, table.state))


@pytest.mark.parametrize("first", [0, 7])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_are_the_same_whatever_the_number_of_jobs(ruleset: str, first: int) -> None:
    argv = [*asked(ruleset), "--seed", "jobs", "--games", 4, "--first", first]
    alone, shared = simulated("0", *argv, "--jobs", 1), simulated("0", *argv, "--jobs", 2)
    assert alone == shared
    assert [line["game"] for line in alone] == list(range(first, first + 4))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_of_a_run_is_the_same_when_it_is_played_alone(ruleset: str) -> None:
    argv = [*asked(ruleset), "--seed", "jobs"]
    assert simulated("0", *argv, "--games", 2)[1:] == simulated("0", *argv, "--games", 1, "--first", 1)

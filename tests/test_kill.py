import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from leuthen.load import load
from leuthen.play.record import RecordError, read
from leuthen.terminal.start import verify
from tests.prove.sample import commit_seed

KILLS = int(os.environ.get("LEUTHEN_KILLS", "4"))
BEGIN = int(os.environ.get("LEUTHEN_FIRST_KILL", str(commit_seed()[0])))
GAMES = {
    "frederick": ["--prussia", "random", "--austria", "random", "--option", "last-year=1756"],
    "campaigns": ["--ruleset", "campaigns", "--prussia", "random", "--coalition", "random", "--scenario", "1756"],
}
FIRST, *_ = GAMES
TIMEOUT = 60


def leuthen(*argv: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "leuthen", *map(str, argv)]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)


@cache
def whole_record(ruleset: str = FIRST) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game"
        done = leuthen("play", *GAMES[ruleset], "--seed", "whole", "--record", path)
        assert done.returncode == 0, done.stderr
        return path.read_bytes()


def kill_at(ruleset: str, path: Path, size: int) -> bytes:
    command = [sys.executable, "-m", "leuthen", "play", *GAMES[ruleset], "--seed", path.name, "--record", str(path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as game:
        deadline = time.monotonic() + TIMEOUT
        while game.poll() is None and not (path.exists() and path.stat().st_size >= size):
            assert time.monotonic() < deadline
        game.send_signal(signal.SIGKILL)
    return path.read_bytes()


@pytest.mark.parametrize(("number", "ruleset"), list(zip(range(BEGIN, BEGIN + KILLS), cycle(GAMES), strict=False)))
def test_a_killed_game_resumes_from_its_record(tmp_path: Path, number: int, ruleset: str) -> None:
    rng = Random(number)
    path = tmp_path / f"game-{number}"
    found = kill_at(ruleset, path, rng.choice((0, 1, rng.randrange(len(whole_record(ruleset))))))
    if not found.count(b"\n"):
        return  # the first line is incomplete: there is no game yet
    before = read(path)
    assert found[before.size :].count(b"\n") == 0
    if not before.end:
        resumed = leuthen("resume", path, "--seed", path.name)
        assert resumed.returncode == 0, resumed.stderr
    after = read(path)
    assert after.end
    assert after.lines[: len(before.lines)] == before.lines
    assert is_verified(path, after.end.split()[-1])


def is_verified(path: Path, digest: str) -> bool:
    recorded = read(path)
    return verify(load(recorded.header.ruleset), recorded).endswith(f"the game has ended, digest {digest}")


def test_a_record_cut_in_its_header_has_no_entries(tmp_path: Path) -> None:
    whole, path = whole_record(), tmp_path / "game"
    header = len(b"".join(line for line in whole.splitlines(keepends=True) if not re.match(rb" *\d|end", line)))
    for cut in range(0, header, 7):
        path.write_bytes(whole[:cut])
        with suppress(RecordError):
            recorded = read(path)
            assert recorded.header.ruleset == FIRST
            assert not recorded.entries
        assert path.read_bytes() == whole[:cut]

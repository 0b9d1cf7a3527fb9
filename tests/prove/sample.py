"""The sample of proofs in every test run, with a seed from the commit."""

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

HOME = Path(__file__).parents[2]
EVERY = bool(os.environ.get("LEUTHEN_EVERY_GAME"))
T = TypeVar("T")


@cache
def commit_seed() -> tuple[int, str]:
    try:
        asked = subprocess.run(("git", "rev-parse", "HEAD"), cwd=HOME, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return 0, "no commit is known"
    commit = asked.stdout.strip()
    return int(commit[:8], 16), f"commit {commit[:8]}"


def sample_games(games: Sequence[T]) -> list[T]:
    few = len(games) if EVERY else (len(games) + 3) // 4
    return [games[place] for place in sorted(Random(commit_seed()[0]).sample(range(len(games)), few))]


def describe_seed() -> str:
    seed, where = commit_seed()
    return f"games with the laws on: seed {seed} ({where})"

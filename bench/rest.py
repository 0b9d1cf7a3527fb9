"""What is around the rules: the dice, and how long the program takes to start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from tempfile import TemporaryDirectory

from bench.measure import Figure, measure
from leuthen.play.dice import Key

_DIE = tuple((face, Fraction(1, 6)) for face in range(1, 7))


def rest() -> Iterator[Figure]:
    """Dice and starts."""
    dice = Key.from_seed("bench").dice()
    yield measure("a die of the stream", lambda: sum(bool(dice.pick(_DIE)) for _ in range(1000)))
    for argv in (["--version"], ["bots"], ["scenarios"], ["rules", "O5.3"]):
        yield measure(f"start: leuthen {' '.join(argv)}", partial(_start, argv), 0.5)

    yield measure("start: a game up to its first prompt", _first_prompt, 1.0)


def _first_prompt() -> float:
    with TemporaryDirectory() as folder:
        return _start(["play", "--austria", "random", "--record", f"{folder}/game"])


def _start(argv: list[str]) -> float:
    quiet = subprocess.DEVNULL
    subprocess.run([sys.executable, "-m", "leuthen", *argv], check=True, stdin=quiet, stdout=quiet)
    return 1

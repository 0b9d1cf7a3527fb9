"""Random play of catanatron, the peer in Python, beside that of a rule set: in turns, as the calibration loop is.

    python -m venv peer && peer/bin/pip install catanatron && make bench ARGS="--peer peer/bin/python"

It is no part of this project's environment. Run as a program by that interpreter, this file is the peer: for each line
that it reads it plays for so many seconds, and answers how many decisions it took a second.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from importlib import import_module
from types import TracebackType
from typing import Any, Self


class Peer:
    """The peer's process."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.rate(0.1)

    def rate(self, turn: float) -> float:
        """Thousand decisions a second."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(turn, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline()) / 1000

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()


def play(catanatron: Any, turn: float) -> float:
    """Decisions a second of two random players."""
    decisions, seed, start = 0, 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < turn:
        random.seed(seed)
        seed += 1
        players = [catanatron.RandomPlayer(color) for color in (catanatron.Color.RED, catanatron.Color.BLUE)]
        game = catanatron.Game(players)
        game.play()
        decisions += len(game.state.action_records if hasattr(game.state, "action_records") else game.state.actions)
    return decisions / spent


def main() -> None:
    """Answers until there are no more lines."""
    catanatron = import_module("catanatron")
    for line in sys.stdin:
        print(play(catanatron, float(line)), flush=True)


if __name__ == "__main__":
    main()

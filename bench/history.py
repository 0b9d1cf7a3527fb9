"""Figures of earlier runs in `bench/history.csv`. Costs are ratios, which vary less between runs than times."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.measure import Figure

HISTORY: Final = Path(__file__).with_name("history.csv")
COLUMNS: Final = ("commit", "set", "figure", "cost")
SLOWDOWN: Final = 0.05
"""Relative increase from which a figure is reported as slower."""


class History:
    """The figures of this run, with the last stored value of each."""

    def __init__(self, path: Path = HISTORY) -> None:
        self._path = path
        self._last = {(row["set"], row["figure"]): row for row in _rows(path)}
        self._found: dict[tuple[str, str], float] = {}

    def note(self, ruleset: str, figure: Figure) -> None:
        """Add a figure. An empty rule set name means that it belongs to none."""
        self._found[ruleset, figure.name] = figure.cost

    def slower(self) -> Iterator[str]:
        """Yield a line for each figure that costs more than its last stored value."""
        for key, cost in self._found.items():
            last = self._last.get(key)
            if last is not None and cost > float(last["cost"]) * (1 + SLOWDOWN):
                more = cost / float(last["cost"]) - 1
                yield f"slower by {more:.0%} than at {last['commit']}: {' '.join(filter(None, key))}"

    def keep(self, commit: str) -> None:
        """Append the figures of this run to the file."""
        is_new = not self._path.exists()
        with self._path.open("a", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerows([COLUMNS] if is_new else [])
            lines.writerows((commit, ruleset, name, f"{cost:.4g}") for (ruleset, name), cost in self._found.items())


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def current_commit() -> str:
    """Return the checked-out commit, with a + if there are uncommitted changes."""
    told = subprocess.run(["git", "describe", "--always", "--dirty=+"], capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"

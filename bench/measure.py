"""Timing in short turns that alternate with the calibration loop, so that drift cancels out."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

ROUNDS: Final = 5
TURN: Final = 0.2
"""Minimum length of a turn in seconds."""
_LOOPS: Final = 20_000


class Figure(NamedTuple):
    """A measurement: the rate per second, and the cost in units of the calibration loop."""

    name: str
    rate: float
    cost: float

    @property
    def line(self) -> str:
        """The line of the figure in the report."""
        return line_of([self])


def line_of(figures: Sequence[Figure]) -> str:
    """Return a line with the same figure of several rule sets in columns."""
    cells = [f"{one.rate:>14,.1f} {1e6 / one.rate:>14,.1f} {one.cost:>12,.3f}" for one in figures]
    return " ".join([f"{figures[0].name:<44}", *cells])


def header_line(*names: str) -> str:
    """Return the column heads for these rule sets."""
    over = " ".join([" " * 44, *(f"{name:>42}" for name in names)])
    under = " ".join([" " * 44, *(f"{'per second':>14} {'µs each':>14} {'calibrations':>12}" for _ in names)])
    return f"{over}\n{under}"


def calibration() -> int:
    """Run a fixed loop of plain Python: numbers, a list, a dictionary, calls. The result has no meaning."""
    cells = list(range(64))
    seen: dict[int, int] = {}
    total = 0
    for number in range(_LOOPS):
        here = (number * 7 + total) & 63
        cells[here] = mix(cells[here], number)
        seen[here] = total = (total + cells[here]) & 0xFFFF
    return total + len(seen)


def mix(cell: int, number: int) -> int:
    return (cell ^ number) & 0xFFF


def calibration_rate(turn: float = TURN) -> float:
    """Return the rate of the calibration loop in thousand steps per second; a thousand steps are the unit of
    `Figure.cost`.
    """
    return _rate(lambda: calibration() and _LOOPS / 1000, turn)


def measure(
    name: str, work: Callable[[], float], turn: float = TURN, beside: Callable[[float], float] = calibration_rate
) -> Figure:
    """Time `work`, which returns the number of units that it has done, in turns that alternate with `beside`."""
    work()
    rates, costs = [], []
    for _ in range(ROUNDS):
        before = beside(turn / 4)
        rate = _rate(work, turn)
        unit = (before + beside(turn / 4)) / 2
        rates.append(rate)
        costs.append(unit / rate)
    return Figure(name, statistics.median(rates), statistics.median(costs))


def _rate(work: Callable[[], float], turn: float) -> float:
    done, start = 0.0, time.perf_counter()
    while (spent := time.perf_counter() - start) < turn:
        done += work()
    return done / spent

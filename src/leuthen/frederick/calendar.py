"""The calendar: the dates of turns (O1.2)."""

from __future__ import annotations

from typing import Final

_MONTHS: Final = "April May May June June July July August August September September October October November"
_SEASONS: Final = (*_MONTHS.split(), "November", "December", "December", "January")
FIRST_WINTER_TURN: Final = 15
"""From this turn on it is winter (O1.3)."""


def half_month(turn: int) -> str:
    """The date of a turn in any year (O1.2): «early June»."""
    return f"{'late' if turn % 2 else 'early'} {_SEASONS[turn - 1]}"


def when(stamp: int) -> str:
    """A turn by its number YYYYTT: «1757, turn 4»."""
    return f"{stamp // 100}, turn {stamp % 100}"

"""The calendar: the dates of turns (O1.2)."""

from __future__ import annotations

from typing import Final

from leuthen.wargame.calendar import half_month as half_month

FIRST_WINTER_TURN: Final = 15
"""From this turn on it is winter (O1.3)."""


def when(stamp: int) -> str:
    """A turn by its number YYYYTT: «1757, turn 4»."""
    return f"{stamp // 100}, turn {stamp % 100}"

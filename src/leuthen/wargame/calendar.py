"""The calendar of the war: a year has eighteen turns of half a month."""

from __future__ import annotations

from typing import Final

_MONTHS: Final = "April May May June June July July August August September September October October November"
_SEASONS: Final = (*_MONTHS.split(), "November", "December", "December", "January")
TURNS: Final = len(_SEASONS)


def half_month(turn: int) -> str:
    """Return the date of a turn: "early June". The first turn is late April, the last early January."""
    return f"{'late' if turn % 2 else 'early'} {_SEASONS[turn - 1]}"


def dated(year: int, turn: int) -> str:
    """Return the date of a turn, with the year if it is the next one: "early January 1757"."""
    date = half_month(turn)
    return f"{date} {year + 1}" if _SEASONS[turn - 1] == "January" else date

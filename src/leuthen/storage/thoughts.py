"""What machines that lead a seat took along from their last decisions: functions of the rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from leuthen.storage.rows import Rows, ThoughtRow

MOST: Final = 100
"""Thoughts of a seat that are kept: so far back a takeback finds the one that was had then."""


def last_thought(rows: Rows, seat: str) -> bytes:
    """The thought that the machine of a seat had last; empty if it has none."""
    found = rows.last(ThoughtRow, "number", seat=seat)
    return found.thought if found else b""


def add_thought(rows: Rows, seat: str, thought: ThoughtRow) -> None:
    """Keeps a thought, if it is any and another than before."""
    if thought.thought in (b"", last_thought(rows, seat)):
        return
    rows.remove(ThoughtRow, seat=seat, number=thought.number)
    rows.add(thought, seat=seat)
    for old in rows.find(ThoughtRow, seat=seat)[:-MOST]:
        rows.remove(ThoughtRow, seat=seat, number=old.number)


def forget_thoughts(rows: Rows, seats: Iterable[str], kept: int) -> None:
    """Takes away what was thought after the first `kept` actions: they alone count now."""
    for seat in seats:
        for old in rows.find(ThoughtRow, seat=seat):
            if old.number >= kept:
                rows.remove(ThoughtRow, seat=seat, number=old.number)

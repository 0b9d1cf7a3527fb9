"""What the machines of a game took along from their last decisions: kept with their seats, and shown to nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from leuthen.engine.ruleset import Side
from leuthen.play.record import TAKE_BACK
from leuthen.play.transaction import RecordLine
from leuthen.storage import thoughts as kept
from leuthen.storage.rows import Rows, SeatRow, ThoughtRow


def last(rows: Rows, seats: Iterable[SeatRow], side: Side) -> bytes:
    """What the machine of a side took along last; empty if it has nothing."""
    return kept.last_thought(rows, _seat(seats, side))


def keeping(seats: Iterable[SeatRow], side: Side, number: int, thought: bytes) -> Callable[[Rows], None]:
    """What keeps a thought that was had after so many actions that count; nothing for none."""

    def keep(rows: Rows) -> None:
        if thought:
            kept.add_thought(rows, _seat(seats, side), ThoughtRow(number, thought))

    return keep


def forget_taken_back(rows: Rows, seats: Iterable[SeatRow], lines: Sequence[RecordLine]) -> None:
    """Takes away what was thought after actions that some lines take back."""
    words = [text.split() for _, text in lines]
    for word in words:
        if word[0] == TAKE_BACK:
            kept.forget_thoughts(rows, [seat.id for seat in seats], int(word[1]))


def _seat(seats: Iterable[SeatRow], side: Side) -> str:
    return next(seat.id for seat in seats if seat.side == side)

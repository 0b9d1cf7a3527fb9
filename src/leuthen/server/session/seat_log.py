"""What one viewer of a game was told, numbered as that viewer may count it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple


class Notification(NamedTuple):
    """What a viewer is told with one number: events or sentences; how many of his last lines are void.

    After the record's line `line`, in turn `turn`, the position stood as he saw it then. From the place `begun` on in
    `told` the next turn has begun; at its end if none has.
    """

    n: int
    line: int
    turn: int
    told: tuple[object, ...] = ()
    dropped: int = 0
    begun: int = 0


class Remembered(NamedTuple):
    """A line of a viewer's chronicle."""

    n: int
    line: int
    turn: int
    what: Any


class SeatLog:
    """All that one viewer was told."""

    def __init__(self) -> None:
        self.news: list[Notification] = [Notification(0, -1, 0)]
        """By number, what was told; void lines are told of no more."""
        self.lines: list[Remembered] = []
        """The chronicle."""
        self._reached = [-1]
        """By number: the last line of the record that the viewer has heard of."""
        self.is_stirred = False
        """Whether anything else may look different since the last news."""

    @property
    def n(self) -> int:
        """The number of the last news."""
        return len(self.news) - 1

    def add(self, news: Sequence[Notification]) -> None:
        """Takes in the next news."""
        self.is_stirred = False
        for notification in news:
            self.news.append(notification)
            self._reached.append(max(notification.line, self._reached[-1]))
            if notification.dropped:
                del self.lines[-notification.dropped :]
            for at, what in enumerate(notification.told):
                self.lines.append(
                    Remembered(notification.n, notification.line, notification.turn + (at >= notification.begun), what)
                )

    def number_at(self, line: int) -> int:
        """The number of the viewer's last news when the record had come to a line."""
        return bisect_right(self._reached, line) - 1

    def void_from(self, line: int) -> int:
        """How many lines of the chronicle there are from the first on that came of this line of the record or later."""
        first = next((at for at, told in enumerate(self.lines) if told.line >= line), len(self.lines))
        return len(self.lines) - first

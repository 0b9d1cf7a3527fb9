"""What one viewer of a game was told, numbered as that viewer may count it."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple, overload

from leuthen.play.packed import Packed


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
    what: object


class Chronicle(Sequence[Remembered]):
    """What a viewer was told, line by line; the last lines of it may become void."""

    def __init__(self, news: Packed[Notification]) -> None:
        self._news = news
        self._numbers = array("I")
        """By line, with which number it came."""
        self._came = array("i")
        """By line, of which line of the record it came."""

    def add(self, notification: Notification) -> None:
        """Takes in the next news."""
        left, count = len(self) - notification.dropped, len(notification.told)
        del self._numbers[left:], self._came[left:]
        self._numbers.extend([notification.n] * count)
        self._came.extend([notification.line] * count)

    def void_from(self, line: int) -> int:
        """How many lines there are from the first on that came of this line of the record or later."""
        first = next((at for at, came in enumerate(self._came) if came >= line), len(self))
        return len(self) - first

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Remembered: ...
    @overload
    def __getitem__(self, index: slice) -> list[Remembered]: ...
    def __getitem__(self, index: int | slice) -> Remembered | list[Remembered]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        n = self._numbers[at]
        _, line, turn, told, _, begun = self._news[n]
        place = at - bisect_left(self._numbers, n)
        return Remembered(n, line, turn + (place >= begun), told[place])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chronicle) and list(self) == list(other)


class SeatLog:
    """All that one viewer was told."""

    def __init__(self) -> None:
        self.news = Packed([Notification(0, -1, 0)])
        """By number, what was told; void lines are told of no more."""
        self.lines = Chronicle(self.news)
        """The chronicle."""
        self._reached = array("i", [-1])
        """By number: the last line of the record that the viewer has heard of."""
        self.is_stirred = False
        """Whether anything else may look different since the last news."""

    @property
    def n(self) -> int:
        """The number of the last news."""
        return len(self._reached) - 1

    def add(self, news: Sequence[Notification]) -> None:
        """Takes in the next news."""
        self.is_stirred = False
        for notification in news:
            self.news.append(notification)
            self._reached.append(max(notification.line, self._reached[-1]))
            self.lines.add(notification)

    def number_at(self, line: int) -> int:
        """The number of the viewer's last news when the record had come to a line."""
        return bisect_right(self._reached, line) - 1

"""A session: a device that sits on a seat, until somebody signs it out."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from leuthen.engine.ruleset import Side, is_side
from leuthen.server.session.messages import Problem, Sitter
from leuthen.server.session.problems import FOREIGN, SIGNED_OUT, fault, unknown
from leuthen.server.session.streams import Subscriber, message
from leuthen.storage.rows import DeviceRow, SeatRow

_OVER: Final = message(
    "problem", Problem(SIGNED_OUT, "Signed out", "This device was signed out of the seat, from another of its devices.")
)


class Visitor(NamedTuple):
    """Whoever asks, seat or none: the hash of his key, and what he comes with in plain words."""

    lock: str
    what: str


class DeviceSession:
    """A device on a seat. Once it is over nothing more is carried out for it and nothing is sent to it."""

    def __init__(self, seat: SeatRow, row: DeviceRow) -> None:
        self.seat = seat
        self.row = row
        self.is_over = False
        self.subscribers: set[Subscriber] = set()

    @property
    def number(self) -> int:
        """Of the device, on its seat."""
        return self.row.number

    @property
    def watcher(self) -> Sitter | None:
        """How who watches here calls himself; None of who plays, or has no name."""
        return Sitter(self.row.player, self.row.colour) if self.row.player else None

    def call(self, player: str, colour: str) -> None:
        """Who watches here is called otherwise."""
        self.row = msgspec.structs.replace(self.row, player=player, colour=colour)
        for subscriber in self.subscribers:
            subscriber.watcher = self.watcher

    def player(self, what: str) -> Side:
        """The side that is led here. Raises Fault for who watches, saying what he has not."""
        if is_side(side := self.seat.side):
            return side
        raise fault(FOREIGN, "You only watch", f"This seat watches: it has no {what}.")

    def expect_open(self) -> None:
        """Raises Fault if it is over: the seat is as unknown as a foreign one."""
        if self.is_over:
            raise unknown()

    def was_seen(self, at: str) -> None:
        """The device was here at that time."""
        self.row = msgspec.structs.replace(self.row, seen=at)

    def end(self) -> None:
        """Ends it, with all its streams: what waited to be sent is dropped."""
        self.is_over = True
        for subscriber in self.subscribers:
            subscriber.cut(_OVER)

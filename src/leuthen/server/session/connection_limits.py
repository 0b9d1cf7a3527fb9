"""How many streams there may be: of one device, of one seat, of one address, and of all."""

from __future__ import annotations

from typing import Final, TypeAlias

from leuthen.server.session.addresses import is_here
from leuthen.server.session.answers import Again, Problem
from leuthen.server.session.problems import TOO_MANY
from leuthen.server.session.subscriber import Subscriber, message

PER_DEVICE: Final = 4
"""A browser opens six connections to a host: the rest are for its pages."""
PER_ADDRESS: Final = 128
"""Where it is not this machine."""
PER_SEAT: Final = 500
IN_ALL: Final = 5000
_BACK, _SPREAD, _APART = 1000, 4000, 10
"""Milliseconds after which who listened comes back to a server that is started anew, and over how many
they are spread, one so many after the other."""
_LATER: Final = b"retry: 30000\n"
_ELSEWHERE: Final = Problem(
    TOO_MANY,
    "Open elsewhere",
    "Other pages of this browser follow their tables; this one rests until you come back to it.",
)
_FULL: Final = Problem(503, "The table is full", "The server has no room for one more who listens. Try again later.")


_Subscribers: TypeAlias = dict[Subscriber, None]
"""Those of one seat, device or address, the oldest first."""


class ConnectionLimits:
    """All who listen. The oldest stream of a device makes room for its newest."""

    def __init__(
        self,
        per_device: int = PER_DEVICE,
        per_seat: int = PER_SEAT,
        in_all: int = IN_ALL,
        per_address: int = PER_ADDRESS,
    ) -> None:
        self._per_device, self._per_seat, self._in_all, self._per_address = per_device, per_seat, in_all, per_address
        self._subscribers: dict[Subscriber, None] = {}
        self._seats: dict[str, _Subscribers] = {}
        self._devices: dict[str, _Subscribers] = {}
        self._addresses: dict[str, _Subscribers] = {}

    @property
    def count(self) -> int:
        """How many listen."""
        return len(self._subscribers)

    def enter(self, subscriber: Subscriber) -> bytes:
        """Lets somebody in, or gives what he is told instead."""
        same = list(self._devices.get(subscriber.device, ()))
        for oldest in same[: max(0, len(same) + 1 - self._per_device)]:
            oldest.end(_LATER + message("problem", _ELSEWHERE))
            self.leave(oldest)
        if self._is_full(subscriber):
            return _LATER + message("problem", _FULL)
        self._subscribers[subscriber] = None
        for index, key in self._indexes(subscriber):
            index.setdefault(key, {})[subscriber] = None
        return b""

    def leave(self, subscriber: Subscriber) -> None:
        """Somebody has gone."""
        self._subscribers.pop(subscriber, None)
        for index, key in self._indexes(subscriber):
            subscribers = index.get(key, {})
            subscribers.pop(subscriber, None)
            if not subscribers:
                index.pop(key, None)

    def close(self) -> None:
        """Ends all streams: the server is about to end. Each is told when to come back, not all at the same time."""
        for number, subscriber in enumerate(self._subscribers):
            wait = _BACK + number * _APART % _SPREAD
            subscriber.end(b"retry: %d\n" % wait + message("again", Again(wait)))

    def _is_full(self, subscriber: Subscriber) -> bool:
        address = subscriber.address
        return (
            len(self._subscribers) >= self._in_all
            or len(self._seats.get(subscriber.seat, ())) >= self._per_seat
            or (not is_here(address) and len(self._addresses.get(address, ())) >= self._per_address)
        )

    def _indexes(self, subscriber: Subscriber) -> list[tuple[dict[str, _Subscribers], str]]:
        """Where he is counted: with his seat, his device, and his address if he has one."""
        found = [
            (self._seats, subscriber.seat),
            (self._devices, subscriber.device),
            (self._addresses, subscriber.address),
        ]
        return [(index, key) for index, key in found if key]

"""The streams of a game's seats: subscribers, their messages, and limits of their number."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.codec import JSON
from leuthen.engine.ruleset import WATCHER, SeatSide, ViewerId
from leuthen.server.session import messages
from leuthen.server.session.history import Notification
from leuthen.server.session.limits import charge_request_time, is_local_address
from leuthen.server.session.messages import DisplayName
from leuthen.server.session.problems import TOO_MANY
from leuthen.server.session.seat_view import Patch, SeatView

DEPTH: Final = 64
"""Maximum number of queued messages; a slower reader gets a snapshot instead."""
PLAYERS: Final = (0, 1)
MOST_NAMED: Final = 12
"""Maximum number of named spectators."""
MOST_MISSED: Final = 300
"""Maximum number of missed updates that are resent; beyond it only a snapshot is sent."""
SEND_COST: Final = 0.0001
"""Seconds charged per subscriber and message, which is sent after its request."""
BYTE_COST: Final = 1e-8
"""Seconds charged per byte."""
PAUSE: float = 1.0
"""Minimum interval in seconds between two messages about names, seats, or seen blocks."""
PER_DEVICE: Final = 4
"""Browsers open six connections to a host; the rest is left for pages."""
PER_ADDRESS: Final = 128
"""Does not apply to this machine."""
PER_SEAT: Final = 500
IN_ALL: Final = 5000
_BACK, _SPREAD, _APART = 1000, 4000, 10
"""Milliseconds before the first reconnection after a restart, the period over which reconnections are spread, and
the interval between two of them."""
_LATER: Final = b"retry: 30000\n"
_ELSEWHERE: Final = messages.Problem(
    TOO_MANY,
    "Open elsewhere",
    "This browser has too many open pages. This one pauses until you return to it.",
)
_FULL: Final = messages.Problem(503, "Too many connections", "The server has too many connections. Try again later.")
_Subscribers: TypeAlias = "dict[Subscriber, None]"
"""Subscribers of a seat, device or address, oldest first."""


def message(event: str, data: object, n: int | None = None) -> bytes:
    mark = b"" if n is None else b"id: %d\n" % n
    return b"event: %b\n%bdata: %b\n\n" % (event.encode(), mark, msgspec.json.encode(data))


class Subscriber:
    """An open stream of a seat.

    `own` are the public seat ids that its browser knows; `device` identifies the browser, or the program on this seat.
    """

    watcher: DisplayName | None = None
    """The spectator's name, if it has one."""

    def __init__(self, seat: str, side: SeatSide, device: str, own: frozenset[str], address: str = "") -> None:
        self.seat = seat
        self.side = side
        self.device = device
        self.address = address
        self.own = own
        self.fell_behind = False
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, data: bytes) -> None:
        """Queue a message, or note that a snapshot is needed."""
        if self.fell_behind:
            return
        if self._queue.qsize() < DEPTH:
            self._queue.put_nowait(data)
            return
        self.fell_behind = True
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(b"")

    def end(self, data: bytes = b"") -> None:
        if data:
            self.fell_behind = False
            self._queue.put_nowait(data)
        self._queue.put_nowait(None)

    def end_with(self, data: bytes) -> None:
        self.fell_behind = False
        while not self._queue.empty():
            self._queue.get_nowait()
        self.end(data)

    async def next(self, patience: float) -> bytes | None:
        """Return the next message, None at the end. Raise TimeoutError after `patience` seconds of silence."""
        return await asyncio.wait_for(self._queue.get(), patience)


class Throttled:
    """Calls a function at most once per `PAUSE`: at once if the last call is long ago, else when the pause ends."""

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send
        self._again = 0.0
        """Loop time from which the next call is allowed."""
        self._is_due = False

    def __call__(self) -> None:
        if self._is_due:
            return
        loop = asyncio.get_running_loop()
        wait = self._again - loop.time()
        if wait <= 0:
            self._go()
        else:
            self._is_due = True
            loop.call_later(wait, self._go)

    def _go(self) -> None:
        self._is_due, self._again = False, asyncio.get_running_loop().time() + PAUSE
        self._send()


class Broadcaster:
    """The subscribers of a game. A message is made once per side, and only if that side has subscribers."""

    def __init__(self, seat_view: SeatView) -> None:
        self.seat_view = seat_view
        self.subscribers: set[Subscriber] = set()
        self._count: Counter[SeatSide] = Counter()
        self._last: dict[int, object] = {}
        """By side: the state sent with the last update."""
        self._watching: tuple[DisplayName, ...] = ()
        """The spectators that players were told of last."""
        self._seen: dict[int, messages.LastSeenBlock] = {}
        """By side: the last block that its devices have seen."""
        self.refresh = Throttled(self._refresh)
        """Sends everyone a snapshot after a change of seats."""
        self._tell_seen = {side: Throttled(partial(self._send_seen, side)) for side in PLAYERS}
        self._tell_names = Throttled(self._send_names)

    def join(self, subscriber: Subscriber, after: int) -> list[bytes]:
        """Add a subscriber who knows everything up to number `after`; return the first messages."""
        side, log = subscriber.side, self.seat_view.game.history.logs[subscriber.side]
        self._enter(subscriber)
        now = self.seat_view.now(side)
        self._last[side] = now, self._sealed
        self.seat_view.scene(side)
        if not log.n - MOST_MISSED <= after <= log.n or after < 0:
            return [self.fresh(subscriber)]
        if after == log.n and not self.seat_view.game.history.has_unseen_change(side):
            return [self._news(side, Notification(log.n, -1, 0), now)]
        missed = (self._news(side, notification, now) for notification in log.news[after + 1 :])
        return [*missed, self.fresh(subscriber)]

    def _enter(self, subscriber: Subscriber) -> None:
        """Send the presence to the new subscriber; to others only if its side was empty."""
        self.subscribers.add(subscriber)
        self._count[subscriber.side] += 1
        if self._count[subscriber.side] == 1:
            self._send_presence()
        else:
            subscriber.send(self._presence(subscriber.side))
            self.send_spectator_names()
        for seen in self._seen.values():
            if seen.side != subscriber.side:
                subscriber.send(message("seen", seen))

    def note_seen(self, seen: messages.LastSeenBlock) -> None:
        if self._seen.get(seen.side) != seen:
            self._seen[seen.side] = seen
            self._tell_seen[seen.side]()

    def _send_seen(self, side: int) -> None:
        self.broadcast(message("seen", self._seen[side]), {0, 1, WATCHER} - {side})

    def leave(self, subscriber: Subscriber) -> None:
        if subscriber not in self.subscribers:
            return
        self.subscribers.discard(subscriber)
        self._count[subscriber.side] -= 1
        if self._count[subscriber.side]:
            self.send_spectator_names()
        else:
            self._send_presence()

    def fresh(self, subscriber: Subscriber) -> bytes:
        fresh = self.seat_view.fresh(subscriber.side, subscriber.own)
        return message("fresh", fresh, fresh.n)

    @property
    def present(self) -> tuple[SeatSide, ...]:
        return tuple(sorted(side for side, count in self._count.items() if count))

    def send_spectator_names(self) -> None:
        """Send players the names of spectators, if they have changed."""
        if self._watching != self._spectator_names():
            self._tell_names()

    def _send_names(self) -> None:
        self._watching = self._spectator_names()
        self.broadcast(self._presence(0), PLAYERS)

    def _send_presence(self) -> None:
        self._watching = self._spectator_names()
        self.broadcast(self._presence(0), PLAYERS)
        self.broadcast(self._presence(WATCHER), (WATCHER,))

    def _presence(self, side: SeatSide) -> bytes:
        """Spectators do not see each other."""
        watching = self._watching if side != WATCHER else ()
        return message("presence", messages.Presence(self.present, watching))

    def _spectator_names(self) -> tuple[DisplayName, ...]:
        found = {subscriber.watcher for subscriber in self.subscribers if subscriber.watcher is not None}
        return tuple(sorted(found, key=lambda watcher: (watcher.name.casefold(), watcher.colour))[:MOST_NAMED])

    def end(self) -> None:
        for subscriber in self.subscribers:
            subscriber.end()

    def _refresh(self) -> None:
        """Subscribers with equal knowledge share a message."""
        made: dict[tuple[int, frozenset[str]], bytes] = {}
        for subscriber in self.subscribers:
            key = subscriber.side, subscriber.own
            if key not in made:
                made[key] = self.fresh(subscriber)
            subscriber.send(made[key])
            _bill(made[key])

    def broadcast(self, data: bytes, to: Iterable[int] = (0, 1, WATCHER)) -> None:
        found = [subscriber for subscriber in self.subscribers if subscriber.side in to]
        for subscriber in found:
            subscriber.send(data)
        _bill(data, len(found))

    def publish(self, news: Mapping[ViewerId, Sequence[Notification]]) -> None:
        """Send each subscribed side its updates as one message, so that no client acts on half a change."""
        for side in self.present:
            if side not in news:
                continue
            if data := b"".join(self._messages(side, news[side])):
                self.broadcast(data, (side,))

    def _messages(self, side: SeatSide, news: Sequence[Notification]) -> list[bytes]:
        """Return one message per number; the last one carries the change of the scene."""
        patch = difference(self.seat_view.last_scene(side), self.seat_view.scene(side))
        now = self.seat_view.now(side)
        before, self._last[side] = self._last.get(side), (now, self._sealed)
        if not news:
            is_same = not patch and before == self._last[side]
            return [] if is_same else [self._news(side, Notification(now.n, -1, 0), now, patch)]
        first = (self._news(side, notification, now) for notification in news[:-1])
        return [*first, self._news(side, news[-1], now, patch)]

    @property
    def _sealed(self) -> object:
        """Changes whenever seats need a new status of the proof."""
        return self.seat_view.game.seal and self.seat_view.game.seal.shown

    def _news(
        self, side: SeatSide, notification: Notification, now: messages.SeatUpdate, patch: Patch | None = None
    ) -> bytes:
        return message("news", self.seat_view.news(side, notification, patch or {}, now), notification.n)


def _bill(data: bytes, listeners: int = 1) -> None:
    charge_request_time((SEND_COST + BYTE_COST * len(data)) * listeners)


# --- what has changed of a scene --------------------------------------------------------------------------------------


def difference(before: msgspec.Struct, after: msgspec.Struct) -> Patch:
    """Return the JSON merge patch between two structs of one type whose defaults are omitted.

    Equal parts are not compared further, so a small change of a large value is cheap.
    """
    patch: Patch = {}
    for name, default in _defaults(type(after)).items():
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            patch |= _patch(
                _plain(name, default, *_changed_part(old, new)), _plain(name, default, *_changed_part(new, old))
            )
    return patch


@cache
def _defaults(kind: type[msgspec.Struct]) -> Patch:
    found = msgspec.structs.fields(kind)
    return {
        field.encode_name: field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        for field in found
    }


def _changed_part(value: object, other: object) -> tuple[JSON, JSON]:
    """Return the value for comparison with its default, and the part that differs from the other value."""
    if not (isinstance(value, Mapping) and isinstance(other, Mapping)):
        return value, value
    return value, {key: part for key, part in value.items() if key not in other or other[key] != part}


def _plain(name: str, default: object, whole: object, part: object) -> Patch:
    return {} if whole == default else {name: msgspec.to_builtins(part)}


def _patch(old: Mapping[str, JSON], new: Mapping[str, JSON]) -> Patch:
    patch: Patch = dict.fromkeys(key for key in old if key not in new)
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            if inner := _patch(before, value):
                patch[key] = inner
        elif key not in old or before != value:
            patch[key] = value
    return patch


# --- how many there may be --------------------------------------------------------------------------------------------


class ConnectionLimits:
    """All open streams. The oldest stream of a device gives way to its newest."""

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
        return len(self._subscribers)

    def enter(self, subscriber: Subscriber) -> bytes:
        """Admit a subscriber; return a message if it is refused."""
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
        self._subscribers.pop(subscriber, None)
        for index, key in self._indexes(subscriber):
            subscribers = index.get(key, {})
            subscribers.pop(subscriber, None)
            if not subscribers:
                index.pop(key, None)

    def close(self) -> None:
        """End all streams; reconnections are spread over time."""
        for number, subscriber in enumerate(self._subscribers):
            wait = _BACK + number * _APART % _SPREAD
            subscriber.end(b"retry: %d\n" % wait + message("again", messages.Reconnect(wait)))

    def _is_full(self, subscriber: Subscriber) -> bool:
        address = subscriber.address
        return (
            len(self._subscribers) >= self._in_all
            or len(self._seats.get(subscriber.seat, ())) >= self._per_seat
            or (not is_local_address(address) and len(self._addresses.get(address, ())) >= self._per_address)
        )

    def _indexes(self, subscriber: Subscriber) -> list[tuple[dict[str, _Subscribers], str]]:
        found = [
            (self._seats, subscriber.seat),
            (self._devices, subscriber.device),
            (self._addresses, subscriber.address),
        ]
        return [(index, key) for index, key in found if key]

"""The streams of a game's seats: who listens and what each is sent, and how many streams there may be."""

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
from leuthen.server.session.limits import bill, is_here
from leuthen.server.session.messages import Sitter
from leuthen.server.session.problems import TOO_MANY
from leuthen.server.session.seat_view import Patch, SeatView

DEPTH: Final = 64
"""Changes that may wait for a reader; one who is slower gets a fresh view instead."""
PLAYERS: Final = (0, 1)
MOST_NAMED: Final = 12
"""So many of those who watch are named."""
MOST_MISSED: Final = 300
"""News that a listener may have missed; one who missed more gets a fresh view alone."""
TELLING: Final = 0.0001
"""Seconds that it costs to send one listener something, which is done after the request that brought it about."""
SENDING: Final = 1e-8
"""Seconds that each byte of it costs besides."""
PAUSE: float = 1.0
"""Seconds within which names, seats, and what is seen of the proof are sent once, as they stand then."""
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
_ELSEWHERE: Final = messages.Problem(
    TOO_MANY,
    "Open elsewhere",
    "Other pages of this browser follow their tables; this one rests until you come back to it.",
)
_FULL: Final = messages.Problem(
    503, "The table is full", "The server has no room for one more who listens. Try again later."
)
_Subscribers: TypeAlias = "dict[Subscriber, None]"
"""Those of one seat, device or address, the oldest first."""


def message(event: str, data: object, n: int | None = None) -> bytes:
    mark = b"" if n is None else b"id: %d\n" % n
    return b"event: %b\n%bdata: %b\n\n" % (event.encode(), mark, msgspec.json.encode(data))


class Subscriber:
    """One open stream of a seat. `side` is 2 for the gallery; `own` are the public ids that its browser knows.

    `device` is the browser, or the program on this seat, that has it; `address` where it comes from.
    """

    watcher: Sitter | None = None
    """How who listens calls himself, if he watches and has a name."""

    def __init__(self, seat: str, side: SeatSide, device: str, own: frozenset[str], address: str = "") -> None:
        self.seat = seat
        self.side = side
        self.device = device
        self.address = address
        self.own = own
        self.fell_behind = False
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, data: bytes) -> None:
        """Hands him a message, or notes that he needs a fresh view."""
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

    def cut(self, data: bytes) -> None:
        """Ends the stream at once with this message: whatever waited to be sent is dropped."""
        self.fell_behind = False
        while not self._queue.empty():
            self._queue.get_nowait()
        self.end(data)

    async def next(self, patience: float) -> bytes | None:
        """The next message; None if the stream is to end. Raises TimeoutError when nothing came for so many seconds."""
        return await asyncio.wait_for(self._queue.get(), patience)


class Merged:
    """Sends something at once if it was not sent lately, else once when the pause is over, however often it is due."""

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send
        self._again = 0.0
        """When it may be sent again, by the loop's clock."""
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
    """The listeners of a game. What a side is told is made once, and only if somebody listens on that side."""

    def __init__(self, seat_view: SeatView) -> None:
        self.seat_view = seat_view
        self.subscribers: set[Subscriber] = set()
        self._count: Counter[SeatSide] = Counter()
        """By side: how many listen."""
        self._last: dict[int, object] = {}
        """By side, what it was told last beside what happened."""
        self._watching: tuple[Sitter, ...] = ()
        """Who watches, as those who play were last told."""
        self._seen: dict[int, messages.LastSeenBlock] = {}
        """What the devices of each side have last seen of the proof."""
        self.refresh = Merged(self._refresh)
        """Gives everybody a fresh view, because who sits where has changed."""
        self._tell_seen = {side: Merged(partial(self._send_seen, side)) for side in PLAYERS}
        self._tell_names = Merged(self._send_names)

    def join(self, subscriber: Subscriber, after: int) -> list[bytes]:
        """Somebody listens who has heard all up to number `after`; what he has to be told first."""
        side, log = subscriber.side, self.seat_view.game.history.logs[subscriber.side]
        self._enter(subscriber)
        now = self.seat_view.now(side)
        self._last[side] = now, self._sealed
        self.seat_view.scene(side)
        if not log.n - MOST_MISSED <= after <= log.n or after < 0:
            return [self.fresh(subscriber)]
        if after == log.n and not self.seat_view.game.history.is_stirred(side):
            return [self._news(side, Notification(log.n, -1, 0), now)]
        missed = (self._news(side, notification, now) for notification in log.news[after + 1 :])
        return [*missed, self.fresh(subscriber)]

    def _enter(self, subscriber: Subscriber) -> None:
        """Who is there is told to the newcomer, and to all others only if his side was empty before."""
        self.subscribers.add(subscriber)
        self._count[subscriber.side] += 1
        if self._count[subscriber.side] == 1:
            self._tell_presence()
        else:
            subscriber.send(self._presence(subscriber.side))
            self.tell_watchers()
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
            self.tell_watchers()
        else:
            self._tell_presence()

    def fresh(self, subscriber: Subscriber) -> bytes:
        fresh = self.seat_view.fresh(subscriber.side, subscriber.own)
        return message("fresh", fresh, fresh.n)

    @property
    def present(self) -> tuple[SeatSide, ...]:
        return tuple(sorted(side for side, count in self._count.items() if count))

    def tell_watchers(self) -> None:
        """Tells those who play who watches, if that has changed."""
        if self._watching != self._watchers():
            self._tell_names()

    def _send_names(self) -> None:
        self._watching = self._watchers()
        self.broadcast(self._presence(0), PLAYERS)

    def _tell_presence(self) -> None:
        self._watching = self._watchers()
        self.broadcast(self._presence(0), PLAYERS)
        self.broadcast(self._presence(WATCHER), (WATCHER,))

    def _presence(self, side: SeatSide) -> bytes:
        """Those who watch are not told of each other."""
        watching = self._watching if side != WATCHER else ()
        return message("presence", messages.Presence(self.present, watching))

    def _watchers(self) -> tuple[Sitter, ...]:
        found = {subscriber.watcher for subscriber in self.subscribers if subscriber.watcher is not None}
        return tuple(sorted(found, key=lambda watcher: (watcher.name.casefold(), watcher.colour))[:MOST_NAMED])

    def end(self) -> None:
        for subscriber in self.subscribers:
            subscriber.end()

    def _refresh(self) -> None:
        """Who knows the same is given the same."""
        made: dict[tuple[int, frozenset[str]], bytes] = {}
        for subscriber in self.subscribers:
            key = subscriber.side, subscriber.own
            if key not in made:
                made[key] = self.fresh(subscriber)
            subscriber.send(made[key])
            _bill(made[key])

    def broadcast(self, data: bytes, to: Iterable[int] = (0, 1, WATCHER)) -> None:
        """Sends the same to all who listen on these sides."""
        found = [subscriber for subscriber in self.subscribers if subscriber.side in to]
        for subscriber in found:
            subscriber.send(data)
        _bill(data, len(found))

    def publish(self, news: Mapping[ViewerId, Sequence[Notification]]) -> None:
        """Tells every side that listens what it has to hear, all of it at once: nobody acts on half of a change."""
        for side in self.present:
            if side not in news:
                continue
            if data := b"".join(self._messages(side, news[side])):
                self.broadcast(data, (side,))

    def _messages(self, side: SeatSide, news: Sequence[Notification]) -> list[bytes]:
        """Each number in a message of its own; the change of the scene comes with the last."""
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
        """What changes whenever a seat has to be told something else of the proof."""
        return self.seat_view.game.seal and self.seat_view.game.seal.shown

    def _news(
        self, side: SeatSide, notification: Notification, now: messages.News, patch: Patch | None = None
    ) -> bytes:
        return message("news", self.seat_view.news(side, notification, patch or {}, now), notification.n)


def _bill(data: bytes, listeners: int = 1) -> None:
    bill((TELLING + SENDING * len(data)) * listeners)


# --- what has changed of a scene --------------------------------------------------------------------------------------


def difference(before: msgspec.Struct, after: msgspec.Struct) -> Patch:
    """The patch that makes one struct's JSON into another's of the same type, whose defaults are left out.

    Parts that are equal are not looked into, so a small change of a large value costs little.
    """
    patch: Patch = {}
    for name, default in _defaults(type(after)).items():
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            patch |= _patch(_plain(name, default, *_changed(old, new)), _plain(name, default, *_changed(new, old)))
    return patch


@cache
def _defaults(kind: type[msgspec.Struct]) -> Patch:
    """The fields and their defaults."""
    found = msgspec.structs.fields(kind)
    return {
        field.encode_name: field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        for field in found
    }


def _changed(value: object, other: object) -> tuple[JSON, JSON]:
    """The value as it is compared with its default, and as much of it as differs from the other."""
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
            subscriber.end(b"retry: %d\n" % wait + message("again", messages.Again(wait)))

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

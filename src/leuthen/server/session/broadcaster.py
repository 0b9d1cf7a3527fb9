"""Those who listen to a game, and what they are told when it changes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from leuthen.engine.ruleset import WATCHER, SeatSide, ViewerId
from leuthen.server.session import answers
from leuthen.server.session.addresses import bill
from leuthen.server.session.patch import Patch, difference
from leuthen.server.session.requests import Sitter
from leuthen.server.session.seat_log import Notification
from leuthen.server.session.seat_view import Rest, SeatView
from leuthen.server.session.subscriber import Subscriber, message
from leuthen.storage.rows import SeatRow

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


class Merged:
    """Sends something at once if it was not sent lately, else once when the pause is over, however often it is due."""

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send
        self._again = 0.0
        """When it may be sent again, by the loop's clock."""
        self._is_due = False

    def __call__(self) -> None:
        """It is due."""
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

    def __init__(self, seat_view: SeatView, seats: Sequence[SeatRow]) -> None:
        self.seat_view = seat_view
        self.seats = seats
        self.subscribers: set[Subscriber] = set()
        self._count: Counter[SeatSide] = Counter()
        """By side: how many listen."""
        self._rest: dict[int, object] = {}
        self._watching: tuple[Sitter, ...] = ()
        """Who watches, as those who play were last told."""
        self._seen: dict[int, answers.LastSeenBlock] = {}
        """What the devices of each side have last seen of the proof."""
        self.refresh = Merged(self._refresh)
        """Gives everybody a fresh view, because who sits where has changed."""
        self._tell_seen = {side: Merged(partial(self._send_seen, side)) for side in PLAYERS}
        self._tell_names = Merged(self._send_names)

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        """Who sits where."""
        return self.seat_view.seats

    @seats.setter
    def seats(self, seats: Sequence[SeatRow]) -> None:
        self.seat_view.seats = tuple(seats)

    def join(self, subscriber: Subscriber, after: int) -> list[bytes]:
        """Somebody listens who has heard all up to number `after`; what he has to be told first."""
        side, log = subscriber.side, self.seat_view.history.logs[subscriber.side]
        self._enter(subscriber)
        rest = self.seat_view.rest(side)
        self._rest[side] = rest, self._sealed
        self.seat_view.scene(side)
        if not log.n - MOST_MISSED <= after <= log.n or after < 0:
            return [self.fresh(subscriber)]
        if after == log.n and not log.is_stirred:
            return [self._news(side, Notification(log.n, -1, 0), rest)]
        missed = (self._news(side, notification, rest) for notification in log.news[after + 1 :])
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

    def note_seen(self, seen: answers.LastSeenBlock) -> None:
        """Tells the others what the devices of a side have seen of the proof."""
        if self._seen.get(seen.side) != seen:
            self._seen[seen.side] = seen
            self._tell_seen[seen.side]()

    def _send_seen(self, side: int) -> None:
        self.broadcast(message("seen", self._seen[side]), {0, 1, WATCHER} - {side})

    def leave(self, subscriber: Subscriber) -> None:
        """Somebody listens no more."""
        if subscriber not in self.subscribers:
            return
        self.subscribers.discard(subscriber)
        self._count[subscriber.side] -= 1
        if self._count[subscriber.side]:
            self.tell_watchers()
        else:
            self._tell_presence()

    def fresh(self, subscriber: Subscriber) -> bytes:
        """All that a listener has to know."""
        fresh = self.seat_view.fresh(subscriber.side, self.seats, subscriber.own)
        return message("fresh", fresh, fresh.n)

    @property
    def present(self) -> tuple[SeatSide, ...]:
        """The sides that listen."""
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
        return message("presence", answers.Presence(self.present, watching))

    def _watchers(self) -> tuple[Sitter, ...]:
        found = {subscriber.watcher for subscriber in self.subscribers if subscriber.watcher is not None}
        return tuple(sorted(found, key=_as_listed)[:MOST_NAMED])

    def end(self) -> None:
        """Ends all streams of this game."""
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
        for side in (side for side in self.present if side in news):
            if data := b"".join(self._messages(side, news[side])):
                self.broadcast(data, (side,))

    def _messages(self, side: SeatSide, news: Sequence[Notification]) -> list[bytes]:
        """Each number in a message of its own; the change of the scene comes with the last."""
        patch = difference(self.seat_view.last_scene(side), self.seat_view.scene(side))
        rest = self.seat_view.rest(side)
        before, self._rest[side] = self._rest.get(side), (rest, self._sealed)
        if not news:
            n = self.seat_view.history.logs[side].n
            is_same = not patch and before == self._rest[side]
            return [] if is_same else [self._news(side, Notification(n, -1, 0), rest, patch)]
        first = (self._news(side, notification, rest) for notification in news[:-1])
        return [*first, self._news(side, news[-1], rest, patch)]

    @property
    def _sealed(self) -> object:
        """What changes whenever a seat has to be told something else of the proof."""
        return self.seat_view.seal and self.seat_view.seal.shown

    def _news(self, side: SeatSide, notification: Notification, rest: Rest, patch: Patch | None = None) -> bytes:
        return message("news", self.seat_view.news(side, notification, patch or {}, rest), notification.n)


def _as_listed(watcher: Sitter) -> tuple[str, str]:
    return watcher.name.casefold(), watcher.colour


def _bill(data: bytes, listeners: int = 1) -> None:
    """Charge the request that brought it about for what is sent."""
    bill((TELLING + SENDING * len(data)) * listeners)

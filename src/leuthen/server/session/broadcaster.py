"""Those who listen to a game, and what they are told when it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from leuthen.engine.ruleset import WATCHER
from leuthen.server.session import answers
from leuthen.server.session.patch import Patch, difference
from leuthen.server.session.seat_log import Notification
from leuthen.server.session.seat_view import SeatView
from leuthen.server.session.subscriber import Subscriber, message
from leuthen.storage.rows import SeatRow

MOST_MISSED: Final = 300
"""News that a listener may have missed; one who missed more gets a fresh view alone."""


class Broadcaster:
    """The listeners of a game. What a side is told is made once, and only if somebody listens on that side."""

    def __init__(self, seat_view: SeatView, seats: Sequence[SeatRow]) -> None:
        self.seat_view = seat_view
        self.seats = tuple(seats)
        self.subscribers: set[Subscriber] = set()
        self._count: Counter[int] = Counter()
        """By side: how many listen."""
        self._rest: dict[int, object] = {}
        self._seen: dict[int, answers.Seen] = {}
        """What the devices of each side have last seen of the proof."""

    def join(self, subscriber: Subscriber, after: int) -> list[bytes]:
        """Somebody listens who has heard all up to number `after`; what he has to be told first."""
        side, log = subscriber.side, self.seat_view.history.logs[subscriber.side]
        self._enter(subscriber)
        self._rest[side] = self._rest_of(side)
        self.seat_view.scene(side)
        if not log.n - MOST_MISSED <= after <= log.n or after < 0:
            return [self.fresh(subscriber)]
        if after == log.n and not log.is_stirred:
            return [self._news(side, Notification(log.n, -1, 0))]
        return [*(self._news(side, notification) for notification in log.news[after + 1 :]), self.fresh(subscriber)]

    def _enter(self, subscriber: Subscriber) -> None:
        """Who is there is told to the newcomer, and to all others only if his side was empty before."""
        self.subscribers.add(subscriber)
        self._count[subscriber.side] += 1
        if self._count[subscriber.side] == 1:
            self.broadcast(self._presence())
        else:
            subscriber.send(self._presence())
        for seen in self._seen.values():
            if seen.side != subscriber.side:
                subscriber.send(message("seen", seen))

    def note_seen(self, seen: answers.Seen) -> None:
        """Tells the others what the devices of a side have seen of the proof."""
        if self._seen.get(seen.side) != seen:
            self._seen[seen.side] = seen
            self.broadcast(message("seen", seen), {0, 1, WATCHER} - {seen.side})

    def leave(self, subscriber: Subscriber) -> None:
        """Somebody listens no more."""
        if subscriber not in self.subscribers:
            return
        self.subscribers.discard(subscriber)
        self._count[subscriber.side] -= 1
        if not self._count[subscriber.side]:
            self.broadcast(self._presence())

    def fresh(self, subscriber: Subscriber) -> bytes:
        """All that a listener has to know."""
        fresh = self.seat_view.fresh(subscriber.side, self.seats, subscriber.own)
        return message("fresh", fresh, fresh.n)

    @property
    def present(self) -> tuple[int, ...]:
        """The sides that listen."""
        return tuple(sorted(side for side, count in self._count.items() if count))

    def _presence(self) -> bytes:
        return message("presence", answers.Presence(self.present))

    def end(self) -> None:
        """Ends all streams of this game."""
        for subscriber in self.subscribers:
            subscriber.end()

    def refresh(self) -> None:
        """Gives everybody a fresh view, because who sits where has changed."""
        for subscriber in self.subscribers:
            subscriber.send(self.fresh(subscriber))

    def broadcast(self, data: bytes, to: Iterable[int] = (0, 1, WATCHER)) -> None:
        """Sends the same to all who listen on these sides."""
        for subscriber in self.subscribers:
            if subscriber.side in to:
                subscriber.send(data)

    def publish(self, news: Mapping[int, Sequence[Notification]]) -> None:
        """Tells every side that listens what it has to hear, all of it at once: nobody acts on half of a change."""
        for side in self.present:
            if data := b"".join(self._messages(side, news[side])):
                self.broadcast(data, (side,))

    def _messages(self, side: int, news: Sequence[Notification]) -> list[bytes]:
        """Each number in a message of its own; the change of the scene comes with the last."""
        patch = difference(self.seat_view.last_scene(side), self.seat_view.scene(side))
        before, self._rest[side] = self._rest.get(side), self._rest_of(side)
        if not news:
            is_same = not patch and before == self._rest[side]
            return (
                [] if is_same else [self._news(side, Notification(self.seat_view.history.logs[side].n, -1, 0), patch)]
            )
        return [*(self._news(side, notification) for notification in news[:-1]), self._news(side, news[-1], patch)]

    def _rest_of(self, side: int) -> object:
        seat_view = self.seat_view
        return (
            seat_view.awaited(side),
            seat_view.can_undo(side),
            seat_view.proposals_for(side),
            seat_view.standing(side),
            seat_view.seal and (len(seat_view.seal.blocks), seat_view.seal.waiting),
        )

    def _news(self, side: int, notification: Notification, patch: Patch | None = None) -> bytes:
        return message("news", self.seat_view.news(side, notification, patch or {}), notification.n)

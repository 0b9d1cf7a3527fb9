"""Those who listen to a game, and what they are told when it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from leuthen.engine.ruleset import WATCHER
from leuthen.server import wire
from leuthen.server.glance import Glance
from leuthen.server.listener import Listener, message
from leuthen.server.patch import difference
from leuthen.server.track import Heard
from leuthen.storage.rows import SeatRow

MOST_MISSED: Final = 300
"""News that a listener may have missed; one who missed more gets a fresh view alone."""


class Feed:
    """The listeners of a game. What a side is told is made once, and only if somebody listens on that side."""

    def __init__(self, glance: Glance, seats: Sequence[SeatRow]) -> None:
        self.glance = glance
        self.seats = tuple(seats)
        self.listeners: set[Listener] = set()
        self._count: Counter[int] = Counter()
        """By side: how many listen."""
        self._rest: dict[int, object] = {}

    def join(self, listener: Listener, after: int) -> list[bytes]:
        """Somebody listens who has heard all up to number `after`; what he has to be told first."""
        side, track = listener.side, self.glance.course.tracks[listener.side]
        self._enter(listener)
        self._rest[side] = self._rest_of(side)
        self.glance.scene(side)
        if not track.n - MOST_MISSED <= after <= track.n or after < 0:
            return [self.fresh(listener)]
        if after == track.n and not track.is_stirred:
            return [self._news(side, Heard(track.n, -1, 0))]
        return [*(self._news(side, heard) for heard in track.news[after + 1 :]), self.fresh(listener)]

    def _enter(self, listener: Listener) -> None:
        """Who is there is told to the newcomer, and to all others only if his side was empty before."""
        self.listeners.add(listener)
        self._count[listener.side] += 1
        if self._count[listener.side] == 1:
            self.broadcast(self._presence())
        else:
            listener.send(self._presence())

    def leave(self, listener: Listener) -> None:
        """Somebody listens no more."""
        if listener not in self.listeners:
            return
        self.listeners.discard(listener)
        self._count[listener.side] -= 1
        if not self._count[listener.side]:
            self.broadcast(self._presence())

    def fresh(self, listener: Listener) -> bytes:
        """All that a listener has to know."""
        fresh = self.glance.fresh(listener.side, self.seats, listener.own)
        return message("fresh", fresh, fresh.n)

    @property
    def present(self) -> tuple[int, ...]:
        """The sides that listen."""
        return tuple(sorted(side for side, count in self._count.items() if count))

    def _presence(self) -> bytes:
        return message("presence", wire.Presence(self.present))

    def end(self) -> None:
        """Ends all streams of this game."""
        for listener in self.listeners:
            listener.end()

    def refresh(self) -> None:
        """Gives everybody a fresh view, because who sits where has changed."""
        for listener in self.listeners:
            listener.send(self.fresh(listener))

    def broadcast(self, data: bytes, to: Iterable[int] = (0, 1, WATCHER)) -> None:
        """Sends the same to all who listen on these sides."""
        for listener in self.listeners:
            if listener.side in to:
                listener.send(data)

    def publish(self, news: Mapping[int, Sequence[Heard]]) -> None:
        """Tells every side that listens what it has to hear, all of it at once: nobody acts on half of a change."""
        for side in self.present:
            if data := b"".join(self._messages(side, news[side])):
                self.broadcast(data, (side,))

    def _messages(self, side: int, news: Sequence[Heard]) -> list[bytes]:
        """Each number in a message of its own; the change of the scene comes with the last."""
        patch = difference(self.glance.last_scene(side), self.glance.scene(side))
        before, self._rest[side] = self._rest.get(side), self._rest_of(side)
        if not news:
            is_same = not patch and before == self._rest[side]
            return [] if is_same else [self._news(side, Heard(self.glance.course.tracks[side].n, -1, 0), patch)]
        return [*(self._news(side, heard) for heard in news[:-1]), self._news(side, news[-1], patch)]

    def _rest_of(self, side: int) -> object:
        glance = self.glance
        return glance.awaited(side), glance.can_undo(side), glance.proposals(side), glance.standing(side)

    def _news(self, side: int, heard: Heard, patch: Mapping[str, object] | None = None) -> bytes:
        return message("news", self.glance.news(side, heard, patch or {}), heard.n)

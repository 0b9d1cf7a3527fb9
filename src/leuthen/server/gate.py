"""How many streams there may be: of one browser, of one seat, and of all."""

from __future__ import annotations

from typing import Final, TypeAlias

from leuthen.server.listener import Listener, message
from leuthen.server.problems import TOO_MANY
from leuthen.server.wire import Problem

PER_BROWSER: Final = 4
"""A browser opens six connections to a host: the rest are for its pages."""
PER_SEAT: Final = 500
IN_ALL: Final = 5000
_LATER: Final = b"retry: 30000\n"
_ELSEWHERE: Final = Problem(
    TOO_MANY,
    "Open elsewhere",
    "Other pages of this browser follow their tables; this one rests until you come back to it.",
)
_FULL: Final = Problem(503, "The table is full", "The server has no room for one more who listens. Try again later.")


_Listeners: TypeAlias = dict[Listener, None]
"""Those of one seat or browser, the oldest first."""


class Gate:
    """All who listen. The oldest stream of a browser makes room for its newest."""

    def __init__(self, per_browser: int = PER_BROWSER, per_seat: int = PER_SEAT, in_all: int = IN_ALL) -> None:
        self._limits = per_browser, per_seat, in_all
        self._listeners: dict[Listener, None] = {}
        self._seats: dict[str, _Listeners] = {}
        self._browsers: dict[str, _Listeners] = {}

    def enter(self, listener: Listener) -> bytes:
        """Lets somebody in, or gives what he is told instead."""
        per_browser, per_seat, in_all = self._limits
        if len(self._listeners) >= in_all or len(self._seats.get(listener.seat, ())) >= per_seat:
            return _LATER + message("problem", _FULL)
        same = list(self._browsers.get(listener.browser, ()))
        for oldest in same[: max(0, len(same) + 1 - per_browser)]:
            oldest.end(_LATER + message("problem", _ELSEWHERE))
            self.leave(oldest)
        self._listeners[listener] = None
        for index, key in self._indexes(listener):
            index.setdefault(key, {})[listener] = None
        return b""

    def leave(self, listener: Listener) -> None:
        """Somebody has gone."""
        self._listeners.pop(listener, None)
        for index, key in self._indexes(listener):
            listeners = index.get(key, {})
            listeners.pop(listener, None)
            if not listeners:
                index.pop(key, None)

    def close(self) -> None:
        """Ends all streams."""
        for listener in self._listeners:
            listener.end()

    def _indexes(self, listener: Listener) -> list[tuple[dict[str, _Listeners], str]]:
        """Where he is counted: with his seat, and with his browser if he has one."""
        found = [(self._seats, listener.seat), (self._browsers, listener.browser)]
        return [(index, key) for index, key in found if key]

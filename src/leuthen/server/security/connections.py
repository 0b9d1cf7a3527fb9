"""Connections: idle or stalled ones are closed first, so that players find room."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Final, cast

import msgspec
import uvicorn
from litestar.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from leuthen.engine.codec import JSON
from leuthen.server.session.limits import is_local_address, network_of

HEAD_SECONDS: Final = 10.0
"""Time limit for the head of a request, from its first byte or from the start of the connection."""
STALL_SECONDS: Final = 30.0
"""Time limit for a client to read what was sent."""
HEAD_BYTES: Final = 64 * 1024
MOST: Final = 8192
"""Maximum number of connections, if the system allows it."""
FEWEST: Final = 64
RESERVE: Final = 200
"""File descriptors for the database, worker processes and the log."""
_BUSY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 10\r\n"
    b"connection: close\r\ncontent-length: 35\r\n\r\nThe server is full. Try again soon."
)


class Caps(msgspec.Struct, frozen=True):
    """The maximum number of connections: in all, per address, and per address of this machine."""

    in_all: int = MOST
    abroad: int = MOST // 4
    at_home: int = MOST * 7 // 8


def caps_for(files: int) -> Caps:
    """Return the limits for a number of file descriptors. A proxy on this machine may use most of them."""
    in_all = min(MOST, max(FEWEST, files - RESERVE))
    return Caps(in_all, in_all // 4, in_all * 7 // 8)


def raise_file_limit() -> int:
    """Raise this process's limit of open files to what the server can use; return the limit."""
    try:
        import resource
    except ImportError:
        return MOST + RESERVE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + RESERVE
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


class Connections:
    """All open connections. If there is no room, the one that has been idle longest is closed."""

    def __init__(self, caps: Caps | None = None) -> None:
        self.caps = caps or Caps()
        self._open: dict[Connection, str] = {}
        self._count: Counter[str] = Counter()
        self._resting: dict[Connection, None] = {}
        """Idle connections, oldest first."""

    def enter(self, one: Connection, address: str) -> bool:
        """Admit a connection, if need be in place of an idle one; return False if there is no room."""
        address = network_of(address)
        most = self.caps.at_home if is_local_address(address) else self.caps.abroad
        if self._count[address] >= most and not self._make_room(address):
            return False
        if len(self._open) >= self.caps.in_all and not (self._make_room(address) or self._make_room()):
            return False
        self._open[one] = address
        self._count[address] += 1
        self.rest(one)
        return True

    def rest(self, one: Connection) -> None:
        if one in self._open:
            self._resting[one] = None

    def work(self, one: Connection) -> None:
        self._resting.pop(one, None)

    def leave(self, one: Connection) -> None:
        self.work(one)
        address = self._open.pop(one, None)
        if address is not None:
            self._count[address] -= 1
            if not self._count[address]:
                del self._count[address]

    def _make_room(self, address: str | None = None) -> bool:
        """Close the longest idle connection of an address or of all; return False if there is none."""
        oldest = next((one for one in self._resting if address in (None, self._open[one])), None)
        if oldest is None:
            return False
        self.leave(oldest)
        oldest.give_up()
        return True


class Config(uvicorn.Config):
    def __init__(self, app: ASGIApp, connections: Connections, **more: JSON) -> None:
        super().__init__(app, http=Connection, ws="none", interface="asgi3", **more)
        self.registry = connections


class Gathering:
    """A transport that combines the writes of one loop turn, such as the head and body of an answer.

    Sending is expensive, and a client that receives two parts wakes twice.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []
        self.is_closing, self.get_extra_info = transport.is_closing, transport.get_extra_info  # asked for often

    def write(self, data: bytes) -> None:
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)

    def close(self) -> None:
        self._send()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def _send(self) -> None:
        data, self._held = b"".join(self._held), []
        if data and not self._transport.is_closing():  # who has gone meanwhile is sent nothing
            self._transport.write(data)


class Connection(HttpToolsProtocol):
    """A connection with time limits for reading and writing."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, JSON],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._registry = config.registry
        self._timer: asyncio.TimerHandle | None = None
        """Runs out if no request head arrives."""
        self._stall: asyncio.TimerHandle | None = None
        """Runs out if the client does not read."""
        self._head = 0
        """Bytes of the current head so far."""
        self._reads_head = False
        self._asked = 0
        """Number of unanswered requests."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(cast("asyncio.Transport", Gathering(transport, self.loop)))
        if not self._registry.enter(self, self.client[0] if self.client else ""):
            transport.write(_BUSY)
            transport.close()
            return
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._registry.leave(self)
        self._forget_timers()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._head = self._head + len(data) if self._reads_head else 0
        if self._head > HEAD_BYTES:
            self.give_up()
        elif self._timer is None and not self._asked and not self.transport.is_closing():
            self._expect_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._reads_head = True

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._reads_head = False
        self._asked += 1
        self._registry.work(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._asked -= 1
        if not self._asked:
            self._registry.rest(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stall is None:
            self._stall = self.loop.call_later(STALL_SECONDS, self.give_up)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def give_up(self) -> None:
        self._forget_timers()
        self.transport.abort()

    def _expect_head(self) -> None:
        self._timer = self.loop.call_later(HEAD_SECONDS, self.give_up)

    def _forget_timers(self) -> None:
        for timer in (self._timer, self._stall):
            if timer is not None:
                timer.cancel()
        self._timer = self._stall = None

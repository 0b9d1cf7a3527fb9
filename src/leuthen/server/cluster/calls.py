"""Calls to the other servers of a database: lines that stay open, and answers that are passed on as they come."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from typing import Final, NamedTuple

from litestar.types import Receive, Send

from leuthen.server.cluster.frames import BodyPart, Forwarded, Hello, NotMine, Start, pack, read
from leuthen.storage.leads import KnownServer

CONNECT_SECONDS: Final = 2.0
IDLE: Final = 32
"""Lines to one server that are kept open while nothing is asked."""


class Broken(Exception):
    """The line broke before there was an answer; `is_open` is whether the request may have been carried out."""

    def __init__(self, *, is_open: bool) -> None:
        super().__init__()
        self.is_open = is_open


class _Line(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def stands(self) -> bool:
        return not (self.reader.at_eof() or self.writer.is_closing())


class Calls:
    """The lines to the other servers."""

    def __init__(self) -> None:
        self._idle: defaultdict[str, list[_Line]] = defaultdict(list)

    async def pass_on(self, holder: KnownServer, question: Forwarded, receive: Receive, send: Send) -> None:
        """Asks another server, and sends on what it answers. Raises Broken; nothing was sent on then."""
        line = await self._open(holder)
        try:
            is_over = await _pass_on(line, question, receive, send)
        except BaseException:
            line.writer.transport.abort()
            raise
        if is_over and line.stands and len(self._idle[holder.id]) < IDLE:
            self._idle[holder.id].append(line)
        else:
            line.writer.transport.abort()

    def forget(self, server: str) -> None:
        """A server is no more."""
        for line in self._idle.pop(server, ()):
            line.writer.transport.abort()

    def close(self) -> None:
        """Hangs up."""
        for server in list(self._idle):
            self.forget(server)

    async def _open(self, holder: KnownServer) -> _Line:
        while idle := self._idle[holder.id]:
            if (line := idle.pop()).stands:
                return line
            line.writer.transport.abort()
        host, _, port = holder.address.rpartition(":")
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                line = _Line(*await asyncio.open_connection(host, int(port)))
        except (OSError, TimeoutError, ValueError):
            raise Broken(is_open=False) from None
        line.writer.write(pack(Hello(holder.secret)))
        return line


async def _pass_on(line: _Line, question: Forwarded, receive: Receive, send: Send) -> bool:
    """Whether the answer came to its end. Raises Broken."""
    start, part = await _begin(line, question)
    await send({"type": "http.response.start", "status": start.status, "headers": start.headers})
    if not part.more:
        await _send(part, send)
        return True
    watching = asyncio.ensure_future(_hang_up(line, receive))
    try:
        while part.more:
            await _send(part, send)
            part = await _next(line)
    except (OSError, EOFError, ValueError):
        part = BodyPart(b"", False)  # a stream that breaks ends: who listens comes back
        line.writer.transport.abort()
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
    await _send(part, send)
    return line.stands


async def _begin(line: _Line, question: Forwarded) -> tuple[Start, BodyPart]:
    """The beginning of an answer: all of it, unless it is a stream."""
    try:
        line.writer.write(pack(question))
        await line.writer.drain()
        start = await read(line.reader)
        if isinstance(start, Start):
            return start, await _next(line)
    except (OSError, EOFError, ValueError):
        raise Broken(is_open=True) from None
    raise Broken(is_open=not isinstance(start, NotMine))


async def _next(line: _Line) -> BodyPart:
    frame = await read(line.reader)
    if not isinstance(frame, BodyPart):
        raise ValueError("not a part of an answer")
    return frame


async def _send(part: BodyPart, send: Send) -> None:
    await send({"type": "http.response.body", "body": part.body, "more_body": part.more})


async def _hang_up(line: _Line, receive: Receive) -> None:
    """Hangs up when whoever asked does."""
    while (await receive())["type"] != "http.disconnect":
        pass
    line.writer.transport.abort()

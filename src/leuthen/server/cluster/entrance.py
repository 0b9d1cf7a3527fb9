"""Where the other servers of a database call this one: requests for the games that it leads."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from hmac import compare_digest
from typing import Final, cast

from litestar.types import ASGIApp, HTTPScope, Message, ReceiveMessage

from leuthen.server.cluster.directory import Directory
from leuthen.server.cluster.frames import BodyPart, Forwarded, Hello, NotMine, Start, pack, read
from leuthen.storage.faults import StorageError

HELLO_SECONDS: Final = 5.0
"""For a caller to say who it is."""
CLOSE_SECONDS: Final = 3.0
"""For what is under way when the server ends."""


class Entrance:
    """Answers the other servers with the app, as if whoever asks them had asked here."""

    def __init__(self, app: ASGIApp, directory: Directory) -> None:
        self._app = app
        self._directory = directory
        self._open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._busy: set[asyncio.Task[None]] = set()

    async def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers what comes over a connection, one request after another, until the caller hangs up."""
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = writer
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await read(reader)
            own = self._directory.own
            if isinstance(hello, Hello) and compare_digest(hello.secret.encode(), own.secret.encode()):
                while isinstance(question := await read(reader), Forwarded) and own is self._directory.own:
                    self._busy.add(task)
                    await self._answer(question, reader, writer)
                    self._busy.discard(task)
        except (OSError, EOFError, ValueError, TimeoutError, StorageError):
            pass  # the caller has hung up, or is none, or asks somebody else
        finally:
            self._busy.discard(task)
            del self._open[task]
            writer.close()

    async def close(self) -> None:
        """Hangs up on all callers, once what was begun is answered or has had its time."""
        if self._busy:
            await asyncio.wait(set(self._busy), timeout=CLOSE_SECONDS)
        for writer in self._open.values():
            writer.transport.abort()
        if self._open:
            await asyncio.wait(set(self._open), timeout=CLOSE_SECONDS)

    async def _answer(self, question: Forwarded, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (await self._directory.holder_of(question.game)).id != self._directory.own.id:
            if not writer.is_closing():
                writer.write(pack(NotMine()))
                await writer.drain()
            return
        answer = _Answer(question.body, reader, writer)
        try:
            await self._app(_scope(question), answer.receive, answer.send)
        finally:
            await answer.end()


class _Answer:
    """The two ends of an ASGI app on a connection."""

    def __init__(self, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._body: bytes | None = body
        self._reader = reader
        self._writer = writer
        self._start = b""
        """The frame that begins the answer, until it goes out with the first part: nobody passes it on before."""
        self._is_over = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    async def receive(self) -> ReceiveMessage:
        """The request's body, and then, when the caller hangs up, that it did."""
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        if self._watching is None:
            self._watching = asyncio.ensure_future(self._watch())
        await self._is_over.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """A part of the answer. After the last one the next request may come at once; who has hung up gets no more."""
        try:
            if self._writer.is_closing():
                raise ConnectionResetError
            await self._send(message)
        except ConnectionError:
            self._is_over.set()

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = pack(Start(message["status"], [(bytes(n), bytes(v)) for n, v in message["headers"]]))
        elif message["type"] == "http.response.body":
            is_last = not message["more_body"]
            if is_last:
                await self._watch_no_more()
            self._writer.write(self._start + pack(BodyPart(message["body"], message["more_body"])))
            self._start = b""
            if is_last:
                self._is_over.set()
            await self._writer.drain()

    async def end(self) -> None:
        """The app is done with the request."""
        await self._watch_no_more()
        self._is_over.set()

    async def _watch(self) -> None:
        """A caller says nothing while it is answered: whatever comes is that it has gone."""
        with suppress(OSError):
            await self._reader.read(1)
        self._is_over.set()

    async def _watch_no_more(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])


def _scope(question: Forwarded) -> HTTPScope:
    scope: dict[str, object] = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "root_path": "",
        "method": question.method,
        "scheme": question.scheme,
        "path": question.path,
        "raw_path": question.raw_path,
        "query_string": question.query,
        "headers": question.headers,
        "client": question.client,
        "server": question.server,
        "state": {},
        "extensions": {},
    }
    return cast("HTTPScope", scope)

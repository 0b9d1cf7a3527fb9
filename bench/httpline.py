"""Minimal HTTP client for load tests: one keep-alive connection, JSON requests and responses, and event streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import msgspec


class Reply(NamedTuple):
    """A response: status and body."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """The decoded body."""
        return msgspec.json.decode(self.body)


class HttpLine:
    """A keep-alive connection to the server, with one request at a time."""

    def __init__(self, host: str, port: int, secret: str = "", browser: str = "", behind: str = "") -> None:
        """`secret`: a program's key; `browser`: a browser's; `behind`: the client address that a proxy reports."""
        self.host = host
        self.port = port
        self.secret = secret
        self.browser = browser
        self.behind = behind
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def get(self, path: str) -> Reply:
        return await self._request("GET", path, b"")

    async def post(self, path: str, body: object) -> Reply:
        return await self._request("POST", path, msgspec.json.encode(body))

    async def put(self, path: str, body: object) -> Reply:
        return await self._request("PUT", path, msgspec.json.encode(body))

    async def post_text(self, path: str, text: str) -> Reply:
        """Send a plain text."""
        return await self._request("POST", path, text.encode(), "text/plain")

    async def events(self, path: str) -> AsyncIterator[tuple[str, bytes]]:
        """Yield the events of a stream, name and data, until it ends."""
        await self._send("GET", path, b"", "text/event-stream")
        await self._head()
        assert self._reader is not None
        event = ""
        while line := await self._reader.readline():
            name, _, value = line.rstrip().partition(b": ")
            if name == b"event":
                event = value.decode()
            elif name == b"data":
                yield event, value

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()

    async def _request(self, method: str, path: str, body: bytes, kind: str = "application/json") -> Reply:
        try:
            await self._send(method, path, body, "*/*", kind)
            status, size = await self._head()
        except (asyncio.IncompleteReadError, ConnectionError):  # the server closes idle connections
            self._writer = None
            await self._send(method, path, body, "*/*", kind)
            status, size = await self._head()
        assert self._reader is not None
        return Reply(status, await self._reader.readexactly(size))

    async def _send(self, method: str, path: str, body: bytes, accept: str, kind: str = "application/json") -> None:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self.host, self.port, limit=1 << 22)
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            f"Accept: {accept}",
            f"Content-Type: {kind}",
            f"Content-Length: {len(body)}",
        ]
        lines += [f"Authorization: Bearer {self.secret}"] if self.secret else []
        lines += [f"Cookie: leuthen={self.browser}"] if self.browser else []
        lines += [f"X-Forwarded-For: {self.behind}"] if self.behind else []
        self._writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
        await self._writer.drain()

    async def _head(self) -> tuple[int, int]:
        """Return the status and content length of a response."""
        assert self._reader is not None
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        return int(head[0].split()[1]), int(fields.get("content-length", 0))

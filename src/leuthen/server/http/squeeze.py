"""Compresses what a seat is answered, where the length can betray nothing to another player.

Why not always: docs/decisions/compression.md.
"""

from __future__ import annotations

import asyncio
import gzip
from typing import Final

from litestar.datastructures import MutableScopeHeaders
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

from leuthen.server.session.seat import Seat

_FLAG: Final = "may_squeeze"
_LEAST: Final = 500
"""Bytes; less is not worth compressing."""
_MUCH: Final = 64_000
"""Bytes; more is compressed beside the loop."""
_LEVEL: Final = 5


def allow(scope: Scope, seat: Seat) -> None:
    """Notes whether what this seat is answered may be compressed."""
    scope["state"][_FLAG] = seat.is_alone


def squeeze(app: ASGIApp) -> ASGIApp:
    """Compresses the JSON of such answers for who takes that; streams stay as they are."""

    async def squeezed(scope: Scope, receive: Receive, send: Send) -> None:
        held: HTTPResponseStartEvent | None = None

        async def send_smaller(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start" and _may(scope, message):
                held = message
                return
            if held is not None:
                start, held = held, None
                if message["type"] == "http.response.body" and not message["more_body"]:
                    message["body"] = await _packed(start, message["body"])
                await send(start)
            await send(message)

        await app(scope, receive, send_smaller)

    return squeezed


def _may(scope: Scope, start: HTTPResponseStartEvent) -> bool:
    if not scope["state"].get(_FLAG):
        return False
    headers = MutableScopeHeaders(start)
    if not headers.get("content-type", "").startswith("application/json") or "content-encoding" in headers:
        return False
    headers["vary"] = "Accept-Encoding"
    asked = (value for name, value in scope["headers"] if name == b"accept-encoding")
    return any(b"gzip" in value for value in asked)


async def _packed(start: HTTPResponseStartEvent, body: bytes) -> bytes:
    """The body as it is sent, with its headers."""
    if len(body) < _LEAST:
        return body
    packed = _pack(body) if len(body) < _MUCH else await asyncio.to_thread(_pack, body)
    headers = MutableScopeHeaders(start)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(packed))
    return packed


def _pack(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL, mtime=0)

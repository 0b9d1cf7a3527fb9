"""How servers talk to each other: requests that were judged already, and their answers, as frames of bytes.

A connection begins with the secret of the server that is called. Then it carries one request at a time: a frame with
all of it, and back frames with the messages of its answer (those of ASGI) until one says that no more come. Whoever
hangs up before ends the request.
"""

from __future__ import annotations

import asyncio
import struct
from typing import Final, TypeAlias

import msgspec

MOST: Final = 16 * 1024**2
"""Bytes of a frame."""
_HEAD: Final = struct.Struct(">I")
Headers: TypeAlias = list[tuple[bytes, bytes]]


class Hello(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """Who calls is a server of this database."""

    secret: str


class Forwarded(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """A request, as it came from whoever asks, and the game that it is about."""

    game: str
    method: str
    scheme: str
    path: str
    raw_path: bytes
    query: bytes
    headers: Headers
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    body: bytes


class Start(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """An answer begins."""

    status: int
    headers: Headers


class BodyPart(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """A part of its body."""

    body: bytes
    more: bool


class NotMine(msgspec.Struct, frozen=True, array_like=True, tag=4):
    """Who was called does not lead that game: nothing was done."""


Frame: TypeAlias = Hello | Forwarded | Start | BodyPart | NotMine
_decoder: Final[msgspec.msgpack.Decoder[Frame]] = msgspec.msgpack.Decoder(Frame)


def pack(frame: Frame) -> bytes:
    """A frame with its length before it."""
    body = msgspec.msgpack.encode(frame)
    return _HEAD.pack(len(body)) + body


async def read(reader: asyncio.StreamReader) -> Frame:
    """The next frame. Raises OSError, EOFError, or ValueError for what is none."""
    (length,) = _HEAD.unpack(await reader.readexactly(_HEAD.size))
    if length > MOST:
        raise ValueError("a frame is too long")
    return _decoder.decode(await reader.readexactly(length))

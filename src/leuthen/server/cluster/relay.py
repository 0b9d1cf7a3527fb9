"""Requests about a game go to the server that leads it: this one's own app, or another server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, cast

import msgspec
from litestar.types import ASGIApp, HTTPScope, LifeSpanScope, Message, Receive, ReceiveMessage, Scope, Send

from leuthen.server.cluster.calls import Broken, Calls
from leuthen.server.cluster.directory import Directory, elsewhere
from leuthen.server.cluster.frames import Forwarded
from leuthen.server.security.request_guard import Refused, send_problem
from leuthen.server.session.answers import Problem
from leuthen.server.session.problems import Fault, fault, problem_of
from leuthen.storage.faults import StorageAway, StorageError

PATIENCE: Final = 8.0
"""Seconds that a request waits for a new leader if the old one is no more."""
PAUSE: Final = 0.2
"""Seconds until a leader that does not answer is asked for again."""
WAKING: Final = 2.0
"""Seconds that a request waits until this server, which had no turn for long, has said again that it is there."""
LOOK: Final = 0.02
"""Seconds between two looks whether it is."""
_SEATS: Final = "/api/seats/"
_TAKE: Final = "/api/take"
_SAFE: Final = ("GET", "HEAD", "PUT")
_ONCE: Final = ("orders", "moves", "chat", "form", "seen")
"""What is posted with a key, or changes nothing: sent twice it counts once."""


class Relay:
    """Stands before the app."""

    def __init__(self, app: ASGIApp, directory: Directory, calls: Calls, is_there: Callable[[], bool]) -> None:
        """`is_there` says whether this server may answer from what it remembers."""
        self._app = app
        self._directory = directory
        self._calls = calls
        self._is_there = is_there

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
        """Answers a request, or passes it on."""
        kind: str = scope["type"]
        if kind != "http":
            await self._app(cast("Scope", scope), receive, send)
            return
        try:
            await self._answer(cast("HTTPScope", scope), _Body(receive), send)
        except (Fault, StorageError, Refused) as error:
            await send_problem(_problem(error), _saying_when(error, send))

    async def _answer(self, scope: HTTPScope, body: _Body, send: Send) -> None:
        game = await self._game_of(scope, body)
        end = asyncio.get_running_loop().time() + PATIENCE
        while game is not None and not await self._leads(game):
            holder = await self._directory.holder_of(game)
            try:
                question = _question(game, scope, await body.whole())
                await self._calls.pass_on(holder, question, body.receive, send)
                return
            except Broken as broken:
                self._directory.doubt(game)
                if (broken.is_open and not _may_come_twice(scope)) or asyncio.get_running_loop().time() > end:
                    raise elsewhere() from None
            await asyncio.sleep(PAUSE)
        await self._app(scope, body.again, send)

    async def _leads(self, game: str) -> bool:
        """Whether this server leads a game. Raises StorageAway if it cannot know."""
        loop = asyncio.get_running_loop()
        end = loop.time() + WAKING
        while (await self._directory.holder_of(game)).id == self._directory.own.id:
            if self._is_there():
                return True
            if loop.time() > end:
                raise StorageAway("this server cannot say that it is there")
            await asyncio.sleep(LOOK)
        return False

    async def _game_of(self, scope: HTTPScope, body: _Body) -> str | None:
        """The game that a request is about, if there is one."""
        path = scope["path"]
        if path.startswith(_SEATS):
            return await self._directory.game_of(path[len(_SEATS) :].partition("/")[0])
        if path == _TAKE and scope["method"] == "POST":
            secret = _secret_in(await body.whole())
            return await self._directory.game_of_invitation(secret) if secret else None
        return None


class _Body:
    """The body of a request: read once, and given again."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self._whole: bytes | None = None
        self._is_given = False

    async def whole(self) -> bytes:
        """All of it. Raises Refused if it is too long or too late, Fault if whoever asks has gone."""
        if self._whole is None:
            parts, more = list[bytes](), True
            while more:
                message = await self.receive()
                if message["type"] != "http.request":
                    raise fault(400, "Not understood", "The body has no end.")
                parts.append(message["body"])
                more = message["more_body"]
            self._whole = b"".join(parts)
        return self._whole

    async def again(self) -> ReceiveMessage:
        """What `receive` gives to whoever has not read it."""
        if self._whole is None or self._is_given:
            return await self.receive()
        self._is_given = True
        return {"type": "http.request", "body": self._whole, "more_body": False}


class _Taking(msgspec.Struct):
    """What of a body says which game it is about."""

    secret: str


def _secret_in(body: bytes) -> str:
    try:
        return msgspec.json.decode(body, type=_Taking).secret
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""  # the app says what is wrong with it


def _question(game: str, scope: HTTPScope, body: bytes) -> Forwarded:
    return Forwarded(
        game=game,
        method=scope["method"],
        scheme=str(scope["scheme"]),
        path=scope["path"],
        raw_path=scope["raw_path"],
        query=scope["query_string"],
        headers=[(bytes(name), bytes(value)) for name, value in scope["headers"]],
        client=scope["client"],
        server=scope["server"],
        body=body,
    )


def _may_come_twice(scope: HTTPScope) -> bool:
    return scope["method"] in _SAFE or scope["path"].rpartition("/")[2] in _ONCE


def _problem(error: Fault | StorageError | Refused) -> Problem:
    if isinstance(error, Refused):
        return error.problem
    found = problem_of(error)
    assert found is not None
    return found.problem


def _saying_when(error: Exception, send: Send) -> Send:
    """Says with the answer when it may be asked again."""
    found = problem_of(error)
    if found is None or not found.wait:
        return send
    retry = (b"retry-after", str(found.wait).encode())

    async def send_with_time(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], retry]
        await send(message)

    return send_with_time

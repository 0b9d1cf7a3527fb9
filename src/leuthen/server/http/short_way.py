"""The short way to the two routes that players ask most: the same handlers, without the framework's machinery around.

What the framework does there took nearly half of the time of a small form: it looks for the route, judges parameters
that need no judging, and makes an answer by way of three objects. What it does for all others (`app.py`) is done here
too: limits, the guard of sessions, compression, and errors told as problems.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias, cast

import msgspec
from litestar import Litestar, Request, Response
from litestar.exceptions import InternalServerException
from litestar.types import ASGIApp, HTTPScope, LifeSpanScope, Receive, Scope, Send
from typing_extensions import override

from leuthen.server.http import seats
from leuthen.server.http.browser import guard
from leuthen.server.http.squeeze import squeeze
from leuthen.server.security.request_guard import Asked
from leuthen.server.session.answers import Problem

Check: TypeAlias = Callable[[Asked], Awaitable[None]]
"""Raises Fault for an address that asks for too much."""
Tell: TypeAlias = Callable[[Asked, Exception], Response[Problem]]
"""The answer to an error."""
HANDLERS: Final = {"orders": seats.give_order, "form": seats.order_form}
_PATH: Final = re.compile(rf"/api/seats/([A-Za-z0-9_-]+)/({'|'.join(HANDLERS)})")
_JSON: Final = (b"content-type", b"application/json")


class ShortWay:
    """An application, before whose routes orders and forms are answered."""

    def __init__(self, app: Litestar, check: Check, tell: Tell) -> None:
        """`check` and `tell` are what the application has for its routes, too."""
        self.app = app
        self._answer = guard(squeeze(_answering(check, tell)))

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
        """Answers a request, or leaves that to the application."""
        kind: str = scope["type"]
        if kind == "http" and _is_ours(request := cast("HTTPScope", scope)):
            request["litestar_app"] = self.app
            request.setdefault("state", {})
            await self._answer(request, receive, send)
        else:
            await self.app(cast("Scope", scope), receive, send)


def _is_ours(request: HTTPScope) -> bool:
    return request["method"] == "POST" and _PATH.fullmatch(request["path"]) is not None


class _Asked(Request[Any, Any, Any]):
    """A request whose body has been bounded before (`RequestGuard`)."""

    @override
    async def body(self) -> bytes:
        parts = list[bytes]()
        while (message := await self.receive())["type"] == "http.request":
            parts.append(message["body"])
            if not message["more_body"]:
                return b"".join(parts)
        raise InternalServerException("the client has gone")


def _answering(check: Check, tell: Tell) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        request, found = _Asked(scope, receive, send), _PATH.fullmatch(scope["path"])
        assert found is not None
        seat, what = found.groups()
        handler = HANDLERS[what]
        try:
            await check(request)
            body = msgspec.json.encode(await handler.fn(request, seat))
        except Exception as error:
            await tell(request, error).to_asgi_response(None, request)(scope, receive, send)
            return
        headers = [_JSON, (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": handler.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return answer

"""What all routes share: who asks, a browser by the key in its cookie or a program by its own; GET; compression."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from litestar import Response
from litestar.datastructures import Cookie
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.middleware.compression import CompressionMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from typing_extensions import override

from leuthen.engine.ruleset import SeatSide
from leuthen.server.security.rate_limits import COST, LOOK, Cost
from leuthen.server.security.request_guard import Asked, send_problem
from leuthen.server.session.device_sessions import DeviceSession, Visitor
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.problems import BAD, fault, unknown
from leuthen.server.session.registry import GameRegistry, hash_of, new_secret

T = TypeVar("T")
BODY: Final = "body"
"""The option of routes that says of what type their body is."""
UNCOMPRESSED: Final = "uncompressed"
"""The option of routes that the middleware leaves as they are."""
YEAR: Final = 365 * 24 * 3600
_BEARER: Final = "Bearer "
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{24}")
_SESSION: Final = "session"
_COMPRESS: Final = "compress"
_BROWSER: Final = "a browser"
_SYSTEMS: Final = frozenset({"Android", "Chrome OS", "iOS", "Linux", "macOS", "Windows"})
"""Values of the header Sec-CH-UA-Platform, with which Chromium's browsers name their system, that a label may have."""


def _route(method: HttpMethod, *more: HttpMethod) -> Callable[..., HTTPRouteHandler]:

    def route(
        path: str | Sequence[str],
        *,
        cost: Cost = LOOK,
        body: type[msgspec.Struct] | None = None,
        is_compressed: bool = True,
        **more_of_it: Any,
    ) -> HTTPRouteHandler:
        """Decorate a handler: what a request costs, and what `read` reads of its body.

        What the middleware does not compress is a stream, a list of one's games, or a file that comes compressed.
        """
        opt = {COST: cost, BODY: body, UNCOMPRESSED: not is_compressed}
        return HTTPRouteHandler(path, http_method=[method, *more], opt=opt, **more_of_it)

    return route


get: Final = _route(HttpMethod.GET, HttpMethod.HEAD)
"""Of GET and HEAD (RFC 9110, 9.3.2). The server sends the headers of a HEAD alone."""
post: Final = _route(HttpMethod.POST)
put: Final = _route(HttpMethod.PUT)
delete: Final = _route(HttpMethod.DELETE)


def routes_in(names: Mapping[str, object]) -> Sequence[HTTPRouteHandler]:
    """The handlers of a module, in their order."""
    return [handler for handler in names.values() if isinstance(handler, HTTPRouteHandler)]


def registry_of(request: Asked) -> GameRegistry:
    registry: GameRegistry = request.app.state.registry
    return registry


def browser_of(request: Asked) -> str:
    """The hash of the browser's key, or "" if it has none yet."""
    key = _key_of(request)
    return hash_of(key) if key else ""


def known_browser(request: Asked) -> tuple[Visitor, list[Cookie]]:
    """The browser by its key, and the cookie that gives it one or lets it keep the one that it has."""
    key = _key_of(request) or new_secret()
    is_secure = request.url.scheme == "https"
    cookie = Cookie(
        _name(request), value=key, max_age=YEAR, path="/", secure=is_secure, httponly=True, samesite="strict"
    )
    return Visitor(hash_of(key), _label(request)), [cookie]


def _label(request: Asked) -> str:
    system = request.headers.get("sec-ch-ua-platform", "").strip('"')
    return f"{_BROWSER} on {system}" if system in _SYSTEMS else _BROWSER


def program(key: str) -> Visitor:
    """A program by the key that it has made for itself."""
    return Visitor(hash_of(key), "a program")


def _key_of(request: Asked) -> str:
    """The key in the browser's cookie, or "": what is not of the form that is given out here is none."""
    key = request.cookies.get(_name(request), "")
    return key if _KEY.fullmatch(key) else ""


def _name(request: Asked) -> str:
    return "__Host-leuthen" if request.url.scheme == "https" else "leuthen"


async def device_session_of(request: Asked, seat: str) -> DeviceSession:
    """The session of whoever asks on the seat of that public id. Raises Fault: a foreign seat is as unknown as none.

    If it ends before the answer is sent, the answer is not sent (`guard`).
    """
    said = request.headers.get("authorization", "")
    if said and not said.startswith(_BEARER):
        raise unknown()
    lock = hash_of(said.removeprefix(_BEARER).strip()) if said else browser_of(request)
    device = await registry_of(request).devices.find(seat, lock)
    request.scope["state"][_SESSION] = device
    return device


class SeatAccess(NamedTuple):
    """A device on a seat, and the game to which the seat belongs."""

    device: DeviceSession
    session: GameSession
    id: str
    side: SeatSide


async def seat_of(request: Asked, seat: str) -> SeatAccess:
    """The seat of that public id, for the device that asks. Raises Fault as `device_session_of` does."""
    device = await device_session_of(request, seat)
    session = await registry_of(request).session(device.seat.game)
    request.scope["state"][_COMPRESS] = "accept-encoding" in request.headers and session.is_alone(device.seat.side)
    return SeatAccess(device, session, device.seat.id, device.seat.side)


def leave(request: Asked) -> None:
    """Whoever asks has signed himself out, and is told so."""
    del request.scope["state"][_SESSION]


def guard(app: ASGIApp) -> ASGIApp:
    """Lets no answer out to a device that was signed out while the answer was made."""

    def guarded(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        is_over = False

        async def send_if_open(message: Message) -> None:
            nonlocal is_over
            device: DeviceSession | None = scope["state"].get(_SESSION)
            if message["type"] == "http.response.start" and device is not None and device.is_over:
                is_over = True
                await send_problem(unknown().problem, send)
            elif not is_over:
                await send(message)

        return app(scope, receive, send_if_open)

    return guarded


class Compression(CompressionMiddleware):
    """Litestar's compression; of a seat's answers only those whose length can betray nothing to another player.

    Why not all of them: docs/decisions/compression.md.
    """

    @override
    def create_compression_send_wrapper(self, send: Send, compression_encoding: str, scope: Scope) -> Send:
        compress = super().create_compression_send_wrapper(send, compression_encoding, scope)
        is_of_seat = scope["path"].startswith("/api/seats/")

        def send_either_way(message: Message) -> Awaitable[None]:
            may_compress = scope["state"].get(_COMPRESS, not is_of_seat)
            return (compress if may_compress else send)(message)

        return send_either_way


def with_cookies(content: T, cookies: list[Cookie], status: int = 200) -> Response[T]:
    """An answer that lets the browser keep its key."""
    return Response(content, status_code=status, cookies=cookies)


async def read(request: Asked, kind: type[T]) -> T:
    """The request's body. Raises Fault, naming the field that is wrong but never what stood in it.

    Types are taken strictly: «1» is no number. A body may be long in coming: the session may have ended meanwhile.
    """
    body = await request.body()
    device: DeviceSession | None = request.scope["state"].get(_SESSION)
    if device is not None:
        device.expect_open()
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise fault(BAD, "Not understood", str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise fault(BAD, "Not understood", "the body is no JSON that can be read") from None

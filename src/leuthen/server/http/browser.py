"""Shared parts of the routes: authentication by cookie or bearer token, route decorators, compression."""

import re
from collections.abc import Awaitable, Callable, Sequence
from types import ModuleType
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from litestar.datastructures import Cookie
from litestar.di import NamedDependency, Provide
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.middleware.compression import CompressionMiddleware
from litestar.params import FromPath, SkipValidation
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from typing_extensions import override

from leuthen.server.security.request_guard import COST, LOOK, HttpRequest, send_problem
from leuthen.server.session.device_sessions import DeviceCaller, DeviceSession
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.messages import BAD, fault, unknown
from leuthen.server.session.registry import GameRegistry, hash_of, new_secret

T = TypeVar("T")
BODY: Final = "body"
"""Route option with the type of the body."""
UNCOMPRESSED: Final = "uncompressed"
"""Route option for answers that the middleware leaves uncompressed."""
YEAR: Final = 365 * 24 * 3600
_BEARER: Final = "Bearer "
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{24}")
SESSION: Final = "session"
_COMPRESS: Final = "compress"
_SYSTEMS: Final = frozenset({"Android", "Chrome OS", "iOS", "Linux", "macOS", "Windows"})
"""Values of the header Sec-CH-UA-Platform (Chromium browsers) that may appear in a label."""


def _route(method: HttpMethod, *more: HttpMethod) -> Callable[..., HTTPRouteHandler]:

    def route(
        path: str | Sequence[str],
        *,
        cost: str = LOOK,
        body: type[msgspec.Struct] | None = None,
        is_compressed: bool = True,
        **more_of_it: Any,
    ) -> HTTPRouteHandler:
        """Decorate a handler with its cost and the type of its body.

        Streams, the list of one's games, and precompressed files are not compressed.
        """
        opt = {COST: cost, BODY: body, UNCOMPRESSED: not is_compressed}
        return HTTPRouteHandler(path, http_method=[method, *more], opt=opt, **more_of_it)

    return route


get: Final = _route(HttpMethod.GET, HttpMethod.HEAD)
"""Handles GET and HEAD (RFC 9110, 9.3.2). The server omits the body of a HEAD."""
post: Final = _route(HttpMethod.POST)
put: Final = _route(HttpMethod.PUT)
delete: Final = _route(HttpMethod.DELETE)


def routes_in(*modules: ModuleType) -> Sequence[HTTPRouteHandler]:
    names = (named for module in modules for named in vars(module).values())
    return [handler for handler in names if isinstance(handler, HTTPRouteHandler)]


def registry_of(request: HttpRequest) -> GameRegistry:
    registry: GameRegistry = request.app.state.registry
    return registry


def browser_of(request: HttpRequest) -> str:
    """Return the hash of the browser's key, or "" if it has none yet."""
    key = _key_of(request)
    return hash_of(key) if key else ""


def known_browser(request: HttpRequest) -> tuple[DeviceCaller, list[Cookie]]:
    """Return the browser, and the cookie that gives it a key or renews its key."""
    key = _key_of(request) or new_secret()
    is_secure = request.url.scheme == "https"
    cookie = Cookie(
        _name(request), value=key, max_age=YEAR, path="/", secure=is_secure, httponly=True, samesite="strict"
    )
    system = request.headers.get("sec-ch-ua-platform", "").strip('"')
    return DeviceCaller(hash_of(key), f"a browser on {system}" if system in _SYSTEMS else "a browser"), [cookie]


def _key_of(request: HttpRequest) -> str:
    """Return the key of the browser's cookie, or "" if there is none of the issued form."""
    key = request.cookies.get(_name(request), "")
    return key if _KEY.fullmatch(key) else ""


def _name(request: HttpRequest) -> str:
    return "__Host-leuthen" if request.url.scheme == "https" else "leuthen"


async def find_device(request: HttpRequest, seat: FromPath[str]) -> DeviceSession:
    """Return the caller's session on a seat. Raise Fault: a foreign seat looks like an unknown one.

    If the session ends before the answer is sent, `guard` withholds the answer.
    """
    said = request.headers.get("authorization", "")
    if said and not said.startswith(_BEARER):
        raise unknown()
    lock = hash_of(said.removeprefix(_BEARER).strip()) if said else browser_of(request)
    device = await registry_of(request).devices.find(seat, lock)
    request.scope["state"][SESSION] = device
    return device


Device: TypeAlias = NamedDependency[SkipValidation[DeviceSession]]
"""The caller's device on the seat of the path."""


async def find_session(request: HttpRequest, device: Device) -> GameSession:
    """Return the game of the caller's seat. Raise Fault if it cannot be loaded."""
    session = await registry_of(request).session(device.seat.game)
    request.scope["state"][_COMPRESS] = "accept-encoding" in request.headers and session.is_alone(device.seat.side)
    return session


Session: TypeAlias = NamedDependency[SkipValidation[GameSession]]
"""The game of the caller's seat."""
DEPENDENCIES: Final = {"device": Provide(find_device), "session": Provide(find_session)}
"""What a route of a seat gets by its parameters' names."""


def guard(app: ASGIApp) -> ASGIApp:
    """Withhold answers from devices that were signed out while the answer was made."""

    def guarded(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        is_over = False

        async def send_if_open(message: Message) -> None:
            nonlocal is_over
            device: DeviceSession | None = scope["state"].get(SESSION)
            if message["type"] == "http.response.start" and device is not None and device.is_over:
                is_over = True
                await send_problem(unknown().problem, send)
            elif not is_over:
                await send(message)

        return app(scope, receive, send_if_open)

    return guarded


class Compression(CompressionMiddleware):
    """Litestar's compression, limited to answers of a seat whose length cannot reveal anything to another player.

    See docs/decisions/compression.md.
    """

    @override
    def create_compression_send_wrapper(self, send: Send, compression_encoding: str, scope: Scope) -> Send:
        compress = super().create_compression_send_wrapper(send, compression_encoding, scope)
        is_of_seat = scope["path"].startswith("/api/seats/")

        def send_either_way(message: Message) -> Awaitable[None]:
            may_compress = scope["state"].get(_COMPRESS, not is_of_seat)
            return (compress if may_compress else send)(message)

        return send_either_way


async def read(request: HttpRequest, kind: type[T]) -> T:
    """Decode the request's body. Raise Fault, which names the wrong field but never its value.

    Types are strict: "1" is no number. The session may have ended while the body was received.
    """
    body = await request.body()
    device: DeviceSession | None = request.scope["state"].get(SESSION)
    if device is not None:
        device.expect_open()
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise fault(BAD, "Not understood", str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise fault(BAD, "Not understood", "The body is not valid JSON.") from None

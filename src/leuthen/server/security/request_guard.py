"""What every request passes: whom it names, where it comes from, how big it is; and the headers of every answer.

By OWASP's cheat sheets on HTTP headers, CSRF and content security (2026).
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any, Final, TypeAlias, cast

from litestar import Request, Response
from litestar.datastructures import Headers
from litestar.types import (
    ASGIApp,
    HTTPScope,
    LifeSpanScope,
    Message,
    Receive,
    ReceiveMessage,
    Scope,
    Send,
)
from msgspec.json import encode

from leuthen.engine.texts import number_of
from leuthen.server.session.messages import Problem

Asked: TypeAlias = Request[Any, Any, Any]
"""A request, whatever it carries."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-robots-tag": "noindex, nofollow",
}
_ALWAYS: Final = [(name.encode(), value.encode()) for name, value in (*HEADERS.items(), ("cache-control", "no-store"))]
_OVER_TLS: Final = [*_ALWAYS, (b"strict-transport-security", b"max-age=31536000")]
"""Over http that means nothing (RFC 6797, 7.2)."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_SAME: Final = ("same-origin", "none")
LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")
BODY: Final = 64 * 1024
IMPORT_BODY: Final = 2 * 1024 * 1024
BODY_SECONDS: Final = 20.0
"""For a client to send a body."""
_IMPORT: Final = "/api/import"


class Refused(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, title: str, detail: str) -> None:
        super().__init__(detail)
        self.problem = Problem(status, title, detail)


def tell(_: Asked, refused: Refused) -> Response[Problem]:
    """The answer to a request that was refused while its body was read: an exception handler of the app."""
    status = refused.problem.status
    headers = {"Connection": "close"} if status == 408 else {}
    return Response(refused.problem, status_code=status, media_type="application/problem+json", headers=headers)


class RequestGuard:
    """Stands before the whole app: refuses what must not come near the game, and puts the headers on what goes out.

    `hosts` are the names under which the server may be addressed (a page elsewhere could else rebind its own name to
    this machine); none: any. `origins` are the addresses under which a proxy passes requests on: what comes under the
    name of one that begins with https came over TLS, whether the proxy says so or not. The app needs `tell` as its
    handler of `Refused`.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = (), origins: Collection[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.origins = frozenset(origins)

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers it with a Problem."""
        kind: str = scope["type"]
        if kind != "http":
            await self.app(cast("Scope", scope), receive, send)
            return
        request = cast("HTTPScope", scope)
        if f"https://{host_of(request)}" in self.origins:
            request["scheme"] = "https"

        send_guarded = guarded(send, request["scheme"])
        try:
            check(request, self.hosts, self.origins)
        except Refused as refused:
            await send_problem(refused.problem, send_guarded)
        else:
            await self.app(request, _Bounded(request, receive), send_guarded)


def guarded(send: Send, scheme: str) -> Send:
    """Return a `send` that adds the headers which an answer does not have itself."""
    all_of = _OVER_TLS if scheme == "https" else _ALWAYS

    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(header for header in all_of if header[0] not in there)]
        await send(message)

    return send_guarded


def host_of(scope: HTTPScope) -> str:
    """The host that a request names, with its port if that is not the usual one."""
    host = Headers.from_scope(scope).get("host", "").lower()
    return host.removesuffix(":443") if scope["scheme"] == "https" else host.removesuffix(":80")


def check(scope: HTTPScope, hosts: Collection[str], origins: Collection[str] = ()) -> None:
    """Judges a request by its head. Raises Refused."""
    headers, host = Headers.from_scope(scope), host_of(scope)
    if len(headers.getall("host", [])) > 1:
        raise Refused(400, "Bad request", "the request names two hosts")
    if hosts and _name_of(host) not in hosts:
        detail = "this server does not answer under that name; start it with --public-url and the address that has it"
        raise Refused(421, "Misdirected", detail)
    _check_origin(headers, (f"{scope['scheme']}://{host}", *origins))
    if scope["method"] in _SAFE:
        return
    if headers.get("sec-fetch-site", "none") not in _SAME:  # a link elsewhere may lead to our pages
        raise _foreign()
    _check_body(headers, scope["path"])


def _name_of(host: str) -> str:
    """A host without its port."""
    return host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]


def _foreign() -> Refused:
    return Refused(403, "Foreign page", "a page of another site may not ask here")


def _check_origin(headers: Headers, own: Collection[str]) -> None:
    """Whoever names an origin, for whatever he asks, comes from our own pages; a program has none."""
    origin = headers.get("origin", "")
    if origin and origin.lower() not in own:
        raise _foreign()


def _check_body(headers: Headers, path: str) -> None:
    is_import = path == _IMPORT
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    wanted = "text/plain" if is_import else "application/json"
    length = headers.get("content-length", "")
    has_body = length not in ("", "0") or "transfer-encoding" in headers
    if has_body and kind != wanted:
        raise Refused(415, "Wrong kind of body", f"the body must be {wanted}")
    most = limit_of(path)
    size = number_of(length or "0", 18)
    if size is None:
        raise Refused(400, "Bad request", "the length of the body is no number")
    if size > most:
        raise Refused(413, "Too big", f"the body may have {most} bytes at most")


def limit_of(path: str) -> int:
    """Bytes that the body of a request to this path may have."""
    return IMPORT_BODY if path == _IMPORT else BODY


class _Bounded:
    """Receives a body, and refuses one that grows past its limit, whatever it said of its length, or takes too long."""

    def __init__(self, scope: HTTPScope, receive: Receive) -> None:
        self._receive = receive
        self._left = limit_of(scope["path"])
        self._end = 0.0
        """When the whole body must be there, by the loop's clock."""
        self._is_whole = scope["method"] in _SAFE
        """No body is awaited any more: a stream, for one, only waits for its client to leave."""

    async def __call__(self) -> ReceiveMessage:
        message = await self._receive() if self._is_whole else await self._next_part()
        if message["type"] == "http.disconnect" and not self._is_whole:
            raise Refused(400, "Cut off", "the body ended before it was whole")
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            self._is_whole = not message.get("more_body", False)
        if self._left < 0:
            raise Refused(413, "Too big", "the body is too big")
        return message

    async def _next_part(self) -> ReceiveMessage:
        self._end = self._end or asyncio.get_running_loop().time() + BODY_SECONDS
        try:
            async with asyncio.timeout_at(self._end):
                return await self._receive()
        except TimeoutError:
            raise Refused(408, "Too slow", f"the body was not there after {BODY_SECONDS:.0f} s") from None


async def send_problem(problem: Problem, send: Send, wait: int = 0) -> None:
    """Answers with a problem; `wait` is after how many seconds it may be asked again, or 0."""
    await send_json(problem.status, encode(problem), "application/problem+json", send, wait)


async def send_json(status: int, body: bytes, kind: str, send: Send, wait: int = 0) -> None:
    """Answer with JSON of a kind; `wait` as for `send_problem`."""
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    if wait:
        headers.append((b"retry-after", str(wait).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})

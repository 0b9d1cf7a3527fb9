"""Checks of every request: host, origin and size; and the headers of every answer.

They follow OWASP's cheat sheets on HTTP headers, CSRF and content security (2026).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Collection, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, cast
from urllib.parse import urlsplit

import idna
from litestar import Request, Response
from litestar.datastructures import Headers
from litestar.types import (
    ASGIApp,
    HTTPRequestEvent,
    HTTPScope,
    LifeSpanScope,
    Message,
    Receive,
    ReceiveMessage,
    Scope,
    Send,
)
from msgspec.json import encode

from leuthen.engine.refusal import Invalid
from leuthen.server.session.messages import Problem

Asked: TypeAlias = Request[Any, Any, Any]
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
"""Has no meaning over http (RFC 6797, 7.2)."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_SAME: Final = ("same-origin", "none")
LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")
BODY: Final = 64 * 1024
IMPORT_BODY: Final = 2 * 1024 * 1024
BODY_SECONDS: Final = 20.0
"""Time limit for a client to send a body."""
_IMPORT: Final = "/api/import"
_LENGTH: Final = re.compile(r"[0-9]{0,18}")


# --- the names of the server ------------------------------------------------------------------------------------------


class HostNames(NamedTuple):
    """The hosts that a request may name (none: any, since the server is open to other machines), and the origins
    (`https://play.example.org`) of proxies."""

    hosts: tuple[str, ...]
    origins: tuple[str, ...]


def names_of(host: str, public: Sequence[str]) -> HostNames:
    """Return the names of a server that listens at `host`. Raise Invalid for a malformed public address."""
    origins = tuple(map(origin_of, public))
    is_open = host in ("", "0.0.0.0", "::")
    if is_open and not origins:
        return HostNames((), ())
    given = tuple(name for origin in origins if (name := urlsplit(origin).hostname))
    return HostNames((*LOCAL, *given) if is_open else (*LOCAL, ascii_name("--host", host), *given), origins)


def ascii_name(option: str, host: str) -> str:
    """Return a host name in the ASCII form that browsers send. Raise Invalid."""
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode()
    except idna.IDNAError as error:
        raise Invalid(f"{option}: «{host}» is no name of a host: {error}") from error


def origin_of(url: str) -> str:
    """Return the scheme, name and port of an address as browsers send them. Raise Invalid."""
    try:
        parts = urlsplit(url)
        name, port = parts.hostname, parts.port
    except ValueError as error:
        raise Invalid(f"--public-url {url}: {error}") from error
    if parts.scheme not in ("http", "https") or not name or parts.path.strip("/") or parts.query or parts.username:
        raise Invalid(f"--public-url {url}: must be like https://play.example.org, without a path")
    is_usual = port in (None, 443 if parts.scheme == "https" else 80)
    name = f"[{name}]" if ":" in name else ascii_name("--public-url", name)
    return f"{parts.scheme}://{name}" if is_usual else f"{parts.scheme}://{name}:{port}"


# --- what a request passes --------------------------------------------------------------------------------------------


class Refused(Exception):
    """A request that is refused."""

    def __init__(self, status: int, title: str, detail: str) -> None:
        super().__init__(detail)
        self.problem = Problem(status, title, detail)


def tell(_: Asked, refused: Refused) -> Response[Problem]:
    """Return the answer to a request that was refused while its body was read."""
    status = refused.problem.status
    headers = {"Connection": "close"} if status == 408 else {}
    return Response(refused.problem, status_code=status, media_type="application/problem+json", headers=headers)


class RequestGuard:
    """Middleware around the whole application: checks requests and adds headers to answers.

    `hosts` are the names under which the server may be addressed (against DNS rebinding); none: any. `origins` are the
    addresses of proxies: a request that names an https origin came over TLS, even if the proxy does not say so. The
    application needs `tell` as its handler of `Refused`.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = (), origins: Collection[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.origins = frozenset(origins)

    def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> Awaitable[None]:
        request, kind = cast("HTTPScope", scope), str(scope["type"])
        if kind != "http":
            return self.app(request, receive, send)
        headers = Headers.from_scope(request)
        host = _host_of(request, headers)
        if f"https://{host}" in self.origins:
            request["scheme"], host = "https", host.removesuffix(":443")
        send_guarded = guarded(send, request["scheme"])
        try:
            _check(request, headers, host, self.hosts, self.origins)
        except Refused as refused:
            return send_problem(refused.problem, send_guarded)
        return self.app(request, _bounded(request, receive), send_guarded)


def guarded(send: Send, scheme: str) -> Send:
    """Return a `send` that adds missing headers."""
    all_of = _OVER_TLS if scheme == "https" else _ALWAYS

    def send_guarded(message: Message) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *[header for header in all_of if header[0] not in there]]
        return send(message)

    return send_guarded


def _host_of(scope: HTTPScope, headers: Headers) -> str:
    host = headers.get("host", "").lower()
    return host.removesuffix(":443") if scope["scheme"] == "https" else host.removesuffix(":80")


def _check(scope: HTTPScope, headers: Headers, host: str, hosts: Collection[str], origins: Collection[str]) -> None:
    if len(headers.getall("host", [])) > 1:
        raise Refused(400, "Bad request", "the request names two hosts")
    name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
    if hosts and name not in hosts:
        detail = "this server does not answer under that name; start it with --public-url and the address that has it"
        raise Refused(421, "Misdirected", detail)
    # whoever names an origin, for whatever he asks, comes from our own pages; a program has none
    origin = headers.get("origin", "").lower()
    if origin and origin != f"{scope['scheme']}://{host}" and origin not in origins:
        raise _foreign()
    if scope["method"] not in _SAFE:
        if headers.get("sec-fetch-site", "none") not in _SAME:  # a link elsewhere may lead to our pages
            raise _foreign()
        _check_body(headers, scope["path"])


def _foreign() -> Refused:
    return Refused(403, "Foreign page", "a page of another site may not ask here")


def _check_body(headers: Headers, path: str) -> None:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    wanted = "text/plain" if path == _IMPORT else "application/json"
    length, most = headers.get("content-length", ""), limit_of(path)
    has_body = length not in ("", "0") or "transfer-encoding" in headers
    if has_body and kind != wanted:
        raise Refused(415, "Wrong kind of body", f"the body must be {wanted}")
    if not _LENGTH.fullmatch(length):
        raise Refused(400, "Bad request", "the length of the body is no number")
    if int(length or 0) > most:
        raise Refused(413, "Too big", f"the body may have {most} bytes at most")


def limit_of(path: str) -> int:
    """Return the maximum body size in bytes for a path."""
    return IMPORT_BODY if path == _IMPORT else BODY


def _bounded(scope: HTTPScope, receive: Receive) -> Receive:
    """Return a `receive` that refuses bodies that are too long or too slow, whatever length they declare."""
    left, end = limit_of(scope["path"]), 0.0
    is_whole = scope["method"] in _SAFE
    """No body is awaited any more: a stream, for one, only waits for its client to leave."""

    async def receive_bounded() -> ReceiveMessage:
        nonlocal left, end, is_whole
        if is_whole:
            return await receive()
        end = end or asyncio.get_running_loop().time() + BODY_SECONDS
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise Refused(408, "Too slow", f"the body was not there after {BODY_SECONDS:.0f} s") from None
        if message["type"] == "http.disconnect":
            raise Refused(400, "Cut off", "the body ended before it was whole")
        part = cast("HTTPRequestEvent", message)
        left -= len(part["body"])
        is_whole = not part["more_body"]
        if left < 0:
            raise Refused(413, "Too big", "the body is too big")
        return message

    return receive_bounded


async def send_problem(problem: Problem, send: Send, wait: int = 0) -> None:
    """Send a problem; `wait` is the number of seconds before a retry, or 0."""
    await send_json(problem.status, encode(problem), "application/problem+json", send, wait)


async def send_json(status: int, body: bytes, kind: str, send: Send, wait: int = 0) -> None:
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    if wait:
        headers.append((b"retry-after", str(wait).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})

"""Checks of every request: host, origin, size and rate; and the headers of every answer.

They follow OWASP's cheat sheets on HTTP headers, CSRF and content security (2026).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from math import ceil, inf
from time import monotonic
from typing import Any, Final, TypeAlias, cast
from urllib.parse import urlsplit

import idna
import msgspec
from litestar import Litestar, Request
from litestar.datastructures import Headers
from litestar.types import HTTPRequestEvent, HTTPScope, LifeSpanScope, Message, Receive, ReceiveMessage, Scope, Send
from msgspec.json import encode

from leuthen.engine.refusal import Invalid
from leuthen.server.session.limits import address_now, charge_callback, charge_steps, is_local_address, network_of
from leuthen.server.session.messages import TOO_MANY, Fault, Problem, fault

HttpRequest: TypeAlias = Request[Any, Any, Any]
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
LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")
BODY: Final = 64 * 1024
IMPORT_BODY: Final = 2 * 1024 * 1024
BODY_SECONDS: Final = 20.0
"""Time limit for a client to send a body."""
_IMPORT: Final = "/api/import"


# --- the names of the server ------------------------------------------------------------------------------------------


def names_of(host: str, public: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the hosts that a request may name (none: any, since the server is open to other machines), and the
    origins (`https://play.example.org`) of proxies, for a server that listens at `host`.

    Raise Invalid for a malformed public address.
    """
    origins = tuple(map(origin_of, public))
    is_open = host in ("", "0.0.0.0", "::")
    if is_open and not origins:
        return (), ()
    given = tuple(name for origin in origins if (name := urlsplit(origin).hostname))
    return (*LOCAL, *(() if is_open else (ascii_name("--host", host),)), *given), origins


def ascii_name(option: str, host: str) -> str:
    """Return a host name in the ASCII form that browsers send. Raise Invalid."""
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode()
    except idna.IDNAError as error:
        raise Invalid(f'{option}: "{host}" is not a host name: {error}') from error


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


class RequestGuard:
    """Middleware around the whole application: checks and counts requests, and adds headers to answers.

    Every request passes the limits, whatever its path or method, and pays its cost.
    `hosts` are the names under which the server may be addressed (against DNS rebinding); none: any. `origins` are the
    addresses of proxies: a request that names an https origin came over TLS, even if the proxy does not say so. The
    application answers a Fault that is raised while it reads a body.
    """

    def __init__(
        self,
        app: Litestar,
        hosts: Collection[str] = (),
        origins: Collection[str] = (),
        limits: RateLimits | None = None,
    ) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.origins = frozenset(origins)
        self._limits = limits or RateLimits()

    def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> Awaitable[None]:
        request, kind = cast("HTTPScope", scope), str(scope["type"])
        if kind != "http":
            return self.app(request, receive, send)
        headers = Headers.from_scope(request)
        host = headers.get("host", "").lower().removesuffix(":443" if request["scheme"] == "https" else ":80")
        if f"https://{host}" in self.origins:
            request["scheme"], host = "https", host.removesuffix(":443")
        send_guarded = guarded(send, request["scheme"])
        try:
            self._check(request, headers, host)
            self._limits.enter(request["client"][0] if request["client"] else "")
        except Fault as refused:
            return send_problem(refused.problem, send_guarded, refused.wait)
        return charge_steps(self.app(request, _bounded(request, receive), send_guarded))

    def _check(self, scope: HTTPScope, headers: Headers, host: str) -> None:
        """Raise Fault for a request to another name, from another site's page, or with a wrong body."""
        if len(headers.getall("host", [])) > 1:
            raise fault(400, "Bad request", "The request names two hosts.")
        name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
        if self.hosts and name not in self.hosts:
            detail = "The server does not know this address. Start it with --public-url and this address."
            raise fault(421, "Misdirected", detail)
        # whoever names an origin, for whatever he asks, comes from our own pages; a program has none
        origin, is_safe = headers.get("origin", "").lower(), scope["method"] in _SAFE
        is_foreign = origin not in ("", f"{scope['scheme']}://{host}", *self.origins)
        # only where it acts: a link elsewhere may lead to our pages
        if is_foreign or (not is_safe and headers.get("sec-fetch-site", "none") not in ("same-origin", "none")):
            raise fault(403, "Request from another site", "Pages of other sites cannot send requests here.")
        if is_safe:
            return
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        wanted = "text/plain" if scope["path"] == _IMPORT else "application/json"
        length, most = headers.get("content-length", ""), limit_of(scope["path"])
        if (length not in ("", "0") or "transfer-encoding" in headers) and kind != wanted:
            raise fault(415, "Wrong media type", f"The body must be {wanted}.")
        if not re.compile(r"[0-9]{0,18}").fullmatch(length):
            raise fault(400, "Bad request", "The length of the body is not a number.")
        if int(length or 0) > most:
            raise fault(413, "Too large", f"The body may have at most {most} bytes.")


def guarded(send: Send, scheme: str) -> Send:
    all_of = _OVER_TLS if scheme == "https" else _ALWAYS

    def send_guarded(message: Message) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *[header for header in all_of if header[0] not in there]]
        return send(message)

    return send_guarded


def limit_of(path: str) -> int:
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
            raise fault(408, "Too slow", f"The body did not arrive within {BODY_SECONDS:.0f} s.") from None
        if message["type"] == "http.disconnect":
            raise fault(400, "Cut off", "The body is incomplete.")
        part = cast("HTTPRequestEvent", message)
        left -= len(part["body"])
        is_whole = not part["more_body"]
        if left < 0:
            raise fault(413, "Too large", "The body is too large.")
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


# --- rate limits per address, as token buckets ------------------------------------------------------------------------

MOST_REMEMBERED: Final = 20_000
"""Maximum number of buckets; beyond it full ones are dropped, then the older half."""
COST: Final = "cost"
"""Route option with the limits of a request: the rate in `Rates` that it uses besides the rate of all requests, or one
of the next two. Its server time is always measured and charged."""
READY: Final = "ready"
"""For answers that are prepared in advance, and for the health check: not refused when the address has used up its
time."""
LOOK: Final = "look"
MAKE: Final = "making"
"""For requests that create a game, an invitation or a file."""


class Rate(msgspec.Struct, frozen=True):
    """A token bucket: refill per second and capacity."""

    per_second: float
    burst: int


class Rates(msgspec.Struct, frozen=True):
    """The limits of one address: any requests; new games; attempted secrets; imports; chat lines; name changes.

    `work` counts seconds of server time.
    """

    anything: Rate = Rate(50, 500)
    making: Rate = Rate(0.2, 40)
    taking: Rate = Rate(0.5, 40)
    bringing: Rate = Rate(0.05, 10)
    talking: Rate = Rate(1, 20)
    calling: Rate = Rate(0.1, 10)
    work: Rate = Rate(0.25, 3)


ABROAD: Final = Rates()
AT_HOME: Final = Rates(
    Rate(5000, 10_000), Rate(50, 1000), Rate(50, 1000), Rate(1, 50), Rate(50, 500), Rate(5, 100), Rate(2, 60)
)
"""For programs on this machine, and for a proxy on it that does not name its client."""
ALL_WORK: Final = Rate(0.6, 3)
"""Server time for all foreign addresses together, except modest ones."""
MODEST: Final = 0.5
"""Seconds of recent use up to which an address is served even when `ALL_WORK` is exhausted."""


class Bucket:
    """Token buckets by address and rate."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._left: dict[tuple[str, str], tuple[float, float, Rate]] = {}
        """Tokens at a time, with the rate."""

    def take(self, who: str, what: str, rate: Rate, cost: float = 1, least: float = 1) -> float:
        """Take tokens; return 0, or the seconds until `least` are available."""
        left = self.left(who, what, rate)
        if left < least:
            return (least - left) / rate.per_second
        now, key = self._clock(), (who, what)
        if len(self._left) >= MOST_REMEMBERED:
            self._left = {
                key: (left, at, rate)
                for key, (left, at, rate) in self._left.items()
                if left + (now - at) * rate.per_second < rate.burst
            }
        if len(self._left) >= MOST_REMEMBERED:  # to look at all of them at every request would cost too much
            self._left = dict(list(self._left.items())[-(MOST_REMEMBERED // 2) :])
        self._left.pop(key, None)  # who asked last stands last
        self._left[key] = left - cost, now, rate
        return 0

    def left(self, who: str, what: str, rate: Rate) -> float:
        """Return the available tokens; negative after overuse."""
        left, at, rate = self._left.get((who, what), (rate.burst, 0.0, rate))
        return min(rate.burst, left + (self._clock() - at) * rate.per_second)


class RateLimits:
    def __init__(
        self, abroad: Rates = ABROAD, at_home: Rates = AT_HOME, clock: Callable[[], float] = monotonic
    ) -> None:
        self._abroad = abroad
        self._at_home = at_home
        self._bucket = Bucket(clock)

    def enter(self, client: str) -> None:
        """Count a request and charge its address for server time from now on. Raise Fault (429) over the limit."""
        address = network_of(client)
        address_now.set(address)
        rates = self._at_home if is_local_address(address) else self._abroad
        charge_callback.set(partial(self._bill, address, rates.work))
        self._take(address, "anything", rates.anything)

    def expect(self, cost: str) -> None:
        """Raise Fault (429) if the request's address has used up the limits of this cost."""
        address = address_now.get()
        rates = self._at_home if is_local_address(address) else self._abroad
        if cost != READY:
            self._take(address, "work", rates.work, 0, 0)  # what it costs is known, and paid, afterwards
            used = rates.work.burst - self._bucket.left(address, "work", rates.work)
            if used > MODEST and not is_local_address(address):
                self._take("", "work", ALL_WORK, 0, 0)
        if cost not in (READY, LOOK):
            self._take(address, cost, getattr(rates, cost))

    def _take(self, who: str, what: str, rate: Rate, cost: float = 1, least: float = 1) -> None:
        if wait := ceil(self._bucket.take(who, what, rate, cost, least)):
            detail = f"Too many requests from your address. Try again in {wait} s."
            raise fault(TOO_MANY, "Too many requests", detail, wait=wait)

    def _bill(self, address: str, rate: Rate, seconds: float) -> None:
        self._bucket.take(address, "work", rate, seconds, -inf)
        if not is_local_address(address):
            self._bucket.take("", "work", ALL_WORK, seconds, -inf)


async def expect_cost(request: HttpRequest) -> None:
    limits: RateLimits = request.app.state.limits
    limits.expect(request.route_handler.opt.get(COST, LOOK))

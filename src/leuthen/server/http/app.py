"""The application: routes, error answers, health check, start and shutdown, and the OpenAPI document.

Litestar describes the routes; the events of the stream and the problems are added here.
"""

import asyncio
import inspect
import logging
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final, TypeAlias

import msgspec
from litestar import Litestar, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from leuthen import __version__
from leuthen.bots import BOTS
from leuthen.engine.codec import JSON
from leuthen.school.lessons import SCRIPT
from leuthen.screen import values
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.workers import end_processes
from leuthen.server.http import files, home, seats
from leuthen.server.http.browser import BODY, DEPENDENCIES, UNCOMPRESSED, Compression, get, guard, routes_in
from leuthen.server.security.request_guard import (
    COST,
    IMPORT_BODY,
    READY,
    HttpRequest,
    RateLimits,
    RequestGuard,
    expect_cost,
    limit_of,
)
from leuthen.server.session import messages
from leuthen.server.session.messages import Problem, fault, problem_of
from leuthen.server.session.registry import GameRegistry
from leuthen.storage.rows import StorageBroken
from leuthen.storage.store import Store

# --- the OpenAPI document ---------------------------------------------------------------------------------------------


Schema: TypeAlias = dict[str, JSON]
EVENTS: Final[dict[str, type[msgspec.Struct]]] = {
    "news": messages.SeatUpdate,
    "fresh": messages.SeatSnapshot,
    "chat": messages.ChatLine,
    "presence": messages.Presence,
    "devices": messages.Devices,
    "seen": messages.LastSeenBlock,
    "problem": messages.Problem,
    "again": messages.Reconnect,
}
_REF: Final = "#/components/schemas/{name}"
_STREAM: Final = "/api/seats/{seat}/stream"
_MAKING: Final = ("/api/games", "/api/import", "/api/school/lessons", "/api/school/drills")
"""The routes that create games."""
_MEANS: Final = {
    400: "The request does not have the described form.",
    401: "This device was signed out of the seat.",
    403: "The request comes from another site, or this seat may not do that.",
    404: "It does not exist, or it is not yours.",
    408: "The body did not arrive in time.",
    409: "The game has changed; `n` is the current number. Update, then decide again.",
    410: "The link was used or replaced.",
    413: "The body is too large.",
    415: "The body has the wrong media type.",
    422: "The rule named in `rule` forbids it, or the key was used for another request.",
    429: "Too many requests: retry after `Retry-After` seconds.",
    503: "The server is busy or the games are unavailable: retry after `Retry-After` seconds.",
}
"""Descriptions of the error statuses."""
_SECURITY: Final = {
    "browser": {
        "type": "apiKey",
        "in": "cookie",
        "name": "leuthen",
        "description": "A browser's key, given with its first seat, or before.",
    },
    "seat": {"type": "http", "scheme": "bearer", "description": "A program's own key, with which it took the seat."},
}


class Description(JsonRenderPlugin):
    """Serves the document at `/schema/openapi.json`. There is no HTML viewer, since those load scripts from other
    hosts."""

    _made = b""

    def render(self, request: HttpRequest, openapi_schema: Schema) -> bytes:
        self._made = self._made or msgspec.json.encode(complete(openapi_schema, request.app))
        return self._made


def complete(schema: Schema, app: Litestar) -> Schema:
    """Return Litestar's document completed with types, events, problems and security."""
    handlers = [
        (route.path_format, handler) for route in app.routes for handler in getattr(route, "route_handlers", ())
    ]
    bodies = {path: body for path, handler in handlers if (body := handler.opt.get(BODY)) is not None}
    paths = {
        path: {
            verb: _operation(path, verb, how, has_body=path in bodies) for verb, how in verbs.items() if verb != "head"
        }
        for path, verbs in schema["paths"].items()
    }
    stream = paths[_STREAM]["get"]
    stream["responses"]["200"] = _text("text/event-stream", {"$ref": _REF.format(name="StreamEvent")})
    stream["parameters"].append(
        {"name": "Last-Event-ID", "in": "header", "schema": {"type": "integer"}, "description": "Wins over `after`."}
    )
    record = paths["/api/seats/{seat}/record"]["get"]["responses"]["200"] = _text("text/plain", {"type": "string"})
    paths["/api/import"]["post"]["requestBody"] = {**record, **_bounded("/api/import")}
    for path, kind in bodies.items():
        how = paths[path].get("post") or paths[path]["put"]
        body = {"schema": {"$ref": _REF.format(name=kind.__name__)}}
        how["requestBody"] = {"content": {"application/json": body}, **_bounded(path)}
    components = {"schemas": schemas(), "securitySchemes": _SECURITY}
    whole = {**schema, "paths": paths, "components": components, "security": [{"browser": []}, {"seat": []}, {}]}
    plain: Schema = _tuples(whole)
    return plain


def _tuples(part: JSON) -> JSON:
    """Return a schema with tuples as `prefixItems` without `items`, which all OpenAPI 3.1 readers accept."""
    if isinstance(part, list):
        return [_tuples(item) for item in part]
    if not isinstance(part, dict):
        return part
    plain = {key: _tuples(value) for key, value in part.items()}
    if isinstance(plain.get("items"), list):
        plain["prefixItems"] = plain["items"]
    if "prefixItems" in plain:
        plain.pop("items", None)
    return plain


def _operation(path: str, verb: str, how: Schema, *, has_body: bool) -> Schema:
    has_seat = path.startswith("/api/seats/")
    may_change = [409, 422] if verb != "get" and has_seat else [422] if path in _MAKING else []
    known = [401, 404] if has_seat else [404] if "{" in path else []
    taken = [404, 409, 410] if path == "/api/take" else []
    body = [408, 413, 415] if (has_body or path == "/api/import") and verb != "get" else []
    refusals = sorted({400, 403, 429, 503, *known, *body, *may_change, *taken})
    answers = {status: answer for status, answer in how["responses"].items() if status.startswith("2")}
    problems = {str(status): _problem(_MEANS[status]) for status in refusals}
    return {**how, "responses": {**answers, **problems, "default": _problem("Another error, with its remedy.")}}


def _problem(text: str) -> Schema:
    schema = {"$ref": _REF.format(name="Problem")}
    return {"description": text, "content": {"application/problem+json": {"schema": schema}}}


def _bounded(path: str) -> Schema:
    return {"required": True, "description": f"At most {limit_of(path):,} bytes: a larger body is refused with 413."}


def _text(kind: str, schema: Schema) -> Schema:
    return {"description": "", "content": {kind: {"schema": schema}}}


def schemas() -> Schema:
    kinds = [
        kind
        for module in (messages, values)
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, msgspec.Struct) and kind.__module__.startswith(module.__name__)
    ]
    _, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    events = [
        {
            "type": "object",
            "title": f"{name.capitalize()}Event",
            "description": "`id` is the number of the seat's news that the client has after this event.",
            "properties": {
                "event": {"const": name},
                "id": {"type": "integer"},
                "data": {"$ref": _REF.format(name=kind.__name__)},
            },
            "required": ["event", "data"],
        }
        for name, kind in EVENTS.items()
    ]
    return {**components, "StreamEvent": {"oneOf": events}}


# --- the application --------------------------------------------------------------------------------------------------


_log = logging.getLogger(__name__)


@get("/healthz", cost=READY, include_in_schema=False)
async def healthz(request: HttpRequest) -> dict[str, str]:
    """Health check: return 200 if the server can write to its database and read it back."""
    health: Health = request.app.state.health
    await health.check()
    return {"status": "ok"}


ROUTES: Final = routes_in(home, seats)


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    registry: GameRegistry = app.state.registry
    resuming = asyncio.ensure_future(registry.resume([*BOTS, SCRIPT]))
    try:
        yield
    finally:
        resuming.cancel()
        await registry.close()
        await end_processes()


def make_routes() -> Litestar:
    """Return the application with its middleware, without games."""
    return Litestar(
        [*routes_in(files), healthz, *ROUTES],
        lifespan=[_lifespan],
        exception_handlers={Exception: answer_error},
        logging_config=None,
        openapi_config=OpenAPIConfig(
            "Leuthen",
            __version__,
            openapi_router=Router("/schema", route_handlers=[], include_in_schema=False, opt={COST: READY}),
            render_plugins=[Description()],
            use_handler_docstrings=True,
            operation_id_creator=lambda handler, method, _: (
                f"head_{handler.handler_name}" if method == "HEAD" else handler.handler_name
            ),
        ),
        request_max_body_size=IMPORT_BODY,
        before_request=expect_cost,
        dependencies=DEPENDENCIES,
        debug=False,
        middleware=[guard],
        compression_config=CompressionConfig(
            "gzip", gzip_compress_level=3, middleware_class=Compression, exclude_opt_key=UNCOMPRESSED
        ),
    )


def make_app(
    registry: GameRegistry,
    drivers: BotDrivers,
    store: Store,
    names: tuple[Sequence[str], Sequence[str]],
    limits: RateLimits | None = None,
    routes: Litestar | None = None,
) -> RequestGuard:
    """Return the application for the games of a registry, their bots, and their database, with the server's `names_of`.

    `routes` may come from an application that has ended.
    """
    limits, app = limits or RateLimits(), routes or make_routes()
    app.state.registry, app.state.drivers, app.state.limits = registry, drivers, limits
    app.state.health = Health(store)
    return RequestGuard(app, *names, limits)


def answer_error(_: HttpRequest, error: Exception) -> Response[Problem]:
    """Return the answer to an error: its problem, or a general one for a fault of the server."""
    headers: dict[str, str] | None = None
    if isinstance(error, HTTPException):
        title = {400: "Not understood", 404: "Not found", 405: "Method not allowed"}.get(error.status_code, "Refused")
        extra = error.extra if isinstance(error, ValidationException) and isinstance(error.extra, list) else []
        # the fields and the reasons, without values
        found = [f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict)]
        problem, headers = Problem(error.status_code, title, "; ".join(found) or title), error.headers
    elif (fault := problem_of(error)) is not None:
        if isinstance(error, StorageBroken):
            _log.error("%s", error)
        problem, headers = fault.problem, {"Retry-After": str(fault.wait)} if fault.wait else {}
        if problem.status == 408:  # the rest of the body may still come
            headers["Connection"] = "close"
    else:
        _log.error("a request failed", exc_info=error)
        problem = Problem(500, "The server failed", "An error occurred on the server. It was not your fault.")
    return Response(problem, status_code=problem.status, media_type="application/problem+json", headers=headers)


FRESH: Final = 1.0
"""Seconds for which a result is reused, so that frequent checks cost nothing."""


class Health:
    """Checks that the store can be written and read, once for concurrent requests."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()
        self._good_until = 0.0

    async def check(self) -> None:
        """Raise StorageError, or Fault if the value read differs from the one written."""
        async with self._lock:
            if monotonic() < self._good_until and not self._store.has_failed:
                return
            if not await self._store.check(secrets.token_hex(8)):
                raise fault(503, "The database failed", "The database did not return the value that was written.")
            self._good_until = monotonic() + FRESH

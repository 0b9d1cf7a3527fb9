"""The OpenAPI document, made from the routes and the message types.

Litestar describes the routes; the events of the stream and the problems are added here.
"""

from __future__ import annotations

import inspect
from typing import Final, TypeAlias

import msgspec
from litestar import Litestar
from litestar.openapi.plugins import JsonRenderPlugin

from leuthen.engine.codec import JSON
from leuthen.screen import values
from leuthen.server.http.browser import BODY
from leuthen.server.security.request_guard import HttpRequest, limit_of
from leuthen.server.session import messages

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

    def __init__(self) -> None:
        super().__init__()
        self._made = b""

    def render(self, request: HttpRequest, openapi_schema: Schema) -> bytes:
        self._made = self._made or msgspec.json.encode(complete(openapi_schema, request.app))
        return self._made


def complete(schema: Schema, app: Litestar) -> Schema:
    """Return Litestar's document completed with types, events, problems and security."""
    bodies = _bodies(app)
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
    paths["/api/seats/{seat}/record"]["get"]["responses"]["200"] = _text("text/plain", {"type": "string"})
    record = _text("text/plain", {"type": "string"})
    paths["/api/import"]["post"]["requestBody"] = {**record, **_bounded("/api/import")}
    for path, kind in bodies.items():
        how = paths[path].get("post") or paths[path]["put"]
        body = {"schema": {"$ref": _REF.format(name=kind.__name__)}}
        how["requestBody"] = {"content": {"application/json": body}, **_bounded(path)}
    components = {"schemas": schemas(), "securitySchemes": _SECURITY}
    whole = {**schema, "paths": paths, "components": components, "security": [{"browser": []}, {"seat": []}, {}]}
    plain: Schema = _tuples(whole)
    return plain


def _bodies(app: Litestar) -> dict[str, type[msgspec.Struct]]:
    handlers = [
        (route.path_format, handler) for route in app.routes for handler in getattr(route, "route_handlers", ())
    ]
    return {path: body for path, handler in handlers if (body := handler.opt.get(BODY)) is not None}


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
    answers = {status: answer for status, answer in how["responses"].items() if status.startswith("2")}
    problems = {str(status): _problem(_MEANS[status]) for status in _refusals(path, verb, has_body=has_body)}
    return {**how, "responses": {**answers, **problems, "default": _problem("Another error, with its remedy.")}}


def _refusals(path: str, verb: str, *, has_body: bool) -> list[int]:
    has_seat = path.startswith("/api/seats/")
    may_change = [409, 422] if verb != "get" and has_seat else [422] if path in _MAKING else []
    known = [401, 404] if has_seat else [404] if "{" in path else []
    taken = [404, 409, 410] if path == "/api/take" else []
    body = [408, 413, 415] if (has_body or path == "/api/import") and verb != "get" else []
    return sorted({400, 403, 429, 503, *known, *body, *may_change, *taken})


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
    return {**components, "StreamEvent": {"oneOf": [_event(name, kind) for name, kind in EVENTS.items()]}}


def _event(name: str, kind: type[msgspec.Struct]) -> Schema:
    return {
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

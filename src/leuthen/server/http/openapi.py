"""The description of the interface (OpenAPI), made from the routes and from the types of the wire.

Litestar describes the routes; what it cannot know is put in here: the events of the stream, and the problems.
"""

from __future__ import annotations

import inspect
from typing import Any, Final

import msgspec
from litestar.openapi.plugins import JsonRenderPlugin

from leuthen import screen
from leuthen.server.security.request_guard import limit_of
from leuthen.server.session import schemas

EVENTS: Final[dict[str, type[msgspec.Struct]]] = {
    "news": schemas.News,
    "fresh": schemas.Fresh,
    "chat": schemas.ChatLine,
    "presence": schemas.Presence,
    "devices": schemas.Devices,
    "problem": schemas.Problem,
}
"""The events of a seat's stream."""
_REF: Final = "#/components/schemas/{name}"
_STREAM: Final = "/api/seats/{seat}/stream"
_BODIES: Final = {
    "/api/games": schemas.NewGame,
    "/api/take": schemas.Take,
    "/api/seats/{seat}/orders": schemas.Order,
    "/api/seats/{seat}/moves": schemas.Move,
    "/api/seats/{seat}/form": schemas.Ask,
    "/api/seats/{seat}/standing": schemas.Instruct,
    "/api/seats/{seat}/standing/form": schemas.Ask,
    "/api/seats/{seat}/chat": schemas.Say,
    "/api/seats/{seat}/papers": schemas.Papers,
    "/api/seats/{seat}/link": schemas.NewLink,
    "/api/seats/{seat}/devices/known": schemas.Acquainted,
}
"""What is posted or put there, as JSON."""
_PROBLEM: Final = {
    "description": "What went wrong, and what to do.",
    "content": {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}},
}
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
    """Serves the description at `/schema/openapi.json`. There is no page: those that exist load from other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self._made = b""

    def render(self, request: Any, openapi_schema: dict[str, Any]) -> bytes:
        """The description, as JSON."""
        self._made = self._made or msgspec.json.encode(complete(openapi_schema))
        return self._made


def complete(schema: dict[str, Any]) -> dict[str, Any]:
    """Litestar's description with types, events, problems and who may ask."""
    paths = {path: {verb: _operation(how) for verb, how in verbs.items()} for path, verbs in schema["paths"].items()}
    stream = paths[_STREAM]["get"]
    stream["responses"]["200"] = _text("text/event-stream", {"$ref": _REF.format(name="StreamEvent")})
    stream["parameters"].append(
        {"name": "Last-Event-ID", "in": "header", "schema": {"type": "integer"}, "description": "Wins over `after`."}
    )
    paths["/api/seats/{seat}/record"]["get"]["responses"]["200"] = _text("text/plain", {"type": "string"})
    record = _text("text/plain", {"type": "string"})
    paths["/api/import"]["post"]["requestBody"] = {**record, **_bounded("/api/import")}
    for path, kind in _BODIES.items():
        how = paths[path].get("post") or paths[path]["put"]
        body = {"schema": {"$ref": _REF.format(name=kind.__name__)}}
        how["requestBody"] = {"content": {"application/json": body}, **_bounded(path)}
    components = {"schemas": schemas_of_all(), "securitySchemes": _SECURITY}
    whole = {**schema, "paths": paths, "components": components, "security": [{"browser": []}, {"seat": []}, {}]}
    plain: dict[str, Any] = _tuples(whole)
    return plain


def _tuples(part: Any) -> Any:
    """A schema whose tuples are said as all readers of OpenAPI 3.1 take them: `prefixItems`, and no `items` beside."""
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


def _operation(how: dict[str, Any]) -> dict[str, Any]:
    answers = {status: answer for status, answer in how["responses"].items() if status.startswith("2")}
    return {**how, "responses": {**answers, "default": _PROBLEM}}


def _bounded(path: str) -> dict[str, Any]:
    """What holds of a body whatever its schema says: it must be there, and no bigger than the server reads."""
    return {"required": True, "description": f"At most {limit_of(path):,} bytes: a bigger body is answered with 413."}


def _text(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": "", "content": {kind: {"schema": schema}}}


def schemas_of_all() -> dict[str, Any]:
    """The schemas of all values that go over the wire, by name."""
    kinds = [kind for module in (schemas, screen) for kind in vars(module).values() if _is_value(kind, module.__name__)]
    _, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    return {**components, "StreamEvent": {"oneOf": [_event(name, kind) for name, kind in EVENTS.items()]}}


def _is_value(kind: object, module: str) -> bool:
    return inspect.isclass(kind) and issubclass(kind, msgspec.Struct) and kind.__module__.startswith(module)


def _event(name: str, kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {
        "type": "object",
        "title": name,
        "description": "`id` is the number of the seat's news that the client has after this event.",
        "properties": {
            "event": {"const": name},
            "id": {"type": "integer"},
            "data": {"$ref": _REF.format(name=kind.__name__)},
        },
        "required": ["event", "data"],
    }

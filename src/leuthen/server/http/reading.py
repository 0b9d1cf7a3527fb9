"""Routes that only read: what answers to GET answers to HEAD as well, without the body (RFC 9110, 9.3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec


def get(
    path: str | Sequence[str],
    *,
    include_in_schema: bool = True,
    media_type: str | None = None,
    responses: Mapping[int, ResponseSpec] | None = None,
) -> HTTPRouteHandler:
    """Decorate a handler of GET and HEAD. The server sends the headers of a HEAD alone."""
    return HTTPRouteHandler(
        path,
        http_method=[HttpMethod.GET, HttpMethod.HEAD],
        include_in_schema=include_in_schema,
        media_type=media_type,
        responses=responses,
    )

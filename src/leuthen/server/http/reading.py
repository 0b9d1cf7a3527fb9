"""Routes that only read: what answers to GET answers to HEAD as well, without the body (RFC 9110, 9.3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler


def get(path: str | Sequence[str], **how: Any) -> HTTPRouteHandler:
    """Decorate a handler of GET and HEAD. The server sends the headers of a HEAD alone."""
    return HTTPRouteHandler(path, http_method=[HttpMethod.GET, HttpMethod.HEAD], **how)

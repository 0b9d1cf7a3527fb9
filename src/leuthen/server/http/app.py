"""The application: routes, error answers, health check, start and shutdown."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final

from litestar import Litestar, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig

from leuthen import __version__
from leuthen.bots import BOTS
from leuthen.school.lessons import SCRIPT
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.bots.processes import end_processes
from leuthen.server.http import files, home, imports, seats
from leuthen.server.http.browser import UNCOMPRESSED, Compression, get, guard
from leuthen.server.http.openapi import Description
from leuthen.server.security.request_guard import (
    COST,
    IMPORT_BODY,
    READY,
    Gate,
    HttpRequest,
    RateLimits,
    Refused,
    answer_refused,
    expect_cost,
)
from leuthen.server.session.messages import Problem
from leuthen.server.session.problems import fault, problem_of
from leuthen.server.session.registry import GameRegistry
from leuthen.storage.faults import StorageBroken
from leuthen.storage.store import Store

_log = logging.getLogger(__name__)
_PROBLEM: Final = "application/problem+json"


@get("/healthz", cost=READY, include_in_schema=False)
async def healthz(request: HttpRequest) -> dict[str, str]:
    """Health check: return 200 if the server can write to its database and read it back."""
    health: Health = request.app.state.health
    await health.check()
    return {"status": "ok"}


ROUTES: Final = [*home.ROUTES, *imports.ROUTES, *seats.ROUTES]


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
        [*files.ROUTES, healthz, *ROUTES],
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
    limits: RateLimits | None = None,
    routes: Litestar | None = None,
) -> Gate:
    """Return the application for the games of a registry, their bots, and their database.

    `routes` may come from an application that has ended.
    """
    limits, app = limits or RateLimits(), routes or make_routes()
    app.state.registry, app.state.drivers, app.state.limits = registry, drivers, limits
    app.state.health = Health(store)
    return Gate(app, limits)


def answer_error(asked: HttpRequest, error: Exception) -> Response[Problem]:
    """Return the answer to an error: its problem, or a general one for a fault of the server."""
    if isinstance(error, Refused):
        return answer_refused(asked, error)
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
    else:
        _log.error("a request failed", exc_info=error)
        problem = Problem(500, "The server failed", "An error occurred on the server. It was not your fault.")
    return Response(problem, status_code=problem.status, media_type=_PROBLEM, headers=headers)


FRESH: Final = 1.0
"""Seconds for which a result is reused, so that frequent checks cost nothing."""


class Health:
    """Checks that the store can be written and read, once for concurrent requests."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._lock = asyncio.Lock()
        self._good_until = 0.0

    async def check(self) -> None:
        """Raise StorageError, or Fault if the value read differs from the one written."""
        async with self._lock:
            if self._clock() < self._good_until and not self._store.has_failed:
                return
            if not await self._store.check(secrets.token_hex(8)):
                raise fault(503, "The database failed", "The database did not return the value that was written.")
            self._good_until = self._clock() + FRESH

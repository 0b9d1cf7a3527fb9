"""What the server says: faults always, requests if wanted. No query, header or body ever stands there."""

from __future__ import annotations

import logging
import sys
from time import perf_counter
from typing import Any, Final, cast

from litestar.types import ASGIApp, LifeSpanScope, Message, Receive, Scope, Send

REQUESTS: Final = logging.getLogger("leuthen.requests")


def set_up(*, tell_requests: bool) -> None:
    """Writes to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.getLogger().addHandler(handler)
    REQUESTS.setLevel(logging.INFO if tell_requests else logging.WARNING)


class RequestLog:
    """Notes each request with its method, path, status and how long its answer took to begin."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
        """Lets the request through."""
        start, head = perf_counter(), cast("dict[str, Any]", scope)

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                took = 1000 * (perf_counter() - start)
                REQUESTS.info("%s %s %d %.1f ms", head["method"], head["path"], message["status"], took)
            await send(message)

        await self.app(cast("Scope", scope), receive, noted if REQUESTS.isEnabledFor(logging.INFO) else send)

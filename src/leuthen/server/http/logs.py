"""What the server says: faults always, who comes and who is refused too, all requests if wanted.

No query, header or body ever stands there.
"""

from __future__ import annotations

import logging
import sys
import time
from time import perf_counter
from typing import Final, cast
from urllib.parse import quote

from litestar.types import ASGIApp, LifeSpanScope, Message, Receive, Scope, Send

from leuthen.engine.codec import JSON
from leuthen.server.security.rate_limits import Bucket, Rate
from leuthen.server.session.addresses import network_of

REQUESTS: Final = logging.getLogger("leuthen.requests")
_REFUSED: Final = frozenset((401, 403, 408, 413, 415, 421, 429))
_SEATS: Final = "/api/seats/"
_TAKE: Final = "/api/take"
_EACH: Final = Rate(0.2, 20)
_ALL: Final = Rate(2, 200)
"""Lines about one address and about all: whoever asks for it to be written down cannot fill the disk."""


def set_up(*, tell_requests: bool) -> None:
    """Writes to standard error, with the time in UTC."""
    handler = logging.StreamHandler(sys.stderr)
    formatter = logging.Formatter("%(asctime)sZ %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    logging.getLogger().addHandler(handler)
    REQUESTS.setLevel(logging.INFO if tell_requests else logging.WARNING)


def matters(method: str, path: str, status: int) -> bool:
    """Whether a request is told of in any case: it let somebody in or out, or was refused for what it tried."""
    if status in _REFUSED or path == _TAKE:
        return True
    if not path.startswith(_SEATS):
        return False
    return status == 404 or (method, path.endswith("/link")) == ("POST", True) or method == "DELETE"


class RequestLog:
    """Notes requests with method, path, status and how long the answer took to begin; of those that matter, from where.

    Those that matter are warnings, and come at a bounded pace.
    """

    def __init__(self, app: ASGIApp, bucket: Bucket | None = None) -> None:
        self.app = app
        self._bucket = bucket or Bucket()

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive, send: Send) -> None:
        """Lets the request through."""
        start, head = perf_counter(), cast("dict[str, JSON]", scope)

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._note(head, message["status"], 1000 * (perf_counter() - start))
            await send(message)

        await self.app(cast("Scope", scope), receive, noted)

    def _note(self, head: dict[str, JSON], status: int, took: float) -> None:
        said = head["method"], quote(head["path"]), status, took
        if not matters(head["method"], head["path"], status):
            REQUESTS.info("%s %s %d %.1f ms", *said)
            return
        address = (head.get("client") or ("",))[0]
        if not (self._bucket.take(network_of(address), "log", _EACH) or self._bucket.take("", "log", _ALL)):
            REQUESTS.warning("%s %s %d %.1f ms from %s", *said, address or "here")
